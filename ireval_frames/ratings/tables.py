"""The tables of an evaluation of ratings.

```
ratings      a row per rating                     rated        a row per item that has a rating
input_cells  a row per item and distinct rating   categories   a row per category that occurs
cells        those that count                     units        a row per unit
rows         a row per rating that counts         raters       a row per rater
margins      a row per rater and category         rater_pairs  a row per pair of raters with items
```

Coefficients that need no raters read `cells`: how many raters gave an item each rating.  An item of weight 2 is two
items.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidValue, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ratings.distances import argument_of
from ireval_frames.ratings.inputs import RatingInputs
from ireval_frames.ratios import indicator


class RatingTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: RatingInputs) -> None:
        self.plan, self.inputs, self.keys = plan, inputs, inputs.keys
        self.weighted = "weight" in inputs.user_columns
        self.item = (*self.keys, "item_id")
        plan.unit = self.units

    # ---- ratings

    @cached_property
    def ratings(self) -> Table:
        """A row per rating, and per row without one."""
        return self.plan.input("ratings", self.item, self.inputs.ratings)

    @cached_property
    def items(self) -> Table:
        """A row per item of the user's table, with its weight."""
        return self.plan.input("items", self.item, self.inputs.items)

    @cached_property
    def input_cells(self) -> Table:
        """A row per item and distinct rating of the user's table, null included."""
        return self.plan.grouped("input_cells", self.ratings, *self.item, "rating")

    @cached_property
    def units(self) -> Table:
        """A row per unit."""
        return self.plan.grouped("units", self.input_cells, *self.keys)

    def _counted(self, table: Table) -> tuple[Expr, dict[str, Expr]]:
        """Which rows of a table count, and the weight of their item; items of weight 0 do not count."""
        rated = ~col("rating").is_null()
        if not self.weighted:
            return rated, {}
        weight = table.lookup(col("weight"), of=self.items)
        return rated & (weight > 0.0), {"weight": weight}

    @cached_property
    def cells(self) -> Table:
        """A row per item and rating that counts: `size`, how many raters gave it, and the `weight` of the item."""
        table = self.input_cells
        counted, weight = self._counted(table)
        size = self.ratings.count(into=table)
        key = (*self.item, "rating")
        return self.plan.compute_once(self.plan.selected("cells", key, table, counted, size=size, **weight))

    @cached_property
    def rows(self) -> Table:
        """A row per rating that counts: `rater_id`, `rating`, and the `weight` of the item.

        Raises:
            NotDefined: the table has no raters.
        """
        if not self.inputs.has_raters:
            raise NotDefined(
                f"{self.plan.requested_by or 'This'} needs to know who rated, and the table has no raters.",
                Hint("Name their column: ", Argument("rater", "worker")),
            )
        counted, weight = self._counted(self.ratings)
        columns = {k: col(k) for k in ("rater_id", "rating")}
        return self.plan.selected("rows", self.item, self.ratings, counted, **columns, **weight)

    @property
    def weight(self) -> Expr:
        """The weight of an item, at cells and rows."""
        return col("weight") if self.weighted else lit(1.0)

    # ---- items, categories and raters

    @cached_property
    def rated(self) -> Table:
        """A row per item that has a rating."""
        return self.plan.grouped("rated", self.cells, *self.item)

    @cached_property
    def num_ratings(self) -> Expr:
        """At the rated items: the number of their ratings; m_i."""
        return self.cells.sum(col("size"), into=self.rated, name="num_ratings")

    @cached_property
    def item_weight(self) -> Expr:
        """At the rated items: their weight."""
        return self.cells.max(col("weight"), into=self.rated) if self.weighted else lit(1.0)

    @cached_property
    def categories(self) -> Table:
        """A row per category that occurs."""
        return self.plan.grouped("categories", self.cells, *self.keys, "rating")

    @cached_property
    def margins(self) -> Table:
        """A row per rater and category that the rater gave."""
        return self.plan.grouped("margins", self.rows, *self.keys, "rater_id", "rating")

    @cached_property
    def raters(self) -> Table:
        """A row per rater."""
        return self.plan.grouped("raters", self.margins, *self.keys, "rater_id")

    # ---- pairs

    @cached_property
    def cell_pairs(self) -> Table:
        """A row per item and pair of its ratings: `size`, `place`, `other_size`, `other_place`."""
        return self._pairs("cell_pairs", self.cells, self.item, {"size": col("size")})

    def category_pairs(self, name: str, **columns: Expr) -> Table:
        """A row per pair of categories, equal ones included, with their columns and their `place`."""
        return self._pairs(f"category_pairs_{name}", self.categories, self.keys, columns)

    def margin_pairs(self, share: Expr) -> Table:
        """A row per rater and pair of categories that the rater gave: `share` and `other_share`."""
        return self._pairs("margin_pairs", self.margins, (*self.keys, "rater_id"), {"share": share})

    def _pairs(self, name: str, table: Table, on: tuple[str, ...], columns: dict[str, Expr]) -> Table:
        """The pairs of rows with equal keys `on` of a table with ratings."""
        ones = {**{k: col(k) for k in on}, "rating": col("rating"), "place": self.place_at(table), **columns}
        others = {f"other_{k}": e for k, e in ones.items() if k not in on} | {k: ones[k] for k in on}
        one = self.plan.selected(f"{name}_one", (*on, "rating"), table, **ones)
        other = self.plan.selected(f"{name}_other", (*on, "other_rating"), table, **others)
        return self.plan.joined(name, (*on, "rating", "other_rating"), one, other, on=on)

    def distances(self, name: str, frame: pl.DataFrame) -> Table:
        """A row per pair of categories: their `distance`.

        Raises:
            InvalidValue: with the first result, the distance of two categories is missing.
        """
        table = self.plan.constant(f"distances_{name}", ("rating", "other_rating"), frame)
        pairs = self.category_pairs("all")
        missing = pairs.lookup(col("distance"), of=table).is_null() & (col("rating") != col("other_rating"))
        self.plan.require(pairs, missing, _no_distance)
        return table

    # ---- the scale

    @cached_property
    def place(self) -> Expr:
        """At the categories: their place on the scale, from 1; of interval and ratio scales the number itself."""
        rating, scale = col("rating"), self.inputs.categories
        if self.inputs.level in ("interval", "ratio"):
            return self.categories.column(rating.cast(pl.Float64), "place")
        if scale is None:
            return self.categories.over(rating.cum_count(), self.keys, ["rating"], "place").cast(pl.Float64)
        place = lit(None, dtype=pl.Float64)
        for i, category in reversed(list(enumerate(scale, 1))):
            place = when(rating == lit(category)).then(float(i)).otherwise(place)
        return self.categories.column(place, "place")

    def place_at(self, table: Table) -> Expr:
        """The place of the rating of each row of a table."""
        return table.lookup(self.categories.column(self.place, "place"), of=self.categories)

    # ---- items that all raters rated

    @cached_property
    def complete(self) -> Table:
        """A row per rating of items that all raters rated: `rater_id`, `place`, `weight`."""
        rows = self.rows
        n_raters = rows.lookup(self.raters.count(), of=self.units)
        complete = rows.lookup(self.num_ratings, of=self.rated) == n_raters
        weight = {"weight": col("weight")} if self.weighted else {}
        columns = {"rater_id": col("rater_id"), "place": self.place_at(rows), **weight}
        return self.plan.compute_once(self.plan.selected("complete", self.item, rows, complete, **columns))

    def unique_ratings(self, error: Callable[[pl.DataFrame, int], Exception]) -> None:
        """Refuse a rater who rates an item twice, with the first result."""
        answers = self.plan.grouped("answers", self.rows, *self.item, "rater_id")
        self.plan.require(answers, self.rows.count(into=answers) > 1.0, error)

    @cached_property
    def complete_items(self) -> Table:
        """A row per item that all raters rated."""
        return self.plan.grouped("complete_items", self.complete, *self.item)

    @cached_property
    def complete_raters(self) -> Table:
        """A row per rater, where there is an item that all rated."""
        return self.plan.grouped("complete_raters", self.complete, *self.keys, "rater_id")

    # ---- two raters of an item

    @cached_property
    def shared(self) -> Table:
        """A row per item and pair of its raters, ordered by name: `first`, `second` (places), `weight`."""
        rows, weight = self.rows, {"weight": col("weight")} if self.weighted else {}
        key, place = {k: col(k) for k in self.item}, {"place": self.place_at(rows), "rating": col("rating")}
        ones = {"rater_a": col("rater_id"), **{f"first_{k}": e for k, e in place.items()}, **weight}
        others = {"rater_b": col("rater_id"), **{f"second_{k}": e for k, e in place.items()}}
        one = self.plan.selected("ratings_a", (*self.item, "rater_a"), rows, **key, **ones)
        other = self.plan.selected("ratings_b", (*self.item, "rater_b"), rows, **key, **others)
        pairs = (*self.item, "rater_a", "rater_b")
        both = self.plan.joined("ratings_ab", pairs, one, other, on=self.item)
        return self.plan.selected("shared", pairs, both, where=col("rater_a") < col("rater_b"))

    @property
    def two_raters(self) -> tuple[str, ...]:
        """The keys of pairs of raters."""
        return (*self.keys, "rater_a", "rater_b")

    @cached_property
    def shared_cells(self) -> Table:
        """A row per pair of raters and pair of categories that they gave the same item."""
        sides = ("first_rating", "first_place", "second_rating", "second_place")
        return self.plan.grouped("shared_cells", self.shared, *self.two_raters, *sides)

    @cached_property
    def rater_pairs(self) -> Table:
        """A row per pair of raters who share items."""
        return self.plan.grouped("rater_pairs", self.shared_cells, *self.two_raters)

    @cached_property
    def shared_size(self) -> Expr:
        """At `shared_cells`: the number of items."""
        return self.shared.sum(self.weight, into=self.shared_cells)

    def shared_margins(self) -> Table:
        """A row per pair of raters, a category of the first and one of the second, on the items they share.

        `first_place`, `first_n`, `second_place`, `second_n`.
        """
        sides = {}
        for side in ("first", "second"):
            name, own = f"{side}_margins", (f"{side}_rating", f"{side}_place")
            table = self.plan.grouped(name, self.shared_cells, *self.two_raters, *own)
            columns = {k: col(k) for k in (*self.two_raters, *own)}
            n = self.shared_cells.sum(self.shared_size, into=table)
            key = (*self.two_raters, own[0])
            sides[side] = self.plan.selected(f"{name}_n", key, table, **columns, **{f"{side}_n": n})
        key = (*self.two_raters, "first_rating", "second_rating")
        return self.plan.joined("shared_margins", key, sides["first"], sides["second"], on=self.two_raters)

    def enough(self) -> Expr:
        """At the rated items: 1 where there are two ratings or more, else 0."""
        return indicator(self.num_ratings >= 2.0)


def _no_distance(rows: pl.DataFrame, count: int) -> InvalidValue:
    del count
    one, other = rows["rating"][0], rows["other_rating"][0]
    return InvalidValue(
        f"The categories {one!r} and {other!r} have no distance.",
        Hint("Write it: ", argument_of({(one, other): 1.0})),
    )
