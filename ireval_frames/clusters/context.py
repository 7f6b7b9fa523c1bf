"""The context of clustering measures: what their functions compute with."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames import per
from ireval_frames.clusters.tables import ClusterTables
from ireval_frames.errors import Argument, Hint, InvalidValue, NotDefined
from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.contingency import Contingency
from ireval_frames.plan import Table
from ireval_frames.ratios import constant_of, indicator, ratio, ratio_of

# Floats hold all whole numbers up to here.
MAX_ITEMS = 2.0**53
# The squares of numbers up to here are exact in floats, and so are their sums and differences.
EXACT_SQUARES = 2**26


@dataclass(frozen=True)
class Pairs:
    """The numbers of pairs of items, as expressions of a unit.

    Attributes:
        tp: in the same class and the same cluster.
        fp: in the same cluster, but in different classes.
        fn: in the same class, but in different clusters.
        tn: in different classes and different clusters.
        all: all pairs.
    """

    tp: per.Unit
    fp: per.Unit
    fn: per.Unit
    tn: per.Unit
    all: per.Unit

    @property
    def in_cluster(self) -> per.Unit:
        """In the same cluster: true and false positives."""
        return self.tp + self.fp

    @property
    def in_class(self) -> per.Unit:
        """In the same class: true positives and false negatives."""
        return self.tp + self.fn


class ClusterContext:
    """What a measure of clusterings computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    def __init__(self, tables: ClusterTables, measure: str) -> None:
        self.tables, self.measure, self.policy = tables, measure, tables.policy
        self._ratio = ratio_of(self.policy.undefined)

    def ratio(self, numerator: Expr, denominator: Expr) -> per.Same:
        """The ratio; where the denominator is 0, what the policy says of undefined values."""
        return self._ratio(numerator, denominator)

    @property
    def undefined(self) -> per.Same:
        """What the policy says of a value that is not defined."""
        return constant_of(self.policy.undefined)

    @property
    def overlapping(self) -> bool:
        """Whether items may be in several classes or clusters."""
        return self.tables.inputs.overlapping

    def partition(self) -> None:
        """Refuse overlapping clusters, and items that are in no cluster.

        Raises:
            NotDefined: the measure needs each item in one class and one cluster.
        """
        if self.overlapping:
            raise NotDefined(
                f"{self.measure} is for items in one class and one cluster each; these overlap.",
                "Evaluate BCubedP, BCubedR or BCubedF.",
            )
        if self.policy.missing == "replab":
            raise NotDefined(
                f"The policy missing=replab says nothing of {self.measure}; it is for BCubed measures.",
                Hint("Write ", Argument("policy", "missing=singleton"), "."),
            )

    def whole_weights(self) -> None:
        """Refuse weights that are no numbers of items: fractions, and totals beyond 2^53.

        A weight is a number of equal items, and half an item has no pairs.

        Raises:
            InvalidValue: with the first result, a weight is a fraction, or the weights of a unit exceed 2^53.
        """
        tables, measure = self.tables, self.measure
        if not tables.weighted:
            return
        weight, total = col("weight"), tables.size_of(tables.units)

        def fraction(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"{measure} counts items, and the weight {rows['weight'][0]:g} is not a whole number.",
                'Weigh by whole numbers, or evaluate measures of shares: "BCubedF NMI Purity".',
            )

        def too_many(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"{measure} counts items, and the weights add to {rows[total.name][0]:g}; beyond 2^53 "
                "floats hold no whole numbers.",
                f'Count in thousands: frame.with_columns(pl.col("{tables.inputs.user_columns["weight"]}") // 1000)',
            )

        tables.plan.require(tables.items, weight != weight.floor(), fraction)
        tables.plan.require(tables.units, total > MAX_ITEMS, too_many)

    # ---- sizes: of a unit, and at the rows of its cells

    @property
    def total(self) -> per.Unit:
        """The number of items, or their weight."""
        return self.tables.size_of(self.tables.units)

    @property
    def num_classes(self) -> per.Unit:
        """The number of classes."""
        return self.tables.classes.count()

    @property
    def num_clusters(self) -> per.Unit:
        """The number of clusters; with `missing=replab` items in no cluster make none."""
        clustered = ~col("cluster_id").is_null() | (col("singleton") > 0)
        return (
            self.tables.clusters.sum(indicator(clustered))
            if self.policy.missing == "replab"
            else self.tables.clusters.count()
        )

    @property
    def size(self) -> per.Cell:
        """At the cells: the number of items that class and cluster share."""
        return col("size")

    @property
    def class_size(self) -> per.Cell:
        """At the cells: the size of the class."""
        tables = self.tables
        return tables.cells.lookup(tables.size_of(tables.classes), of=tables.classes)

    @property
    def cluster_size(self) -> per.Cell:
        """At the cells: the size of the cluster."""
        tables = self.tables
        return tables.cells.lookup(tables.size_of(tables.clusters), of=tables.clusters)

    @property
    def total_at_cells(self) -> per.Cell:
        """At the cells: the number of items of the unit."""
        return self.tables.total(self.tables.cells)

    def over_cells(self, term: per.Cell) -> per.Unit:
        """The sum of a term over the cells."""
        return self.tables.cells.sum(term)

    def over_classes(self, term: per.Class) -> per.Unit:
        """The sum of a term over the classes."""
        return self.tables.classes.sum(term)

    def over_clusters(self, term: per.Cluster) -> per.Unit:
        """The sum of a term over the clusters."""
        return self.tables.clusters.sum(term)

    @property
    def size_of_class(self) -> per.Class:
        """At the classes: their size."""
        return self.tables.size_of(self.tables.classes)

    @property
    def size_of_cluster(self) -> per.Cluster:
        """At the clusters: their size."""
        return self.tables.size_of(self.tables.clusters)

    @property
    def best_of_class(self) -> per.Class:
        """At the classes: the largest number of their items in one cluster."""
        return self.tables.cells.max(col("size"), into=self.tables.classes)

    @property
    def best_of_cluster(self) -> per.Cluster:
        """At the clusters: the largest number of their items of one class."""
        return self.tables.cells.max(col("size"), into=self.tables.clusters)

    @property
    def contingency(self) -> Contingency:
        """The cells, and the shares of their classes and clusters."""
        total = self.total_at_cells
        shares = (ratio(size, total) for size in (self.size, self.class_size, self.cluster_size))
        return Contingency(self.tables.cells, *shares)

    # ---- pairs of items

    @property
    def pairs(self) -> Pairs:
        """The numbers of pairs of items.

        Pairs that are together on one side only are summed over cells, as differences of large counts would lose
        precision.  For few items the differences are exact, and cells need no sizes of classes and clusters.
        """
        self.partition()
        self.whole_weights()
        tables = self.tables
        max_items = tables.inputs.max_items
        if not tables.weighted and max_items is not None and max_items <= EXACT_SQUARES:
            return self._pairs_of_totals()
        size, cluster, class_ = self.size, self.cluster_size, self.class_size
        others = (size - 1.0, cluster - size, class_ - size, self.total_at_cells - class_ - cluster + size)
        tp, fp, fn, tn = (self.over_cells(size * other) / 2.0 for other in others)
        return Pairs(tp, fp, fn, tn, self.total * (self.total - 1.0) / 2.0)

    def _pairs_of_totals(self) -> Pairs:
        def pairs(size: Expr) -> Expr:
            return size * (size - 1.0)

        tp = self.over_cells(pairs(self.size)) / 2.0
        in_class = self.over_classes(pairs(self.size_of_class)) / 2.0
        in_cluster = self.over_clusters(pairs(self.size_of_cluster)) / 2.0
        total = pairs(self.total) / 2.0
        return Pairs(tp, in_cluster - tp, in_class - tp, total - in_cluster - in_class + tp, total)

    # ---- information, in nats

    @property
    def class_entropy(self) -> per.Unit:
        """H(G), the entropy of the classes."""
        return self._entropy(self.tables.classes, self.size_of_class)

    @property
    def cluster_entropy(self) -> per.Unit:
        """H(X), the entropy of the clusters."""
        return self._entropy(self.tables.clusters, self.size_of_cluster)

    @property
    def joint_entropy(self) -> per.Unit:
        """H(G, X), the entropy of the cells."""
        return self._entropy(self.tables.cells, self.size)

    @property
    def classes_given_clusters(self) -> per.Unit:
        """H(G|X), the entropy of classes given the cluster."""
        return self._conditional(self.cluster_size)

    @property
    def clusters_given_classes(self) -> per.Unit:
        """H(X|G), the entropy of clusters given the class."""
        return self._conditional(self.class_size)

    @property
    def mutual_information(self) -> per.Unit:
        """I(G; X), at least 0."""
        return self.contingency.mutual_information()

    def _entropy(self, table: Table, size: Expr) -> Expr:
        inverse = table.column(
            when(size > 0).then(ratio(self.tables.total(table), size)).otherwise(1.0), "inverse_share"
        )
        return self._share(table.sum(size * inverse.log()))

    def _conditional(self, margin: Expr) -> Expr:
        cells, size = self.tables.cells, self.size
        inverse = cells.column(when(size > 0).then(ratio(margin, size)).otherwise(1.0), "inverse_share")
        return self._share(self.over_cells(size * inverse.log()))

    def _share(self, sum_: Expr) -> Expr:
        """The sum over the number of items; 0 without items."""
        return when(self.total > 0).then(ratio(sum_, self.total)).otherwise(0.0)

    # ---- special cases

    @property
    def trivial(self) -> per.Unit:
        """Whether there is at most one class and at most one cluster."""
        return (self.num_classes <= 1) & (self.num_clusters <= 1)

    @property
    def identical(self) -> per.Unit:
        """Whether classes and clusters are the same partition."""
        cells = self.tables.cells.count()
        return (cells == self.num_classes) & (cells == self.num_clusters)
