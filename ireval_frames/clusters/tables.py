"""The tables of an evaluation of clusterings.

```
items    a row per item                         classes   a row per class: its size, its largest cell
counted  a row per class and cluster as given   clusters  a row per cluster
cells    the same, with every item that is      units     a row per group of items
         alone as a cluster of its own
```

All measures but those of overlapping clusters read `cells`, which is short; only `items` is as long as the data.
"""

from __future__ import annotations

from functools import cached_property

import narwhals.stable.v2 as nw

from ireval_frames.clusters.inputs import ClusterInputs
from ireval_frames.plan import Plan, Table
from ireval_frames.policy import ClusterPolicy


class ClusterTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: ClusterInputs, policy: ClusterPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self.weighted = "weight" in inputs.found
        self._alone_by_noise = inputs.noise_cluster is not None and policy.noise == "singleton"
        plan.unit = self.units

    # ---- items and cells

    @cached_property
    def items(self) -> Table:
        """A row per item."""
        frame = self.inputs.items
        if self.weighted and self._some_alone and not self.inputs.overlapping:
            # Items that are alone stay apart where their weights differ.
            frame = frame.with_columns(own_weight=nw.when(self._alone).then(nw.col("weight")))
        return self.plan.input(
            "items", (*self.keys, *(("item_id",) if "item_id" in frame.collect_schema().names() else ())), frame
        )

    @cached_property
    def counted(self) -> Table:
        """A row per class and cluster as they are given."""
        own = ("own_weight",) if self.weighted and self._some_alone else ()
        return self.plan.grouped("counted", self.items, *self.keys, "label", "cluster_id", *own)

    @cached_property
    def units(self) -> Table:
        """A row per group of items."""
        return self.plan.grouped("units", self.items if self.inputs.overlapping else self.counted, *self.keys)

    @property
    def weight(self) -> nw.Expr:
        """The weight of an item, 1 without weights."""
        return nw.col("weight") if self.weighted else nw.lit(1.0)

    @property
    def _some_alone(self) -> bool:
        return self.policy.missing == "singleton" or self._alone_by_noise

    @property
    def noise_apart(self) -> bool:
        """Whether there is a cluster of noise, and it is not a cluster like any other."""
        return self.inputs.noise_cluster is not None and self.policy.noise != "cluster"

    @property
    def is_noise(self) -> nw.Expr:
        """Whether a cluster is that of noise."""
        cluster = nw.col("cluster_id").cast(self.inputs.types["cluster_id"])
        return ~cluster.is_null() & (cluster == nw.lit(self.inputs.noise_cluster))

    @property
    def _alone(self) -> nw.Expr:
        """Whether an item is a cluster of its own."""
        missing = nw.col("cluster_id").is_null()
        if self.policy.missing != "singleton":
            return self.is_noise
        return missing | self.is_noise if self._alone_by_noise else missing

    @property
    def _kept(self) -> nw.Expr:
        """Which cells count."""
        kept = ~nw.col("label").is_null()
        if self.policy.missing == "skip":
            kept &= ~nw.col("cluster_id").is_null()
        if self.inputs.noise_cluster is not None and self.policy.noise == "skip":
            kept &= nw.col("cluster_id").is_null() | ~self.is_noise
        return kept

    @cached_property
    def cells(self) -> Table:
        """A row per class and cluster that occur together.

        `label`, `cluster_id`, `alone` (0, or the number of a lone item), `size`.
        """
        counted, plan = self.counted, self.plan
        rows = self.items.count(into=counted)
        size = self.items.sum(self.weight, into=counted, name="size") if self.weighted else rows
        # Items of weight 0 are none.
        kept = self._kept & (size > 0.0) if self.weighted else self._kept
        keys = (*self.keys, "label", "cluster_id", "alone")
        typed = {side: nw.col(side).cast(dtype) for side, dtype in self.inputs.types.items()}
        if not self._some_alone:
            return plan.picked("cells", keys, counted, kept, **typed, alone=nw.lit(0).cast(nw.Int64), size=size)
        alone = counted.column(self._alone, "is_alone")
        together = plan.picked("together", counted.keys, counted, ~alone & kept)
        # The few that are alone get a row and a number each.
        lone = plan.spread(
            "lone_items", "copy", plan.picked("lone", counted.keys, counted, alone & kept), nw.lit(1), rows
        )
        order = ["label", *(("own_weight",) if self.weighted else ()), "copy"]
        number = lone.over(nw.col("copy").cum_count(), self.keys, order, "number")
        columns = {k: nw.col(k) for k in self.keys} | typed
        own = {"alone": number.cast(nw.Int64), "size": nw.col("own_weight") if self.weighted else nw.lit(1.0)}
        return plan.stacked(
            "cells",
            keys,
            (together, columns | {"alone": nw.lit(0).cast(nw.Int64), "size": size}),
            (lone, columns | own),
        )

    # ---- sizes

    @cached_property
    def classes(self) -> Table:
        """A row per class."""
        return self.plan.grouped("classes", self.cells, *self.keys, "label")

    @cached_property
    def clusters(self) -> Table:
        """A row per cluster."""
        return self.plan.grouped("clusters", self.cells, *self.keys, "cluster_id", "alone")

    @cached_property
    def totals(self) -> Table:
        """A row per unit, for what finer tables take from it, while units are made of them."""
        return self.plan.grouped("totals", self.cells, *self.keys)

    @cached_property
    def crossed(self) -> Table:
        """The cells again, for what is known of them once classes and clusters are counted."""
        return self.plan.picked("crossed", self.cells.keys, self.cells)

    def size_of(self, table: Table) -> nw.Expr:
        """The number of items of each row of a coarser table, or their weight."""
        return self.cells.sum(nw.col("size"), into=table, name="total" if table in (self.totals, self.units) else "of")

    def total(self, at: Table) -> nw.Expr:
        """The number of items of the unit, at the rows of a table."""
        return at.take(self.size_of(self.totals), of=self.totals)
