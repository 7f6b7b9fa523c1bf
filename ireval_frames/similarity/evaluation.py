"""The plan of a comparison, and its result."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Aggregate, Engine, Ranking
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    MismatchedTables,
    NotDefined,
    UnknownName,
    listed,
    nearest,
)
from ireval_frames.evaluation.coverage import Overlap
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.evaluation.request import Request
from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Plan, Table
from ireval_frames.results import TableQuery
from ireval_frames.similarity import files
from ireval_frames.similarity.context import Pair
from ireval_frames.similarity.inputs import SimilarityInputs, duplicate_items, no_overlap, rules
from ireval_frames.similarity.lists import ComparisonOptions, Lists, part
from ireval_frames.similarity.tables import SimilarityTables

if TYPE_CHECKING:
    from ireval_frames.conventions.rankings import SimilarityPolicy
    from ireval_frames.similarity.subject import Similarity

# Pairs of lists are compared in parts of about this many items (of both lists) on Polars, which bounds the memory.
PART_ITEMS = 4_000_000

# The column of units that counts the items of both rankings.
COMMON = "num_common"

Range = tuple[int | None, int | None]


class SimilarityEvaluation(Evaluation):
    """Measures of similarity for pairs of rankings; an `Evaluation` whose groups are the pairs.

    `per_unit()` has a row per pair, query and measure, `summary()` one per pair and measure, `wide()` one per pair, and
    `matrix()` a row and a column per ranking.
    """

    def matrix(self, measure: str | Measure | None = None) -> pl.DataFrame:
        """The values of one measure: a row per first ranking, a column per second one.

        The diagonal is null unless rankings were compared with themselves (`itself=True`).

        Args:
            measure: which one, if several were evaluated.

        Raises:
            UnknownName: it was not evaluated.
            InvalidParameter: several were evaluated, and none is named.
        """
        names = [str(m) for m in self.measures]
        if measure is None and len(names) > 1:
            raise InvalidParameter(
                f"A matrix is of one measure; {listed(names)} were evaluated.", f"Write matrix({names[0]!r})."
            )
        name = names[0] if measure is None else str(catalog.parse(str(measure), self.family))
        if name not in names:
            raise UnknownName(f"{name} was not evaluated.", nearest(name, names))
        summary = self.summary().filter(pl.col("measure") == name)
        one, other, *by = (self._planned.named.get(g, g) for g in self._planned.groups)
        columns = sorted(set(summary[other].to_list()))
        return summary.pivot(on=other, index=[*by, one], values="value", on_columns=columns, maintain_order=True)


@dataclass(frozen=True, eq=False)
class SimilarityRequest(Request):
    """A request for measures of the similarity of rankings."""

    subject: Similarity
    policy: SimilarityPolicy

    _from_files: set[str] = field(default_factory=set)

    def plan(self, engine: Engine) -> PlannedEvaluation:
        """The plan on an engine."""
        inputs = SimilarityInputs(
            self.user_tables,
            self.subject.names,
            self.by,
            engine,
            descending=self.subject.descending,
            from_files=self._from_files if engine.writes_sql else (),
        )
        options = ComparisonOptions(
            inputs.by_aliases, inputs.several_units, inputs.two_sides, itself=self.subject.itself, policy=self.policy
        )
        ranked = self._ranked(engine, inputs, options)
        plan = Plan(engine, ordered=self.ordered)
        lists = Lists(plan, ranked, options)
        planned = self._planned(SimilarityTables(plan, lists.entries, lists.pairs, options), inputs, ranked)

        @functools.cache
        def ranges() -> list[Range]:
            return _ranges(engine.collect(_items_of_lists(engine, lists.pairs.frame())))

        def parts() -> Sequence[PlannedEvaluation]:
            if not engine.in_process or len(ranges()) <= 1:
                return []
            entries, pairs = lists.entries.frame(), lists.pairs.frame()
            tables = [
                SimilarityTables(p, *part(p, entries, pairs, *r), options)
                for p, r in ((Plan(engine, ordered=self.ordered), r) for r in ranges())
            ]
            return [self._planned(of_part, inputs, ranked) for of_part in tables]

        return replace(planned, parts=parts)

    def _ranked(self, engine: Engine, inputs: SimilarityInputs, options: ComparisonOptions) -> RankedRows:
        names = inputs.frame.collect_schema().names()
        order = (("value", True), ("item", self.policy.ties != "doc_id"))
        depth = self.policy.depth
        all_rules = (*rules(names), *inputs.score_rules)
        ranking = Ranking(options.list_keys, order, depth=depth, rules=all_rules, duplicate=duplicate_items)
        return engine.rank(inputs.frame, ranking, None)

    def _planned(self, tables: SimilarityTables, inputs: SimilarityInputs, ranked: RankedRows) -> PlannedEvaluation:
        plan = tables.plan
        forward, backward = {}, {}
        for i, measure in enumerate(self.measures):
            with plan.requesting(str(measure)):
                forward[f"v{i}"], directed = _value(tables, measure, swapped=False)
                backward[f"v{i}"] = (
                    _value(tables, measure, swapped=True)[0] if directed and not inputs.two_sides else forward[f"v{i}"]
                )
        with plan.requesting("overlap"):
            forward[COMMON] = backward[COMMON] = tables.common.count(into=tables.results)
        units = _units(tables, forward, backward)
        self._require(tables)
        names = {
            "system": inputs.ranking,
            "other_system": f"other_{inputs.ranking}",
            **dict(zip(inputs.by_aliases, self.by, strict=True)),
        }
        finals = [col(name) for name in forward if name != COMMON]
        checks = [lambda: run_checks(plan.engine, inputs.checks), ranked.check, plan.check]
        overlap = functools.cache(lambda: self._overlap(inputs, units))
        return PlannedEvaluation(plan, units, self.measures, finals, names, checks, overlap=overlap)

    def _overlap(self, inputs: SimilarityInputs, units: Table) -> Overlap:
        """The items that rankings have in common."""
        common = units.column(col(COMMON).fill_null(0.0))
        names = ("one ranking", "the other")
        allowed = self.policy.overlap == "allow"
        return Overlap(
            units, common, common, None, "items", names, allowed, lambda: no_overlap(inputs), groups="pairs of rankings"
        )

    def coverage(self, engine: Engine) -> TableQuery:
        """How many items every two rankings have in common.

        Raises:
            NotDefined: always; it is a measure.
        """
        del engine
        raise NotDefined("The number of common items is a measure.", 'Evaluate "NumCommon".')

    def _require(self, tables: SimilarityTables) -> None:
        """Refuse what the policy does not allow."""
        plan = tables.plan
        if self.policy.missing == "error":
            plan.require(tables.pairs, col("pair").is_null(), _missing)
        if self.policy.items == "same":
            common = tables.common.count(into=tables.results)
            differs = tables.both_exist & ((common != col("size")) | (common != col("other_size")))
            plan.require(tables.results, tables.results.column(differs), _different)

    def file(self, name: str, path: Any) -> tuple[str, Mapping[str, Any]]:
        """The SELECT that reads a file of rankings, and its columns."""
        columns = self.subject.names.of(name)
        statement = files.text(path, columns)
        if not files.is_of_items(path, columns):
            self._from_files.add(name)
        return statement

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        return {"n_common": catalog.parse("NumCommon", "similarity")}


def _value(tables: SimilarityTables, measure: Measure, *, swapped: bool) -> tuple[Expr, bool]:
    """The column of a measure, and whether the measure is asymmetric."""
    pair = Pair(tables, swapped=swapped)
    value = measure.expression(pair, measure.arguments())
    return tables.results.column(when(tables.both_exist).then(value)), pair.directed


def _units(tables: SimilarityTables, forward: Mapping[str, Expr], backward: Mapping[str, Expr]) -> Table:
    """A row per pair of rankings (and query), in both directions if rankings of one table are compared."""
    plan, options = tables.plan, tables.options
    keys = ("system", "other_system", *options.within)
    same = {k: col(k) for k in keys}
    if options.two_sides:
        plan.unit = plan.selected("units", keys, tables.results, **same, **forward)
        return plan.unit
    results = tables.results
    others = plan.selected("others", ("pair",), results, where=col("system") < col("other_system"))
    swapped = same | {"system": col("other_system"), "other_system": col("system")}
    plan.unit = plan.concat("units", keys, (results, {**same, **forward}), (others, {**swapped, **backward}))
    return plan.unit


def _items_of_lists(engine: Engine, pairs: Frame) -> Frame:
    """The number of items in the pairs of each first list; pairs with a missing list have a row without a list."""
    complete = ~col("pair").is_null()
    items = when(complete).then(col("size") + col("other_size")).otherwise(0.0)
    lists = pairs.with_columns(list=when(complete).then(col("list")), items=items)
    return engine.group(lists, ("list",), [Aggregate("items", "sum", col("items"))])


def _ranges(lists: pl.DataFrame) -> list[Range]:
    """Ranges of list numbers whose pairs have about `PART_ITEMS` items; None for pairs with a missing list."""
    complete = lists.filter(pl.col("list").is_not_null()).sort("list")
    number = (complete["items"].cum_sum() - complete["items"]) // PART_ITEMS
    parts = (
        complete.with_columns(part=number)
        .group_by("part")
        .agg(low=pl.col("list").min(), high=pl.col("list").max())
        .sort("low")
    )
    ranges: list[Range] = list(parts.select("low", "high").iter_rows())
    return [*ranges, *([(None, None)] if complete.height < lists.height else [])] if len(ranges) > 1 else ranges


def _missing(rows: pl.DataFrame, count: int) -> MismatchedTables:
    where = ", ".join(f"{row['system']!r} and {row['other_system']!r}" for row in rows.head(1).iter_rows(named=True))
    query = f", query {rows['query_id'][0]!r}" if "query_id" in rows.columns else ""
    return MismatchedTables(
        f"In {count} comparisons one of the two rankings is missing: {where}{query}.",
        Hint(
            "Leave them out: ",
            Argument("policy", "missing=skip"),
            ", or undefined: ",
            Argument("policy", "missing=null"),
        ),
    )


def _different(rows: pl.DataFrame, count: int) -> MismatchedTables:
    where = ", ".join(f"{row['system']!r} and {row['other_system']!r}" for row in rows.head(1).iter_rows(named=True))
    query = f", query {rows['query_id'][0]!r}" if "query_id" in rows.columns else ""
    return MismatchedTables(
        f"In {count} comparisons the two rankings do not have the same items: {where}{query}.",
        Hint("Compare the common ones: ", Argument("policy", "items=common")),
    )
