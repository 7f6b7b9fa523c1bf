"""Ratings as handed in, as canonical frames of one engine: who gave which item which rating.

A long table has a row per rating; a wide one a row per item and a column per rater.
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
from ireval_frames.items.inputs import ItemInputs, Names
from ireval_frames.ratings.distances import given as given_distances

GIVEN = ("item_id", "rater_id", "rating", "weight")
LEVELS = ("nominal", "ordinal", "interval", "ratio")


class RatingInputs(ItemInputs):
    """The canonical frames of one evaluation.

    Attributes:
        ratings: a row per rating: keys, `item_id` (the item), `rating` and, where there are raters, `rater_id`.
        items: a row per item: keys, `item_id` and, where items have weights, `weight`.
        dtype: the type in which ratings are told apart.
        categories: the scale in its order, where it was said, or ordinal ratings are an enum.
        distances: between categories, where they were said (`distances.COLUMNS`).
        left_out: raters whose ratings do not count: as they were named, and as their column has them, None where it
            cannot.
        every_rater: of each rating its rater, those who are left out too.
    """

    left_out: Sequence[tuple[Any, Any]] = ()
    every_rater: Frame

    long = ("ratings",)

    def __init__(
        self,
        given: Any,
        names: Names,
        engine: Engine,
        policy: RatingPolicy,
        *,
        raters: Sequence[str] = (),
        left_out: Sequence[Any] = (),
        level: str = "nominal",
        categories: Sequence[Any] | None = None,
        distances: Any = None,
    ) -> None:
        super().__init__(
            RATINGS, given, Names(names.columns, names.by, names.unit, tuple(raters)), engine, policy.units
        )
        self.policy, self.level, self._said = policy, level, categories is not None
        rows = self._wide(raters) if raters else self._long()
        if left_out:
            if "rater_id" not in rows.columns:
                raise NotDefined(
                    "It is not known who rated, so nobody can be left out.",
                    Hint("Name their column: ", Argument("rater", "worker")),
                )
            self.every_rater = rows.select("rater_id")
            self.left_out = [(r, _id_in(r, rows.collect_schema()["rater_id"])) for r in left_out]
            if known := [r for _, r in self.left_out if r is not None]:
                rows = rows.filter(col("rater_id").is_null() | ~col("rater_id").is_in(known))
        self.categories = None if categories is None else scale(categories, self.dtype)
        if level == "ordinal" and self.categories is None:
            orders = {order_of_type(given, self.frame, c) for c in (raters or [self.found["rating"]])}
            self.categories = (next(iter(orders)) or None) if len(orders) == 1 else None
        self.distances = None if distances is None else given_distances(distances, self.categories, self.dtype)
        if level in ("interval", "ratio") and not self.numeric:
            raise WrongType(
                f"Ratings of level {level!r} are numbers; these are {self.dtype}.",
                Hint("Cast them, or write ", Argument("level", "nominal"), "."),
            )
        if level == "ordinal" and not self.numeric and self.categories is None:
            raise NotDefined(
                "Ordinal ratings that are text have no order by themselves.",
                Hint("Say it, from low to high: ", Argument("categories", ["bad", "fair", "good"])),
            )
        weight = ("weight",) if "weight" in self.found else ()
        self.ratings = rows.drop(*weight) if weight else rows
        self.items = self.distinct(rows.select(*self.keys, "item_id", *weight))

    @property
    def numeric(self) -> bool:
        """Whether ratings are numbers."""
        return bool(self.dtype != pl.String)

    @property
    def has_raters(self) -> bool:
        """Whether it is known who rated."""
        return "rater_id" in self.ratings.columns

    def _long(self) -> Frame:
        """A row per rating."""
        for column, argument in (("item_id", "item"), ("rating", "rating")):
            if column not in self.found:
                raise MissingColumn(
                    f"The ratings table has no column {column!r} (it has: {listed(self.frame.columns, 20)}).",
                    or_header(Hint("Name it: ", Argument(argument, "their_name")), list(self.frame.columns)),
                )
        theirs = self.found["rating"]
        self.dtype: Any = self._type(theirs)
        return self.frame.lazy().select(
            **self.keyed,
            item_id=self._id("item_id"),
            **({"rater_id": self._id("rater_id")} if "rater_id" in self.found else {}),
            rating=named_by(col(theirs), self.dtype),
            **self._weight(),
        )

    def _wide(self, raters: Sequence[str]) -> Frame:
        """A row per item, a column per rater."""
        there = list(self.frame.columns)
        if lacking := [r for r in raters if r not in there]:
            raise MissingColumn(
                f"The ratings table has no column {lacking[0]!r} (it has: {listed(there, 20)}).",
                nearest(lacking[0], there) or "Name the columns of its raters.",
            )
        types = [self._type(r) for r in raters]
        self.dtype = types[0] if len(set(types)) == 1 else pl.Float64 if pl.String not in types else pl.String
        if pl.String in types and len(set(types)) > 1:
            raise WrongType(
                "Some raters' columns hold text and others numbers, so none is equal.",
                f'Give them one type: frame.with_columns(pl.col("{raters[types.index(pl.String)]}").cast(pl.Float64))',
            )
        frame = self.frame
        if "item_id" not in self.found:
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
                item_id=col(self.found["item_id"]),
                rater_id=lit(r),
                rating=named_by(col(r), self.dtype),
                **self._weight(),
            )
            for r in raters
        ]
        return parts[0] if len(parts) == 1 else concat(parts)

    def _type(self, column: str) -> Any:
        dtype = side_type(self.frame.collect_schema()[column], column)
        # Text of a file is numbers where ratings have an order of their own.
        scaled = self.level != "nominal" and not self._said
        return pl.Float64() if scaled and self.from_file and dtype == pl.String else dtype

    def _id(self, ours: str) -> Expr:
        return grouping_column("ratings", self.frame, self.found[ours])

    def _weight(self) -> dict[str, Expr]:
        return {"weight": self.number("weight")} if "weight" in self.found else {}


def _id_in(named: Any, dtype: Any) -> Any:
    """An id that the user names, in the type of its column; None where it has no such value."""
    try:
        if dtype.is_numeric():
            number = float(named)
            return number if dtype.is_float() else int(named) if number == int(number) else None
        return named if isinstance(named, str) or named is None or dtype.is_temporal() else str(named)
    except (TypeError, ValueError, OverflowError):
        return None
