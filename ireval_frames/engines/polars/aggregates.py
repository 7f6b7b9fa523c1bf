"""What Polars says for an aggregate."""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.base import Aggregate


def aggregated(a: Aggregate) -> pl.Expr:
    """An aggregate of a column, under its name."""
    column = pl.col(a.name)
    match a.how:
        case "count":
            return pl.len().cast(pl.Float64).alias(a.name)
        case "sum" if a.order:
            return column.sort_by(a.order).cum_sum().last().alias(a.name)
        case "sum" | "plain_sum":
            return column.sum()
        case "present":
            return column.count().cast(pl.Float64)
        case "mean":
            return column.mean()
        case "max":
            return column.max()
        case "min":
            return column.min()
        case "any":
            return column.drop_nulls().first()
        case "quantile":
            return column.quantile(a.at, interpolation="linear")
        case "variance":
            return column.var()
