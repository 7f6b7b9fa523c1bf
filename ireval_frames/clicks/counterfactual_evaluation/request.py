"""A request for the values of new rankings in an old log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.clicks.counterfactual_evaluation.options import CounterfactualOptions
from ireval_frames.clicks.counterfactual_evaluation.weights import Weights
from ireval_frames.clicks.subject import Impressions
from ireval_frames.columns.user_names import ColumnNames


@dataclass(frozen=True, eq=False)
class CounterfactualRequest:
    """What is estimated from which tables; `planning.plan_of` plans it on any engine.

    Attributes:
        log: the old log.
        run: the new rankings.
        measures: as weights of ranks.
        options: the estimators, clusters and confidence.
        positions: position, propensity, alpha, beta; None where the log has propensities, or none are read.
        estimated: whether the propensities are estimates.
        relevance: a table of query_id, doc_id, relevance; None where it is estimated from the log.
        by: the columns that group pages, as the user calls them.
        per_query: whether every query is a group.
        baseline: the run that differences are taken from; None takes none.
        columns: the names of the runs' columns.
    """

    log: Impressions
    run: Any
    measures: tuple[Weights, ...]
    options: CounterfactualOptions
    positions: pl.DataFrame | None = None
    estimated: bool = False
    relevance: Any = None
    by: tuple[str, ...] = ()
    per_query: bool = False
    baseline: Any = None
    columns: ColumnNames | None = None

    @property
    def by_names(self) -> dict[str, str]:
        """The aliases of the columns that group pages, and their names."""
        return {f"by_{i}": name for i, name in enumerate(self.by)}

    @property
    def groups(self) -> tuple[str, ...]:
        """What a group of pages is, under aliases."""
        return (*self.by_names, "query_id") if self.per_query else tuple(self.by_names)

    @property
    def per_user(self) -> bool:
        """Whether users are drawn, not pages."""
        return self.options.cluster == "user"

    def reads(self, column: str) -> bool:
        """Whether an estimator reads a column."""
        return any(column in e.form.reads for e in self.options.estimators)

    @property
    def uses_model(self) -> bool:
        """Whether an estimator adds estimated relevance."""
        return any(e.form.model for e in self.options.estimators)

    @property
    def estimates_relevance(self) -> bool:
        """Whether relevance is estimated from the log."""
        return self.uses_model and self.relevance is None

    @property
    def reads_propensities(self) -> bool:
        """Whether anything reads propensities."""
        return self.reads("propensity") or self.reads("mean_propensity") or self.estimates_relevance
