"""Positions in documents: whole numbers that floats distinguish."""

from __future__ import annotations

from typing import Any

from ireval_frames.columns.exact_numbers import EXACT
from ireval_frames.errors import InvalidValue, rows_to_fix
from ireval_frames.expr import Expr, col

LARGEST = float(EXACT)


def no_position(column: str) -> Expr:
    """Whether a column of floats holds no whole number, or one that floats do not tell from the next."""
    value = col(column)
    return ~value.is_finite() | (value != value.floor()) | beyond(column)


def beyond(column: str) -> Expr:
    """Whether a number of a column of floats may be another one."""
    return col(column).abs() >= LARGEST


def misplaced(side: str, name: str, value: float, count: int) -> InvalidValue | None:
    """The error that a value is no position; None where it is one.

    Args:
        side: the user's table.
        name: the user's column.
        value: what it holds.
        count: the number of such rows.
    """
    if value % 1 != 0:
        return InvalidValue(
            f"Column {name!r} of the {side} table holds {value:g} ({count:,} such rows); positions are whole numbers.",
            rows_to_fix(side, name, " % 1 != 0"),
        )
    return too_large(side, name, value, count) if abs(value) >= LARGEST else None


def too_large(side: str, name: str, value: float, count: int) -> InvalidValue:
    """The error that floats do not tell a position from the next."""
    return InvalidValue(
        f"Column {name!r} of the {side} table holds {value:.0f} ({count:,} such rows); beyond 2^53 floats do not "
        "distinguish positions.",
        f'In all tables, count from the first one: {side}.with_columns(pl.col("{name}") - {int(value)})',
    )


def shown(value: Any) -> str:
    """A value of a row, for errors: positions without a fraction."""
    return f"{value:g}" if isinstance(value, float) else repr(value)
