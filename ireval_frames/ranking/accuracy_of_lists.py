"""Ranking measures of the lists of another family, in its own plan: the same functions, the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames import catalog
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.ranked_run import RankedRun
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final


class AccuracyOfLists:
    """The tables of rankings beside those of another family.

    Args:
        plan: the plan of that family, whose unit stays what it is.
        lists: [run_id, by …] query_id, doc_id, score.
        relevant: query_id, doc_id, relevance.
        by: the columns of groups among those of the lists.
        policy: fields of `RankingPolicy`, as far as they differ from the default.
    """

    def __init__(self, plan: Plan, lists: Frame, relevant: Frame, by: Sequence[str], policy: Mapping[str, Any]) -> None:
        # The lists are checked by the other family.
        conventions = RankingPolicy(**{"duplicates": "trust", **policy})
        with plan.into(plan.unit):
            self._tables = RankingTables(RankedRun(plan, relevant, lists, None, conventions, by, "run"))

    @property
    def units(self) -> Table:
        """A row per list to evaluate: [run_id, by …] query_id."""
        return self._tables.units

    def value(self, name: str, arguments: Mapping[str, Any]) -> Expr:
        """The value of a ranking measure, a column of the units.

        Args:
            name: the measure's name.
            arguments: its parameters.
        """
        return self.units.column(final(catalog.find(name, "ranking")(**arguments), self._tables))
