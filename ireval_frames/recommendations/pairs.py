"""Pairs of items, of a list or of a list and a history, and how alike their items are.

Distances are computed once per pair of items, or of sets of features, however many lists have both.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio
from ireval_frames.recommendations.tables import RecommendationTables


@dataclass(frozen=True)
class Pairs:
    """Pairs of items.

    Attributes:
        tables: those of the evaluation.
        rows: a row per pair of a user: `doc_id` and `other_id`.
        name: the ending of the names of tables.
    """

    tables: RecommendationTables
    rows: Table
    name: str

    @property
    def items(self) -> Table:
        """A row per pair of items, whoever has it."""
        return self.tables.plan.grouped(f"pairs_of_items_{self.name}", self.rows, "doc_id", "other_id")

    # ---- distances and similarities, at the rows; null where they are not known

    def distance(self, distance: str) -> Expr:
        """The distance of two items: "jaccard", "cosine" or "hamming" of their features, or that of the "table"."""
        if distance == "table":
            distances = self.tables.distances
            return self.rows.column(self.rows.lookup(col("distance"), of=distances))
        if distance == "cosine":
            return self.rows.column(self.rows.lookup(self._cosine(), of=self.items))
        value = self._jaccard() if distance == "jaccard" else self._hamming()
        return self.rows.column(self.rows.lookup(value, of=self.kinds))

    def similarity_in_train(self) -> Expr:
        """n_ij / √(n_i·n_j), where n_ij users used both items in train; 0 for items that nobody used."""
        tables, items = self.tables, self.items
        plan, train, other = tables.plan, tables.train, {"other_id": col("doc_id")}
        # Two items of a history at a time: their number does not grow with the users of popular items.
        first, second = (
            plan.joined(
                f"train_of_{side}s_{self.name}",
                ("item_id", side),
                rows,
                plan.grouped(f"{side}s_{self.name}", items, side),
                on=(side,),
            )
            for side, rows in (("doc_id", train), ("other_id", self._train_of_others()))
        )
        both = plan.joined(f"users_of_items_{self.name}", (*items.keys, "item_id"), first, second, on=("item_id",))
        common, users = both.count(into=items), tables.num_users
        of_others = plan.selected("users_of_others", ("other_id",), tables.popularity, **other, users=users)
        n, other_n = items.lookup(users, of=tables.popularity), items.lookup(col("users"), of=of_others)
        value = ratio(common, (n * other_n).sqrt()).fill_null(0.0)
        return self.rows.column(self.rows.lookup(items.column(value), of=items))

    def _train_of_others(self) -> Table:
        rows, other = self.tables.train, {"other_id": col("doc_id")}
        return self.tables.plan.selected("train_of_others", ("item_id", "other_id"), rows, **other)

    # ---- features

    @property
    def kinds(self) -> Table:
        """A row per two sets of features: items of the same features differ alike, and there are fewer sets."""
        plan, rows, sets = self.tables.plan, self.rows, self.tables.feature_sets
        others = plan.selected(
            "sets_of_others", ("other_id",), sets, other_id=col("doc_id"), other_set=col("feature_set")
        )
        rows.lookup(col("feature_set"), of=sets, name="feature_set")
        rows.lookup(col("other_set"), of=others, name="other_set")
        return plan.grouped(f"pairs_of_sets_{self.name}", rows, "feature_set", "other_set")

    def _counts(self) -> tuple[Expr, Expr, Expr]:
        """In `kinds`: how many features either set has, null for items without any, and how many both have."""
        plan, kinds, features = self.tables.plan, self.kinds, self.tables.features_of_sets
        both = plan.joined(
            f"features_of_sets_{self.name}", (*kinds.keys, "feature"), kinds, features, on=("feature_set",)
        )
        other_set = {"other_set": col("feature_set")}
        others = plan.selected(
            "features_of_other_sets", ("other_set", "feature"), features, **other_set, found=lit(1.0)
        )
        common = both.sum(both.lookup(col("found"), of=others).fill_null(0.0), into=kinds)
        sizes = plan.grouped("sizes_of_sets", features, "feature_set")
        size = features.count(into=sizes)
        of_others = plan.selected("sizes_of_other_sets", ("other_set",), sizes, **other_set, size=size)
        return kinds.lookup(size, of=sizes), kinds.lookup(col("size"), of=of_others), common

    def _jaccard(self) -> Expr:
        one, other, common = self._counts()
        return self.kinds.column(1.0 - ratio(common, one + other - common))

    def _hamming(self) -> Expr:
        one, other, common = self._counts()
        return self.kinds.column(one + other - 2.0 * common)

    def _products(self) -> Expr:
        """In `items`: the sum over the features of both items of the products of their weights."""
        tables, items = self.tables, self.items
        plan, features = tables.plan, tables.features
        both = plan.joined(f"features_of_items_{self.name}", (*items.keys, "feature"), items, features, on=("doc_id",))
        others = plan.selected(
            "features_of_others", ("other_id", "feature"), features, other_id=col("doc_id"), other_weight=col("weight")
        )
        product = col("weight") * both.lookup(col("other_weight"), of=others)
        return both.sum(product.fill_null(0.0), into=items)

    def _squares(self) -> tuple[Expr, Expr]:
        """In `items`: the sum of the squares of either item's weights; null without features."""
        tables, items = self.tables, self.items
        described = tables.described
        squares = tables.features.sum(col("weight") * col("weight"), into=described)
        others = tables.plan.selected(
            "squares_of_others", ("other_id",), described, other_id=col("doc_id"), squares=squares
        )
        return items.lookup(squares, of=described), items.lookup(col("squares"), of=others)

    def _cosine(self) -> Expr:
        (one, other), common = self._squares(), self._products()
        value = ratio(common, (one * other).sqrt())
        # Rounding may leave a little more than 1 of equal items.
        return self.items.column(when(value > 1.0).then(0.0).otherwise(1.0 - value))


def pairs_of_lists(tables: RecommendationTables, cutoff: int | None) -> Pairs:
    """A row per two items of the top k of a list, the first one ranked above the other, with both ranks."""
    plan, keys = tables.plan, tables.keys
    name = "of_lists" if cutoff is None else f"of_top_{cutoff}"
    within = None if cutoff is None else col("rank") <= cutoff
    rank = col("rank").cast(pl.Float64)
    first = plan.selected(f"first_{name}", (*keys, "doc_id"), tables.lists, within, first_rank=rank)
    other = {"other_id": col("doc_id"), "other_rank": rank}
    second = plan.selected(f"second_{name}", (*keys, "other_id"), tables.lists, within, **other)
    both = plan.joined(f"two_{name}", (*keys, "doc_id", "other_id"), first, second, on=keys)
    rows = plan.selected(f"pairs_{name}", both.keys, both, col("first_rank") < col("other_rank"))
    return Pairs(tables, rows, name)


def pairs_with_history(tables: RecommendationTables, cutoff: int | None) -> Pairs:
    """A row per item of the top k of a list and item that its user used in train."""
    plan, keys = tables.plan, tables.keys
    name = "with_histories" if cutoff is None else f"with_histories_of_top_{cutoff}"
    within = None if cutoff is None else col("rank") <= cutoff
    first = plan.selected(f"items_{name}", (*keys, "doc_id"), tables.lists, within, first_rank=col("rank"))
    used = plan.selected("history", ("item_id", "other_id"), tables.train, other_id=col("doc_id"))
    rows = plan.joined(f"pairs_{name}", (*keys, "doc_id", "other_id"), first, used, on=("item_id",))
    return Pairs(tables, rows, name)
