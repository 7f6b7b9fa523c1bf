"""The ranked run and the judgments of an evaluation, which are the same for all subtopics and assessors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import polars as pl

from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.engines.base import Ranking, Rule, Way
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.errors import NotDefined
from ireval_frames.expr import col
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.inputs.facets import FACETS, SAMPLE, WEIGHT
from ireval_frames.ranking.inputs.model_parameters import ModelParameters
from ireval_frames.ranking.inputs.rules import duplicate_documents, our_name, run_rules

# How ranks are computed, in words.
WAYS: Mapping[Way, str] = {
    "read": "lists were in order: a rank is a position",
    "counted": "the rows before judged rows were counted",
    "sorted": "lists were sorted",
}


class RankedRun:
    """The tables that the tables of all facets share, made from the canonical inputs.

    Args:
        plan: the plan they belong to.
        qrels: query_id, any of `FACETS`, doc_id, relevance (and `by` columns if the judgments have them).
        run: the `lists` keys, doc_id, score or given_rank.
        queries: query_id and the `by` columns, if they come from a table of queries.
        policy: the conventions in force.
        by: the aliases of the `by` columns.
        by_in: the table that has them: "queries", "qrels" or "run".
        rules: further rules for the rows of the run.
        click_model: the parameters of a click model, where measures read one.
        unread: gives the columns of the run that are not read.
        called: the user's name of a table's column, for errors.
    """

    def __init__(
        self,
        plan: Plan,
        qrels: Frame,
        run: Frame,
        queries: Frame | None,
        policy: RankingPolicy,
        by: Sequence[str],
        by_in: str,
        rules: Sequence[Rule] = (),
        click_model: ModelParameters | None = None,
        unread: Callable[[], Sequence[str]] = tuple,
        called: Callable[[str, str], str] = our_name,
    ) -> None:
        self._unread, self._called = unread, called
        self.plan, self.policy, self.by, self.by_in, self._rules = plan, policy, tuple(by), by_in, tuple(rules)
        self._run, self.qrels_frame, self.queries_frame = run, qrels, queries
        self.run_frame, self.click_model = run.lazy(), click_model
        judged = qrels.columns
        self.facets, self.weighted = tuple(f for f in FACETS if f in judged), WEIGHT in judged
        self.sample = tuple(c for c in SAMPLE if c in judged)
        columns = run.columns
        self.several_runs = "run_id" in columns
        self.list_keys = (*(("run_id",) if self.several_runs else ()), *(self.by if by_in == "run" else ()), "query_id")
        self._order = self._order_by(columns)
        self.order_column = self._order[0][0]
        self.all_rows = False
        # Of measures of interpolated precision: the lowest relevant grade, and the recall level.
        self.recall_levels: set[tuple[float, float]] = set()

    def _order_by(self, columns: Sequence[str]) -> tuple[tuple[str, bool], tuple[str, bool]]:
        ties = self.policy.ties
        if "score" not in columns or ties == "rank":
            if "given_rank" not in columns:
                raise NotDefined(
                    "Ties are to follow the run's own rank column, but the run has none.",
                    'Read it: ir.io.scan_run(path, rank=True), or take ties="trec_eval".',
                )
            return (("given_rank", False), ("doc_id", True))
        if ties == "expectation" and self.policy.depth is not None:
            raise NotDefined(
                "A depth cuts through ties, so their expectation is not defined.",
                "Leave depth out, or use cutoffs such as P@10.",
            )
        return (("score", True), ("doc_id", ties != "doc_id"))

    @cached_property
    def ranked_rows(self) -> RankedRows:
        """The ranked rows; which of them are needed is known after all measures."""
        ranking = Ranking(
            self.list_keys,
            self._order,
            unique=self.policy.duplicates == "error",
            depth=self.policy.depth,
            on=() if self.all_rows else ("query_id", "doc_id"),
            rules=(*run_rules(self._run.columns, self._called), *self._rules),
            duplicate=lambda rows, count: duplicate_documents(rows, count, self._unread()),
        )
        return self.plan.engine.rank(self._run, ranking, self.qrels_frame)

    def _groups(self) -> Frame:
        return self.ranked_rows.groups()

    def _ranked(self) -> Frame:
        return self.ranked_rows.rows()

    def ways(self) -> list[str]:
        """How the ranks were computed, in words."""
        rows = "of all rows: measures read rows that are not judged" if self.all_rows else "of judged rows"
        sentences = [sentence for way, sentence in WAYS.items() if way in self.ranked_rows.ways()]
        return [
            rows,
            *(sentences or ["how they are computed depends on the data; call explain() again after the first result"]),
        ]

    def sums(self, name: str, columns: Sequence[str], by: Sequence[str]) -> pl.DataFrame | None:
        """The sums of hashes of a table's rows, where computing the ranks gives them."""
        return self.ranked_rows.sums(columns, by) if name == "run" else None

    def check(self) -> None:
        """Check the run."""
        self.ranked_rows.check()

    @cached_property
    def judgments(self) -> Table:
        """A row per judgment, as passed."""
        return self.plan.input("judgments", ("query_id", *self.facets, "doc_id"), self.qrels_frame)

    def graded(self, *facets: str) -> Table:
        """The judgments by query, these facets and document: the largest grade over the other facets."""
        if set(facets) == set(self.facets):
            return self.judgments
        name, keys = (
            "_by_".join(["documents", *(f.removesuffix("_id") for f in facets)]),
            ("query_id", *facets, "doc_id"),
        )
        grouped = self.plan.grouped(f"{name}_grouped", self.judgments, *keys)
        columns = {c: self.judgments.max(col(c), into=grouped) for c in ("relevance", *self.sample)}
        return self.plan.selected(name, keys, grouped, **columns)

    @cached_property
    def lists(self) -> Table:
        """A row per list of the run, with its number of documents `n`."""
        return self.plan.input("lists", self.list_keys, self._groups, columns=(*self.list_keys, "n"))

    @cached_property
    def ranked(self) -> Table:
        """The run with ranks."""
        columns = (*self._run.columns, "rank")
        return self.plan.input("ranked", (*self.list_keys, "doc_id"), self._ranked, columns=columns, order="rank")

    def require_all_rows(self) -> None:
        """Rank the unjudged rows, too."""
        self.all_rows = True
