"""Precision-recall curves as frames."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.interpolation import ELEVEN, IPrec
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ratios import ratio


def interpolated(recalls: Sequence[float] | None, rel: float, *, judged_only: bool) -> list[Measure]:
    """The measures whose values are the points of an interpolated curve."""
    return [IPrec(rel=rel, recall=recall, judged_only=judged_only) for recall in (recalls or ELEVEN)]


def points(values: pl.DataFrame, recalls: Sequence[float] | None) -> pl.DataFrame:
    """Summaries or per-unit values of these measures as columns `recall` and `precision`."""
    levels = pl.DataFrame({"recall": [float(r) for r in recalls or ELEVEN]})
    keys = [c for c in values.columns if c not in ("measure", "value", "n_units", "n_undefined")]
    repeats = values.height // levels.height if levels.height else 0
    recall = pl.concat([levels] * repeats) if repeats else levels.clear()
    return values.hstack(recall).select(*keys, "recall", pl.col("value").alias("precision"))


def precision_recall(tables: RankingTables, rel: float, *, judged_only: bool) -> Frame:
    """Recall and precision at every rank of every list: all retrieved rows."""
    q = Query(tables, "the precision-recall curve", judged_only=judged_only)
    q.use_all_rows()
    seen, relevant = q.so_far(q.relevant(rel)), q.of_query(q.num_relevant(rel))
    recall, precision = q.rows.column(ratio(seen, relevant)), q.rows.column(seen / q.rank)
    rank = q.rank
    return q.rows.frame().select(*tables.list_keys, rank=rank.cast(nw.Int64), recall=recall, precision=precision)
