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
    found = planned.unit_results(labels=labels) if each else planned.summary_results(labels=labels)
    keys = found.order[:-1]
    # How many queries a mean is over is no column of the curve; pictures say it.
    more = () if each else ("n_units",)
    frame = found.frame.select(*keys, "recall", *more, precision=col("value"), **{PLACE: col(PLACE)})
    return replace(found, frame=frame, columns=(*keys, "recall", "precision"))


def precision_recall(tables: RankingTables, rel: float, *, judged_only: bool) -> Frame:
    """Recall and precision at every rank of every list: all retrieved rows."""
    q = Query(tables, "the precision-recall curve", judged_only=judged_only)
    q.use_all_rows()
    seen, relevant = q.so_far(q.relevant(rel)), q.of_query(q.num_relevant(rel))
    recall, precision = q.rows.column(ratio(seen, relevant)), q.rows.column(seen / q.rank)
    rank = q.rank
    return q.rows.frame().select(*tables.list_keys, rank=rank.cast(pl.Int64), recall=recall, precision=precision)
