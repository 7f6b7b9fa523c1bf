"""Requests for measures of ratings: their inputs, tables and plan, and the ratings themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.expr import col
from ireval_frames.items.inputs import ItemNames
from ireval_frames.items.request import ItemRequest
from ireval_frames.plan import Plan
from ireval_frames.ratings.checks import checks
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.inputs import RatingInputs
from ireval_frames.ratings.options import RatingOptions
from ireval_frames.ratings.tables import RatingTables

if TYPE_CHECKING:
    from ireval_frames.conventions.ratings import RatingPolicy
    from ireval_frames.ratings.subject import Ratings


class RatingRequest(ItemRequest[RatingInputs, RatingTables]):
    """A request for measures of ratings; it also collects the ratings themselves."""

    subject: Ratings
    policy: RatingPolicy

    resamples_items = True

    def inputs(self, engine: Engine) -> RatingInputs:
        """The user's table under our names."""
        subject = self.subject
        names = ItemNames(subject._columns, self.by, self.unit, self.options.raters)
        return RatingInputs(self.user_tables["ratings"], names, engine, self.policy, self.options, subject._left_out)

    @property
    def options(self) -> RatingOptions:
        """What the ratings are."""
        return self.subject._options

    def tables(self, inputs: RatingInputs) -> RatingTables:
        """The tables of a plan for the measures."""
        return RatingTables(Plan(inputs.engine, ordered=self.ordered), inputs)

    def context(self, tables: RatingTables, measure: str) -> RatingContext:
        """The context of a measure."""
        return RatingContext(tables, measure, self.policy)

    def checks(self, tables: RatingTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        return checks(tables)

    def rated(self, more: Sequence[str] = ()) -> tuple[pl.DataFrame, dict[str, str], list[str]]:
        """The ratings that count, from checked tables: keys, `item_id`, `rater_id`, `rating`, `weight`.

        Args:
            more: further columns of the user.

        Returns:
            The rows; the user's names by alias; the aliases of `more`.
        """
        extra = [c for c in more if c not in (*self.by, *self.unit)]
        engine = self.engine
        tables = replace(self, by=(*self.by, *extra), measures=()).checked()
        inputs = tables.inputs
        counts = ~col("rating").is_null()
        rows = inputs.ratings
        if tables.weighted:
            rows = engine.join(rows, inputs.items, tables.item, "inner")
            counts &= col("weight") > 0.0
        with engine.errors():
            collected = engine.collect(rows.filter(counts))
        aliases = {name: alias for alias, name in inputs.names.items()}
        return collected, inputs.names, [aliases[c] for c in extra]

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        named = {"n_rated": "NumRatedItems", "n_ratings": "NumRatings"}
        return {column: catalog.parse(name, "ratings") for column, name in named.items()}
