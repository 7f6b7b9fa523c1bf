"""Runs as the user hands them in, with the rank of each result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.clicks.counterfactual_evaluation.weights import Weights
from ireval_frames.columns.schema import RUN, canonical, missing, resolve
from ireval_frames.engines.base import Engine, RankedRows, Ranking, Rule
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read
from ireval_frames.engines.inputs.parquet_files import Table
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import DuplicateRows, InvalidValue, best_of_each, rows_to_fix
from ireval_frames.expr import Expr, col, lit
from ireval_frames.io import sql as sql_files
from ireval_frames.io.reading import is_local, streams
from ireval_frames.items.checks import exact, floats_of_integers

ONE_RUN = ""


def _tables(path: Any) -> Sequence[Table] | None:
    return sql_files.tables(io.describe(path, "run"), "run") if is_local(path) else None


READ = Read(io.scan_run, _tables, streams)


class Runs:
    """Runs under our names, ranked by their scores; of equal scores the larger doc_id stands first, as in trec_eval.

    Args:
        runs: as the user hands them in.
        engine: where the plan runs.

    Attributes:
        several: whether a column names the runs.
        frame: run_id, query_id, doc_id and value, which is larger for better results.
    """

    def __init__(self, runs: Any, engine: Engine) -> None:
        self.engine = engine
        frame = open_source(Source(runs, "run", READ), engine)
        columns = resolve(RUN, list(frame.columns))
        if "score" not in columns and "rank" not in columns:
            raise missing(
                RUN, "score", list(frame.columns), columns.values(), or_else="; a run without scores needs a rank."
            )
        order = "score" if "score" in columns else "rank"
        read = [c for c in ("run_id", "query_id", "doc_id", order) if c in columns]
        rows = frame.select(*canonical(RUN, frame, {c: columns[c] for c in read}))
        self.several = "run_id" in columns
        if not self.several:
            rows = rows.with_columns(run_id=lit(ONE_RUN))
        value = col(order).cast(pl.Float64)
        self.frame = rows.select("run_id", "query_id", "doc_id", value=value if order == "score" else -value)
        dtype = frame.collect_schema()[columns[order]]
        if dtype.is_decimal():
            with engine.errors():
                run_checks(engine, exact(frame, columns[order]))
        self._rules = (*_rules(), *(floats_of_integers(dtype, "value", columns[order]) if order == "score" else ()))

    def ranked(self, rows: Frame, measures: Sequence[Weights]) -> RankedRows:
        """The rows with their ranks, down to the lowest that a measure looks at."""
        cutoffs = [m.cutoff for m in measures]
        depth = None if None in cutoffs else max(c for c in cutoffs if c is not None)
        ranking = Ranking(
            ("run_id", "query_id"),
            (("value", True), ("doc_id", True)),
            depth=depth,
            rules=self._rules,
            duplicate=_duplicates,
        )
        return self.engine.rank(rows, ranking, None)


def _rules() -> tuple[Rule, ...]:
    value = col("value")
    bad = [(col(c).is_null(), c, "null", "every result has one") for c in ("run_id", "query_id", "doc_id")]
    bad.append((value.is_null() | value.is_nan(), "score", "null or NaN", "results are ranked by it"))

    def rule(condition: Expr, column: str, what: str, why: str) -> Rule:
        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            del rows
            return InvalidValue(
                f"Column {column!r} of the run is {what} in {count} rows; {why}.",
                rows_to_fix("run", column, ".is_null()", *([".is_nan()"] if column == "score" else [])),
            )

        return Rule(condition, error)

    return tuple(rule(*one) for one in bad)


def _duplicates(rows: pl.DataFrame, count: int) -> DuplicateRows:
    row = rows.row(0, named=True)
    return DuplicateRows(
        f"The run has the document {row['doc_id']!r} several times for the query {row['query_id']!r} ({count} such "
        "rows).",
        best_of_each("run", ("query_id", "doc_id"), "score"),
    )
