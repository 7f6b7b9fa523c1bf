"""Makes the plans of counterfactual evaluations: the inputs, the checks, and the tables, on any engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.clicks.checks import check, known
from ireval_frames.clicks.counterfactual_evaluation.given_runs import Runs
from ireval_frames.clicks.counterfactual_evaluation.tables import PAIR, Estimation, Sources, ValueTables
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.clicks.subject import Impressions
from ireval_frames.engines.base import Aggregate, Engine, RankedRows
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidValue,
    MissingColumn,
    best_of_each,
    listed,
    rows_to_fix,
)
from ireval_frames.expr import col, lit
from ireval_frames.io import sql as sql_files
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import same_kinds
from ireval_frames.overlap import LOOKED_AT, Side, nothing_in_common
from ireval_frames.plan import Plan


@dataclass(frozen=True)
class Made:
    """The tables of one plan, and what is looked at before anything is given.

    Attributes:
        tables: the tables.
        inputs: the log.
        several: whether a column tells runs apart.
        checks: raise the error of what the data must not hold.
    """

    tables: ValueTables
    inputs: ClickInputs
    several: bool
    checks: Sequence[Callable[[], None]]


class CounterfactualBuild:
    """What a counterfactual evaluation was asked, and the tables it was given.

    Args:
        log: the old log.
        run: the new rankings.
        positions: position, propensity … ; None where the log has propensities, or none are read.
        relevance: a table of query_id, doc_id, relevance; None is estimated from the log.
        asked: what is asked.
        baseline: differences from this run are estimated.
    """

    def __init__(
        self,
        log: Impressions,
        run: Any,
        positions: pl.DataFrame | None,
        relevance: Any,
        asked: Estimation,
        baseline: Any = None,
    ) -> None:
        self.log, self.run, self.positions, self.relevance, self.asked = log, run, positions, relevance, asked
        self.baseline = baseline

    def changed(self, *, baseline: Any = None, **asked: Any) -> CounterfactualBuild:
        """The same, asked otherwise."""
        # A run may be called 0.
        baseline = self.baseline if baseline is None else baseline
        return CounterfactualBuild(
            self.log, self.run, self.positions, self.relevance, replace(self.asked, **asked), baseline
        )

    def __call__(self, engine: Engine, by: Sequence[str]) -> Made:
        """Make the tables; `by` are the user's names of the columns that group pages."""
        inputs = self.log.inputs(by, engine=engine)
        inputs.needs("query_id", *(("user_id",) if self.asked.user else ()))
        self._needs_propensities(inputs)
        runs = Runs(self.run, engine)
        log, rows = same_kinds({"impressions": self._log(inputs), "run": runs.frame}, {c: c for c in PAIR})
        ranked = runs.ranked(rows, self.asked.measures)
        relevance, given = None, []
        if self.relevance is not None:
            log, relevance = same_kinds(
                {"impressions": log, "relevance": self._relevance(engine)}, {c: c for c in PAIR}
            )
            given = [
                unique_key(relevance, PAIR, _twice),
                Check(relevance, ~col("relevance").is_finite(), _no_relevance),
            ]
        positions = None if self.positions is None else engine.from_polars(self.positions)
        sources = Sources(log, self._weighed(engine, ranked), positions, relevance)
        plan = Plan(engine)
        tables = ValueTables(plan, sources, self.asked)
        self._require(tables)
        if self.asked.user:
            given.append(known(inputs, "user_id"))
        checks = [lambda: check(inputs), ranked.check, lambda: run_checks(engine, given), plan.check]
        return Made(tables, inputs, runs.several or self.baseline is not None, checks)

    def _log(self, inputs: ClickInputs) -> Frame:
        """The columns that are read, and no others."""
        known = ("weight", *(("user_id",) if self.asked.user else ()))
        kept = [c for c in known if c in inputs.log.columns]
        if self.positions is None and self._reads_propensities:
            kept.append("propensity")
        columns = {c: col(c) for c in (*self.asked.by, "serp_id", *PAIR, "position", "shown", *kept)}
        if "run_id" in inputs.keys:
            columns["system"] = col("run_id")
        return inputs.log.select(**columns, click=col("click").cast(pl.Float64))

    @property
    def _reads_propensities(self) -> bool:
        asked = self.asked
        return (
            asked.reads("propensity") or asked.reads("mean_propensity") or (asked.modelled and self.relevance is None)
        )

    def _needs_propensities(self, inputs: ClickInputs) -> None:
        """Refuse what lacks a propensity or the parameters of trust.

        Raises:
            MissingColumn: it lacks one.
        """
        known = self.positions.columns if self.positions is not None else ("propensity",)
        for column in ("alpha", "beta"):
            if self.asked.reads(column) and (self.positions is None or column not in known):
                raise MissingColumn(
                    f"The estimator affine reads {column} by position, and the propensities have no such column.",
                    "Hand in a table: propensity=frame, with the columns position, alpha and beta.",
                )
        if not self._reads_propensities:
            return
        if self.positions is not None and "propensity" not in known:
            raise MissingColumn(
                "The table of propensities has no column 'propensity'.",
                "Ask for the estimator affine, which reads none.",
            )
        if self.positions is None and "propensity" not in inputs.log.columns:
            raise MissingColumn(
                "The log has no column 'propensity', and no propensities by position were given.",
                Hint(
                    "Hand them in by position: ",
                    Argument("propensity", [1.0, 0.5], option=("propensity", "propensities.csv")),
                    ", or estimate them: ir.clicks.propensities(log).",
                ),
            )

    def _relevance(self, engine: Engine) -> Frame:
        frame = open_source(Source(self.relevance, "relevance", TABLE), engine)
        lacking = [c for c in (*PAIR, "relevance") if c not in frame.columns]
        if lacking:
            raise MissingColumn(
                f"The table of relevance has no column {lacking[0]!r} (it has: {listed(frame.columns, 20)}).",
                f"Rename one: frame.rename({{'their_name': {lacking[0]!r}}}).",
            )
        return frame.select(*PAIR, relevance=col("relevance").cast(pl.Float64))

    def _weighed(self, engine: Engine, ranked: RankedRows) -> Frame:
        """The rows of the runs with their ranks; of differences the weights instead, the baseline's taken away."""
        rows = ranked.rows().select("run_id", *PAIR, "rank")
        if self.baseline is None:
            return rows
        rank = col("rank").cast(pl.Float64)
        weights = {f"weight_of_{i}": m.at(rank) for i, m in enumerate(self.asked.measures)}
        weighed = rows.select("run_id", *PAIR, **weights)
        is_baseline = col("run_id") == lit(self.baseline)
        others = weighed.filter(~is_baseline)
        names = others.select("run_id").unique()
        taken = weighed.filter(is_baseline).select(*PAIR, **{w: -col(w) for w in weights})
        each = engine.join(taken, names, (), "inner").select("run_id", *PAIR, *weights)
        sums = [Aggregate(w, "sum", col(w)) for w in weights]
        return engine.group(concat([others, each]), ("run_id", *PAIR), sums)

    def _require(self, tables: ValueTables) -> None:
        """Every row that counts has a propensity above 0, and so has every row that a mean is taken of."""
        sources = tables.sources
        known = sources.log.columns if sources.positions is None else sources.positions.columns
        means = self.asked.reads("mean_propensity") or (self.asked.modelled and sources.relevance is None)
        for column in (c for c in ("propensity", "alpha") if c in known):
            value = col(column)
            bad = value.is_null() | ~(value > 0) | ~value.is_finite()
            for table in (tables.results,) if means else (tables.counted,):
                tables.plan.require(table, bad, _no_propensity(column))

    def file(self, name: Any, path: Any) -> tuple[str, Mapping[str, Any]]:
        """The SELECT that reads a file as that table, and its columns."""
        if name == "run":
            return sql_files.select(io.describe(path, "run"), "run"), io.scan_run(path).collect_schema()
        return sql_files.any_table(path, io.scan_table(path).collect_schema())


