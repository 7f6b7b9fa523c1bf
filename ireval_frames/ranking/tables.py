"""The tables of a ranking evaluation.

```
judgments  a row per judgment                   ranked   the run with ranks (judged rows only, unless all are needed)
qrels      a row per judged (query, document)   lists    a row per list of the run, with its number of documents
queries    a row per judged query               judged   ranked rows with their grades
units      a row per (run, query) to evaluate
```

Judgments may have further columns, `facets`: the subtopic, the assessor, the group of an assessor's preferences.  Here
a document's grade is the largest one over them.  `FacetTables` are the same tables with one facet among the keys.

The judged queries and the policy for missing ones decide which units exist, not the rows that a join leaves: this is
what makes missing queries count.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from functools import cached_property

import polars as pl

from ireval_frames.expr import Expr, col
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.ranked_run import RankedRun
from ireval_frames.ratios import indicator


class RankingTables:
    """The tables, made from the canonical inputs.

    Args:
        run: the run and the judgments.
    """

    facet_keys: tuple[str, ...] = ()
    """The facets among the keys."""

    def __init__(self, run: RankedRun) -> None:
        self.ranked_run, self.plan, self.policy = run, run.plan, run.policy
        self.by, self.by_in, self.list_keys, self.several_runs = run.by, run.by_in, run.list_keys, run.several_runs
        self.qrels_frame, self.queries_frame, self.run_frame = run.qrels_frame, run.queries_frame, run.run_frame
        self.facets, self.weighted, self.click_model = run.facets, run.weighted, run.click_model
        self.order_column, self.recall_levels = run.order_column, run.recall_levels
        if not self.facet_keys:
            self.plan.unit = self.units

    def in_own_plan(self) -> RankingTables:
        """The same tables in a plan of their own, so that nothing is computed with what others request."""
        run, plan = self.ranked_run, Plan(self.plan.engine)
        return RankingTables(
            RankedRun(plan, run.qrels_frame, run.run_frame, run.queries_frame, run.policy, run.by, run.by_in)
        )

    @property
    def judgments(self) -> Table:
        """A row per judgment, as passed."""
        return self.ranked_run.judgments

    @property
    def lists(self) -> Table:
        """A row per list of the run, with its number of documents `n`."""
        return self.ranked_run.lists

    @property
    def ranked(self) -> Table:
        """The run with ranks."""
        return self.ranked_run.ranked

    @cached_property
    def qrels(self) -> Table:
        """A row per judged document, with its grade."""
        return self.ranked_run.graded(*self.facet_keys)

    @cached_property
    def judged_queries(self) -> Table:
        """A row per judged query, into which judgments are summed."""
        return self.plan.grouped("judged_queries", self.qrels, "query_id")

    @property
    def weight(self) -> Expr | None:
        """The weight of each row of `judged_queries` in a mean, if the judgments have weights."""
        return None

    @cached_property
    def queries(self) -> Table:
        """The judged queries to evaluate, with their `by` columns and the sums per query."""
        judged_queries = self.judged_queries
        groups = self.qrels_frame.select("query_id", *self.by).unique() if self.by_in == "qrels" else self.queries_frame
        if groups is not None:
            groups_of_queries = self.plan.input("query_groups", ("query_id",), groups)
            judged_queries = self.plan.joined(
                "queries_by", ("query_id",), judged_queries, groups_of_queries, on=("query_id",), how="left"
            )
        if self.policy.no_relevant == "skip":
            some = self.judged_queries.column(self.sum_by_query(relevant(1.0)) > 0)
            judged_queries = self.plan.selected("queries_relevant", ("query_id",), judged_queries, where=some)
        return judged_queries

    @cached_property
    def all_groups(self) -> Table | None:
        """A row per run and group of queries, if a run may have no query to evaluate, so no row of `units`."""
        if self.policy.missing != "skip":
            return None
        if not self.several_runs:
            return self.plan.grouped("groups", self.queries, *self.by) if self.by and self.by_in != "run" else None
        if not self.by or self.by_in == "run":
            return self.lists
        plan, keys = self.plan, ("run_id", *self.by)
        systems = plan.grouped("systems", self.lists, "run_id")
        idle = plan.selected("idle", ("run_id",), systems, where=systems.column(self.units.count(into=systems) == 0))
        idle = plan.joined("idle_groups", keys, idle, plan.grouped("groups", self.queries, *self.by))
        own, columns = plan.grouped("own_groups", self.units, *keys), {k: col(k) for k in keys}
        return plan.concat("all_groups", keys, (own, columns), (idle, columns))

    @cached_property
    def units(self) -> Table:
        """A row per (run, query) to evaluate."""
        return self.all_units("units", self.list_keys, self.queries)

    def all_units(self, name: str, keys: Sequence[str], queries: Table) -> Table:
        """Every list that counts, with every row of `queries` of its query."""
        if self.policy.missing == "skip":
            return self.plan.joined(name, keys, self.lists, queries, on=("query_id",))
        if not self.several_runs:
            return self.plan.selected(name, keys, queries)
        return self.plan.joined(name, keys, self.plan.grouped("systems", self.lists, "run_id"), queries)

    @cached_property
    def judged(self) -> Table:
        """The judged retrieved rows, which are few."""
        return self.plan.joined("judged", self.ranked.keys, self.ranked, self.qrels, on=("query_id", "doc_id"))

    @cached_property
    def retrieved(self) -> Table:
        """All retrieved rows, with the grades of the judged ones."""
        self.ranked_run.require_all_rows()
        return self.plan.joined(
            "retrieved", self.ranked.keys, self.ranked, self.qrels, on=("query_id", "doc_id"), how="left"
        )

    @cached_property
    def condensed(self) -> Table:
        """The rows of condensed lists: the judged ones without pooled but unjudged documents (negative grades)."""
        return self.plan.selected("condensed", self.judged.keys, self.judged, where=col("relevance") >= 0)

    @property
    def condensed_lists(self) -> Table:
        """All rows of condensed lists."""
        return self.condensed

    def condensed_rank(self, rows: Table) -> Expr:
        """The rank in the condensed list."""
        return rows.over(col("rank").cum_count().cast(pl.Float64), self.units.keys, ["rank"], "condensed_rank")

    def num_retrieved(self, *, judged_only: bool, into: Table | None = None) -> Expr:
        """The number of documents of each unit's list; of the judged ones in condensed lists.

        `into` is another table of the units' keys.
        """
        into = into or self.units
        return self.condensed.count(into=into) if judged_only else self.lists.sum(col("n"), into=into)

    def sum_by_query(self, judgment: Expr, order: str | None = None, name: str = "") -> Expr:
        """The sum of a column of the judgments, per query."""
        return self.qrels.sum(judgment, into=self.judged_queries, order=order, name=name)


@functools.cache
def relevant(rel: float) -> Expr:
    """1 for judgments of grade `rel` or more."""
    return indicator((col("relevance") >= rel) & (col("relevance") >= 0))


@functools.cache
def nonrelevant(rel: float) -> Expr:
    """1 for judgments below `rel`; negative grades are pooled, not judged."""
    return indicator((col("relevance") < rel) & (col("relevance") >= 0))
