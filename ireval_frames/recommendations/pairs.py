"""Pairs of items, of a list or of a list and a history, and how alike their items are.

Distances are computed once per pair of items, however many lists have both.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio
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
        """The distance of the two items: "jaccard", "cosine" or "hamming" of their features, or the "given" one."""
        if distance == "given":
            distances = self.tables.distances
            return self.rows.column(self.rows.lookup(col("distance"), of=distances))
        value = {"jaccard": self._jaccard, "cosine": self._cosine, "hamming": self._hamming}[distance]()
        return self.rows.column(self.rows.lookup(value, of=self.items))

    def similarity_in_train(self) -> Expr:
        """n_ij / √(n_i·n_j), where n_ij users used both items in train; 0 for items that nobody used."""
        tables, items = self.tables, self.items
        plan, train, other = tables.plan, tables.train, {"other_id": col("doc_id")}
        both = plan.joined(f"users_of_items_{self.name}", (*items.keys, "item_id"), items, train, on=("doc_id",))
        others = plan.selected("train_of_others", ("item_id", "other_id"), train, **other, other_n=col("n"))
        common = both.sum(indicator(~both.lookup(col("other_n"), of=others).is_null()), into=items)
        users = tables.num_users
        of_others = plan.selected("users_of_others", ("other_id",), tables.popularity, **other, users=users)
        n, other_n = items.lookup(users, of=tables.popularity), items.lookup(col("users"), of=of_others)
        value = ratio(common, (n * other_n).sqrt()).fill_null(0.0)
        return self.rows.column(self.rows.lookup(items.column(value), of=items))

    # ---- features

    def _common(self, weights: bool) -> Expr:  # noqa: FBT001 - of this class
        """In `items`: the number of features of both items; or the sum of the products of their weights."""
        tables, items = self.tables, self.items
        plan, features = tables.plan, tables.features
        both = plan.joined(f"features_of_items_{self.name}", (*items.keys, "feature"), items, features, on=("doc_id",))
        others = plan.selected(
            "features_of_others", ("other_id", "feature"), features, other_id=col("doc_id"), other_weight=col("weight")
        )
        other = both.lookup(col("other_weight"), of=others)
        return both.sum((col("weight") * other).fill_null(0.0) if weights else indicator(~other.is_null()), into=items)

    def _sizes(self, *, squares: bool = False) -> tuple[Expr, Expr]:
        """In `items`: how many features either item has, or the sum of the squares of weights; null without any."""
        tables, items = self.tables, self.items
        described = tables.described
        size = tables.features.sum(col("weight") * col("weight"), into=described) if squares else tables.num_features
        name = "squares_of_others" if squares else "sizes_of_others"
        others = tables.plan.selected(name, ("other_id",), described, other_id=col("doc_id"), size=size)
        return items.lookup(size, of=described), items.lookup(col("size"), of=others)

    def _jaccard(self) -> Expr:
        (one, other), common = self._sizes(), self._common(weights=False)
        return self.items.column(1.0 - ratio(common, one + other - common))

    def _hamming(self) -> Expr:
        (one, other), common = self._sizes(), self._common(weights=False)
        return self.items.column(one + other - 2.0 * common)

    def _cosine(self) -> Expr:
        (one, other), common = self._sizes(squares=True), self._common(weights=True)
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
