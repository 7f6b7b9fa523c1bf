"""The tables of bounds of every list, and summarised; and what users say about gradings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue
from ireval_frames.evaluation.planned import Long
from ireval_frames.evaluation.summaries import summarised
from ireval_frames.expr import Expr, col, when
from ireval_frames.ranking.bounds.bounded import Bound, bounded
from ireval_frames.ranking.bounds.lists import OneList, ToGrade
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final
from ireval_frames.ratios import indicator
from ireval_frames.results import TableQuery

# The largest number of assignments of grades per query.
MAX_ASSIGNMENTS = 4096


class Options:
    """Which documents get which grades, checked.

    Args:
        k: only the first k documents of each list get a grade; None is all.
        grades: the grades, in any order; None is 0, 1, … and the largest judged.
        assignments: the largest number of assignments of grades that are tried per list.
        unretrieved: how many documents outside of each list get a grade, too.

    Raises:
        InvalidParameter: one of them cannot be that.
    """

    def __init__(self, k: int | None, grades: Sequence[float] | None, assignments: int, unretrieved: int = 0) -> None:
        require_whole("k", k)
        require_whole("assignments", assignments)
        require_whole("unretrieved", unretrieved, 0)
        if assignments > MAX_ASSIGNMENTS:
            raise InvalidParameter(
                f"assignments is {assignments}; each is an evaluation, and at most {MAX_ASSIGNMENTS} are allowed.",
                f"Write assignments={MAX_ASSIGNMENTS}.",
            )
        self.k, self.assignments, self.unretrieved = k, assignments, unretrieved
        self.grades = None if grades is None else parse_grades(grades)

    def of(self, documents: Any, measures: Sequence[Measure]) -> ToGrade:
        """The documents that get a grade.

        Raises:
            InvalidValue: a grade is above the scale of a measure.
        """
        for measure in measures:
            values = measure.arguments()
            top, largest = (self.grades or [0.0])[-1], values.get("max_rel")
            largest = 1.0 if values.get("stop") == "relevance" else largest
            if isinstance(largest, int | float) and top > largest:
                declared = f" (max_rel={largest:g})" if "max_rel" in values else ""
                raise InvalidValue(
                    f"{measure} takes grades up to {largest:g}{declared}, and grades has {top:g}.",
                    Hint("Write ", Argument("grades", [0, largest]), ", or declare the scale of the judgments."),
                )
        return ToGrade(documents, self.k, self.grades, self.unretrieved)


def bounds_of_lists(
    tables: RankingTables, measures: Sequence[Measure], by: Sequence[str], options: Options, *, summary: bool
) -> TableQuery:
    """Of every list and measure, or every run and measure, the value and its bounds.

    Args:
        tables: the tables of the evaluation.
        measures: the measures.
        by: the user's names of the groups of queries.
        options: which documents get which grades.
        summary: a row per run, group and measure.
    """
    units = tables.units
    columns = {alias: col(alias) for alias in tables.by if alias not in units.keys}
    for i, measure in enumerate(measures):
        with tables.plan.requesting(str(measure)):
            columns[f"value_{i}"] = units.column(final(measure, tables).cast(pl.Float64))
    values = units.frame().select(**{k: col(k) for k in units.keys}, **columns)
    of = bounded(options.of(OneList(tables.in_own_plan()), measures), measures, values, options.assignments)
    table, plan = of.table, of.plan
    groups = [*(("run_id",) if tables.several_runs else ()), *tables.by]
    names = dict(zip(tables.by, by, strict=True))
    keys = {names.get(k, k): k for k in (*groups, *(("query_id",) if not summary else ()))}
    texts, n = [str(measure) for measure in measures], len(measures)
    ends = [[col(f"value_{i}") for i in range(n)], [b.low for b in of.bounds], [b.high for b in of.bounds]]
    if summary:
        exprs = [table.column(e) for part in ends for e in part]
        sums = {"n_to_grade": col("n_to_grade")}
        for i, bound in enumerate(of.bounds):
            sums[f"open{i}"] = indicator(bound.exact == 0)
            # An end that is not known of one list is not known of all.
            sums |= {f"no_{name}{i}": indicator((bound.exact == 0) & e.is_null()) for name, e in _ends(bound)}
        summed = summarised(plan, table, exprs, [*measures] * 3, groups, sums=sums)
        frame = summed.frame()
        columns = {f"exact{i}": col(f"open{i}") == 0 for i in range(n)}
        for place, name in enumerate(("low", "high"), 1):
            of_all = [(i, f"v{place * n + i}") for i in range(n)]
            columns |= {f"{name}{i}": when(col(f"no_{name}{i}") == 0).then(col(v)) for i, v in of_all}
        frame = frame.with_columns(**columns)
        shape = {"value": [f"v{i}" for i in range(n)]}
        shape |= {name: [f"{name}{i}" for i in range(n)] for name in ("low", "high", "exact")}
        shape |= {
            "n_unjudged": ["n_to_grade"] * n,
            "n_units": ["n_units"] * n,
            "n_undefined": [f"u{i}" for i in range(n)],
        }
    else:
        columns = {}
        for name, exprs in zip(("value", "low", "high"), ends, strict=True):
            columns |= {f"{name}{i}": e for i, e in enumerate(exprs)}
        columns |= {f"exact{i}": b.exact == 1 for i, b in enumerate(of.bounds)}
        columns["n_to_grade"] = col("n_to_grade").cast(pl.Int64)
        frame = table.frame().select(**{k: col(k) for k in keys.values()}, **columns)
        shape = {name: [f"{name}{i}" for i in range(n)] for name in ("value", "low", "high", "exact")}
        shape["n_unjudged"] = ["n_to_grade"] * n
    checks = [*of.checks, plan.check]
    query = TableQuery(plan, plan.engine.shared(frame), tuple(keys.values()), tuple(frame.columns), checks)
    return Long(keys, {"measure": texts}, shape).of_query(query)


def _ends(bound: Bound) -> tuple[tuple[str, Expr], tuple[str, Expr]]:
    return ("low", bound.low), ("high", bound.high)


def parse_grades(grades: Sequence[float]) -> list[float]:
    """Grades as numbers, ascending.

    Raises:
        InvalidParameter: they are fewer than two, negative, or not numbers.
    """
    try:
        values = [] if isinstance(grades, str) else sorted({float(grade) for grade in grades})
    except (TypeError, ValueError):
        values = []
    if len(values) < 2 or values[0] < 0 or not math.isfinite(values[-1]):
        raise InvalidParameter(
            f"grades is {grades!r}; it must hold at least two numbers of 0 or more.", "Write grades=[0, 1, 2]."
        )
    return values


def require_whole(what: str, number: int | None, least: int = 1) -> None:
    """Refuse anything but a whole number of at least `least`.

    Raises:
        InvalidParameter: it is something else.
    """
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
        raise InvalidParameter(
            f"{what} is {number!r}; it must be a whole number of at least {least}.", f"Write {what}=10."
        )
