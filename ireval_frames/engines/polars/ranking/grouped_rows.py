"""Ranked rows grouped as the pass ranks them, in the memory of the groups."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.base import Aggregate, How
from ireval_frames.engines.polars.aggregates import aggregate
from ireval_frames.engines.polars.expressions import expression
from ireval_frames.expr import col

# The numbers of rows and of batches that are grouped at once: a few rows of one keep all of its text in memory.
ROWS, BATCHES = 6_000_000, 12
# How values of parts become that of all rows.
COMBINED: dict[How, How] = {"count": "sum", "sum": "sum", "plain_sum": "plain_sum", "min": "min", "max": "max"}

# Keys, aggregates, and whether there is an order.
Grouping = tuple[Sequence[str], Sequence[Aggregate], bool]


class GroupedRows:
    """A row per distinct keys of the rows so far.

    Args:
        keys: the columns whose values make a group.
        aggregates: counts, sums, minima and maxima.
        in_order: whether groups come as their first rows do, and sums add in the order of rows, which takes longer.
    """

    def __init__(self, keys: Sequence[str], aggregates: Sequence[Aggregate], *, in_order: bool) -> None:
        self._keys, self._in_order = list(keys), in_order
        self._terms = {a.name: a.expr for a in aggregates if a.how != "count"}
        self._aggregates = [aggregate(a) for a in aggregates]
        self._combined = [aggregate(Aggregate(a.name, COMBINED[a.how], col(a.name))) for a in aggregates]
        self._rows: list[pl.DataFrame] = []
        self._groups: list[pl.DataFrame] = []

    def add(self, rows: pl.DataFrame) -> None:
        """Further rows."""
        self._rows.append(rows.select(*self._keys, **{name: expression(e) for name, e in self._terms.items()}))
        if len(self._rows) < BATCHES and _height(self._rows) < ROWS:
            return
        self._group()
        # Groups are combined when they doubled, so each of them few times.
        if _height(self._groups[1:]) >= max(ROWS, self._groups[0].height):
            self._combine()

    def result(self) -> pl.DataFrame:
        """The groups of all rows."""
        self._group()
        self._combine()
        return self._groups[0]

    def _group(self) -> None:
        if self._rows:
            self._groups.append(self._grouped(pl.concat(self._rows).lazy(), self._aggregates))
            self._rows = []

    def _combine(self) -> None:
        if len(self._groups) > 1:
            self._groups = [self._grouped(pl.concat(self._groups).lazy(), self._combined)]

    def _grouped(self, rows: pl.LazyFrame, aggregates: Sequence[pl.Expr]) -> pl.DataFrame:
        # The streaming engine takes half the time for text.
        return rows.group_by(self._keys, maintain_order=self._in_order).agg(aggregates).collect(engine="streaming")


def _height(frames: Sequence[pl.DataFrame]) -> int:
    return sum(frame.height for frame in frames)
