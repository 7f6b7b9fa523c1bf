"""The tables of a ranking evaluation.

```
judgments  a row per judgment                   ranked   the run with ranks (judged rows only, unless all are asked for)
qrels      a row per judged (query, document)   lists    a row per list of the run: how many documents it holds
topics     a row per judged query               judged   ranked rows with their grades
units      a row per (run, query) to evaluate
```

Judgments may be told apart by further columns, `facets`: by subtopic, by assessor, by a group of an assessor's
preferences. Here they are put aside: a document's grade is the largest one.  `finer` has the same tables with one of
these columns among the keys.

Which units exist is decided by the judged queries (and by the policy for missing ones), never by a join's leftovers:
that is what makes missing queries count.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import polars as pl

from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.engines.base import RankedRows, Ranking, Rule, Way
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.inputs.facets import FACETS, WEIGHT
from ireval_frames.ranking.inputs.model_parameters import ModelParameters
from ireval_frames.ranking.inputs.rules import duplicate_documents, run_rules
from ireval_frames.ratios import indicator

# How ranks are found, in words.
WAYS: Mapping[Way, str] = {
    "read": "lists stood in order: a rank is a place",
    "counted": "the rows before judged rows were counted",
    "sorted": "lists were sorted",
}


class RankingTables:
    """The tables, made from the canonical inputs.

    Args:
        plan: the plan they belong to.
        qrels: query_id, any of `FACETS`, doc_id, relevance (and `by` columns if the judgments have them).
        run: the `lists` keys, doc_id, score or given_rank.
        queries: query_id and the `by` columns, if they come from a table of queries.
        policy: the conventions in force.
        by: the aliases of the `by` columns and where they stand: "queries", "qrels" or "run".
        rules: what the rows of the run must hold besides.
        click_model: the parameters of a click model, where measures read one.
        others: tells the columns of the run that nothing reads.
    """

    seen_by: tuple[str, ...] = ()
    """The facets among the keys."""

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
        others: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._others = others
        self.plan, self.policy, self.by, self.by_in, self._rules = plan, policy, tuple(by), by_in, tuple(rules)
        self._run, self.qrels_frame, self.queries_frame = run, qrels, queries
        self.run_frame, self.click_model = run.lazy(), click_model
        judged = qrels.collect_schema().names()
        self.facets, self.weighted = tuple(f for f in FACETS if f in judged), WEIGHT in judged
        columns = run.collect_schema().names()
        self.several_runs = "run_id" in columns
        self.list_keys = (*(("run_id",) if self.several_runs else ()), *(self.by if by_in == "run" else ()), "query_id")
        self._order = self._order_by(columns)
        self.order_column = self._order[0][0]
        self.all_rows = False
        # What measures of interpolated precision asked for: the lowest relevant grade, and the recall level.
        self.recall_levels: set[tuple[float, float]] = set()
        plan.unit = self.units

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
        """The ranking itself; which rows it keeps is known once all measures have asked."""
        ranking = Ranking(
            self.list_keys,
            self._order,
            unique=self.policy.duplicates == "error",
            depth=self.policy.depth,
            on=() if self.all_rows else ("query_id", "doc_id"),
            rules=(*run_rules(self._run.collect_schema().names()), *self._rules),
            duplicate=lambda rows, count: duplicate_documents(rows, count, self._others()),
        )
        return self.plan.engine.rank(self._run, ranking, self.qrels_frame)

    def _groups(self) -> Frame:
        return self.ranked_rows.groups()

    def _ranked(self) -> Frame:
        return self.ranked_rows.rows()

    def ways(self) -> list[str]:
        """How the ranks were found, in words."""
        rows = "of all rows: measures ask for rows that are not judged" if self.all_rows else "of judged rows"
        found = [sentence for way, sentence in WAYS.items() if way in self.ranked_rows.ways()]
        return [rows, *(found or ["the data decide how they are found; ask again when there are results"])]

    def sums(self, name: str, columns: Sequence[str], by: Sequence[str]) -> pl.DataFrame | None:
        """The sums of hashes of a table's rows, where finding the ranks can give them."""
        return self.ranked_rows.sums(columns, by) if name == "run" else None

    def ranked_check(self) -> None:
        """Check the run."""
        self.ranked_rows.check()

    @cached_property
    def judgments(self) -> Table:
        """A row per judgment, as handed in."""
        return self.plan.input("judgments", ("query_id", *self.facets, "doc_id"), self.qrels_frame)

    @cached_property
    def qrels(self) -> Table:
        """A row per judged document, with its grade."""
        return self.graded(*self.seen_by)

    def graded(self, *kept: str) -> Table:
        """The judgments by query, these facets and document: the largest grade over the other facets."""
        if set(kept) == set(self.facets):
            return self.judgments
        name, keys = "_by_".join(["documents", *(k.removesuffix("_id") for k in kept)]), ("query_id", *kept, "doc_id")
        grouped = self.plan.grouped(f"{name}_grouped", self.judgments, *keys)
        return self.plan.selected(name, keys, grouped, relevance=self.judgments.max(col("relevance"), into=grouped))

    @cached_property
    def lists(self) -> Table:
        """A row per list of the run, with its number of documents `n`."""
        return self.plan.input("lists", self.list_keys, self._groups, columns=(*self.list_keys, "n"))

    @cached_property
    def judged_queries(self) -> Table:
        """A row per judged query: what judgments are counted into."""
        return self.plan.grouped("topics", self.qrels, "query_id")

    @property
    def weight(self) -> Expr | None:
        """How much each row of `judged_queries` counts in a mean, where that is given."""
        return None

    @cached_property
    def topics(self) -> Table:
        """The judged queries to evaluate, with their `by` columns and all that is counted per query."""
        topics = self.judged_queries
        groups = self.qrels_frame.select("query_id", *self.by).unique() if self.by_in == "qrels" else self.queries_frame
        if groups is not None:
            queries = self.plan.input("query_groups", ("query_id",), groups)
            topics = self.plan.joined("topics_by", ("query_id",), topics, queries, on=("query_id",), how="left")
        if self.policy.no_relevant == "skip":
            some = self.judged_queries.column(self.num_of_topic(relevant(1.0)) > 0)
            topics = self.plan.selected("topics_relevant", ("query_id",), topics, where=some)
        return topics

    @cached_property
    def every_group(self) -> Table | None:
        """A row per run and group of queries, where a run may have no query to evaluate, and be no row of `units`."""
        if self.policy.missing != "skip":
            return None
        if not self.several_runs:
            return self.plan.grouped("groups", self.topics, *self.by) if self.by and self.by_in != "run" else None
        if not self.by or self.by_in == "run":
            return self.lists
        plan, keys = self.plan, ("run_id", *self.by)
        systems = plan.grouped("systems", self.lists, "run_id")
        idle = plan.selected("idle", ("run_id",), systems, where=systems.column(self.units.count(into=systems) == 0))
        idle = plan.joined("idle_groups", keys, idle, plan.grouped("groups", self.topics, *self.by))
        own, columns = plan.grouped("own_groups", self.units, *keys), {k: col(k) for k in keys}
        return plan.stacked("every_group", keys, (own, columns), (idle, columns))

    @cached_property
    def units(self) -> Table:
        """A row per (run, query) to evaluate."""
        return self.spine("units", self.list_keys, self.topics)

    def spine(self, name: str, keys: Sequence[str], topics: Table) -> Table:
        """Every list that counts, with every row of `topics` of its query."""
        if self.policy.missing == "skip":
            return self.plan.joined(name, keys, self.lists, topics, on=("query_id",))
        if not self.several_runs:
            return self.plan.selected(name, keys, topics)
        return self.plan.joined(name, keys, self.plan.grouped("systems", self.lists, "run_id"), topics)

    @cached_property
    def ranked(self) -> Table:
        """The run with ranks."""
        columns = (*self._run.collect_schema().names(), "rank")
        return self.plan.input("ranked", (*self.list_keys, "doc_id"), self._ranked, columns=columns, order="rank")

    @cached_property
    def judged(self) -> Table:
        """The judged retrieved rows: few, so everything after is nearly free."""
        return self.plan.joined("judged", self.ranked.keys, self.ranked, self.qrels, on=("query_id", "doc_id"))

    @cached_property
    def retrieved(self) -> Table:
        """All retrieved rows, with the grades of the judged ones: as long as the run."""
        self.wants_all_rows()
        return self.plan.joined(
            "retrieved", self.ranked.keys, self.ranked, self.qrels, on=("query_id", "doc_id"), how="left"
        )

    def wants_all_rows(self) -> None:
        """Keep the unjudged rows too."""
        self.all_rows = True

    @cached_property
    def condensed(self) -> Table:
        """The judged rows without the pooled-but-unjudged ones (negative grades): what condensed lists hold."""
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

    def num_of_topic(self, judgment: Expr, order: str | None = None, name: str = "") -> Expr:
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
