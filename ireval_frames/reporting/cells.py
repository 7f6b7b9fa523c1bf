"""Frames as tables to read: few rows, escaped names, formatted numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.comparison.text.tables import number, p_value, signed
from ireval_frames.escaping import plain
from ireval_frames.reporting.page import Cell, Table

# More rows are left out.
MOST_ROWS = 200
# Longer names are shortened in the middle.
LONGEST = 48
_SIGNED = ("difference", "relative", "ci_low", "ci_high", "effect")
_COUNTS = ("count", "support", "gold", "predicted")
_P_VALUES = ("p_value", "p_adjusted")


def table(
    frame: pl.DataFrame,
    caption: str,
    *,
    most: int = MOST_ROWS,
    rest: str = "",
    prose: tuple[str, ...] = (),
    is_open: bool = False,
) -> Table:
    """The first rows of a frame as a table.

    Args:
        frame: the rows, in their order.
        caption: of the table.
        most: the largest number of rows.
        rest: the Python expression that gives all rows.
        prose: columns of sentences, which are not shortened.
        is_open: whether it is not folded, however long it is.
    """
    rows = tuple(
        tuple(Cell(plain(v), prose=True) if n in prose else cell(v, n) for n, v in row.items())
        for row in frame.head(most).iter_rows(named=True)
    )
    left = f"{most:,} of {frame.height:,} rows" + (f"; all of them: {rest}" if rest else "")
    return Table(
        caption=plain(caption),
        header=tuple(plain(n) for n in frame.columns),
        rows=rows,
        numbers=tuple(t.is_numeric() for t in frame.schema.values()),
        note=f"{left}." if frame.height > most else "",
        is_open=is_open,
        frame=frame,
    )


def without_constant(frame: pl.DataFrame, columns: Sequence[str]) -> tuple[pl.DataFrame, str]:
    """The frame without those of some columns that have one value, and these values for the caption.

    Example:
        >>> frame, same = without_constant(pl.DataFrame({"a": [1, 2], "n": [9, 9]}), ("a", "n"))
        >>> frame.columns, same
        (['a'], '; n: 9')
    """
    constant = [c for c in columns if c in frame.columns and frame[c].n_unique() == 1]
    return frame.drop(constant), "".join(f"; {c}: {cell(frame[c][0], c).text}" for c in constant)


def cell(value: Any, column: str = "") -> Cell:
    """A formatted value; undefined is a dash.

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
        return Cell((p_value if column in _P_VALUES else signed if column in _SIGNED else number)(value))
    return name(value)


def name(value: object) -> Cell:
    """A name on one line; a long one is shortened in the middle."""
    text = plain(value)
    if len(text) <= LONGEST:
        return Cell(text or '""')
    half = LONGEST // 2
    return Cell(f"{text[:half]}…{text[len(text) - half + 1 :]}", text)
