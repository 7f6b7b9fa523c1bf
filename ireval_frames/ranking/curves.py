"""Precision-recall curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named, refuse_reserved
from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import polars_frame
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, WrongType, listed
from ireval_frames.evaluation.planned import PLACE, PlannedEvaluation
from ireval_frames.expr import col
from ireval_frames.io.reading import TABLE
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.interpolation import ELEVEN, IPrec, levels
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


# Recalls such as 0.1 + 0.2 reach the level 0.3.
ROUNDING = 1e-9


def interpolated_precision(
    points: Any,
    recalls: Sequence[float] | None = None,
    *,
    precision: str = "precision",
    recall: str = "recall",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """The precision interpolated at recall levels, from the points of precision-recall curves.

    P_interp(r) = max P over the points whose recall is at least r, and 0 if there is none.  The mean over the levels 0,
    0.1, …, 1 is the 11-point interpolated average precision.

    Args:
        points: a table with a row per point, in any order: a frame, a relation or a file.
        recalls: the recall levels; 0, 0.1, … 1 by default.
        precision: the column of precision, from 0 to 1.
        recall: the column of recall, from 0 to 1.
        by: columns that separate curves, such as query_id.

    Returns:
        [by …] recall precision: a row per curve and level.

    Raises:
        MissingColumn: the table has no such column.
        WrongType, InvalidValue: precision or recall is no number from 0 to 1; or there is no point.
        InvalidParameter: a recall level is no number from 0 to 1.

    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, 8.4.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> points = pl.DataFrame({"precision": [1.0, 0.5, 0.6], "recall": [0.2, 0.4, 0.6]})
        >>> ir.ranking.interpolated_precision(points, [0.0, 0.3, 0.6, 0.9]).rows()
        [(0.0, 1.0), (0.3, 0.6), (0.6, 0.6), (0.9, 0.0)]
    """
    groups = columns_named(by)
    refuse_reserved(groups, ("recall", "precision"), "by")
    try:
        at = levels(ELEVEN if recalls is None else recalls)
    except ValueError as error:
        raise InvalidParameter(
            f"recalls is {recalls!r}; it must be {error}.", "Write recalls=[0.2, 0.5, 0.8]."
        ) from None
    rows = polars_frame(points, "points", TABLE)
    missing = [c for c in (*groups, recall, precision) if c not in rows.columns]
    if missing:
        raise MissingColumn(
            f"The points have no column {listed(missing)} (they have: {listed(rows.columns)}).",
            'Name them: interpolated_precision(points, precision="P", recall="R")',
        )
    if rows.is_empty():
        raise InvalidValue("The table of points is empty.", "A curve needs at least one point.")
    named = rows.select(*groups, ireval_recall=_shares(rows, recall), ireval_precision=_shares(rows, precision))
    of_level = pl.DataFrame({"recall": at}, schema={"recall": pl.Float64})
    reached = pl.when(pl.col("ireval_recall") >= pl.col("recall") - ROUNDING).then("ireval_precision")
    curves = named.join(of_level, how="cross").group_by(*groups, "recall", maintain_order=True)
    largest = curves.agg(precision=reached.max().cast(pl.Float64).fill_null(0.0))
    return largest.sort(*groups, "recall", maintain_order=True)


def _shares(rows: pl.DataFrame, name: str) -> pl.Series:
    """A column of shares as numbers; files of text hold them as text.

    Raises:
        WrongType, InvalidValue: a value is no number from 0 to 1.
    """
    text = rows[name]
    values = text.cast(pl.Float64, strict=False) if text.dtype.is_numeric() or text.dtype == pl.String else None
    if values is None or values.null_count() > text.null_count():
        raise WrongType(
            f"Column {name!r} of the points is {text.dtype}; it must hold numbers.",
            f'Convert it: points.with_columns(pl.col("{name}").cast(pl.Float64))',
        )
    bad = values.filter(~values.is_between(0, 1).fill_null(value=False))
    if bad.len():
        raise InvalidValue(
            f"Column {name!r} of the points holds {bad[0]}; precision and recall are from 0 to 1.",
            f'Leave out points without a value, and divide percentages by 100: pl.col("{name}") / 100',
        )
    return values
