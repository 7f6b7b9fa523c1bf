"""Lists whose ranks are given, such as cut lists, or lists with other judgments."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.ranked_run import RankedRun


class RankedLists(RankedRun):
    """Lists whose ranks are given.

    Args:
        plan: the plan they belong to.
        qrels: the judgments.
        ranked: run_id, query_id, doc_id, rank.
        lists: a row per list, the empty ones too: run_id, query_id, n and further columns.
        policy: the conventions in force.
    """

    def __init__(self, plan: Plan, qrels: Frame, ranked: Frame, lists: Frame, policy: RankingPolicy) -> None:
        self._ranks, self._lists = ranked, lists
        ordered = policy.with_fields({"ties": "rank", "depth": None})
        super().__init__(plan, qrels, ranked.rename({"rank": "given_rank"}), None, ordered, (), "")

    @cached_property
    def ranked(self) -> Table:
        """The lists with their ranks."""
        return self.plan.input("ranked", (*self.list_keys, "doc_id"), self._ranks, order="rank")

    @cached_property
    def lists(self) -> Table:
        """A row per list, with its number of documents `n`."""
        return self.plan.input("lists", self.list_keys, self._lists)


def last_rank_of(measure: Measure, policy: RankingPolicy) -> int | None:
    """The rank after which documents contribute nothing, if the measure has one."""
    values: dict[str, Any] = measure.arguments()
    condensed = values.get("judged_only") or policy.unjudged == "skip"
    cutoff = values.get("cutoff")
    return cutoff if isinstance(cutoff, int) and not condensed else None
