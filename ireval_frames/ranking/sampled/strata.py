"""The strata of a sample at the rows of a query's lists, and what the rows above estimate."""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.errors import Argument, Code, Hint, InvalidValue, MissingColumn, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.tables import relevant
from ireval_frames.ratios import indicator, ratio

# What sample_eval adds to the relevant and to the judged documents of a stratum; trec_eval's infAP adds 2ε to these.
EPSILON = 1e-5
SAMPLE_EVAL, TREC_EVAL = 3.0 * EPSILON, 2.0 * EPSILON
STRATUM = "stratum"


class Strata:
    """The pooled documents of a query by stratum: how many there are, are judged, and are relevant.

    Grades below 0 are pooled and not judged, so not in the sample; documents without a row are not pooled.

    Args:
        q: the context.
        rel: the lowest grade that counts as relevant.
        whole_pool: the pool is one stratum, whatever the judgments say.
        smoothing: what is added to the number of judged documents.

    Raises:
        MissingColumn: the judgments have no strata.
        NotDefined: unjudged documents were taken out of the lists.
    """

    def __init__(self, q: Query, rel: float, *, whole_pool: bool = False, smoothing: float = SAMPLE_EVAL) -> None:
        require_unjudged(q)
        self.q, self.plan, self.rel, self.smoothing = q, q.tables.plan, rel, smoothing
        self.rows, self.units, self.queries = q.rows, q.tables.units, q.tables.judged_queries
        self._columns = () if whole_pool else (STRATUM,)
        if not whole_pool:
            require_strata(q)
            # The rows carry it.
            self.rows.column(col(STRATUM))

    # ---- the sample of a query

    @cached_property
    def in_lists(self) -> Table:
        """A row per stratum of each list."""
        if not self._columns:
            return self.units
        keys = self.queries.keys
        return self.plan.joined(f"{self.units.name}_strata", self.keys, self.units, self.table, on=keys)

    @cached_property
    def table(self) -> Table:
        """A row per stratum of a judged query."""
        if not self._columns:
            return self.queries
        return self.plan.grouped(f"{self.queries.name}_strata", self.judgments, *self.queries.keys, *self._columns)

    @property
    def judgments(self) -> Table:
        """A row per pooled document."""
        return self.q.tables.qrels

    @property
    def n_pooled(self) -> Expr:
        """The number of pooled documents of a stratum."""
        return self.judgments.count(into=self.table)

    @property
    def n_judged(self) -> Expr:
        """The number of judged ones."""
        return self.judgments.sum(indicator(col("relevance") >= 0), into=self.table)

    @property
    def n_relevant(self) -> Expr:
        """The number of these that are relevant."""
        return self.judgments.sum(relevant(self.rel), into=self.table)

    @property
    def weight(self) -> Expr:
        """How many pooled documents a judged one stands for; null where none is judged."""
        return self.table.column(ratio(self.n_pooled, self.n_judged), "weight")

    @property
    def estimated_relevant(self) -> Expr:
        """The estimated number of relevant documents of a judged query; strata without a judgment add nothing."""
        of_stratum = ratio(self.n_relevant * self.n_pooled, self.n_judged).fill_null(0.0)
        if not self._columns:
            return of_stratum
        return self.table.sum(self.table.column(of_stratum, "relevant_of_stratum"), into=self.queries)

    def at_rows(self, of_stratum: Expr) -> Expr:
        """A value of the stratum, at every retrieved pooled document."""
        return self.rows.lookup(self.table.column(of_stratum), of=self.table)

    def of_unit(self, of_query: Expr) -> Expr:
        """A value of the judged query, in the units."""
        return self.q.of_unit(self.queries.column(of_query))

    # ---- the sample in a list

    @property
    def keys(self) -> tuple[str, ...]:
        """What the documents of one stratum in one list share."""
        return (*self.units.keys, *self._columns)

    @property
    def hit(self) -> Expr:
        """1 for relevant documents."""
        return self.q.relevant(self.rel)

    @property
    def is_judged(self) -> Expr:
        """1 for judged documents."""
        return self.q.judged

    def down_to_here(self, row: Expr, name: str) -> Expr:
        """The running sum within the stratum, this row included."""
        return self.rows.over(self.rows.column(row, name).cum_sum(), self.keys, ["rank"], f"{name}_so_far")

    @property
    def pooled_so_far(self) -> Expr:
        """The number of retrieved documents of the stratum down to this one."""
        return self.rows.over(col("rank").cum_count().cast(pl.Float64), self.keys, ["rank"], "pooled_so_far")

    @property
    def relevant_at(self) -> Expr:
        """By how much this document changes the estimated number of relevant documents in the list.

        A stratum of which d documents are retrieved, σ of them judged and ρ of these relevant, is estimated to have
        d · (ρ + ε) / (σ + 3ε) relevant ones in the list.
        """
        d, judged, hits = self.pooled_so_far, self.down_to_here(self.is_judged, "is_judged"), self._hits_so_far
        after = d * self.share(hits, judged)
        before = (d - 1.0) * self.share(hits - self.hit, judged - self.is_judged)
        return self.rows.column(after - before, "relevant_at")

    def rate_in_list(self, cutoff: int) -> Expr:
        """How many of the first k documents a judged one of its stratum stands for; null where none is judged."""
        pooled, judged = (within(e, self.q, cutoff) for e in (lit(1.0), self.is_judged))
        d, n = (self.rows.over(self.rows.column(e).sum(), self.keys, name="in_list") for e in (pooled, judged))
        return self.rows.column(ratio(d, n), "rate_in_list")

    @property
    def _hits_so_far(self) -> Expr:
        return self.down_to_here(self.hit, "is_relevant")

    def share(self, n_relevant: Expr, n_judged: Expr) -> Expr:
        """The smoothed share of relevant documents among judged ones."""
        return (n_relevant + EPSILON) / (n_judged + self.smoothing)

    @property
    def expected_precision(self) -> Expr:
        """The estimated precision at the rank of a document, were it relevant."""
        above = self.q.so_far(self.relevant_at) - self.relevant_at
        return self.rows.column((1.0 + above) / self.q.rank, "expected_precision")


