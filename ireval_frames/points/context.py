"""The context of measures of points: what their functions compute with."""

from __future__ import annotations

from collections.abc import Sequence

from ireval_frames import per
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Table
from ireval_frames.points.checks import fractional_weight
from ireval_frames.points.precomputed import no_coordinates
from ireval_frames.points.steps import Value
from ireval_frames.points.tables import PointTables, added
from ireval_frames.ratios import ratio


class PointContext:
    """What a measure of points computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
        metric: the distance of the points.
    """

    def __init__(self, tables: PointTables, measure: str, metric: str) -> None:
        self.tables, self.measure, self._metric = tables, measure, metric

    def metric(self, own: str | None) -> str:
        """The measure's own distance, or that of the points.

        Raises:
            NotDefined: the measure has its own, which needs coordinates, and the points have distances only.
        """
        if own is not None:
            self._need_coordinates()
        return own or self._metric

    def _need_coordinates(self) -> None:
        if self.tables.inputs.distances is not None:
            raise no_coordinates(self.measure)

    # ---- of the unit

    @property
    def n(self) -> per.Unit:
        """The number of points, or their weight."""
        return self.clusters.sum(self.size)

    @property
    def k(self) -> per.Unit:
        """The number of clusters."""
        return self.clusters.count()

    @property
    def d(self) -> int:
        """The number of dimensions."""
        self._need_coordinates()
        return len(self.tables.features)

    @property
    def wss(self) -> per.Unit:
        """The sum of the squared distances of the points to their centroids."""
        return self.clusters.sum(self.scatter)

    @property
    def bss(self) -> per.Unit:
        """The sum over the clusters of their size times the squared distance of their centroid to the mean of all."""
        return self.clusters.sum(self.size * self.from_mean)

    @property
    def tss(self) -> per.Unit:
        """The sum of the squared distances of the points to their mean."""
        return self.wss + self.bss

    def separable(self, value: per.Unit) -> per.Unit:
        """The value, null unless there are at least two clusters, and a cluster of more than one point."""
        several = self.k < self.n
        if self.tables.weighted:
            # Two points of weight ½ are still two.
            several |= self.k < self.clusters.sum(self.tables.points.count(into=self.tables.clusters))
        return when((self.k >= 2) & several).then(value)

    @staticmethod
    def ratio(numerator: Expr, denominator: Expr) -> per.Same:
        """Null where the denominator is 0."""
        return ratio(numerator, denominator)

    @staticmethod
    def log(value: Expr) -> per.Same:
        """The logarithm; null for numbers of at most 0."""
        return when(value > 0).then(when(value > 0).then(value).otherwise(1.0).log())

    @staticmethod
    def added(terms: Sequence[Expr]) -> per.Same:
        """The sum of expressions, one per dimension."""
        return added(terms)

    # ---- of clusters

    @property
    def clusters(self) -> Table:
        """The table of clusters."""
        return self.tables.clusters

    @property
    def size(self) -> per.Cluster:
        """The number of points of a cluster, or their weight."""
        return self.tables.size

    @property
    def scatter(self) -> per.Cluster:
        """Of a cluster: the sum of the squared distances of its points to the centroid."""
        return self.tables.summed(self.tables.from_centroid)

    @property
    def spread(self) -> per.Cluster:
        """Of a cluster: the mean distance of its points to the centroid."""
        return self.tables.spread

    @property
    def from_mean(self) -> per.Cluster:
        """Of a cluster: the squared distance of its centroid to the mean of all points."""
        return self.tables.centroid_from_mean

    # ---- of pairs of clusters

    @property
    def pairs(self) -> Table:
        """The table of ordered pairs of different clusters."""
        return self.tables.pairs

    @property
    def squared_centroid_distance(self) -> per.Clusters:
        """Of a pair: the squared distance of the centroids."""
        return self.tables.squared_centroid_distance

    # ---- in Python

    def computed(self, value: Value, *, seed: int | None = None, metric: str | None = None) -> per.Unit:
        """A value of the unit from its points as arrays, in Python.

        Args:
            value: computes it.
            seed: of random orders, for samples.
            metric: the distance, if the value needs distances only, which may be the user's.

        Raises:
            NotDefined: the value needs coordinates, and the points have none.
        """
        if metric is None:
            self._need_coordinates()
        return self.tables.steps.value(value, self.tables.units, seed)

    def whole_weights(self) -> None:
        """Refuse weights that are fractions: a weight is a number of equal points.

        Raises:
            InvalidValue: with the first result, a weight is a fraction.
        """
        if self.tables.weighted:
            weight = col("weight")
            self.tables.plan.require(self.tables.points, weight != weight.floor(), fractional_weight(self.measure))

    def unweighted(self) -> None:
        """Refuse weights.

        Raises:
            NotDefined: the points have weights.
        """
        if self.tables.weighted:
            raise NotDefined(
                f"{self.measure} compares distances of pairs one by one, and takes no weights.",
                'Drop them: frame.drop("weight")',
            )
