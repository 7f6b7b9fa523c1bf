"""The user's tables about recommended items under our names, on one engine.

The unit is a user: `item_id` in these frames, as in all families of items, and a recommended item is a `doc_id`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.columns.recommendations import TABLES
from ireval_frames.columns.user_names import TableNames
from ireval_frames.conventions.recommendations import RecommendationPolicy
from ireval_frames.documents.lists import ListInputs
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import DuplicateRows, InvalidValue
from ireval_frames.expr import col, lit
from ireval_frames.items.class_types import is_list, named_by, side_type, type_of_values


class RecommendationInputs(ListInputs):
    """The tables of one evaluation.

    Args:
        tables: the user's, by the names of the arguments; those that were not passed are None.
        names: the user's names of columns.
        by: columns of `users` that group them, or of the lists.
        engine: where the plan runs.
        policy: the conventions.
        ranked: whether lists are ordered by their column of ranks; by default where they have no scores.

    Attributes:
        items: a row per user: keys, `item_id`, and `weight` if users have weights.
        recs: a row per recommended item: keys, `item_id`, `doc_id`, `value`, larger for better ones.
        train: a row per user and item: `item_id`, `doc_id`, `n`, the number of its rows.
        relevant: `item_id`, `doc_id`, `relevance`.
        catalogue: `doc_id`, all items that can be recommended.
        features: `doc_id`, `feature`, `share`: of an item's features these add up to 1.
        distances: `doc_id`, `other_id`, `distance`, in both directions.
        baseline: `item_id` unless it is one list for all users, `doc_id`, `value`.
        type_of_features: the type of the names of features.
        listed: whether the catalogue was passed; else it is the items of train and of all lists.
        notes: what the reader should know.
    """

    recs: Frame
    train: Frame | None = None
    relevant: Frame | None = None
    catalogue: Frame
    features: Frame | None = None
    distances: Frame | None = None
    baseline: Frame | None = None
    type_of_features: Any = None
    long = ("recs", "train", "relevant", "catalogue", "features", "distances", "baseline")
    ids, item_word = "users", "user"
    schemas = TABLES
    table_of_units, unit_id = "users", "user_id"
    id_columns = {"user_id": "item_id", "item_id": "doc_id", "other_item": "other_id"}  # noqa: RUF012
    words = {"user_id": "user", "item_id": "item", "other_item": "item"}  # noqa: RUF012
    alike = (("user_id",), ("item_id", "other_item"))

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: TableNames,
        by: tuple[str, ...],
        engine: Engine,
        policy: RecommendationPolicy,
        *,
        ranked: bool,
    ) -> None:
        self.policy = policy
        super().__init__(tables, names, by, engine)
        names.check_used()
        self._lists(ranked=ranked)
        for name in ("train", "relevant", "features", "distances", "baseline"):
            if name in self.frames:
                setattr(self, name, getattr(self, f"_{name}")())
        self.listed = "catalogue" in self.frames
        self.catalogue = self._catalogue()
        self._users()

    # ---- the tables under our names

    def _lists(self, *, ranked: bool) -> None:
        value = self.order_of("recs", ranked=ranked)
        self.recs = self.frame.lazy().select(**self.groups_of_lists, **self.ids_of("recs"), value=value)

    def _train(self) -> Frame:
        rows = self.frames["train"].lazy().select(**self.ids_of("train"))
        return self.engine.group(rows, ("item_id", "doc_id"), [Aggregate("n", "count", lit(1.0))])

    def _relevant(self) -> Frame:
        has_grades = "relevance" in self.columns["relevant"]
        grade = self.number_of("relevant", "relevance") if has_grades else lit(1.0)
        rows = self.frames["relevant"].lazy().select(**self.ids_of("relevant"), relevance=grade)
        names = self.columns["relevant"]

        def error(wrong: pl.DataFrame, count: int) -> DuplicateRows:
            return DuplicateRows(
                f"The relevant table has the item {wrong['doc_id'][0]!r} of the user {wrong['item_id'][0]!r} "
                f"{wrong['n'][0]} times ({count:,} such pairs).",
                f'Keep one: relevant.unique(["{names["user_id"]}", "{names["item_id"]}"])',
            )

        self.checks.append(unique_key(rows, ("item_id", "doc_id"), error))
        return rows

    def _features(self) -> Frame:
        frame, columns = self.frames["features"], self.columns["features"]
        weight = self.number_of("features", "weight", low=0.0) if "weight" in columns else lit(1.0)
        name = columns["feature"]
        rows = frame.lazy().select(**self.ids_of("features"), feature=col(name), weight=weight)
        if is_list(frame, name):
            rows = rows.explode("feature")
        self.type_of_features = side_type(type_of_values(frame, name), name)
        rows = rows.with_columns(feature=named_by(col("feature"), self.type_of_features))
        rows = rows.filter(~col("feature").is_null() & (col("weight") > 0.0))
        return self.engine.group(rows, ("doc_id", "feature"), [Aggregate("weight", "max", col("weight"))])

    def _distances(self) -> Frame:
        rows = (
            self.frames["distances"]
            .lazy()
            .select(**self.ids_of("distances"), distance=self.number_of("distances", "distance", low=0.0))
        )
        turned = rows.select(doc_id=col("other_id"), other_id=col("doc_id"), distance=col("distance"))
        ends = [Aggregate(name, name, col("distance")) for name in ("min", "max")]
        both = self.engine.group(concat([rows, turned]), ("doc_id", "other_id"), ends)

        def error(wrong: pl.DataFrame, count: int) -> InvalidValue:
            one, other, low, high = wrong.select("doc_id", "other_id", "min", "max").row(0)
            more = f", and {count // 2 - 1:,} other pairs have several" if count > 2 else ""
            return InvalidValue(
                f"The distances table has {low:g} and {high:g} for the items {one!r} and {other!r}{more}; the distance "
                "of two items is one, in both directions.",
                "Keep one of each pair.",
            )

        self.checks.append(Check(both, col("min") < col("max"), error, ("doc_id", "other_id")))
        return both.select("doc_id", "other_id", distance=col("min"))

    def _baseline(self) -> Frame:
        value = self.order_of("baseline", ranked=False)
        rows = self.frames["baseline"].lazy().select(**self.ids_of("baseline"), value=value)
        keys = [c for c in ("item_id", "doc_id") if c in rows.columns]

        def error(wrong: pl.DataFrame, count: int) -> DuplicateRows:
            return DuplicateRows(
                f"A list of the baseline table has the item {wrong['doc_id'][0]!r} {wrong['n'][0]} times ({count:,} "
                "such items).",
                "Keep each item of a list once; with a column of users each has a list.",
            )

        self.checks.append(unique_key(rows, keys, error))
        return rows

    def _catalogue(self) -> Frame:
        if self.listed:
            return self.distinct(self.frames["catalogue"].lazy().select(**self.ids_of("catalogue")))
        parts = [self.recs.select("doc_id"), *([self.train.select("doc_id")] if self.train is not None else [])]
        return self.distinct(concat(parts))

    # ---- users

    def _users(self) -> None:
        """Set the users: those named, else those of the lists and of the relevant items."""
        if "users" in self.frames:
            self.recs = self.set_units(self.recs)
            return
        users = self.distinct(self.recs.select(*self.keys, "item_id"))
        if self.relevant is not None and not self.by and self.policy.missing == "zero":
            more = self.distinct(self.relevant.select("item_id"))
            if "run_id" in self.keys:
                more = self.engine.join(self.distinct(self.recs.select("run_id")), more, (), "inner")
            users = self.distinct(concat([users, more.select(*users.columns)]))
        self.items = users
