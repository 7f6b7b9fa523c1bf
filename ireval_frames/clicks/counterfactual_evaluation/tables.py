"""The tables of the value of new rankings in an old log.

```
log        a row per shown result                retrieved  a row per run, query and document, with its weights
clicked    those that count                      matched    a row per shown result that a run retrieves
pages      a row per result page (and query)     sums       a row per run and cluster: what its clicks count for
clusters   the pages, or a row per user          modelled   a row per run and cluster: with estimated relevance
groups     a row per group of pages              values     a row per run and group
```

The clusters are what is drawn independently: pages, or users.  All sums go from rows to clusters to groups, so that
variances are of clusters.  What is estimated from the log (relevance, mean propensities) is that of each group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from ireval_frames.clicks.counterfactual_evaluation.request import CounterfactualRequest
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import indicator, ratio

PAIR = ("query_id", "doc_id")


@dataclass(frozen=True)
class Sources:
    """The canonical frames, and what is checked of them.

    Attributes:
        log: a row per shown result, and one for a page that shows nothing (`shown` is 0.0).
        runs: run_id, query_id, doc_id, rank.
        positions: position, propensity, and alpha and beta where they are known; None where the log has propensities.
        relevance: query_id, doc_id, relevance; None where it is estimated from the log.
        several: whether rows of results name their run.
        checks: raise the errors of the data.
    """

    log: Frame
    runs: Frame
    positions: Frame | None = None
    relevance: Frame | None = None
    several: bool = False
    checks: Sequence[Callable[[], None]] = ()


class ValueTables:
    """The tables of one plan."""

    def __init__(self, plan: Plan, sources: Sources, request: CounterfactualRequest) -> None:
        self.plan, self.sources, self.request = plan, sources, request
        self.weighted = "weight" in sources.log.columns
        # Each system of a log has pages of its own.
        self.serp = tuple(c for c in ("system", "serp_id") if c in sources.log.columns)
        self.one_row = (*self.serp, "position", *PAIR)

    @property
    def named_keys(self) -> dict[str, Expr]:
        """In `values`: the columns that name rows of results, as the user calls them."""
        names = {"run_id": "run_id", **self.request.by_names, "query_id": "query_id"}
        return {names[k]: col(k) for k in self.values.keys if k != "run_id" or self.sources.several}

    # ---- the log

    @property
    def has_propensities(self) -> bool:
        """Whether results have propensities."""
        table = self.sources.log if self.sources.positions is None else self.sources.positions
        return "propensity" in table.columns

    @cached_property
    def log(self) -> Table:
        """A row per shown result, and one for a page that shows nothing."""
        return self.plan.input("log", self.one_row, self.sources.log)

    @cached_property
    def counted(self) -> Table:
        """The rows that count: the clicked ones, where no estimator reads others."""
        click = col("click")
        clicked = all(e.form.clicked for e in self.request.options.estimators)
        if not clicked:
            return self.results
        return self._examined(self.plan.selected("clicked", self.one_row, self.log, click > 0))

    @cached_property
    def results(self) -> Table:
        """All results that were shown."""
        return self._examined(self.plan.selected("results", self.one_row, self.log, col("shown") > 0))

    def _examined(self, table: Table) -> Table:
        """The table with the propensity of each row, or its parameters of trust."""
        if self.sources.positions is not None:
            positions = self.plan.input("positions", ("position",), self.sources.positions)
            for column in self.sources.positions.columns[1:]:
                table.lookup(col(column), of=positions, name=column)
        return table

    @cached_property
    def pairs(self) -> Table:
        """A row per group, query and document that was shown."""
        return self.plan.grouped("pairs", self.results, *self.request.by_names, *PAIR)

    @cached_property
    def queries(self) -> Table:
        """A row per group and query of the log."""
        return self.plan.grouped("queries", self.query_pages, *self.request.by_names, "query_id")

    @cached_property
    def pages_of_query(self) -> Expr:
        """In `queries`: how many pages it has."""
        return self.query_pages.sum(self.query_page_weight, into=self.queries)

    @cached_property
    def query_pages(self) -> Table:
        """A row per group, query and page."""
        user = ("user_id",) if self.request.per_user else ()
        return self.plan.grouped("query_pages", self.log, *self.request.by_names, "query_id", *user, *self.serp)

    @cached_property
    def query_page_weight(self) -> Expr:
        """In `query_pages`: how often the page counts."""
        return self.log.max(col("weight"), into=self.query_pages) if self.weighted else lit(1.0)

    # ---- what is drawn

    @cached_property
    def pages(self) -> Table:
        """A row per result page."""
        of_query = self.request.per_query or self.request.uses_model
        query = ("query_id",) if of_query else ()
        user = ("user_id",) if self.request.per_user else ()
        return self.plan.grouped("pages", self.log, *self.request.by_names, *query, *user, *self.serp)

    @cached_property
    def page_weight(self) -> Expr:
        """In `pages`: how often the page counts."""
        return self.log.max(col("weight"), into=self.pages) if self.weighted else lit(1.0)

    @cached_property
    def clusters(self) -> Table:
        """A row per page or user."""
        return self.plan.grouped("clusters", self.pages, *self.cluster) if self.request.per_user else self.pages

    @property
    def cluster(self) -> tuple[str, ...]:
        """What a cluster is."""
        return (*self.request.groups, "user_id") if self.request.per_user else self.pages.keys

    @property
    def times(self) -> Expr:
        """In `clusters`: how often the cluster counts; a user counts once, and pages weigh in it."""
        return lit(1.0) if self.request.per_user else self.page_weight

    @cached_property
    def num_pages(self) -> Expr:
        """In `clusters`: how many pages the cluster holds."""
        return self.pages.sum(self.page_weight, into=self.clusters) if self.request.per_user else lit(1.0)

    @property
    def copies(self) -> Expr:
        """In `log`: how often a row counts."""
        return col("weight") if self.weighted else lit(1.0)

    @property
    def row_weight(self) -> Expr:
        """In `counted`: how often a row counts in its cluster."""
        return col("weight") if self.weighted and self.request.per_user else lit(1.0)

    # ---- what the runs retrieve

    @cached_property
    def retrieved(self) -> Table:
        """A row per run, query and document, with the weights `weight_of_0`, … of its rank."""
        rank = col("rank").cast(pl.Float64)
        columns = {c: col(c) for c in ("run_id", *PAIR)}
        if "rank" in self.sources.runs.columns:
            columns |= {f"weight_of_{i}": m.at(rank) for i, m in enumerate(self.request.measures)}
        else:
            columns |= {f"weight_of_{i}": col(f"weight_of_{i}") for i in range(len(self.request.measures))}
        runs = self.plan.input("runs_rows", ("run_id", *PAIR), self.sources.runs)
        table = self.plan.selected("retrieved", ("run_id", *PAIR), runs, **columns)
        if self.request.uses_model and self.sources.relevance is not None:
            relevance = self.plan.input("relevance", PAIR, self.sources.relevance)
            table.lookup(col("relevance"), of=relevance, name="relevance")
        return table

    @cached_property
    def examined(self) -> Expr:
        """In `pairs`: the sum of the propensities with which the result was shown."""
        return self.results.sum(self.copies * col("propensity"), into=self.pairs)

    @cached_property
    def learned(self) -> Expr:
        """In `pairs`: the estimated relevance: clicks over the sum of propensities."""
        clicks = self.results.sum(self.copies * col("click"), into=self.pairs)
        return self.pairs.column(ratio(clicks, self.examined), "learned")

    @cached_property
    def matched(self) -> Table:
        """A row per run and shown result that it retrieves."""
        keys = ("run_id", *self.one_row)
        return self.plan.joined("matched", keys, self.counted, self.retrieved, on=PAIR)

    # ---- sums

    @cached_property
    def sums(self) -> Table:
        """A row per run and cluster that has rows of the run."""
        return self.plan.grouped("sums", self.matched, "run_id", *self.cluster)

    @cached_property
    def groups(self) -> Table:
        """A row per group of pages."""
        return self.plan.grouped("groups", self.clusters, *self.request.groups)

    @cached_property
    def values(self) -> Table:
        """A row per run and group."""
        runs = self.plan.grouped("runs", self.retrieved, "run_id")
        return self.plan.joined("values", ("run_id", *self.request.groups), runs, self.groups)

    def modelled(self, measure: int, *, external: bool) -> tuple[Table, Expr]:
        """A row per run and cluster that has pages of the run's queries, and the relevance there: Σ λ R.

        Args:
            measure: whose weights λ are.
            external: by the relevance that was passed, not that estimated from the log.
        """
        plan, weight = self.plan, col(f"weight_of_{measure}")
        name = "external" if external else "learned"
        keys = ("query_id",) if external else self.queries.keys
        if external:
            of, worth = self.retrieved, weight * col("relevance").fill_null(0.0)
        else:
            of = plan.joined("learned", ("run_id", *self.request.by_names, *PAIR), self.pairs, self.retrieved, on=PAIR)
            worth = weight * of.lookup(self.learned, of=self.pairs)
        per_query = plan.grouped(f"queries_{name}", of, "run_id", *keys)
        total = of.sum(worth, into=per_query)
        pages = plan.joined(f"pages_{name}", ("run_id", *self.pages.keys), self.pages, per_query, on=keys)
        modelled = plan.grouped(f"modelled_{name}", pages, "run_id", *self.cluster)
        times = pages.lookup(self.page_weight, of=self.pages) if self.request.per_user and self.weighted else lit(1.0)
        return modelled, pages.sum(times * pages.lookup(total, of=per_query), into=modelled)

    def indicated(self, measure: int) -> Expr:
        """In `matched`: 1 for a click on a result that has a weight."""
        return indicator((col(f"weight_of_{measure}") != 0) & (col("click") > 0))
