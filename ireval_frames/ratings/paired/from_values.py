"""Comparisons of systems on each unit, from their values of a measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.errors import InvalidValue, MissingColumn, NotDefined, WrongType, listed, nearest


def battles(
    values: pl.DataFrame,
    *,
    unit: str | Sequence[str] = "query_id",
    system: str = "run_id",
    value: str = "value",
    by: str | Sequence[str] = (),
    margin: float = 0.0,
    lower_is_better: bool = False,
) -> pl.DataFrame:
    """Comparisons of every two systems on each unit, from values such as accuracies of single samples.

    Args:
        values: a frame with a row per system and unit, such as `per_unit()` of an evaluation, or samples of
            lm-evaluation-harness (`ir.interop.lm_eval.from_samples`).
        unit: the columns of units.
        system: the column of systems.
        value: the column of values; null is no comparison.
        by: columns that group comparisons, such as measures.
        margin: the largest difference that is a tie.
        lower_is_better: whether the lower value wins.

    Returns:
        [by …] the columns of units, item_a item_b winner (one of them, or "tie"); item_a is the first system by name.

    Raises:
        MissingColumn: there is no such column.
        InvalidValue: a system has two values of a unit, or a value is NaN.
        NotDefined: there is only one system.
        WrongType: the values are no frame.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> values = pl.DataFrame({"run_id": list("xyxy"), "query_id": [1, 1, 2, 2], "value": [1.0, 0.0, 0.5, 0.5]})
        >>> ir.ratings.battles(values).rows()
        [(1, 'x', 'y', 'x'), (2, 'x', 'y', 'tie')]
    """
    if not isinstance(values, pl.DataFrame):
        raise WrongType(f"The values are of type {type(values).__name__}; they must be a frame.", "Read it first.")
    groups, units = columns_named(by), columns_named(unit)
    for name in (*groups, *units, system, value):
        if name not in values.columns:
            raise MissingColumn(
                f"The table of values has no column {name!r} (it has: {listed(values.columns, 20)}).",
                nearest(name, values.columns) or "Name another one.",
            )
    keys = [*groups, *units]
    rows = values.select(*keys, item=system, value=pl.col(value).cast(pl.Float64)).drop_nulls("value")
    if n := rows["value"].is_nan().sum():
        raise InvalidValue(
            f"{n:,} value{'s are' if n > 1 else ' is'} NaN, which neither wins nor loses.",
            f'Leave them out: values.filter(pl.col("{value}").is_not_nan())',
        )
    if rows.select(*keys, "item").is_duplicated().any():
        twice: Any = rows.filter(rows.select(*keys, "item").is_duplicated()).row(0)
        raise InvalidValue(
            f"The system {twice[-2]!r} has several values of one unit: {listed(twice[:-2])}.",
            "Name all columns of units, or group by what differs, such as measures.",
        )
    if rows["item"].n_unique() < 2:
        raise NotDefined("There is only one system, so there is nothing to compare.", "Add rows of another system.")
    both = rows.join(rows, on=keys, suffix="_b", nulls_equal=True).filter(pl.col("item") < pl.col("item_b"))
    gain = pl.col("value_b") - pl.col("value") if lower_is_better else pl.col("value") - pl.col("value_b")
    # Names of systems: one may be called "b", and "b" be the second one.
    first, second = (pl.col(c).cast(pl.String) for c in ("item", "item_b"))
    winner = pl.when(gain > margin).then(first).when(gain < -margin).then(second).otherwise(pl.lit("tie"))
    return both.select(*keys, item_a="item", item_b="item_b", winner=winner).sort(*keys, "item_a", "item_b")