def _twice(rows: pl.DataFrame, count: int) -> DuplicateRows:
    del count
    return DuplicateRows(
        f"The table of relevance has the document {rows['doc_id'][0]!r} of the query {rows['query_id'][0]!r} in "
        f"{rows['n'][0]} rows.",
        best_of_each("relevance", ("query_id", "doc_id"), "relevance"),
    )


def _no_relevance(rows: pl.DataFrame, count: int) -> InvalidValue:
    del count
    return InvalidValue(
        f"The relevance of the document {rows['doc_id'][0]!r} of the query {rows['query_id'][0]!r} is "
        f"{rows['relevance'][0]}.",
        rows_to_fix("relevance", "relevance", ".is_nan()", ".is_infinite()"),
    )


def _no_propensity(column: str) -> Callable[[pl.DataFrame, int], Exception]:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.row(0, named=True)
        value, position = row[column], row["position"]
        more = f"; {count} rows of the log are such" if count > 1 else ""
        if value is None:
            return InvalidValue(
                f"Position {position} of the page {row['serp_id']!r} has no {column}{more}.",
                "Give every position that is clicked one, or leave those rows out of the log.",
            )
        return InvalidValue(
            f"The {column} at position {position} of the page {row['serp_id']!r} is {value:g}{more}; a result that "
            "counts was examined with a probability above 0.",
            f'Leave such rows out: log.filter(pl.col("{column}") > 0)',
        )

    return error


def no_overlap(engine: Engine, tables: ValueTables) -> None:
    """Refuse runs of other queries than the log's.

    Raises:
        NothingInCommon: no query of the log is in any run.
    """
    log, run = (table.frame().select("query_id").unique() for table in (tables.log, tables.retrieved))
    if engine.collect(engine.join(log, run, ("query_id",), "inner").head(1)).height:
        return
    here, there = (
        Side(name, "query_id", engine.collect(ids.sort("query_id").head(LOOKED_AT)).to_series().sort().to_list())
        for name, ids in (("log", log), ("run", run))
    )
    raise nothing_in_common("No query of the log is in the run", here, there)
