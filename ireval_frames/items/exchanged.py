"""Tables that are handed in each in the place of the other."""

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
    try:
        for schema, present in ((one[0], other[1]), (other[0], one[1])):
            resolve(schema, present)
    except MissingColumn:
        return error
    return MissingColumn(
        error.what, f"They look exchanged: write the table of {one[0].name} first, then that of {other[0].name}."
    )
