"""What is better, what is worse, and in which order things stand, in the directions of measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.drawable import Estimates

BETTER, NEITHER, WORSE = "better", "not significant", "worse"


def gain(values: PerUnitValues | Estimates, column: str = "difference") -> pl.Expr:
    """A value or difference, turned so that more is better."""
    falling = pl.col("measure").is_in(list(values.lower_is_better))
    return pl.when(falling).then(-pl.col(column)).otherwise(pl.col(column))


def significant(values: PerUnitValues) -> pl.Expr:
    """Better or worse where a difference is significant."""
    better, marked = gain(values), pl.col("significant")
    verdict = pl.when(marked & (better > 0)).then(pl.lit(BETTER)).when(marked & (better < 0)).then(pl.lit(WORSE))
    return verdict.otherwise(pl.lit(NEITHER)).alias("verdict")


def directions(names: Sequence[str], values: PerUnitValues | Estimates) -> dict[str, str]:
    """A sign per measure that says which way is better."""
    return {m: " ▼" if m in values.lower_is_better else " ▲" for m in names}


def turn(column: str, order: Sequence[str]) -> pl.Expr:
    """The place of each value in an order."""
    return pl.col(column).replace_strict({v: i for i, v in enumerate(order)}, return_dtype=pl.Int64)


def ends(*columns: pl.Series) -> tuple[float, float]:
    """The lowest and the highest of some numbers; 0 and 0 of none."""
    extremes: list[Any] = [f(c) for c in columns for f in (pl.Series.min, pl.Series.max)]
    numbers = [float(v) for v in extremes if v is not None]
    return (min(numbers), max(numbers)) if numbers else (0.0, 0.0)
