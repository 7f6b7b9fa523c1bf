"""Variance and covariance of the rows of each row of a coarser table.

They are sums of products of distances to means, which are taken first: two passes, and no cancellation.
"""

from __future__ import annotations

import polars as pl

from ireval_frames.expr import Expr, when
from ireval_frames.plan.tables import Table


def variance(table: Table, expr: Expr, into: Table) -> Expr:
    """The variance of the values that are not null, over their number less 1; null for fewer than two."""
    return covariance(table, expr, expr, into)


def covariance(table: Table, one: Expr, other: Expr, into: Table) -> Expr:
    """The covariance of the rows where both are not null, over their number less 1; null for fewer than two."""
    both = ~one.is_null() & ~other.is_null()
    sides = [table.column(when(both).then(e.cast(pl.Float64))) for e in (one, other)]
    n = table.sum(when(both).then(1.0).otherwise(0.0), into)
    apart = [side - table.lookup(table.mean(side, into), of=into) for side in sides]
    products = table.sum((apart[0] * apart[1]).fill_null(0.0), into)
    return when(n > 1).then(products / (n - 1.0))
