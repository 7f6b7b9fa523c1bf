"""What makes the plan of an evaluation of ratings, and collects the ratings themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.conventions.ratings import RatingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.expr import col
from ireval_frames.items.inputs import Names
from ireval_frames.items.reweighting import ReweightedBuild
from ireval_frames.plan import Plan
from ireval_frames.ratings.checks import checks
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.inputs import RatingInputs
from ireval_frames.ratings.tables import RatingTables


class RatingBuild(ReweightedBuild[Any, RatingPolicy, RatingTables, RatingInputs]):
    """Makes the plan of one evaluation on any engine."""

    def inputs(self, engine: Engine, given: Mapping[str, Any] | None = None) -> RatingInputs:
        """The tables as handed in; `given` replaces some."""
        subject = self.subject
        return RatingInputs(
            {**subject.given, **(given or {})}["ratings"],
            Names(subject.columns, self.by, subject.unit),
            engine,
            self.policy,
            raters=subject.columns_of_raters,
            left_out=subject.left_out,
            level=subject.level,
            categories=subject.categories,
            distances=subject.distances,
        )

    def on(self, inputs: RatingInputs, measures: Sequence[Measure], *, ordered: bool = False) -> RatingTables:
        """The tables of a plan for the measures."""
        del measures
        return RatingTables(Plan(inputs.engine, ordered=ordered), inputs)

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
        extra = [c for c in more if c not in (*self.by, *self.subject.unit)]
        build = RatingBuild(self.subject, self.policy, (*self.by, *extra))
        engine = self.subject.engine
        tables = build.checked()
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
        named = {"n_rated": "NumRatedUnits", "n_ratings": "NumRatings"}
        return {column: catalog.parse(name, "ratings") for column, name in named.items()}
