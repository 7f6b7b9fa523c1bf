"""Two tables that were passed each in the place of the other."""

from __future__ import annotations

from collections.abc import Iterable

from ireval_frames.columns.schema import Schema, resolve
from ireval_frames.errors import MissingColumn


def exchanged(
    error: MissingColumn, one: tuple[Schema, Iterable[str]], other: tuple[Schema, Iterable[str]]
) -> MissingColumn:
    """The error that a table lacks columns, or, where each of two tables has the other's columns, that they are so.

    Args:
        error: why the columns were not found.
        one: the schema of a table, and the columns that it has.
        other: those of another one, which comes later.
    """
    (first, columns), (second, more_columns) = one, other
    if _have(((first, columns), (second, more_columns))) or not _have(((first, more_columns), (second, columns))):
        return error
    return MissingColumn(
        error.what, f"They look exchanged: write the table of {first.name} first, then that of {second.name}."
    )


def _have(tables: Iterable[tuple[Schema, Iterable[str]]]) -> bool:
    """Whether tables with these columns have what their schemas require."""
    try:
        for schema, columns in tables:
            resolve(schema, columns)
    except MissingColumn:
        return False
    return True
