"""The context of similarity measures: two rankings of one query's items."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from ireval_frames import expr, per
from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Table
from ireval_frames.similarity.agreement import Agreement
from ireval_frames.similarity.discordance import Compared
from ireval_frames.similarity.tables import SimilarityTables

Weigher = Callable[[Expr], Expr]


class Side:
    """One ranking of the common items: its ties and ranks among them."""

    def __init__(self, compared: Compared, *, first: bool) -> None:
        self._compared, self._rows, self._first = compared, compared.items, first
        self.top, self.other_top = ("top", "other_top") if first else ("other_top", "top")

    @property
    def rank(self) -> per.Item:
        """The rank among the common items; tied ones share the first."""
        return self._rows.over(col(self.top).rank("min"), ("pair",), name="rank").cast(pl.Float64)

    @property
    def tied(self) -> per.Item:
        """The number of items with this rank, the item itself included."""
        return self._rows.over(expr.len(), ("pair", self.top), name="tied").cast(pl.Float64)

    @property
    def midrank(self) -> per.Item:
        """The mean of the ranks that tied items share."""
        return self.rank + (self.tied - 1.0) / 2.0

    @property
    def place(self) -> per.Item:
        """1, 2, … down this ranking, ties in any order."""
        return self._rows.over(col("item").cum_count(), ("pair",), [self.top, "item"], name="place").cast(pl.Float64)

    @property
    def above_tied_in_other(self) -> per.Item:
        """The number of items that this ranking puts above the item and the other one ties with it."""
        return (
            self._rows.over(col(self.top).rank("min"), ("pair", self.other_top), name="above_tied").cast(pl.Float64)
            - 1.0
        )

    @property
    def above_and_below_in_other(self) -> per.Item:
        """The number of items that this ranking puts above the item and the other one below it."""
        before = self._compared.discordant()
        if self._first:
            return before
        # Every item above in one ranking is above, tied or below in the other.
        first = Side(self._compared, first=True)
        concordant = first.rank - 1.0 - first.above_tied_in_other - before
        return self.rank - 1.0 - self.above_tied_in_other - concordant

    @property
    def above_in_both(self) -> per.Item:
        """The number of items that both rankings put above the item."""
        return self.rank - 1.0 - self.above_tied_in_other - self.above_and_below_in_other

    def weight(self, weigher: Weigher) -> per.Item:
        """The weight of the item's rank from 0; ties are ranked by the other ranking."""
        return self._rows.column(weigher(self._lexical(self._rows)))

    def weight_of_discordant(self, weigher: Weigher, label: str) -> per.Item:
        """The sum of weights by this ranking of the items that the first ranking puts above and the second below."""
        common = self._compared.common
        weight = common.column(weigher(self._lexical(common)))
        return self._compared.discordant(weight, f"_{label}_{'first' if self._first else 'second'}")

    def _lexical(self, rows: Table) -> Expr:
        return (
            rows.over(col("item").cum_count(), ("pair",), [self.top, self.other_top, "item"], name="place").cast(
                pl.Float64
            )
            - 1.0
        )

    def among_ties(self, item: per.Item) -> per.Item:
        """The mean of a column over the items tied here."""
        return self._rows.over(self._rows.column(item).mean(), ("pair", self.top), name="among_ties")


class Pair:
    """What a similarity measure can use.

    Args:
        tables: the tables of the comparison.
        swapped: the second ranking is the measured one.
    """

    def __init__(self, tables: SimilarityTables, *, swapped: bool = False) -> None:
        self.tables, self.swapped = tables, swapped
        self.directed = False
        self._cutoff: int | None = None

    # ---- the common items

    def items_within(self, cutoff: int | None) -> None:
        """Use only items that both rankings have among their top `cutoff`."""
        self._cutoff = cutoff

    @property
    def compared(self) -> Compared:
        """The common items."""
        return self.tables.compared(self._cutoff)

    @property
    def first(self) -> Side:
        """The first ranking, for symmetric measures."""
        return Side(self.compared, first=True)

    @property
    def second(self) -> Side:
        """The second ranking, for symmetric measures."""
        return Side(self.compared, first=False)

    @property
    def measured(self) -> Side:
        """The measured ranking, for asymmetric measures."""
        self.directed = True
        return Side(self.compared, first=not self.swapped)

    @property
    def reference(self) -> Side:
        """The reference ranking, for asymmetric measures."""
        self.directed = True
        return Side(self.compared, first=self.swapped)

    @property
    def num_common(self) -> per.Unit:
        """The number of common items."""
        return self.compared.items.count(into=self.tables.results)

    @property
    def num_of_pair(self) -> per.Item:
        """The number of common items, at each of them."""
        return self.compared.items.over(expr.len(), ("pair",), name="n").cast(pl.Float64)

    @property
    def num_two(self) -> per.Unit:
        """The number of pairs of common items."""
        return self.num_common * (self.num_common - 1.0) / 2.0

    @property
    def num_discordant(self) -> per.Unit:
        """The number of pairs of items in opposite orders."""
        return self.sum(self.compared.discordant())

    def num_tied(self, side: Side) -> per.Unit:
        """The number of pairs of items that a ranking ties."""
        return self.sum((side.tied - 1.0) / 2.0)

    @property
    def tied_in_both(self) -> per.Item:
        """The number of items that both rankings tie with this one, itself included."""
        return self.compared.items.over(expr.len(), ("pair", "top", "other_top"), name="tied_in_both").cast(pl.Float64)

    def total(self, item: per.Item, *keys: str) -> per.Item:
        """The sum over all common items, or over those of equal `keys`, at each item."""
        rows = self.compared.items
        return rows.over(rows.column(item).sum(), ("pair", *keys), name="total")

    def result(self, expr: Expr, name: str) -> per.Unit:
        """A part of the measure's value that is used more than once."""
        return self.tables.results.column(expr, name)

    def sum(self, item: per.Item) -> per.Unit:
        """The sum over the common items."""
        return self.compared.items.sum(item, into=self.tables.results)

    # ---- depths

    @property
    def agreement(self) -> Agreement:
        """The agreement of the lists at every depth."""
        return self.tables.agreement

    def sum_of_depths(self, depth: per.Depth) -> per.Unit:
        """The sum over the depths of the longer list."""
        return self.agreement.depths.sum(depth, into=self.tables.results)

    def short_size(self, cutoff: int | None) -> per.Unit:
        """The shorter list's number of items, at most `cutoff`."""
        return self._size(cutoff, longer=False)

    def long_size(self, cutoff: int | None) -> per.Unit:
        """The longer list's number of items, at most `cutoff`."""
        return self._size(cutoff, longer=True)

    def _size(self, cutoff: int | None, *, longer: bool) -> Expr:
        one, other = col("size"), col("other_size")
        size = when((one <= other) != longer).then(one).otherwise(other)
        return size if cutoff is None else when(size < float(cutoff)).then(size).otherwise(float(cutoff))

    def measured_column(self, expr: Expr, name: str) -> per.Unit:
        """A column of the sums over items and depths."""
        return self.tables.results.column(expr, name)

    def sum_beyond(self, name: str, low: Expr, high: Expr, term: Expr) -> per.Unit:
        """The sum of a function of `depth` over the depths from `low` to `high`, columns of `measured`.

        `name` is part of the tables' names.
        """
        plan, results = self.tables.plan, self.tables.results
        ends = plan.selected(f"ends{name}", ("pair",), results, low=results.column(low), high=results.column(high))
        beyond = plan.expand_range(f"beyond{name}", "depth", ends, col("low"), col("high"))
        return beyond.sum(term, into=self.tables.results)
