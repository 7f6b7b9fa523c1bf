"""The contribution of each document of a list to a measure: the list is cut after every rank and evaluated.

The document at rank r contributes M(top r) − M(top r − 1), so all contributions sum to M(list) − M(empty list).  All
cuts of both lists are runs of one evaluation.
"""

from __future__ import annotations

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import col, lit, when
from ireval_frames.plan import Plan
from ireval_frames.ranking.diagnosis.lists import TwoLists
from ireval_frames.ranking.ranked_lists import RankedLists, last_rank_of
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final
from ireval_frames.results import TableQuery

# Cuts of a list of n documents have n² / 2 rows.
MAX_DEPTH = 1000


def contributions(both: TwoLists, measure: Measure) -> Frame:
    """A row per list and rank: `side`, `depth`, and the `contribution` of the document at that rank.

    It is null for all ranks where no cut of the list has a value; otherwise a cut without a value counts as 0.
    """
    plan, deepest = both.plan, min(last_rank_of(measure, both.tables.policy) or MAX_DEPTH, MAX_DEPTH)
    rows = both.sided(deepest)
    ends = plan.grouped("ends_of_lists", rows, "side", "query_id")
    end = ends.column(rows.max(col("rank"), into=ends).cast(pl.Int64), "end")
    at_rows = rows.lookup(end, of=ends)
    # A run for each cut of each list; the cut at 0 has a list without rows.
    cuts = plan.expand_range("cuts", "depth", ends, lit(0), end)
    prefixes = plan.expand_range("prefixes", "depth", rows, col("rank"), at_rows)
    run_id = {"run_id": col("depth").cast(pl.Int64) * 2 + col("side")}
    ranked = prefixes.frame().select(**run_id, **{c: col(c) for c in ("query_id", "doc_id", "rank")})
    depth = col("depth").cast(pl.Int64)
    lists = cuts.frame().select(**run_id, query_id=col("query_id"), n=depth, depth=depth, side=col("side"))
    tables = RankingTables(RankedLists(Plan(plan.engine), both.tables.qrels_frame, ranked, lists, both.tables.policy))
    units = tables.units
    with tables.plan.requesting(str(measure)):
        value = units.column(final(measure, tables).cast(pl.Float64), "value")
    side, depths = (units.lookup(col(c), of=tables.lists) for c in ("side", "depth"))
    of_list, order = [side.name], [depths.name]
    value_or_0 = units.column(value.fill_null(0.0), "value_or_nothing")
    before = units.column(value_or_0.shift(1).over(*of_list, order_by=order), "before")
    largest = units.over(value.max(), of_list, name="some_value")
    of_document = units.column(when(~largest.is_null()).then(value_or_0 - before), "contribution")
    frame = units.frame().select(side=side, depth=depths, contribution=of_document)
    return plan.engine.shared(frame.filter(col("depth") > 0))


def documents(both: TwoLists, measure: Measure, depth: int | None) -> TableQuery:
    """Both lists of a query side by side."""
    last = last_rank_of(measure, both.tables.policy)
    shown, engine = depth or last or MAX_DEPTH, both.plan.engine
    relevance, first = both.relevance, both.table.column(both.best_rank, "best_rank")
    frame = both.table.frame().select(
        query_id=col("query_id"), doc_id=col("doc_id"), relevance=relevance, rank_baseline=both.rank_baseline,
        rank=both.rank, found_by=both.found_by, ireval_place=first,
    )  # fmt: skip
    both_lists = contributions(both, measure)
    for side, rank, name in ((0, "rank_baseline", "contribution_baseline"), (1, "rank", "contribution")):
        one_list = both_lists.filter(col("side") == side)
        of_list = one_list.select(**{rank: col("depth").cast(pl.Float64), name: col("contribution")})
        frame = engine.join(frame, of_list, (rank,), "left")
        # After the last rank of the measure a contribution is 0; after the deepest cut it is unknown.
        is_zero = col(rank).is_null() | (col(rank) > (last or float("inf")))
        frame = frame.with_columns(**{name: when(is_zero).then(0.0).otherwise(col(name))})
    columns = {
        "doc_id": col("doc_id"),
        "relevance": col("relevance"),
        "rank_baseline": col("rank_baseline").cast(pl.Int64),
        "rank": col("rank").cast(pl.Int64),
        "contribution_baseline": col("contribution_baseline"),
        "contribution": col("contribution"),
        "difference": col("contribution") - col("contribution_baseline"),
        "found_by": col("found_by"),
    }
    shown_rows = frame.filter(col("ireval_place") <= shown)
    return TableQuery(
        both.plan,
        shown_rows.select(**columns, ireval_place=col("ireval_place")),
        ("ireval_place", "rank", "doc_id"),
        tuple(columns),
    )
