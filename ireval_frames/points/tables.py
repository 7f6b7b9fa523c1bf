"""The tables of an evaluation of points.

```
points     a row per point                          clusters   a row per cluster: its size
origin     a row per unit: the mean of its points,  centroids  a row per cluster: its centroid minus the origin
           and their box                            pairs      a row per ordered pair of different clusters
centred    the points minus the origin              units      a row per group of points
```

The mean of a unit's points is subtracted before anything is summed, so that a distant origin costs no precision.  Means
are clipped to the box of their points: equal points are at distance 0 from their centroid, whatever the engine rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ireval_frames.conventions.items import PointPolicy
from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Plan, Table
from ireval_frames.points.inputs import PointInputs
from ireval_frames.points.precomputed import no_coordinates
from ireval_frames.points.steps import Steps

# Distances of means below this share of the diagonal of the points' box are rounding.
ROUNDING = 1e-13


class PointTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: PointInputs, policy: PointPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self.features = inputs.features
        self.cluster = (*self.keys, "cluster_id")
        self.steps = Steps(plan, self.points, self.keys, self.features, inputs.distances)
        plan.unit = self.units

    @cached_property
    def points(self) -> Table:
        """A row per point."""
        return self.plan.input("points", self.keys, self.inputs.points)

    @property
    def weighted(self) -> bool:
        """Whether points have weights."""
        return "weight" in self.inputs.columns

    def weigh(self, expr: Expr) -> Expr:
        """A term of a sum over points, times the weight."""
        return col("weight") * expr if self.weighted else expr

    def _count(self, table: Table, into: Table) -> Expr:
        return table.sum(col("weight"), into=into) if self.weighted else table.count(into=into)

    def _means(self, rows: Table, values: Sequence[Expr], into: Table) -> list[Expr]:
        """Weighted means of columns, inside their ranges."""
        n, out = self._count(rows, into), []
        for value in values:
            mean = rows.sum(self.weigh(value), into=into) / n
            low, high = rows.min(value, into=into), rows.max(value, into=into)
            out.append(into.column(when(mean < low).then(low).when(mean > high).then(high).otherwise(mean), "mean"))
        return out

    def _need_coordinates(self) -> None:
        if self.inputs.distances is not None:
            raise no_coordinates(self.plan.requested_by)

    # ---- of units

    @cached_property
    def origin(self) -> Table:
        """A row per unit: `o0`, `o1` … the mean of its points, and `box`, the square of the diagonal of their box."""
        self._need_coordinates()
        totals = self.plan.grouped("totals", self.points, *self.keys)
        means = self._means(self.points, [col(x) for x in self.features], totals)
        sides = [self.points.max(col(x), into=totals) - self.points.min(col(x), into=totals) for x in self.features]
        box = totals.column(added([s * s for s in sides]), "box")
        return self.plan.compute_once(self.plan.selected("origin", self.keys, totals, **_numbered("o", means), box=box))

    @cached_property
    def mean_residual(self) -> list[Expr]:
        """In `units`: the mean of the centred points, which is not 0 if the subtracted mean was rounded."""
        size = col("mass")
        n = self.centroids.sum(size, into=self.units)
        sums = [self.centroids.sum(size * col(f"v{i}"), into=self.units) for i, _ in enumerate(self.features)]
        return [self.units.column(total / n, "residual") for total in sums]

    # ---- of points

    @cached_property
    def centred(self) -> Table:
        """A row per point: `y0`, `y1` …, the coordinates minus their mean."""
        return self._centred("centred")

    def _centred(self, name: str) -> Table:
        """The centred points, separately for each use, so that no database materialises them."""
        self._need_coordinates()
        weight = {"weight": col("weight")} if self.weighted else {}
        columns = {"cluster_id": col("cluster_id"), **weight}
        coordinates = {x: col(x) for x in self.features}
        points = self.plan.selected(f"points_of_{name}", self.keys, self.points, **columns, **coordinates)
        origins = [points.lookup(col(f"o{i}"), of=self.origin) for i, _ in enumerate(self.features)]
        centred = [points.column(col(x) - o, "y") for x, o in zip(self.features, origins, strict=True)]
        return self.plan.selected(name, self.keys, points, **columns, **_numbered("y", centred))

    @property
    def coordinates(self) -> list[Expr]:
        """In `centred`: the coordinates minus their mean."""
        return [col(f"y{i}") for i, _ in enumerate(self.features)]

    @cached_property
    def from_mean(self) -> Expr:
        """In `centred`: the squared distance to the mean of all points."""
        points, means = self.centred, self.mean_residual
        gaps = [y - points.lookup(m, of=self.units) for y, m in zip(self.coordinates, means, strict=True)]
        return points.column(added([g * g for g in gaps]), "from_mean")

    @cached_property
    def offsets(self) -> list[Expr]:
        """In `centred`: the coordinates minus those of the point's centroid."""
        points = self.centred
        return [y - points.lookup(col(f"v{i}"), of=self.centroids) for i, y in enumerate(self.coordinates)]

    @cached_property
    def from_centroid(self) -> Expr:
        """In `centred`: the squared distance to the point's centroid."""
        return self.centred.column(added([o * o for o in self.offsets]), "from_centroid")

    # ---- of clusters

    @cached_property
    def clusters(self) -> Table:
        """A row per cluster: its size."""
        return self.plan.grouped("clusters", self.points, *self.cluster)

    @cached_property
    def size(self) -> Expr:
        """In `clusters`: the number of points, or their weight."""
        return self._count(self.points, self.clusters)

    @cached_property
    def centroids(self) -> Table:
        """A row per cluster: `mass`, its size, and `v0`, `v1` …, the mean of its points minus the mean of all."""
        summed = self._centred("summed")
        sums = self.plan.grouped("sums", summed, *self.cluster)
        means = self._means(summed, self.coordinates, sums)
        columns = {"mass": self._count(summed, sums), **_numbered("v", means)}
        return self.plan.compute_once(self.plan.selected("centroids", self.cluster, sums, **columns))

    def summed(self, value: Expr) -> Expr:
        """In `clusters`: the sum over the points of the cluster."""
        return self.centred.sum(self.weigh(value), into=self.clusters)

    @cached_property
    def spread(self) -> Expr:
        """In `clusters`: the mean distance of the points to their centroid."""
        root = self.centred.column(self.from_centroid.sqrt(), "to_centroid")
        return self.clusters.column(self.summed(root) / self.size, "spread")

    @cached_property
    def centroid(self) -> list[Expr]:
        """In `clusters`: the centroids."""
        clusters = self.clusters
        return [clusters.lookup(col(f"v{i}"), of=self.centroids) for i, _ in enumerate(self.features)]

    @cached_property
    def centroid_gaps(self) -> list[Expr]:
        """In `clusters`: the centroid minus the mean of all points."""
        clusters, means = self.clusters, self.mean_residual
        return [v - clusters.lookup(m, of=self.units) for v, m in zip(self.centroid, means, strict=True)]

    @cached_property
    def centroid_from_mean(self) -> Expr:
        """In `clusters`: the squared distance of the centroid to the mean, 0 if it is rounding."""
        square = self.clusters.column(added([g * g for g in self.centroid_gaps]), "square")
        box = self.clusters.lookup(col("box"), of=self.origin)
        return self.clusters.column(_rounded(square, box), "from_mean")

    # ---- of pairs of clusters

    @cached_property
    def pairs(self) -> Table:
        """A row per cluster and other cluster of a unit.

        `v0` …, `spread`, `box`, and `w0` … and `other_spread` of the other one.
        """
        box = self.clusters.lookup(col("box"), of=self.origin)
        ones = self.plan.selected(
            "ones",
            self.cluster,
            self.clusters,
            **_numbered("v", self.centroid),
            box=box,
            spread=self.spread,
        )
        others = {"other_id": col("cluster_id"), **_numbered("w", self.centroid), "other_spread": self.spread}
        other = self.plan.selected("others", (*self.keys, "other_id"), self.clusters, **others)
        both = self.plan.joined("combined", (*self.cluster, "other_id"), ones, other, on=self.keys)
        return self.plan.selected("pairs", both.keys, both, where=col("cluster_id") != col("other_id"))

    @cached_property
    def squared_centroid_distance(self) -> Expr:
        """In `pairs`: the squared distance of the centroids, 0 if it is rounding."""
        gaps = [col(f"v{i}") - col(f"w{i}") for i, _ in enumerate(self.features)]
        square = self.pairs.column(added([g * g for g in gaps]), "square")
        return self.pairs.column(_rounded(square, col("box")), "squared_distance")

    # ---- units

    @cached_property
    def units(self) -> Table:
        """A row per group of points."""
        return self.plan.grouped("units", self.clusters, *self.keys)


def added(terms: Sequence[Expr]) -> Expr:
    """The sum of expressions as a balanced tree: engines limit the depth of expressions."""
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    return added(terms[:half]) + added(terms[half:])


def _numbered(name: str, expressions: Sequence[Expr]) -> dict[str, Expr]:
    return {f"{name}{i}": e for i, e in enumerate(expressions)}


def _rounded(square: Expr, box: Expr) -> Expr:
    """A squared distance of means, 0 if it is rounding."""
    return when(square > ROUNDING * ROUNDING * box).then(square).otherwise(0.0)
