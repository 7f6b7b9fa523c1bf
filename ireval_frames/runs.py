"""Runs as the user hands them in, with the rank of each result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import RUN, canonical, missing, resolve
from ireval_frames.engines.base import Engine, Ranking, Rule
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read, names_files
from ireval_frames.engines.inputs.parquet_files import Table
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import (
    DuplicateRows,
    Hint,
    InvalidValue,
    MismatchedTables,
    WrongType,
    best_of_each,
    listed,
    rows_to_fix,
)
from ireval_frames.expr import Expr, col, lit
from ireval_frames.io import sql as sql_files
from ireval_frames.io.reading import is_local, streams
from ireval_frames.items.checks import exact, floats_of_integers

ONE_RUN = ""


# Documents of equal score: by descending ids as in trec_eval, by ascending ids, or all by the run's own ranks.
TIES = ("trec_eval", "doc_id", "rank")


class Runs:
    """Runs under our names, ranked by their scores, or by their ranks where they have no scores.

    Args:
        runs: as the user hands them in.
        engine: where the plan runs.
        columns: the user's names of the columns.
        ties: one of `TIES`.
        run_id: the name of the run, if it is one; a column run_id is not read then.
        name: what errors and SQL call the table.

    Attributes:
        several: whether a column names the runs.
        scored: whether its values are scores.
        frame: run_id, query_id, doc_id and value, which is larger for better results.
    """

    def __init__(
        self,
        runs: Any,
        engine: Engine,
        columns: Mapping[str, str] | None = None,
        ties: str = "trec_eval",
        *,
        run_id: str | None = None,
        name: str = "run",
    ) -> None:
        if not names_files(runs) and isinstance(runs, list | tuple):
            raise WrongType(
                f"The runs are a list of {len(runs)} tables; runs are one table, in which run_id names them.",
                'Make one of them: pl.concat([one.with_columns(run_id=pl.lit("one")), …])',
            )
        self.engine, self._ties = engine, ties
        by_rank, names = ties == "rank", columns

        def read(path: Any) -> pl.LazyFrame:
            # What is read from files has our names.
            nonlocal names
            names = None
            return io.scan_run(path, columns=columns, rank=by_rank)

        def tables(path: Any) -> Sequence[Table] | None:
            nonlocal names
            names = None
            described = io.describe(path, "run", columns=columns) if is_local(path) else None
            return None if described is None else sql_files.tables(described, "run", rank=by_rank)

        frame = open_source(Source(runs, name, Read(read, tables, streams)), engine)
        resolved = resolve(RUN, list(frame.columns), names)
        if "rank" not in resolved and (by_rank or "score" not in resolved):
            if "score" not in resolved and "relevance" in frame.columns:
                raise MismatchedTables(
                    f"The run table has {listed(frame.columns)}: these are judgments; runs have a score or a rank.",
                    "Pass runs: a table of run_id, query_id, doc_id and score.",
                )
            raise missing(
                RUN,
                "rank" if by_rank else "score",
                list(frame.columns),
                resolved.values(),
                or_else="" if by_rank else "; a run without scores needs a rank.",
            )
        order = "score" if "score" in resolved and not by_rank else "rank"
        ours = [c for c in ("run_id", "query_id", "doc_id", order) if c in resolved]
        rows = frame.select(*canonical(RUN, frame, {c: resolved[c] for c in ours}))
        self.several, self.scored = "run_id" in resolved and run_id is None, order == "score"
        if not self.several:
            rows = rows.with_columns(run_id=lit(run_id or ONE_RUN))
        value = col(order).cast(pl.Float64)
        self.frame = rows.select("run_id", "query_id", "doc_id", value=value if order == "score" else -value)
        dtype = frame.collect_schema()[resolved[order]]
        if dtype.is_decimal():
            with engine.errors():
                run_checks(engine, exact(frame, resolved[order]))
        self.rules = (*_rules(), *(floats_of_integers(dtype, "value", resolved[order]) if order == "score" else ()))

    def ranked(self, rows: Frame, depth: int | None, rules: tuple[Rule, ...] = ()) -> RankedRows:
        """The rows with their ranks, down to a depth; None ranks all.  Further rows have further rules."""
        ranking = Ranking(
            ("run_id", "query_id"),
            (("value", True), ("doc_id", self._ties != "doc_id")),
            depth=depth,
            rules=rules or self.rules,
            duplicate=lambda rows, count: _duplicates(rows, count, several=self.several, scored=self.scored),
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


def _duplicates(rows: pl.DataFrame, count: int, *, several: bool, scored: bool) -> DuplicateRows:
    row = rows.row(0, named=True)
    keys = ("run_id", "query_id", "doc_id") if several else ("query_id", "doc_id")
    names = "" if several else "If these are several runs, name them in a column run_id. "
    best = best_of_each("run", keys, "score") if scored else best_of_each("run", keys, "rank", smallest=True)
    return DuplicateRows(
        f"The run has the document {row['doc_id']!r} several times for the query {row['query_id']!r} ({count} such "
        "rows).",
        Hint(names, *best.parts),
    )
