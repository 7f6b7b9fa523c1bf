"""Checks of tables of items of any family, with their errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.exact_numbers import EXACT, confusable, confused
from ireval_frames.engines.base import Aggregate, Engine, Rule
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, IrevalWarning, rows_to_fix, warn
from ireval_frames.expr import col


def weights(items: Frame, table: str, name: str, *, joined: bool = False) -> Check:
    """Weights, the column `weight` of the items, are finite and not negative.

    Args:
        items: the rows.
        table: its name in errors.
        name: the user's name of the column.
        joined: items come from another table, too, and have no weight if this one does not have them.
    """
    value = col("weight")

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        if joined and rows["weight"][0] is None:
            return InvalidValue(
                f"{count} items have no weight: column {name!r} of the {table} table is null there, or the table does "
                f"not have them{_such(rows)}.",
                Hint(
                    f"Give the {table} table rows with weights for them, or: ", Argument("policy", "missing=skip"), "."
                ),
            )
        return InvalidValue(
            f"Column {name!r} of the {table} table holds {rows['weight'][0]}; weights must be finite and not negative.",
            rows_to_fix("frame", name, ".is_null()", ".is_nan()", ".is_infinite()", " < 0"),
        )

    return Check(items, value.is_null() | ~value.is_finite() | (value < 0), error)


def _such(rows: pl.DataFrame) -> str:
    return f", such as {rows['item_id'][0]!r}" if "item_id" in rows.columns else ""


def weights_that_cancel(engine: Engine, items: Frame, keys: Sequence[str], unit: Sequence[str]) -> None:
    """Warn where weights differ between units only: then they have no effect on the mean over units.

    Args:
        engine: where the items are.
        items: the table.
        keys: the columns that identify units and groups.
        unit: the keys of units.
    """
    # Statements that run later have no rows yet.
    if engine.enforces(()):
        return
    weight, some = col("weight"), col("weight") > 0
    ends = [Aggregate("low", "min", weight), Aggregate("high", "max", weight)]
    units = engine.group(items.select(*keys, "weight").filter(some), keys, ends)
    spreads = [
        Aggregate("spread", "max", col("high") - col("low")),
        Aggregate("least", "min", col("low")),
        Aggregate("most", "max", col("high")),
    ]
    groups = engine.group(units, [k for k in keys if k not in unit], spreads)
    cancelled = engine.collect(groups.filter((col("spread") == 0) & (col("least") < col("most"))))
    if cancelled.height:
        least, most = cancelled.select(pl.col("least").min(), pl.col("most").max()).row(0)
        warn(
            f"The weights of a unit's items are equal, and units have weights from {least:g} to {most:g}: they change "
            "no unit's value, and the mean over units counts every unit alike.  Without units items are weighed.",
            IrevalWarning,
        )


def unique_items(items: Frame, keys: Sequence[str], table: str, line: str) -> Check:
    """An item is in one row of a unit.

    Args:
        items: the table.
        keys: the columns of a unit.
        table: its name in errors.
        line: the line to write.
    """

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        more = f"; {count} items do" if count > 1 else ""
        return DuplicateRows(
            f"The item {rows['item_id'][0]!r} is in {rows['n'][0]} rows of the {table} table{more}.", line
        )

    return unique_key(items, (*keys, "item_id"), error)


def exact(frame: Frame, column: str, *, text: bool = False) -> list[Check]:
    """Numbers that order rows are floats of their own: else they would be tied.

    Args:
        frame: the user's table.
        column: its column.
        text: whether text is read as numbers, as that of files.
    """
    bad = confusable(column, frame.collect_schema()[column], text=text)
    return [] if bad is None else [Check(frame, bad, lambda rows, _: confused(column, rows[column][0]))]


def floats_of_integers(dtype: Any, column: str, name: str) -> tuple[Rule, ...]:
    """The rule for floats that were whole numbers of this type: none may equal another that differed from it.

    Args:
        dtype: the type they had.
        column: the column of floats.
        name: the user's name of it.
    """
    if dtype not in (pl.Int64, pl.UInt64, pl.Int128, pl.UInt128):
        return ()
    # As a float, 2⁵³ + 1 is 2⁵³.
    bad = col(column).abs() >= float(EXACT)
    return (Rule(bad, lambda rows, _: confused(name, int(rows[column][0]))),)
