"""What tables of segmentations must not hold, and the errors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.documents.positions import beyond, too_large
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import is_missing_id
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, IrevalError, MismatchedTables, rows_to_fix
from ireval_frames.expr import col, lit

Error = Callable[[pl.DataFrame, int], IrevalError]


def of_positions(rows: Frame, document: Sequence[str], table: str, column: str, *, whole: bool) -> Iterator[Check]:
    """The checks of positions: numbers, each once.

    Args:
        rows: the keys of documents and `position`.
        document: the keys.
        table: the name of the table in errors.
        column: the user's name of the column.
        whole: positions are those of boundaries: whole numbers of at least 0.
    """
    position = col("position")
    missing = position.is_null() | ~position.is_finite()
    yield Check(rows, missing, _value(table, column, "position", [".is_null()", ".is_nan()", ".is_infinite()"]))
    # Floats would make neighbours of these one position.
    large = ~missing & beyond("position")
    yield Check(rows, large, lambda shown, n: too_large(table, column, shown["position"][0], n))
    if whole:
        no_number = (position < 0.0) | (position != position.floor())
        yield Check(rows, ~missing & no_number, _no_boundary(table, column))
    yield unique_key(rows, (*document, "position"), _twice(table, column), ordered=True)


def of_segments(rows: Frame, table: str, column: str, *, is_float: bool) -> Check:
    """Every position has a segment; NaN, in columns of floats, is none."""
    tests = [".is_null()", *([".is_nan()"] if is_float else [])]
    return Check(rows, col("segment").is_null(), _value(table, column, "segment", tests))


def of_raters(engine: Engine, rows: Frame, rater: str, pairs: Frame) -> Iterator[Check]:
    """Every row has an annotator, and some document has two."""

    def no_rater(shown: pl.DataFrame, count: int) -> InvalidValue:
        del shown
        return InvalidValue(
            f"Column {rater!r} of the segments table is null in {count:,} row{'s' * (count > 1)}: no annotator.",
            rows_to_fix("segments", rater, ".is_null()"),
        )

    def no_pair(shown: pl.DataFrame, count: int) -> InvalidValue:
        del shown, count
        return InvalidValue(
            f"No document has two annotators in column {rater!r} of the segments table.",
            Hint("Name the column of annotators: ", Argument("rater", "their_name"), "."),
        )

    yield Check(rows, is_missing_id(rows, rater), no_rater)
    yield Check(engine.group(pairs, (), [Aggregate("n", "count", lit(1.0))]), col("n") == 0.0, no_pair)


def of_named_lengths(documents: Frame, column: str) -> Check:
    """Lengths are whole numbers of at least 0; null is an unknown one."""
    length = col("length")
    bad = ~length.is_finite() | (length < 0.0) | (length != length.floor()) | beyond("length")

    def error(shown: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"Column {column!r} of the documents table holds {shown['length'][0]:g} ({count:,} such rows); the length "
            "of a document is the number of its positions.",
            f'Write null where it is not known: documents.with_columns(pl.when((pl.col("{column}") >= 0) & '
            f'(pl.col("{column}") % 1 == 0)).then("{column}"))',
        )

    return Check(documents, ~length.is_null() & bad, error)


def of_runs(documents: Frame) -> Check:
    """A run has all positions of a document of the table, or none; it has the `gold_length` and `predicted_length`."""

    def error(shown: pl.DataFrame, count: int) -> MismatchedTables:
        row = shown.row(0, named=True)
        return MismatchedTables(
            f"Run {row['run_id']!r} has {row['predicted_length']:.0f} of the {row['gold_length']:.0f} positions of "
            f"document {row['item_id']!r} ({count:,} such documents of runs).",
            "Give each run a row for each position of the documents that it segments.",
        )

    return Check(documents, col("gold_length") != col("predicted_length"), error)


def of_boundaries(rows: Frame, table: str) -> Check:
    """No boundary lies behind the last position; the rows have the `length` of their document."""

    def error(shown: pl.DataFrame, count: int) -> InvalidValue:
        document, boundary, length = shown.select("item_id", "boundary", "length").row(0)
        return InvalidValue(
            f"The {table} table has a boundary after {boundary:.0f} positions of document {document!r}, which has "
            f"{length:.0f} ({count:,} such rows).",
            "A boundary is the number of positions before it; correct it, or the length of the document.",
        )

    return Check(rows, col("boundary") > col("length"), error)


def of_lengths(documents: Frame, lengths: Sequence[str], raters: Sequence[str] = ()) -> Iterator[Check]:
    """The tables, or two annotators, agree about the number of positions of a document.

    Args:
        documents: a row per document.
        lengths: its columns with the length, null where a table does not have the document.
        raters: its columns with the annotators of both sides.
    """
    for one, other in itertools.pairwise(lengths):
        yield Check(documents, col(one) != col(other), _differ(one, other, raters))


def same_positions(
    engine: Engine,
    gold: Frame,
    predicted: Frame,
    documents: Frame,
    document: Sequence[str],
    raters: Sequence[str] = (),
) -> Check:
    """Documents of both tables have the same positions: besides `of_lengths`, all of the gold are predicted."""
    position = (*document, "position")
    joined = engine.join(
        gold.select(*position), predicted.select(*position).with_columns(is_there=lit(1.0)), position, "left"
    )
    joined = engine.join(joined, documents.select(*document, "predicted_length"), document, "left")

    def error(shown: pl.DataFrame, count: int) -> MismatchedTables:
        row = shown.row(0, named=True)
        return MismatchedTables(
            f"Document {row['item_id']!r} has position {row['position']:g} by {_whose('gold', row, raters)}, and not "
            f"by {_whose('predicted', row, raters)} ({count:,} such positions).",
            "Give the positions of a document the same numbers on both sides.",
        )

    return Check(joined, col("is_there").is_null() & ~col("predicted_length").is_null(), error)


def _value(table: str, column: str, what: str, tests: Sequence[str]) -> Error:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        rows_have = "row has" if count == 1 else "rows have"
        return InvalidValue(
            f"{count:,} {rows_have} no {what} in column {column!r} of the {table} table, such as in document "
            f"{rows['item_id'][0]!r}.",
            rows_to_fix(table, column, *tests),
        )

    return error


def _no_boundary(table: str, column: str) -> Error:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"Column {column!r} of the {table} table holds {rows['position'][0]:g} ({count:,} such rows); a boundary "
            "is the number of positions before it.",
            "Number the positions of each document 0, 1, … and write that of the first position of each segment.",
        )

    return error


def _twice(table: str, column: str) -> Error:
    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        row = rows.row(0, named=True)
        more = f" ({count:,} positions several times)" if count > 1 else ""
        return DuplicateRows(
            f"The {table} table has position {row['position']:g} of document {row['item_id']!r} {row['n']} "
            f"times{more}.",
            "Give each position of a document one row, and all runs the same gold.  Parts of a document in which "
            f"{column!r} begins anew are documents of their own, and annotators are compared by rater=.",
        )

    return error


def _differ(one: str, other: str, raters: Sequence[str]) -> Error:
    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        row = rows.row(0, named=True)
        by_one, by_other = (_whose(length.removesuffix("_length"), row, raters) for length in (one, other))
        return MismatchedTables(
            f"Document {row['item_id']!r} has {row[one]:.0f} positions by {by_one} and {row[other]:.0f} by {by_other} "
            f"({count:,} such {'pairs of annotators' if raters else 'documents'}).",
            "Both sides segment the same positions: give both a row for each of them.",
        )

    return error


def _whose(side: str, row: Mapping[str, Any], raters: Sequence[str]) -> str:
    """The table of a side, or its annotator."""
    if raters:
        return f"annotator {row[raters[0 if side == 'gold' else 1]]!r}"
    return f"the {'documents' if side == 'length' else side} table"
