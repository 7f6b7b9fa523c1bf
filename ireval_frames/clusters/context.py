"""The context of clustering measures: what they may ask for, under the field's names."""

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

# Beyond so many items floats do not tell one more from one less.
MOST_ITEMS = 2.0**53
# The squares of so many items are whole numbers that floats hold, and so are all sums and differences of them.
EXACT_SQUARES = 2**26


@dataclass(frozen=True)
class Pairs:
    """How many pairs of items are together, as expressions of a unit.

    Attributes:
        both: in one class and in one cluster (true positives).
        fp: in one cluster but not in one class.
        fn: in one class but not in one cluster.
        neither: apart in both (true negatives).
        all: all pairs.
    """

    both: per.Unit
    fp: per.Unit
    fn: per.Unit
    neither: per.Unit
    all: per.Unit

    @property
    def in_cluster(self) -> per.Unit:
        """In one cluster (true and false positives)."""
        return self.both + self.fp

    @property
    def in_class(self) -> per.Unit:
        """In one class (true positives and false negatives)."""
        return self.both + self.fn


class ClusterContext:
    """What a measure of clusterings may ask for.

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
                "Ask for BCubedP, BCubedR or BCubedF.",
            )
        if self.policy.missing == "replab":
            raise NotDefined(
                f"The policy missing=replab says nothing of {self.measure}; it is for BCubed measures.",
                Hint("Write ", Argument("policy", "missing=singleton"), "."),
            )

    def whole(self) -> None:
        """Refuse weights that are no numbers of items: fractions, and more than floats count.

        A weight counts an item so many times, and half an item has no pair.

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
                'Weigh by whole numbers, or ask for measures of shares: "BCubedF NMI Purity".',
            )

        def too_many(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"{measure} counts items, and the weights add to {rows[total.name][0]:g}; beyond 2^53 "
                "floats hold no whole numbers.",
                f'Count in thousands: frame.with_columns(pl.col("{tables.inputs.found["weight"]}") // 1000)',
            )

        tables.plan.require(tables.items, weight != weight.floor(), fraction)
        tables.plan.require(tables.units, total > MOST_ITEMS, too_many)

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
        """The number of clusters; that of items which are in none is no cluster (`replab`)."""
        there = ~col("cluster_id").is_null() | (col("singleton") > 0)
        return (
            self.tables.clusters.sum(indicator(there))
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
    def total_here(self) -> per.Cell:
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
        total = self.total_here
        shares = (ratio(size, total) for size in (self.size, self.class_size, self.cluster_size))
        return Contingency(self.tables.cells, *shares)

    # ---- pairs of items

    @property
    def pairs(self) -> Pairs:
        """How many pairs of items are together.

        What is together on one side only is summed over the items of a cell and those of the other cells, not
        subtracted: the difference of the large counts of large clusters would lose it.  Of items that are known to be
        few it loses nothing, and cells need not know how large their class and cluster are.
        """
        self.partition()
        self.whole()
        tables = self.tables
        if not tables.weighted and tables.inputs.most_items is not None and tables.inputs.most_items <= EXACT_SQUARES:
            return self._pairs_of_totals()
        size, cluster, class_ = self.size, self.cluster_size, self.class_size
        others = (size - 1.0, cluster - size, class_ - size, self.total_here - class_ - cluster + size)
        both, fp, fn, neither = (self.over_cells(size * beside) / 2.0 for beside in others)
        return Pairs(both, fp, fn, neither, self.total * (self.total - 1.0) / 2.0)

    def _pairs_of_totals(self) -> Pairs:
        def pairs(size: Expr) -> Expr:
            return size * (size - 1.0)

        both = self.over_cells(pairs(self.size)) / 2.0
        in_class = self.over_classes(pairs(self.size_of_class)) / 2.0
        in_cluster = self.over_clusters(pairs(self.size_of_cluster)) / 2.0
        every = pairs(self.total) / 2.0
        return Pairs(both, in_cluster - both, in_class - both, every - in_cluster - in_class + both, every)

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
        """H(G|X), what a cluster leaves open about the class."""
        return self._conditional(self.cluster_size)

    @property
    def clusters_given_classes(self) -> per.Unit:
        """H(X|G), what a class leaves open about the cluster."""
        return self._conditional(self.class_size)

    @property
    def mutual_information(self) -> per.Unit:
        """I(G; X); rounding below 0 is 0."""
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
        """Of the items; 0 without items."""
        return when(self.total > 0).then(ratio(sum_, self.total)).otherwise(0.0)

    # ---- special cases

    @property
    def trivial(self) -> per.Unit:
        """Whether there is at most one class and at most one cluster."""
        return (self.num_classes <= 1) & (self.num_clusters <= 1)

    @property
    def identical(self) -> per.Unit:
        """Whether classes and clusters are the same groups."""
        cells = self.tables.cells.count()
        return (cells == self.num_classes) & (cells == self.num_clusters)
