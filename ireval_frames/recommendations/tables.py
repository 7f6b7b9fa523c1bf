"""The tables of an evaluation of recommended items.

```
users       a row per user: the unit                     lists       a row per recommended item, with its rank
train       a row per user and item used before          popularity  a row per item of train
relevant    a row per user and relevant item             catalogue   a row per item that can be recommended
features    a row per item and feature
```

In all of them `item_id` is the user, and `doc_id` the item.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import polars as pl

from ireval_frames.conventions.recommendations import RecommendationPolicy
from ireval_frames.documents.units import UnitTables
from ireval_frames.engines.base import Ranking
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.errors import DuplicateRows, Hint, InvalidParameter, UnknownName, best_of_each, nearest
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.class_types import literal_class
from ireval_frames.lazy import hook
from ireval_frames.parameters import literal
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import indicator
from ireval_frames.recommendations.inputs import RecommendationInputs


class RecommendationTables(UnitTables):
    """The tables, made from the canonical inputs."""

    inputs: RecommendationInputs
    policy: RecommendationPolicy
    units = "users"

    def __init__(self, plan: Plan, inputs: RecommendationInputs, policy: RecommendationPolicy) -> None:
        super().__init__(plan, inputs, policy)
        # The measures that read the number of items, which may be assumed.
        self.reads_catalogue: list[str] = []

    @property
    def base(self) -> RecommendationInputs:
        """The inputs with all users, each once."""
        return self.inputs.base or self.inputs

    # ---- lists

    @cached_property
    def ranked(self) -> RankedRows:
        """The lists with ranks."""
        base = self.base
        ranking = Ranking(
            self.keys,
            (("value", True), ("doc_id", self.policy.ties == "trec_eval")),
            duplicate=_item_twice(base.user_columns),
        )
        return self.plan.engine.rank(base.recs, ranking, None)

    @cached_property
    def lists(self) -> Table:
        """A row per recommended item, with its rank."""
        columns = (*self.base.recs.columns, "rank")
        return self.plan.input("recs", (*self.keys, "doc_id"), self._ranked_rows, columns=columns, order="rank")

    def _ranked_rows(self) -> Frame:
        return self.ranked.rows()

    @cached_property
    def rank(self) -> Expr:
        """In `lists`: the rank, from 1."""
        return self.lists.column(col("rank").cast(pl.Float64), "at_rank")

    # ---- what users used before

    def _input(self, name: str, *keys: str) -> Table:
        frame: Frame | None = getattr(self.base, name)
        assert frame is not None  # noqa: S101 - contexts refuse measures whose tables are missing
        return self.plan.input(name, keys, frame)

    @cached_property
    def train(self) -> Table:
        """A row per user and item used before, with the number of its rows `n`."""
        return self._input("train", "item_id", "doc_id")

    @cached_property
    def times(self) -> Expr:
        """In `train`: how often a row counts, by the policy."""
        return lit(1.0) if self.policy.repeats == "once" else self.train.column(col("n").cast(pl.Float64), "times")

    @cached_property
    def popularity(self) -> Table:
        """A row per item of train."""
        return self.plan.grouped("popularity", self.train, "doc_id")

    @cached_property
    def used(self) -> Expr:
        """In `popularity`: how often an item was used."""
        return self.train.sum(self.times, into=self.popularity, name="used")

    @cached_property
    def num_users(self) -> Expr:
        """In `popularity`: how many users used an item."""
        return self.train.count(into=self.popularity)

    @cached_property
    def popularity_rank(self) -> Expr:
        """In `popularity`: the rank of an item by ascending uses, the mean of ranks for equal ones."""
        used = self.popularity.column(self.used)
        return self.popularity.column(used.rank("average").over(), "popularity_rank")

    @cached_property
    def uses_of_more_popular(self) -> Expr:
        """In `popularity`: the uses of the items up to here, the most popular ones first, ties by ascending ids."""
        used = self.popularity.column(self.used)
        return self.popularity.over(used.cum_sum(), (), [self.descending_uses.name, "doc_id"], "uses_so_far")

    @cached_property
    def all_train(self) -> Table:
        """One row for all of train."""
        return self.plan.grouped("all_train", self.popularity)

    @cached_property
    def num_used(self) -> Expr:
        """In `all_train`: how often items were used."""
        return self.popularity.sum(self.used, into=self.all_train)

    @cached_property
    def histories(self) -> Table:
        """A row per user of train."""
        return self.plan.grouped("histories", self.train, "item_id")

    @cached_property
    def num_users_of_train(self) -> Expr:
        """In `all_train`: the number of users of train."""
        return self.histories.count(into=self.all_train)

    @cached_property
    def descending_uses(self) -> Expr:
        """In `popularity`: what sorts the most popular items first."""
        return self.popularity.column(-self.popularity.column(self.used), "descending_uses")

    @cached_property
    def baseline(self) -> Table:
        """A row per item of a baseline list, with its `place`: a list per user, or one for all."""
        frame = self.base.baseline
        if frame is not None:
            keys = [c for c in ("item_id", "doc_id") if c in frame.columns]
            rows = self.plan.input("baseline_rows", keys, frame)
            descending = rows.column(-col("value"), "descending_value")
            place = rows.over(descending.cum_count(), keys[:-1], [descending.name, "doc_id"], "place")
            return self.plan.selected("baseline", keys, rows, place=place)
        descending = self.descending_uses
        place = self.popularity.over(descending.cum_count(), (), [descending.name, "doc_id"], "place")
        return self.plan.selected("baseline", ("doc_id",), self.popularity, place=place)

    @cached_property
    def users_of_baseline(self) -> Table | None:
        """A row per user with a baseline list, where each has one."""
        of_users = "item_id" in self.baseline.keys
        return self.plan.grouped("users_of_baseline", self.baseline, "item_id") if of_users else None

    # ---- other tables

    @cached_property
    def documents(self) -> Table:
        """A row per user."""
        frame = self.base.items
        if self.base.relevant is not None:
            # By this name tables of rankings have users.
            frame = frame.with_columns(query_id=col("item_id"))
        return self.plan.input(self.units, self.keys, frame)

    @cached_property
    def accuracy(self) -> Any:
        """The tables of rankings, of these lists and relevant items."""
        base, policy = self.base, self.policy
        assert base.relevant is not None  # noqa: S101 - contexts refuse measures whose tables are missing
        by = [k for k in self.keys if k not in ("run_id", "item_id")]
        several = [k for k in self.keys if k == "run_id"]
        groups = [] if "users" in base.frames else by
        query = {"query_id": col("item_id"), "doc_id": col("doc_id")}
        lists = base.recs.select(*several, *groups, **query, score=col("value"))
        relevant = base.relevant.select(**query, relevance=col("relevance"))
        # In groups of lists, users are those of the lists.
        fields = {
            "ties": "trec_eval" if policy.ties == "trec_eval" else "doc_id",
            "missing": "skip" if groups else policy.missing,
            "no_relevant": policy.no_relevant,
        }
        return hook("accuracy of lists")(self.plan, lists, relevant, groups, fields)

    @cached_property
    def relevant(self) -> Table:
        """A row per user and relevant item."""
        return self._input("relevant", "item_id", "doc_id")

    @cached_property
    def users_of_relevant(self) -> Table:
        """A row per user with relevant items."""
        return self.plan.grouped("users_of_relevant", self.relevant, "item_id")

    @cached_property
    def catalogue(self) -> Table:
        """A row per item that can be recommended."""
        return self._input("catalogue", "doc_id")

    @cached_property
    def all_items(self) -> Table:
        """One row for the whole catalogue."""
        return self.plan.grouped("all_items", self.catalogue)

    @cached_property
    def num_items(self) -> Expr:
        """In `all_items`: the number of items that can be recommended."""
        return self.catalogue.count(into=self.all_items)

    @cached_property
    def features(self) -> Table:
        """A row per item and feature."""
        return self._input("features", "doc_id", "feature")

    @cached_property
    def feature_sets(self) -> Table:
        """A row per item with features, and the name of their set `feature_set`."""
        return self.plan.set_ids("feature_sets", ("doc_id",), self.features, "feature", "feature_set")

    @cached_property
    def features_of_sets(self) -> Table:
        """A row per set of features that some item has, and feature."""
        self.features.lookup(col("feature_set"), of=self.feature_sets, name="feature_set")
        return self.plan.grouped("features_of_sets", self.features, "feature_set", "feature")

    @cached_property
    def described(self) -> Table:
        """A row per item with features."""
        return self.plan.grouped("described", self.features, "doc_id")

    @cached_property
    def num_features(self) -> Expr:
        """In `described`: the number of the item's features."""
        return self.features.count(into=self.described)

    @cached_property
    def distances(self) -> Table:
        """A row per two items, in both directions, with their distance."""
        return self._input("distances", "doc_id", "other_id")

    @cached_property
    def all_features(self) -> Table:
        """One row for all features of items."""
        return self.plan.grouped("all_features", self.plan.grouped("names_of_features", self.features, "feature"))

    @cached_property
    def num_all_features(self) -> Expr:
        """In `all_features`: the number of distinct features that items have."""
        return self.plan.grouped("names_of_features", self.features, "feature").count(into=self.all_features)

    def items_with(self, feature: object) -> Table:
        """A row per item that has a feature; one that no item has is refused.

        Raises:
            InvalidParameter: features are of another type.
        """
        dtype = self.base.type_of_features
        if dtype == pl.String and not isinstance(feature, str):
            raise InvalidParameter(
                f"feature is {literal(feature)}, and the features are text.",
                f"Write BiasDisparity(feature='{literal(feature)}').",
            )
        value = literal_class(feature, dtype, "feature", text=True)
        kind = self.plan.grouped("names_of_features", self.features, "feature")
        rows_of_value = kind.sum(indicator(col("feature") == value), into=self.all_features)

        def error(rows: pl.DataFrame, count: int) -> UnknownName:
            del rows, count
            known = self.plan.engine.collect(self.plan.built(kind).select("feature"))["feature"].sort()
            return UnknownName(f"No item has the feature {feature!r}.", nearest(str(feature), map(str, known)))

        self.plan.require(self.all_features, (rows_of_value == 0.0) & (self.num_all_features > 0.0), error)
        name = f"items_with_{self.plan.label}"
        return self.plan.selected(name, ("doc_id",), self.features, col("feature") == value, has_feature=lit(1.0))


def _item_twice(names: Mapping[str, str]) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    """The error, which holds no table: deferred frames hold it, and Python cannot collect what these hold in turn."""

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        keys = [names[c] for c in ("run_id", "user_id", "item_id") if c in names]
        value = names.get("score") or names["rank"]
        best = best_of_each("recs", keys, value, smallest="score" not in names)
        several = "" if "run_id" in names else "If these are lists of several systems, name them in a column run_id. "
        return DuplicateRows(
            f"The list of the user {rows['item_id'][0]!r} has the item {rows['doc_id'][0]!r} several times "
            f"({count:,} such rows).",
            Hint(several, *best.parts),
        )

    return error
