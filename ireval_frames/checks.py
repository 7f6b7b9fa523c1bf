"""What tables of items must not hold, whatever their family, and the errors that say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames.engines.base import Engine, Rule
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import DuplicateRows, InvalidValue, rows_to_fix

# Whole numbers up to this are floats of their own.
EXACT = 2**53


def weights_checked(engine: Engine, items: Frame, table: str) -> None:
    """Refuse weights that are no weights.

    Raises:
        InvalidValue: a weight is missing, infinite or negative.
    """
    value = nw.col("weight")
    found = engine.collect(items.filter(value.is_null() | ~value.is_finite() | (value < 0)).head(1))
    if found.height:
        raise InvalidValue(
            f"Column 'weight' of the {table} table holds {found['weight'][0]}; weights must be finite and not "
            "negative.",
            rows_to_fix("frame", "weight", ".is_null()", ".is_nan()", ".is_infinite()", " < 0"),
        )


def repeated(engine: Engine, frame: Frame, keys: Sequence[str]) -> dict[str, Any] | None:
    """Keys that stand in several rows, with their number `n`; None where there are none."""
    found = engine.collect(frame.counted(*keys).filter(nw.col("n") > 1).head(1))
    return found.row(0, named=True) if found.height else None


def once_each(engine: Engine, items: Frame, keys: Sequence[str], table: str, line: str) -> None:
    """Refuse an item in several rows of a unit.

    Args:
        engine: where the table is.
        items: the table.
        keys: what a unit is.
        table: what errors call the table.
        line: what to do.

    Raises:
        DuplicateRows: there is one.
    """
    if row := repeated(engine, items, (*keys, "item_id")):
        raise DuplicateRows(f"The item {row['item_id']!r} stands in {row['n']} rows of the {table} table.", line)


def told_apart(engine: Engine, frame: Frame, column: str) -> None:
    """Refuse whole numbers that become one float, so that scores which differ would be ties.

    Args:
        engine: where the table is.
        frame: the table.
        column: its column of integers, or of text that is to be read as numbers.

    Raises:
        InvalidValue: a number is beyond 2⁵³.
    """
    value, dtype = nw.col(column), frame.collect_schema()[column]
    if dtype == nw.String:
        whole = nw.when(value.str.contains(r"^\s*[+-]?[0-9]{16,}\s*$")).then(value)
        # Read as a float, 2⁵³ + 1 is 2⁵³.
        beyond: nw.Expr = whole.cast(nw.Float64).abs() >= float(EXACT)
    elif dtype.is_unsigned_integer():
        beyond = value > EXACT
    else:
        beyond = (value > EXACT) | (value < -EXACT)
    found = engine.collect(frame.lazy().filter(beyond).select(column).head(1))
    if found.height:
        raise confused(column, found.item())


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
