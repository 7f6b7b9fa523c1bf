"""Requests for measures of recommended items: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.documents.request import UnitRequest
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import Check
from ireval_frames.plan import Plan
from ireval_frames.recommendations.checks import (
    check_overlap,
    notes,
    row_checks,
    warn_of_catalogue,
    warn_of_groups,
    warn_of_sampled_candidates,
)
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.inputs import RecommendationInputs
from ireval_frames.recommendations.tables import RecommendationTables

if TYPE_CHECKING:
    from ireval_frames.conventions.recommendations import RecommendationPolicy
    from ireval_frames.recommendations.subject import Recommendations


class RecommendationRequest(UnitRequest[RecommendationInputs, RecommendationTables]):
    """A request for measures of recommended items."""

    subject: Recommendations
    policy: RecommendationPolicy

    def inputs(self, engine: Engine) -> RecommendationInputs:
        """The user's tables under our names."""
        names, ranked = self.subject.names, self.subject.ranked
        return RecommendationInputs(self.user_tables, names, self.by, engine, self.policy, ranked=ranked)

    def tables(self, inputs: RecommendationInputs) -> RecommendationTables:
        """The tables of a plan for the measures."""
        return RecommendationTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: RecommendationTables, measure: str) -> RecommendationContext:
        """The context of a measure."""
        return RecommendationContext(tables, measure)

    def checks(self, tables: RecommendationTables) -> list[Callable[[], None]]:
        """In the order in which they run, with the first result."""
        rows, *further = super().checks(tables)
        accuracy = [str(m) for m in self.measures if m.definition.same_in == "ranking"]
        warnings = (
            lambda: warn_of_groups(tables),
            lambda: warn_of_catalogue(tables),
            lambda: warn_of_sampled_candidates(tables, accuracy),
        )
        return [rows, tables.ranked.check, *further, lambda: check_overlap(tables), *warnings]

    def row_checks(self, tables: RecommendationTables) -> Iterable[Check]:
        """What is checked in the rows."""
        return row_checks(tables)

    def notes(self, tables: RecommendationTables) -> Sequence[str]:
        """Which items and users there are, where they were not named, and how lists are ordered."""
        return notes(tables.base)

    def names_of_columns(self, tables: RecommendationTables) -> dict[str, str]:
        """The user's names of the columns of tables, by alias; items have that of the lists."""
        return {**tables.inputs.names, "doc_id": tables.inputs.user_columns["item_id"]}

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        return {"n_recommended": catalog.parse("NumRecommended", "recommendations")}
