"""What tables of items must not hold, whatever their family, and the errors that say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines.base import Rule
from ireval_frames.engines.checking import Check, once
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import DuplicateRows, InvalidValue, rows_to_fix

# Whole numbers up to this are floats of their own.
EXACT = 2**53


def weights(items: Frame, table: str) -> Check:
    """Weights are finite and not negative; the table's column is `weight`."""
    value = nw.col("weight")

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        return InvalidValue(
            f"Column 'weight' of the {table} table holds {rows['weight'][0]}; weights must be finite and not negative.",
            rows_to_fix("frame", "weight", ".is_null()", ".is_nan()", ".is_infinite()", " < 0"),
        )

    return Check(items, value.is_null() | ~value.is_finite() | (value < 0), error)


def once_each(items: Frame, keys: Sequence[str], table: str, line: str) -> Check:
    """An item stands in one row of a unit.

    Args:
        items: the table.
        keys: what a unit is.
        table: what errors call the table.
        line: what to do.
    """

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        more = f"; {count} items do" if count > 1 else ""
        return DuplicateRows(
            f"The item {rows['item_id'][0]!r} stands in {rows['n'][0]} rows of the {table} table{more}.", line
        )

    return once(items, (*keys, "item_id"), error)


def exact(frame: Frame, column: str) -> Check:
    """Whole numbers, or text that is to be read as numbers, are floats of their own: else scores would be tied."""
    value, dtype = nw.col(column), frame.collect_schema()[column]
    if dtype == nw.String:
        whole = nw.when(value.str.contains(r"^\s*[+-]?[0-9]{16,}\s*$")).then(value)
        # Read as a float, 2⁵³ + 1 is 2⁵³.
        beyond: nw.Expr = whole.cast(nw.Float64).abs() >= float(EXACT)
    elif dtype.is_unsigned_integer():
        beyond = value > EXACT
    else:
        beyond = (value > EXACT) | (value < -EXACT)
    return Check(frame, beyond, lambda rows, _: confused(column, rows[column][0]))


def confused(column: str, value: Any) -> InvalidValue:
    """A whole number that floats do not tell from others."""
    return InvalidValue(
        f"Column {column!r} holds {value}; floats do not tell whole numbers beyond 2^53 apart.",
        f'Put ranks in their place: frame.with_columns(pl.col("{column}").rank("dense"))',
    )


def floats_of_integers(dtype: Any, column: str, theirs: str) -> tuple[Rule, ...]:
    """What floats must hold that were whole numbers of this type: none that may be confused with another.

    Args:
        dtype: the type they had.
        column: the column of floats.
        theirs: what the user calls it.
    """
    if dtype not in (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128):
        return ()
    # As a float, 2⁵³ + 1 is 2⁵³.
    bad = nw.col(column).abs() >= float(EXACT)
    return (Rule(bad, lambda rows, _: confused(theirs, int(rows[column][0]))),)
