"""Precision-recall curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame
from ireval_frames.evaluation.planned import PLACE, PlannedEvaluation
from ireval_frames.expr import col
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.interpolation import ELEVEN, IPrec
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ratios import ratio
from ireval_frames.results import TableQuery


def interpolated(recalls: Sequence[float] | None, rel: float, *, judged_only: bool) -> list[Measure]:
    """The measures whose values are the points of an interpolated curve."""
    return [IPrec(rel=rel, recall=recall, judged_only=judged_only) for recall in (recalls or ELEVEN)]


def points(planned: PlannedEvaluation, recalls: Sequence[float] | None, *, each: bool) -> TableQuery:
    """Recall and precision: the summaries of the measures, or their values of each query."""
    labels = {"recall": [float(recall) for recall in (recalls or ELEVEN)]}
    query = planned.unit_results(labels=labels) if each else planned.summary_results(labels=labels)
    keys = query.order[:-1]
    # The number of queries of a mean is no column of the curve; pictures show it.
    further = () if each else ("n_units",)
    frame = query.frame.select(*keys, "recall", *further, precision=col("value"), **{PLACE: col(PLACE)})
    return replace(query, frame=frame, columns=(*keys, "recall", "precision"))


def precision_recall(tables: RankingTables, rel: float, *, judged_only: bool) -> Frame:
    """Recall and precision at every rank of every list: all retrieved rows."""
    q = Query(tables, "the precision-recall curve", judged_only=judged_only)
    q.use_all_rows()
    hits, relevant = q.so_far(q.relevant(rel)), q.of_query(q.num_relevant(rel))
    recall, precision = q.rows.column(ratio(hits, relevant)), q.rows.column(hits / q.rank)
    rank = q.rank
    return q.rows.frame().select(*tables.list_keys, rank=rank.cast(pl.Int64), recall=recall, precision=precision)
