"""Aggregates as Polars' own, which add in the order of rows, however many threads there are.

Polars deals rows out to threads and adds the sums of each.  How it deals them out depends on the number of threads, and
for a group-by on a random sample; so the last digits of sums would differ from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames.engines.base import Aggregate

if TYPE_CHECKING:
    import numpy as np

# Aggregates whose last digits depend on the order of rows.
ADDS = frozenset(("sum", "plain_sum", "mean", "variance"))


def aggregate(a: Aggregate, column: pl.Expr | None = None) -> pl.Expr:
    """An aggregate of the column of its name."""
    column = pl.col(a.name) if column is None else column
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
        case "value_at":
            return column.quantile(a.at, interpolation="equiprobable")
        case "variance":
            return column.var()


def groups(
    rows: pl.LazyFrame, keys: Sequence[str], aggregates: Sequence[Aggregate], *, in_order: bool = True
) -> pl.LazyFrame:
    """A row per distinct keys; in order, they come as their first rows do, and sums add in the order of rows.

    Aggregates of a slice, here of all rows, are never dealt out to threads.  Polars adds groups of a single sorted
    column in another way, and whether it knows that the column is sorted can depend on threads; of a structure it never
    does.

    Args:
        rows: the keys, and for every aggregate but counts a column of its name.
        keys: columns; null is a value of its own.
        aggregates: those of the groups.
        in_order: whether there is an order.
    """
    if not in_order:
        return rows.group_by(*keys, maintain_order=False).agg(aggregate(a) for a in aggregates)
    out = [aggregate(a, column=pl.col(a.name).slice(0)) if a.how in ADDS else aggregate(a) for a in aggregates]
    if len(keys) > 1 or all(a.how not in ADDS for a in aggregates):
        return rows.group_by(*keys, maintain_order=True).agg(*out)
    return rows.group_by(ireval_key=pl.struct(*keys), maintain_order=True).agg(*out).unnest("ireval_key")


def in_order(sums: pl.Expr) -> pl.Expr:
    """Sums or means of a group-by's groups that add in the order of rows.

    Groups whose aggregates are more than a sum or the like are never dealt out; their sums are compensated.

    Example:
        >>> import polars as pl
        >>> rows = pl.DataFrame({"run_id": ["a", "b"] * 10, "value": [0.1] * 20})
        >>> rows.group_by("run_id", maintain_order=True).agg(in_order(pl.col("value").sum())).row(0)
        ('a', 1.0)
    """
    return sums + 0


def totals(rows: pl.LazyFrame, aggregates: Sequence[Aggregate], *, in_order: bool) -> list[pl.Expr]:
    """The aggregates of all rows.

    Args:
        rows: the rows; the columns of sums have the names of their aggregates.
        aggregates: counts, sums and the like.
        in_order: sums of floats are taken in the order of rows, by NumPy.
    """
    if not in_order:
        return [aggregate(a) for a in aggregates]
    types = rows.select(a.name for a in aggregates if a.how in ADDS and not a.order).collect_schema()
    return [_in_order(a) if a.name in types and types[a.name].is_float() else aggregate(a) for a in aggregates]


def _in_order(a: Aggregate) -> pl.Expr:
    function = _IN_ORDER[a.how]

    def value(column: pl.Series) -> pl.Series:
        return pl.Series(column.name, [function(column.drop_nulls().to_numpy())], dtype=column.dtype)

    return pl.col(a.name).map_batches(value, returns_scalar=True)


# Each adds pairwise.
_IN_ORDER: dict[str, Callable[[np.ndarray], float | None]] = {
    "sum": lambda values: values.sum(),
    "plain_sum": lambda values: values.sum(),
    "mean": lambda values: values.mean() if len(values) else None,
    "variance": lambda values: values.var(ddof=1) if len(values) > 1 else None,
}
