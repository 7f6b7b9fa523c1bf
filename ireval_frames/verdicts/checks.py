"""The checks of tables of verdicts, and their errors."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import Code, DuplicateRows, Hint, InvalidValue, listed, rows_to_fix
from ireval_frames.expr import col
from ireval_frames.verdicts.inputs import KINDS, VerdictInputs
from ireval_frames.verdicts.tables import VerdictTables


def checks(tables: VerdictTables) -> list[Callable[[], None]]:
    """The checks in the order in which they run, with the first result."""
    return [lambda: run_checks(tables.plan.engine, declared(tables)), tables.plan.check]


def declared(tables: VerdictTables) -> Iterator[Check]:
    """The checks of the inputs, which run before those of the plan."""
    inputs, rows = tables.inputs, tables.inputs.items
    yield from inputs.checks
    verdict, rank = col("verdict"), col("rank")
    bad = verdict.is_null() | ~verdict.is_finite() | (verdict < 0) | (verdict > 1)
    yield Check(rows, bad, _no_verdict(inputs.user_columns["verdict"]))
    if inputs.has_kinds:
        column = inputs.user_columns["kind"]
        yield Check(rows, col("kind").is_null() | ~col("kind").is_in(list(KINDS)), _no_kind(column))
    if inputs.ranked and "context" in tables.read:
        column = inputs.user_columns["rank"]
        ranked = rows.filter(col("kind") == "context") if inputs.has_kinds else rows
        yield Check(ranked, rank.is_null() | (rank < 1) | (rank != rank.floor()), _no_rank(column))
        yield unique_key(ranked, (*inputs.keys, "rank"), _twice(inputs, column))


def _no_verdict(column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    return lambda rows, count: InvalidValue(
        f"Column {column!r} of the verdicts table holds {rows['written'][0]!r} ({count:,} such rows); verdicts are "
        "numbers from 0 to 1, true and false, or yes, no and idk.",
        _verdict_hint(column, rows["written"][0]),
    )


def _verdict_hint(column: str, written: str | None) -> str | Hint:
    """The line that repairs what is no verdict: a score on another scale, another word, or nothing."""
    try:
        score = float(written or "nan")
    except ValueError:
        line = f'verdicts.with_columns(pl.col("{column}").replace({{{written!r}: "idk"}}))'
        return Hint("Write yes, no or idk: ", Code(line, f"yes, no or idk in place of {written!r}"), ".")
    if not 0 <= score < math.inf:
        return rows_to_fix("verdicts", column, ".is_null()", ".is_nan()", ".is_infinite()", " < 0")
    highest = next((n for n in (3, 5, 10, 100) if score <= n), math.ceil(score))
    line = f'verdicts.with_columns(pl.col("{column}").cast(pl.Float64) / {highest})'
    return Hint("Divide scores by the highest that there can be: ", Code(line, f"{column} / {highest}"), ".")


def _no_kind(column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        written = str(rows["kind"][0])
        near = difflib.get_close_matches(written.lower(), list(KINDS), 1, 0.0)[0]
        return InvalidValue(
            f"Column {column!r} of the verdicts table holds {written!r} ({count:,} such rows); verdicts are about "
            f"{listed(list(KINDS), 10)}.",
            f'Write one of these: verdicts.with_columns(pl.col("{column}").replace({{{written!r}: "{near}"}}))',
        )

    return error


def _no_rank(column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    return lambda rows, count: InvalidValue(
        f"Column {column!r} of the verdicts table holds {rows['rank'][0]} ({count:,} such rows); the retrieved "
        "passages of a query are numbered from 1.",
        rows_to_fix("verdicts", column, " < 1", ".is_null()"),
    )


def _twice(inputs: VerdictInputs, column: str) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    query = inputs.unit[0]
    return lambda rows, _: DuplicateRows(
        f"The query {rows[query][0]!r} has {rows['n'][0]} passages of {column} {rows['rank'][0]:g}.",
        "Number the retrieved passages of a query from 1, and name the systems in a column run_id.",
    )
