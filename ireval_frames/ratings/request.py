"""Requests for measures of ratings: their inputs, tables and plan; and the ratings themselves, collected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.expr import col
from ireval_frames.items.inputs import Names
from ireval_frames.items.request import ItemRequest
from ireval_frames.plan import Plan
from ireval_frames.ratings.checks import checks
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.inputs import RatingInputs
from ireval_frames.ratings.tables import RatingTables


class RatingRequest(ItemRequest[RatingInputs, RatingTables]):
    """A request for measures of ratings; it also collects the ratings themselves."""

    resamples_items = True

    def inputs(self, engine: Engine) -> RatingInputs:
        """The ratings as handed in."""
        subject = self.subject
        return RatingInputs(
            self.given["ratings"],
            Names(subject.columns, self.by, self.unit),
            engine,
            self.policy,
            raters=subject.columns_of_raters,
            left_out=subject.left_out,
            level=subject.level,
            categories=subject.categories,
            distances=subject.distances,
        )

    def tables(self, inputs: RatingInputs) -> RatingTables:
        """The tables of a plan for the measures."""
        return RatingTables(Plan(inputs.engine, ordered=self.ordered), inputs)

    def context(self, tables: RatingTables, measure: str) -> RatingContext:
        """What the functions of measures are handed."""
        return RatingContext(tables, measure, self.policy)

    def checks(self, tables: RatingTables) -> list[Callable[[], None]]:
        """What the data must not hold."""
        return checks(tables)

    def rated(self, more: Sequence[str] = ()) -> tuple[pl.DataFrame, dict[str, str], list[str]]:
        """The ratings that count, collected, the data checked: keys, `item_id`, `rater_id`, `rating`, `weight`.

        Args:
            more: further columns of the user's.

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
            found = engine.collect(rows.filter(counts))
        aliases = {theirs: ours for ours, theirs in inputs.names.items()}
        return found, inputs.names, [aliases[c] for c in extra]

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        named = {"n_rated": "NumRatedItems", "n_ratings": "NumRatings"}
        return {column: catalog.parse(name, "ratings") for column, name in named.items()}
