"""More units than marks: as many units to each mark, side by side."""

from __future__ import annotations

import polars as pl


def places(n: int, marks: int) -> pl.Expr:
    """The mark, from 1, of each of n rows in their order: its own where there are enough, else shared with others."""
    row = pl.int_range(pl.len())
    return (row + 1 if n <= marks else row * marks // n + 1).alias("place")


def unit_or_several() -> pl.Expr:
    """The unit of a mark, or the first and the last of those that share it."""
    several = pl.format("{} … {}", pl.col("unit").first(), pl.col("unit").last())
    return pl.when(pl.len() > 1).then(several).otherwise(pl.col("unit").first()).alias("unit")


def number() -> pl.Expr:
    """How many units share a mark."""
    return pl.len().cast(pl.Int64).alias("n_units")