def require_unjudged(q: Query) -> None:
    """Refuse lists without their unjudged documents.

    Raises:
        NotDefined: the lists are condensed.
    """
    if q.judged_only:
        raise NotDefined(
            f"{q.measure} estimates from a sample what is not judged, and unjudged=skip takes that out of the lists.",
            Hint("Leave it in: ", Argument("policy", "unjudged=nonrelevant"), "."),
        )


def require_strata(q: Query) -> None:
    """Refuse judgments without strata, and pooled documents without one.

    Raises:
        MissingColumn: there is no column of them.
    """
    if STRATUM not in q.tables.ranked_run.sample:
        has = "iprob" in q.tables.ranked_run.sample
        raise MissingColumn(
            f"{q.measure} needs the strata of a sample, but the qrels table has no column {STRATUM!r}"
            f"{' (it has iprob)' if has else ''}.",
            Hint(
                "Inclusion probabilities are read by statAP, statP, statR and statNumRel. " if has else "",
                "Name it: ",
                Argument("columns", {STRATUM: "your_name"}),
                ". If the sample was drawn from the whole pool: ",
                Code('qrels.with_columns(stratum=pl.lit("pool"))', "give all rows one stratum"),
            ),
        )
    q.tables.plan.require(q.tables.qrels, col(STRATUM).is_null(), _without_stratum)


def _without_stratum(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"Column {STRATUM!r} of the qrels table is null in {count} rows; every pooled document has one. The first: "
        f"query_id {rows['query_id'][0]!r}, doc_id {rows['doc_id'][0]!r}.",
        Hint(
            "Leave them out, or give them one of their own: ",
            Code('qrels.with_columns(pl.col("stratum").fill_null("none"))', "a name such as none"),
        ),
    )


def within(expr: Expr, q: Query, cutoff: int) -> Expr:
    """The value of a row down to the cutoff, else 0."""
    return when(q.rank <= cutoff).then(expr).otherwise(0.0)
