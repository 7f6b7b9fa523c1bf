"""The shares of features, such as genres, in lists and in what users used before."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio
from ireval_frames.recommendations.context import RecommendationContext


def share_of_item(c: RecommendationContext) -> Expr:
    """In `features`: the share of a feature among those of its item, by their weights."""
    tables = c.tables
    total = tables.features.sum(col("weight"), into=tables.described)
    return tables.features.column(ratio(col("weight"), tables.features.lookup(total, of=tables.described)))


@dataclass(frozen=True)
class Shares:
    """A row per user and feature, with amounts in the list and before.

    Attributes:
        rows: the table.
        amount: how much of the feature the list has.
    """

    rows: Table
    amount: Expr

    def share(self, c: RecommendationContext) -> Expr:
        """Its share of all features of the user's list; null where the list has none."""
        users = c.tables.documents
        return self.rows.column(ratio(self.amount, self.rows.lookup(self.rows.sum(self.amount, into=users), of=users)))


def of_lists(c: RecommendationContext, weight: Expr, *, whole: bool = False) -> Shares:
    """The features of lists.

    Args:
        c: the context.
        weight: the weight of a recommended item; 0 leaves it out.
        whole: each feature of an item counts whole; else they share the item by their weights.
    """
    tables, lists = c.tables, c.lists
    plan, keys = tables.plan, tables.keys
    both = plan.joined("features_of_lists", (*keys, "doc_id", "feature"), lists, tables.features, on=("doc_id",))
    rows = plan.grouped("features_of_users", both, *keys, "feature")
    value = both.lookup(lists.column(weight), of=lists)
    part = lit(1.0) if whole else both.lookup(share_of_item(c), of=tables.features)
    return Shares(rows, rows.column(both.sum(value * part, into=rows)))


def of_histories(c: RecommendationContext) -> tuple[Table, Expr]:
    """A row per user of train and feature, and its share in what the user used."""
    c.needs("train")
    tables = c.tables
    plan, train = tables.plan, tables.train
    both = plan.joined("features_of_train", ("item_id", "doc_id", "feature"), train, tables.features, on=("doc_id",))
    rows = plan.grouped("features_of_histories", both, "item_id", "feature")
    times = both.lookup(tables.times, of=train)
    amount = both.sum(times * both.lookup(share_of_item(c), of=tables.features), into=rows)
    total = rows.lookup(rows.sum(amount, into=tables.histories), of=tables.histories)
    return rows, rows.column(ratio(amount, total))


def of_both(c: RecommendationContext, lists: Shares) -> tuple[Table, Expr, Expr]:
    """A row per user and feature of the list or the history, and its share in the history and in the list; or 0."""
    tables = c.tables
    plan, keys = tables.plan, tables.keys
    history, p = of_histories(c)
    own = plan.joined("features_of_own_histories", (*keys, "feature"), tables.documents, history, on=("item_id",))
    columns = {key: col(key) for key in (*keys, "feature")}
    stacked = plan.concat("rows_of_both", (*keys, "feature"), (lists.rows, columns), (own, columns))
    rows = plan.grouped("features_of_both", stacked, *keys, "feature")
    before, after = rows.lookup(p, of=history), rows.lookup(lists.share(c), of=lists.rows)
    return rows, rows.column(before.fill_null(0.0)), rows.column(after.fill_null(0.0))
