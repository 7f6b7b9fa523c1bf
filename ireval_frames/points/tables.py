"""The tables of an evaluation of points.

```
points    a row per point                     clusters  a row per cluster: its size and centroid
totals    a row per unit: the mean of its     groups    the clusters again, with what is summed of placed points
          points, and their box               pairs     a row per ordered pair of different clusters
centred   the points less that mean           reached   the clusters again, with what is known of their pairs
placed    the same, beside their centroids    units     a row per group of points
```

The mean of all points of a unit is subtracted before anything is summed, so a far-off origin costs no digits.  Means are
kept inside the box of their points: equal points are at distance 0 of their centroid, whatever the engine rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import narwhals.stable.v2 as nw

from ireval_frames.plan import Plan, Table
from ireval_frames.points.inputs import PointInputs
from ireval_frames.points.steps import Steps
from ireval_frames.policy import PointPolicy

# Means nearer to each other than this share of the diagonal of the points' box are one: what is left is rounding.
ROUNDING = 1e-13


class PointTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: PointInputs, policy: PointPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self.features = inputs.features
        self.cluster = (*self.keys, "cluster_id")
        self.steps = Steps(plan, self.points, self.keys, self.features)
        plan.unit = self.units

    @cached_property
    def points(self) -> Table:
        """A row per point."""
        return self.plan.input("points", self.keys, self.inputs.points)

    @property
    def weighted(self) -> bool:
        """Whether points have weights."""
        return "weight" in self.inputs.columns

    def weigh(self, expr: nw.Expr) -> nw.Expr:
        """A term of a sum over points, times the weight."""
        return nw.col("weight") * expr if self.weighted else expr

    def _count(self, table: Table, into: Table) -> nw.Expr:
        return table.sum(nw.col("weight"), into=into) if self.weighted else table.count(into=into)

    def _means(self, rows: Table, values: Sequence[nw.Expr], into: Table) -> list[nw.Expr]:
        """Weighted means of columns, inside their ranges."""
        n = self._count(rows, into)
        out = []
        for value in values:
            mean = into.column(rows.sum(self.weigh(value), into=into) / n, "mean")
            low, high = rows.min(value, into=into), rows.max(value, into=into)
            out.append(into.column(nw.when(mean < low).then(low).when(mean > high).then(high).otherwise(mean), "mean"))
        return out

    # ---- of units

    @cached_property
    def totals(self) -> Table:
        """A row per unit: what finer tables take from."""
        return self.plan.grouped("totals", self.points, *self.keys)

    @cached_property
    def box(self) -> nw.Expr:
        """In `totals`: the square of the diagonal of the points' box."""
        sides = [self.points.max(nw.col(x), into=self.totals) - self.points.min(nw.col(x), into=self.totals) for x in self.features]
        return self.totals.column(added([s * s for s in sides]), "box")

    # ---- of points

    @cached_property
    def centred(self) -> Table:
        """The points again."""
        return self.plan.picked("centred", self.points.keys, self.points)

    @cached_property
    def coordinates(self) -> list[nw.Expr]:
        """In `centred`: the coordinates less their mean."""
        means = self._means(self.points, [nw.col(x) for x in self.features], self.totals)
        return [self.centred.column(nw.col(x) - self.centred.take(m, of=self.totals), "y") for x, m in zip(self.features, means, strict=True)]

    @cached_property
    def placed(self) -> Table:
        """The centred points again."""
        return self.plan.picked("placed", self.centred.keys, self.centred)

    @cached_property
    def from_mean(self) -> nw.Expr:
        """In `placed`: the squared distance to the mean of all points."""
        gaps = [y - self.placed.take(m, of=self.middle) for y, m in zip(self.coordinates, self.rest, strict=True)]
        return self.placed.column(added([g * g for g in gaps]), "from_mean")

    @cached_property
    def offsets(self) -> list[nw.Expr]:
        """In `placed`: the coordinates less those of the point's centroid."""
        middles = [self.placed.take(v, of=self.clusters) for v in self.centroids]
        return [y - v for y, v in zip(self.coordinates, middles, strict=True)]

    @cached_property
    def from_centroid(self) -> nw.Expr:
        """In `placed`: the squared distance to the point's centroid."""
        return self.placed.column(added([o * o for o in self.offsets]), "from_centroid")

    # ---- of clusters

    @cached_property
    def clusters(self) -> Table:
        """A row per cluster."""
        return self.plan.grouped("clusters", self.centred, *self.cluster)

    @cached_property
    def size(self) -> nw.Expr:
        """In `clusters`: the number of points, or their weight."""
        return self._count(self.centred, self.clusters)

    @cached_property
    def centroids(self) -> list[nw.Expr]:
        """In `clusters`: the mean of the points less the mean of all."""
        return self._means(self.centred, self.coordinates, self.clusters)

    @cached_property
    def middle(self) -> Table:
        """A row per unit."""
        return self.plan.grouped("middle", self.clusters, *self.keys)

    @cached_property
    def rest(self) -> list[nw.Expr]:
        """In `middle`: the mean of the points less the mean that was subtracted, which far from the origin is rounded."""
        n = self.clusters.sum(self.size, into=self.middle)
        return [self.middle.column(self.clusters.sum(self.size * v, into=self.middle) / n, "rest") for v in self.centroids]

    @cached_property
    def centroid_from_mean(self) -> nw.Expr:
        """In `groups`: the squared distance of the centroid to the mean of all points, 0 where it is rounding."""
        gaps = [v - self.groups.take(m, of=self.middle) for v, m in zip(self.centroids, self.rest, strict=True)]
        square = self.groups.column(added([g * g for g in gaps]), "square")
        return self.groups.column(self.rounded(square), "from_mean")

    @cached_property
    def groups(self) -> Table:
        """The clusters again."""
        return self.plan.picked("groups", self.clusters.keys, self.clusters)

    def summed(self, value: nw.Expr) -> nw.Expr:
        """In `groups`: the sum over the cluster's placed points."""
        return self.placed.sum(self.weigh(value), into=self.groups)

    @cached_property
    def reached(self) -> Table:
        """The clusters again."""
        return self.plan.picked("reached", self.groups.keys, self.groups)

    # ---- of pairs of clusters

    @cached_property
    def pairs(self) -> Table:
        """A row per cluster and other cluster of a unit; what is named of the other one begins with `other_`."""
        keys = (*self.keys, "other_id")
        others = self.plan.picked("others", keys, self.groups, other_id=nw.col("cluster_id"), **self._wanted_of_others)
        combined = self.plan.joined("combined", (*self.cluster, "other_id"), self.groups, others, on=self.keys)
        return self.plan.picked("pairs", combined.keys, combined, where=nw.col("cluster_id") != nw.col("other_id"))

    @cached_property
    def _wanted_of_others(self) -> dict[str, nw.Expr]:
        """What pairs read of the other cluster: its centroid, and the mean distance of its points to that."""
        places = {f"other_{i}": v for i, v in enumerate(self.centroids)}
        return places | {"other_spread": self.spread}

    @cached_property
    def spread(self) -> nw.Expr:
        """In `groups`: the mean distance of the points to their centroid."""
        root = self.placed.column(self.from_centroid.sqrt(), "to_centroid")
        return self.groups.column(self.summed(root) / self.size, "spread")

    @cached_property
    def apart(self) -> nw.Expr:
        """In `pairs`: the squared distance of the centroids, 0 where it is rounding."""
        gaps = [v - nw.col(f"other_{i}") for i, v in enumerate(self.centroids)]
        square = self.pairs.column(added([g * g for g in gaps]), "square")
        return self.pairs.column(self.rounded(square), "apart")

    def rounded(self, square: nw.Expr) -> nw.Expr:
        """A squared distance of means, 0 where it is rounding; in `groups`, and in `pairs`, which have their columns."""
        box = self.groups.take(self.box, of=self.totals)
        return nw.when(square > ROUNDING * ROUNDING * box).then(square).otherwise(0.0)

    # ---- units

    @cached_property
    def units(self) -> Table:
        """A row per group of points."""
        return self.plan.grouped("units", self.groups, *self.keys)


def added(terms: Sequence[nw.Expr]) -> nw.Expr:
    """The sum of expressions, as a tree that is not deep: engines limit how deep expressions may be."""
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    return added(terms[:half]) + added(terms[half:])
