"""The lists of two systems, document by document."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.comparison.diagnosis_tables import Pair, is_system
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.ranked_run import RankedRun
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ratios import indicator

BOTH, BASELINE, SYSTEM = "both", "baseline", "system"


def narrowed(tables: RankingTables, pair: Pair, query: Any = None) -> RankingTables:
    """The tables of two systems, in a plan of their own; of one query if it is named.

    Raises:
        NotDefined: the run has a `by` column, or tied documents share their ranks.
    """
    if tables.by_in == "run":
        raise NotDefined(
            "by= is a column of the run, so a query may have several lists of one system.",
            "Evaluate without by=, or group by a table of queries: queries=.",
        )
    if tables.policy.ties == "expectation":
        raise NotDefined(
            "Under tie expectation a tied document has no rank of its own.",
            Hint("Use another tie policy: ", Argument("policy", "ties=trec_eval"), "."),
        )
    run = tables.run_frame.filter(is_system(pair.system) | is_system(pair.baseline))
    if query is not None:
        run = run.filter(is_query(query))
    return RankingTables(RankedRun(Plan(tables.plan.engine), tables.qrels_frame, run, None, tables.policy, (), ""))


def is_query(query: Any) -> Expr:
    """Whether a row is of this query; numbers are compared as text."""
    return col("query_id").cast(pl.String) == str(query)


class TwoLists:
    """A row per query and document that either system retrieved.

    Attributes:
        rows: a row per system, query and document; `side` is 1 for the run and 0 for the baseline.
        table: a row per query and document.
        rank_baseline, rank, relevance: its columns; null where the list, or the judgments, do not have the document.
    """

    keys = ("query_id",)

    def __init__(self, tables: RankingTables, pair: Pair) -> None:
        plan = self.plan = tables.plan
        self.tables, self.pair = tables, pair
        # Only evaluated queries.
        self.rows = plan.joined("rows_of_both", tables.ranked.keys, tables.retrieved, tables.queries, on=("query_id",))
        self.side = self.rows.column(indicator(is_system(pair.system)).cast(pl.Int64), "side")
        self.table: Table = plan.grouped("documents_of_both", self.rows, "query_id", "doc_id")
        rank = col("rank").cast(pl.Float64)
        self.rank_baseline, self.rank = (
            self.rows.min(self.rows.column(when(self.side == side).then(rank)), into=self.table) for side in (0, 1)
        )
        self.relevance = self.rows.max(col("relevance"), into=self.table)

    @property
    def units(self) -> Table:
        """A row per query."""
        return self.tables.queries

    @property
    def ranks(self) -> tuple[Expr, ...]:
        """The ranks in the list of the baseline, and of the run."""
        return self.rank_baseline, self.rank

    def sided(self, last: int | None = None) -> Table:
        """A row per side, query and document, with the rank; down to the last rank if it is given."""
        columns = {"side": self.side, "query_id": col("query_id"), "doc_id": col("doc_id")}
        rank, name = col("rank").cast(pl.Int64), "sided_rows" if last is None else "first_rows"
        where = None if last is None else col("rank") <= last
        table = self.plan.selected(name, tuple(columns), self.rows, where=where, **columns, rank=rank)
        return self.plan.compute_once(table)

    @property
    def found_by(self) -> Expr:
        """Which of them retrieved the document."""
        one = when(self.rank.is_null()).then(lit(BASELINE)).otherwise(lit(SYSTEM))
        return when(self.rank.is_null() | self.rank_baseline.is_null()).then(one).otherwise(lit(BOTH))

    @property
    def best_rank(self) -> Expr:
        """The smaller of the two ranks."""
        higher = self.rank_baseline.is_null() | (self.rank < self.rank_baseline)
        return when(~self.rank.is_null() & higher).then(self.rank).otherwise(self.rank_baseline)
