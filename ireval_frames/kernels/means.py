"""Means over those rows of a table where a value is defined."""

from __future__ import annotations

from ireval_frames.expr import Expr, lit, when
from ireval_frames.plan import Table


def sums_of_defined(
    table: Table,
    value: Expr,
    weight: Expr | None = None,
    *,
    where: Expr | None = None,
    into: Table | None = None,
    order: str | None = None,
) -> tuple[Expr, Expr]:
    """What a mean is the ratio of: the sum of the values that are not null, times their weights, and that of these.

    Args:
        table: the table.
        value: a column of it.
        weight: another one; by default all rows weigh 1.
        where: only these rows count.
        into: the coarser table; the unit by default.
        order: the column in whose order terms are added.
    """
    one = lit(1.0) if weight is None else weight
    counts = ~value.is_null() if where is None else where & ~value.is_null()
    total, below = (when(counts).then(e).otherwise(0.0) for e in (value * one, one))
    return table.sum(total, into, order=order), table.sum(below, into, order=order)
