"""Frames as tables to read: few rows, names made harmless, numbers as everywhere."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.comparison.text.tables import number, p_value, signed
from ireval_frames.escaping import plain
from ireval_frames.reporting.page import Cell, Table

# More rows are not read.
MOST_ROWS = 200
# Longer names are cut in the middle.
LONGEST = 48
_SIGNED = ("difference", "relative", "ci_low", "ci_high", "effect")
_COUNTS = ("count", "support")
_P_VALUES = ("p_value", "p_adjusted")


def table(
    frame: pl.DataFrame, caption: str, *, most: int = MOST_ROWS, rest: str = "", prose: tuple[str, ...] = ()
) -> Table:
    """The first rows of a frame as a table.

    Args:
        frame: in the order in which it is read.
        caption: what a row is.
        most: so many rows.
        rest: where the others are, as Python asks for them.
        prose: columns of sentences, which are not cut.
    """
    kinds = frame.schema
    rows = tuple(
        tuple(Cell(plain(v), prose=True) if n in prose else cell(v, n) for n, v in row.items())
        for row in frame.head(most).iter_rows(named=True)
    )
    left = f"{most:,} of {frame.height:,} rows" + (f"; all of them: {rest}" if rest else "")
    return Table(
        caption=plain(caption),
        header=tuple(plain(n) for n in frame.columns),
        rows=rows,
        numbers=tuple(t.is_numeric() for t in kinds.values()),
        note=f"{left}." if frame.height > most else "",
    )


def cell(value: Any, column: str = "") -> Cell:
    """A value as it is read; what is undefined is a dash.

    Example:
        >>> cell(0.25).text, cell(0.25, "difference").text, cell(0.00001, "p_value").text, cell(None).text
        ('0.2500', '+0.2500', '<0.0001', '–')
        >>> cell("x" * 60).text == "x" * 24 + "…" + "x" * 23
        True
    """
    if value is None:
        return Cell("–")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int):
        return Cell(f"{value:,}")
    if isinstance(value, float):
        if column in _COUNTS and value.is_integer():
            return Cell(f"{int(value):,}")
        write = p_value if column in _P_VALUES else signed if column in _SIGNED else number
        return Cell(write(value))
    return name(value)


def name(value: object) -> Cell:
    """A name in one line, cut in the middle where it is long."""
    whole = plain(value)
    if len(whole) <= LONGEST:
        return Cell(whole or '""')
    half = LONGEST // 2
    return Cell(f"{whole[:half]}…{whole[len(whole) - half + 1 :]}", whole)
