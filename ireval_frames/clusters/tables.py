"""The tables of an evaluation of clusterings.

```
items        a row per item                          classes   a row per class: its size, its largest cell
input_cells  a row per class and cluster of the user  clusters  a row per cluster
cells        the same, with singleton clusters        units     a row per group of items
             one by one
```

All measures but those of overlapping clusters read `cells`, which are few; only `items` has the size of the data.
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.clusters.inputs import ClusterInputs
from ireval_frames.conventions.items import ClusterPolicy
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table


class ClusterTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: ClusterInputs, policy: ClusterPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self.weighted = "weight" in inputs.user_columns
        self._noise_is_singleton = inputs.noise_cluster is not None and policy.noise == "singleton"
        plan.unit = self.units

    # ---- items and cells

    @cached_property
    def items(self) -> Table:
        """A row per item."""
        frame = self.inputs.items
        if self.weighted and self.has_singletons and not self.inputs.overlapping:
            # Singletons of different weights are different rows.
            frame = frame.with_columns(singleton_weight=when(self.is_singleton).then(col("weight")))
        return self.plan.input(
            "items", (*self.keys, *(("item_id",) if "item_id" in frame.collect_schema().names() else ())), frame
        )

    @cached_property
    def input_cells(self) -> Table:
        """A row per class and cluster of the user's table."""
        own = ("singleton_weight",) if self.weighted and self.has_singletons else ()
        return self.plan.grouped("input_cells", self.items, *self.keys, "label", "cluster_id", *own)

    @cached_property
    def units(self) -> Table:
        """A row per group of items."""
        return self.plan.grouped("units", self.items if self.inputs.overlapping else self.input_cells, *self.keys)

    @property
    def weight(self) -> Expr:
        """The weight of an item, 1 without weights."""
        return col("weight") if self.weighted else lit(1.0)

    @property
    def has_singletons(self) -> bool:
        """Whether some items may be clusters of their own."""
        return self.policy.missing == "singleton" or self._noise_is_singleton

    @property
    def noise_is_special(self) -> bool:
        """Whether there is a cluster of noise that is not treated as a cluster."""
        return self.inputs.noise_cluster is not None and self.policy.noise != "cluster"

    @property
    def is_noise(self) -> Expr:
        """Whether a cluster is that of noise."""
        cluster = col("cluster_id").cast(self.inputs.types["cluster_id"])
        return ~cluster.is_null() & (cluster == lit(self.inputs.noise_cluster))

    @property
    def is_singleton(self) -> Expr:
        """Whether an item is a cluster of its own."""
        missing = col("cluster_id").is_null()
        if self.policy.missing != "singleton":
            return self.is_noise
        return missing | self.is_noise if self._noise_is_singleton else missing

    @property
    def _counts(self) -> Expr:
        """Which cells count."""
        counts = ~col("label").is_null()
        if self.policy.missing == "skip":
            counts &= ~col("cluster_id").is_null()
        if self.inputs.noise_cluster is not None and self.policy.noise == "skip":
            counts &= col("cluster_id").is_null() | ~self.is_noise
        return counts

    @cached_property
    def cells(self) -> Table:
        """A row per class and cluster that occur together.

        `label`, `cluster_id`, `singleton` (0, or the number of an item that is a cluster of its own), `size`.
        """
        table, plan = self.input_cells, self.plan
        rows = self.items.count(into=table)
        size = self.items.sum(self.weight, into=table, name="size") if self.weighted else rows
        # Items of weight 0 do not count.
        counts = self._counts & (size > 0.0) if self.weighted else self._counts
        keys = (*self.keys, "label", "cluster_id", "singleton")
        typed = {side: col(side).cast(dtype) for side, dtype in self.inputs.types.items()}
        if not self.has_singletons:
            return plan.selected("cells", keys, table, counts, **typed, singleton=lit(0).cast(pl.Int64), size=size)
        singleton = table.column(self.is_singleton, "is_singleton")
        plain = plan.selected("plain_cells", table.keys, table, ~singleton & counts)
        # Each singleton has a row and a number of its own.
        singletons = plan.expand_range(
            "singletons",
            "copy",
            plan.selected("singleton_cells", table.keys, table, singleton & counts),
            lit(1),
            rows,
        )
        order = ["label", *(("singleton_weight",) if self.weighted else ()), "copy"]
        number = singletons.over(col("copy").cum_count(), self.keys, order, "number")
        columns = {k: col(k) for k in self.keys} | typed
        own = {"singleton": number.cast(pl.Int64), "size": col("singleton_weight") if self.weighted else lit(1.0)}
        return plan.concat(
            "cells",
            keys,
            (plain, columns | {"singleton": lit(0).cast(pl.Int64), "size": size}),
            (singletons, columns | own),
        )

    # ---- sizes

    @cached_property
    def classes(self) -> Table:
        """A row per class."""
        return self.plan.grouped("classes", self.cells, *self.keys, "label")

    @cached_property
    def clusters(self) -> Table:
        """A row per cluster."""
        return self.plan.grouped("clusters", self.cells, *self.keys, "cluster_id", "singleton")

    def size_of(self, table: Table) -> Expr:
        """The number of items of each row of a coarser table, or their weight."""
        return self.cells.sum(col("size"), into=table, name="total" if table is self.units else "of")

    def total(self, at: Table) -> Expr:
        """The number of items of the unit, at the rows of a table."""
        return at.lookup(self.size_of(self.units), of=self.units)
