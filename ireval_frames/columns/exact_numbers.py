"""Numbers that order rows, such as scores, and that floats do not represent exactly: they would be tied with others."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import InvalidValue
from ireval_frames.expr import Expr, col, when

# Floats represent whole numbers exactly up to this; as a float, 2⁵³ + 1 is 2⁵³.
EXACT = 2**53
# More significant digits than floats have: sixteen, from the first that is not 0 to the last.
DIGITS = r"[1-9](\.?[0-9]){14,}\.?[1-9]"
_INTEGER_TEXT = r"^\s*[+-]?[0-9]{16,}\s*$"


def confusable(column: str, dtype: Any, *, text: bool = False) -> Expr | None:
    """Whether a number of a column, as it was read, may equal another one as a float; None if that is impossible.

    Args:
        column: the column.
        dtype: its type.
        text: whether text is read as numbers.
    """
    value = col(column)
    if dtype == pl.String and text:
        integers = when(value.str.contains(_INTEGER_TEXT)).then(value)
        return integers.cast(pl.Float64).abs() >= float(EXACT)
    if dtype in (pl.UInt64, pl.UInt128):
        return value > EXACT
    if dtype in (pl.Int64, pl.Int128) or (dtype.is_decimal() and dtype.scale == 0):
        return (value > EXACT) | (value < -EXACT)
    return value.cast(pl.String).str.contains(DIGITS) if dtype.is_decimal() else None


def confused(column: str, value: Any) -> InvalidValue:
    """The error that floats do not represent a number exactly."""
    what = (
        "whole numbers beyond 2^53"
        if isinstance(value, str) or abs(value) > EXACT
        else "decimals of more than 15 digits"
    )
    return InvalidValue(
        f"Column {column!r} holds {value}; floats do not tell {what} apart.",
        f'Put ranks in their place: frame.with_columns(pl.col("{column}").rank("dense"))',
    )


def one_zero(number: Expr) -> Expr:
    """A column of floats without -0.0; adding 0.0 does not do that, Polars leaves the column as it is then."""
    return when(number == 0.0).then(0.0).otherwise(number)
