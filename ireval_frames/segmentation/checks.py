"""What tables of segmentations must not hold, and the errors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import DuplicateRows, InvalidValue, IrevalError, MismatchedTables, rows_to_fix
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
    if whole:
        no_number = (position < 0.0) | (position != position.floor())
        yield Check(rows, ~missing & no_number, _no_boundary(table, column))
    yield unique_key(rows, (*document, "position"), _twice(table, column))


def of_segments(rows: Frame, table: str, column: str) -> Check:
    """Every position has a segment."""
    return Check(rows, col("segment").is_null(), _value(table, column, "segment", [".is_null()"]))


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


def of_lengths(documents: Frame, lengths: Sequence[str]) -> Iterator[Check]:
    """The tables agree about the number of positions of a document.

    Args:
        documents: a row per document.
        lengths: its columns with the length, null where a table does not have the document.
    """
    for one, other in itertools.pairwise(lengths):
        yield Check(documents, col(one) != col(other), _differ(one, other))


def same_positions(engine: Engine, gold: Frame, predicted: Frame, documents: Frame, document: Sequence[str]) -> Check:
    """Documents of both tables have the same positions: besides `of_lengths`, all of the gold are predicted."""
    position = (*document, "position")
    joined = engine.join(
        gold.select(*position), predicted.select(*position).with_columns(is_there=lit(1.0)), position, "left"
    )
    joined = engine.join(joined, documents.select(*document, "predicted_length"), document, "left")

    def error(shown: pl.DataFrame, count: int) -> MismatchedTables:
        row = shown.row(0, named=True)
        return MismatchedTables(
            f"Position {row['position']:g} of document {row['item_id']!r} is in the gold table, and not in the "
            f"predicted table ({count:,} such positions).",
            "Give the positions of a document the same numbers in both tables.",
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
            f"Give each position of a document one row.  Parts of a document in which {column!r} begins anew are "
            "documents of their own, and annotators are compared by rater=.",
        )

    return error


def _differ(one: str, other: str) -> Error:
    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        document, first, second = rows.select("item_id", one, other).row(0)
        return MismatchedTables(
            f"Document {document!r} has {first:.0f} positions by the {_table(one)} table and {second:.0f} by the "
            f"{_table(other)} table ({count:,} such documents).",
            "Both sides segment the same positions: give both tables a row for each of them.",
        )

    return error


def _table(column: str) -> str:
    return "documents" if column == "length" else column.removesuffix("_length")
