"""The user's table of ratings under our names, on one engine.

A long table has a row per rating, a wide one a row per item and a column per rater.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import RATINGS, grouping_column
from ireval_frames.columns.suggestions import or_header
from ireval_frames.conventions.ratings import RatingPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, MissingColumn, NotDefined, WrongType, listed, nearest
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.class_types import named_by, order_of_type, scale, side_type
from ireval_frames.items.inputs import ItemInputs, ItemNames
from ireval_frames.ratings.distances import read_distances
from ireval_frames.ratings.options import RatingOptions

COLUMNS = ("item_id", "rater_id", "rating", "weight")


class RatingInputs(ItemInputs):
    """The ratings of one evaluation, their items and their scale.

    Attributes:
        ratings: a row per rating: keys, `item_id` (the item), `rating` and, where there are raters, `rater_id`.
        items: a row per item: keys, `item_id` and, where items have weights, `weight`.
        dtype: the type in which ratings are compared.
        categories: the scale in its order, from the options, or the type of ordinal ratings that are an enum.
        distances: between categories, from the options (`distances.COLUMNS`).
        left_out: raters whose ratings do not count: as they were named, and in the type of their column, None where
            that is impossible.
        all_raters: the rater of each rating, those who are left out, too.
    """

    left_out: Sequence[tuple[Any, Any]] = ()
    all_raters: Frame

    long = ("ratings",)

    def __init__(
        self,
        table: Any,
        names: ItemNames,
        engine: Engine,
        policy: RatingPolicy,
        options: RatingOptions,
        left_out: Sequence[Any] = (),
    ) -> None:
        super().__init__(RATINGS, table, names, engine, policy.units)
        self.policy, self.level = policy, options.level
        level, categories, distances = options.level, options.categories, options.distances
        self._has_scale = categories is not None
        rows = self._wide(options.raters) if options.raters else self._long()
        if left_out:
            if "rater_id" not in rows.columns:
                raise NotDefined(
                    "The table has no raters, so none can be left out.",
                    Hint("Name their column: ", Argument("rater", "worker")),
                )
            self.all_raters = rows.select("rater_id")
            self.left_out = [(r, _id_in(r, rows.collect_schema()["rater_id"])) for r in left_out]
            if ids := [r for _, r in self.left_out if r is not None]:
                rows = rows.filter(col("rater_id").is_null() | ~col("rater_id").is_in(ids))
        self.categories = None if categories is None else scale(categories, self.dtype)
        if level == "ordinal" and self.categories is None:
            columns = options.raters or [self.user_columns["rating"]]
            orders = {order_of_type(table, self.frame, c) for c in columns}
            self.categories = (next(iter(orders)) or None) if len(orders) == 1 else None
        self.distances = None if distances is None else read_distances(distances, self.categories, self.dtype)
        if level in ("interval", "ratio") and not self.numeric:
            raise WrongType(
                f"Ratings of level {level!r} are numbers; these are {self.dtype}.",
                Hint("Cast them, or write ", Argument("level", "nominal"), "."),
            )
        if level == "ordinal" and not self.numeric and self.categories is None:
            raise NotDefined(
                "Ordinal ratings that are text have no order by themselves.",
                Hint("Write it, from low to high: ", Argument("categories", ["bad", "fair", "good"])),
            )
        weight = ("weight",) if "weight" in self.user_columns else ()
        self.ratings = rows.drop(*weight) if weight else rows
        self.items = self.distinct(rows.select(*self.keys, "item_id", *weight))

    @property
    def numeric(self) -> bool:
        """Whether ratings are numbers."""
        return bool(self.dtype != pl.String)

    @property
    def has_raters(self) -> bool:
        """Whether the table has raters."""
        return "rater_id" in self.ratings.columns

    def _long(self) -> Frame:
        """A row per rating."""
        for column, argument in (("item_id", "item"), ("rating", "rating")):
            if column not in self.user_columns:
                raise MissingColumn(
                    f"The ratings table has no column {column!r} (it has: {listed(self.frame.columns, 20)}).",
                    or_header(Hint("Name it: ", Argument(argument, "their_name")), list(self.frame.columns)),
                )
        name = self.user_columns["rating"]
        self.dtype: Any = self._type(name)
        return self.frame.lazy().select(
            **self.keyed,
            item_id=self._id("item_id"),
            **({"rater_id": self._id("rater_id")} if "rater_id" in self.user_columns else {}),
            rating=named_by(col(name), self.dtype),
            **self._weight(),
        )

    def _wide(self, raters: Sequence[str]) -> Frame:
        """A row per item, a column per rater."""
        present = list(self.frame.columns)
        if missing := [r for r in raters if r not in present]:
            raise MissingColumn(
                f"The ratings table has no column {missing[0]!r} (it has: {listed(present, 20)}).",
                nearest(missing[0], present) or "Name the columns of its raters.",
            )
        types = [self._type(r) for r in raters]
        self.dtype = types[0] if len(set(types)) == 1 else pl.Float64 if pl.String not in types else pl.String
        if pl.String in types and len(set(types)) > 1:
            raise WrongType(
                "Some raters' columns hold text and others numbers, which are never equal.",
                f'Give them one type: frame.with_columns(pl.col("{raters[types.index(pl.String)]}").cast(pl.Float64))',
            )
        frame = self.frame
        if "item_id" not in self.user_columns:
            if not self.engine.ordered_rows:
                raise NotDefined(
                    f"The rows of a table of {self.engine.name} have no order, so its items need ids.",
                    Hint("Name their column: ", Argument("item", "id")),
                )
            frame = self.numbered(frame)
        rows = frame.lazy()
        parts = [
            rows.select(
                **self.keyed,
                item_id=col(self.user_columns["item_id"]),
                rater_id=lit(r),
                rating=named_by(col(r), self.dtype),
                **self._weight(),
            )
            for r in raters
        ]
        return parts[0] if len(parts) == 1 else concat(parts)

    def _type(self, column: str) -> Any:
        dtype = side_type(self.frame.collect_schema()[column], column)
        # Ratings of files are text; without a scale their order is that of numbers.
        ordered = self.level != "nominal" and not self._has_scale
        return pl.Float64() if ordered and self.from_file and dtype == pl.String else dtype

    def _id(self, ours: str) -> Expr:
        return grouping_column("ratings", self.frame, self.user_columns[ours])

    def _weight(self) -> dict[str, Expr]:
        return {"weight": self.number("weight")} if "weight" in self.user_columns else {}


def _id_in(value: Any, dtype: Any) -> Any:
    """An id that the user names in the type of its column; None where that is impossible."""
    try:
        if dtype.is_numeric():
            number = float(value)
            return number if dtype.is_float() else int(value) if number == int(number) else None
        return value if isinstance(value, str) or value is None or dtype.is_temporal() else str(value)
    except (TypeError, ValueError, OverflowError):
        return None
