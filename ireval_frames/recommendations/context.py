"""The context of measures of recommended items: what their functions compute with."""

from __future__ import annotations

import polars as pl

from ireval_frames import per
from ireval_frames.documents.context import DocumentContext
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio
from ireval_frames.recommendations.tables import RecommendationTables

# What the tables that can be missing hold.
HOLDS = {
    "train": "what users used before",
    "relevant": "the items that are relevant to users",
    "features": "the features of items",
    "distances": "the distances of items",
}


class RecommendationContext(DocumentContext[RecommendationTables]):
    """What a measure of recommended items computes with; the unit is a user, or all users of a group.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    def of_all(self, value: per.Unit) -> per.Unit:
        """A value of the lists of all users together: one user has none."""
        return lit(None, dtype=pl.Float64) if "item_id" in self.unit.keys else value

    def of_user(self, value: per.Unit) -> per.Unit:
        """A value per user, in the unit: the user, however often it is drawn; or its sum over all users."""
        return self.over_documents(self.tables.documents.column(value))

    # ---- lists

    @property
    def lists(self) -> Table:
        """The table of recommended items."""
        return self.tables.lists

    @property
    def rank(self) -> per.Row:
        """The rank of a recommended item, from 1."""
        return self.tables.rank

    def within(self, value: per.Row, cutoff: int | None) -> per.Row:
        """A value of the top k items, 0 for those below."""
        return value if cutoff is None else when(self.rank <= float(cutoff)).then(value).otherwise(0.0)

    def num_recommended(self, cutoff: int | None) -> per.Unit:
        """The number of recommended items down to the cutoff."""
        return self.sum(self.lists, self.within(lit(1.0), cutoff))

    def mean(self, value: per.Row, cutoff: int | None, over: str = "list") -> per.Unit:
        """The mean of a value of the top k items, of those where it is defined; undefined for users without a list.

        Args:
            value: the value.
            cutoff: k.
            over: "k" to divide by k, also where lists are shorter.
        """
        known = self.lists.column(value)
        total = self.sum(self.lists, self.within(known.fill_null(0.0), cutoff))
        if over == "k" and cutoff is not None:
            documents = self.tables.documents
            n = self.lists.sum(self.within(indicator(~known.is_null()), cutoff), into=documents)
            return ratio(total, self.over_documents(when(n > 0).then(float(cutoff)).otherwise(0.0)))
        return ratio(total, self.sum(self.lists, self.within(indicator(~known.is_null()), cutoff)))

    # ---- relevant items

    def accuracy(self, name: str, **arguments: object) -> per.Unit:
        """A measure of rankings, of the lists and the relevant items of users.

        Args:
            name: the measure's name in the family of rankings.
            arguments: its parameters.
        """
        self.needs("relevant")
        users, accuracy = self.tables.documents, self.tables.accuracy
        value = users.lookup(accuracy.value(name, arguments), of=accuracy.units)
        if self.tables.policy.no_relevant == "zero":
            # The family of rankings has no value of users whose items nobody judged.
            value = when(self.lists.count(into=users) > 0).then(value.fill_null(0.0)).otherwise(value)
        return self.of_user(value)

    def relevance(self, rel: float) -> per.Row:
        """1 for recommended items that are relevant to the user of the list."""
        self.needs("relevant")
        relevant = self.tables.relevant
        grade = self.lists.lookup(relevant.column(col("relevance"), "grade"), of=relevant)
        return self.lists.column(indicator(grade >= rel))

    def where_relevant(self, value: per.Unit, rel: float) -> per.Unit:
        """A value per user, as the policy has it of users without relevant items: undefined by default."""
        self.needs("relevant")
        users, tables = self.tables.documents, self.tables
        number = tables.relevant.sum(indicator(col("relevance") >= rel), into=tables.users_of_relevant)
        some = users.lookup(number, of=tables.users_of_relevant).fill_null(0.0) > 0.0
        value = users.column(value)
        if self.tables.policy.no_relevant == "null":
            return users.column(when(some).then(value))
        return users.column(when(some | value.is_null()).then(value).otherwise(0.0))

    def relevance_of_pairs(self, pairs: Table, rel: float) -> tuple[per.Pair, per.Pair]:
        """Of pairs of items of a list, 1 where the first one, and where the other one, is relevant to its user."""
        self.needs("relevant")
        relevant = self.tables.relevant
        other = {"other_id": col("doc_id"), "other_relevance": col("relevance")}
        others = self.tables.plan.selected("relevant_others", ("item_id", "other_id"), relevant, **other)
        first = pairs.lookup(relevant.column(col("relevance"), "grade"), of=relevant)
        second = pairs.lookup(col("other_relevance"), of=others)
        return pairs.column(indicator(first >= rel)), pairs.column(indicator(second >= rel))

    # ---- tables that may be missing

    def needs(self, name: str) -> None:
        """Refuse the measure where a table was not passed.

        Raises:
            NotDefined: it was not; the error names the argument.
        """
        if getattr(self.tables.base, name) is None:
            raise NotDefined(
                f"{self.measure} reads {HOLDS[name]}, and there is no {name} table.",
                Hint("Hand it in: ", Argument(name, f"{name}.csv"), "."),
            )

    # ---- train

    @property
    def used(self) -> per.Row:
        """How often the recommended item was used in train; 0 if never."""
        self.needs("train")
        return self.lists.column(self.lists.lookup(self.tables.used, of=self.tables.popularity).fill_null(0.0))

    @property
    def num_users(self) -> per.Row:
        """How many users used the recommended item in train; 0 if none did."""
        self.needs("train")
        return self.lists.column(self.lists.lookup(self.tables.num_users, of=self.tables.popularity).fill_null(0.0))

    @property
    def num_used(self) -> per.Row:
        """How often all items were used in train."""
        self.needs("train")
        return self.lists.lookup(self.tables.num_used, of=self.tables.all_train)

    @property
    def num_users_of_train(self) -> per.Row:
        """The number of users of train."""
        self.needs("train")
        return self.lists.lookup(self.tables.num_users_of_train, of=self.tables.all_train)

    @property
    def in_history(self) -> per.Row:
        """Whether the user of the list used the recommended item in train."""
        self.needs("train")
        return ~self.lists.lookup(col("n"), of=self.tables.train).is_null()

    def in_head(self, share: float) -> per.Row:
        """Whether the recommended item is in the head: the most popular items that have this share of all uses."""
        self.needs("train")
        items, all_train = self.tables.popularity, self.tables.all_train
        before = self.tables.uses_of_more_popular - self.tables.used
        total = items.lookup(self.tables.num_used, of=all_train)
        # Sums of whole numbers are exact, the product with a share is not.
        head = items.column(indicator(before < total * share - 1e-9 * total))
        return self.lists.column(self.lists.lookup(head, of=items).fill_null(0.0))

    @property
    def popularity_place(self) -> per.Row:
        """The dense rank of the recommended item by descending uses; null if nobody used it."""
        self.needs("train")
        items = self.tables.popularity
        place = items.column(self.tables.descending_uses.rank("dense").over(), "popularity_place")
        return self.lists.column(self.lists.lookup(place, of=items).cast(pl.Float64))

    def in_baseline(self, cutoff: int) -> per.Row:
        """1 for recommended items in the top k of the baseline: the list passed, or the most popular items.

        Null for users without a baseline list, where each has one.
        """
        if self.tables.base.baseline is None:
            self.needs("train")
        tables, lists = self.tables, self.lists
        in_baseline = indicator(lists.lookup(col("place"), of=tables.baseline) <= float(cutoff))
        if (users := tables.users_of_baseline) is None:
            return lists.column(in_baseline)
        return lists.column(
            when(~lists.lookup(tables.baseline.count(into=users), of=users).is_null()).then(in_baseline)
        )

    @property
    def percentile(self) -> per.Row:
        """The rank of the recommended item by ascending uses, over the number of used items; 0 if it was not used."""
        self.needs("train")
        items, all_train = self.tables.popularity, self.tables.all_train
        n = items.lookup(items.count(into=all_train), of=all_train)
        value = items.column(ratio(self.tables.popularity_rank, n))
        return self.lists.column(self.lists.lookup(value, of=items).fill_null(0.0))

    # ---- the catalogue

    @property
    def num_items(self) -> per.Unit:
        """The number of items that can be recommended."""
        self.tables.reads_catalogue.append(self.measure)
        return self.unit.lookup(self.tables.num_items, of=self.tables.all_items)

    def recommended(self, value: Expr, cutoff: int | None) -> tuple[Table, per.Recommended]:
        """A row per unit and recommended item, and the sum of a value over the lists that have it in their top k."""
        items = self.per("items", self.lists, "doc_id")
        return items, items.column(self.sum(self.lists, self.within(value, cutoff), into=items))
