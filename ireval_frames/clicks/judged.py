"""Judgments of the results of a click log, and nDCG of its pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.columns.schema import QRELS, canonical, resolve
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import InvalidValue
from ireval_frames.expr import col
from ireval_frames.items.inputs import same_kinds
from ireval_frames.kernels.browsing import logarithmic
from ireval_frames.ratios import indicator

IDS = ("query_id", "doc_id")
GRADE = "judged_grade"


def with_judgments(inputs: ClickInputs, rows: Frame, judgments: Any) -> tuple[Frame, Frame]:
    """Rows of a log, and judgments whose ids have the same types: query_id, doc_id, judged_grade (the largest).

    Args:
        inputs: the log.
        rows: some of its rows.
        judgments: a table, or a fitted click model.
    """
    inputs.needs("query_id")
    engine = inputs.engine
    judgments = judgments.judgments() if hasattr(judgments, "judgments") else judgments
    frame = open_source(Source(judgments, "qrels", Read(io.scan_qrels)), engine)
    columns = resolve(QRELS, list(frame.columns))
    judged = frame.lazy().select(*canonical(QRELS, frame, {c: columns[c] for c in (*IDS, "relevance")}))
    finite_grades(inputs, judged, "relevance")
    judged = engine.group(judged, IDS, [Aggregate(GRADE, "max", col("relevance"))])
    return same_kinds({"impressions": rows, "qrels": judged}, {c: c for c in IDS}, as_text=True)


def finite_grades(inputs: ClickInputs, rows: Frame, column: str) -> None:
    """Refuse grades that are not finite.

    Raises:
        InvalidValue: with how many there are.
    """

    def error(bad: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"Column {column!r} holds grades that are no finite numbers; {count} rows do, such as {bad[column][0]!r}.",
            f'Find them: frame.filter(~pl.col("{column}").is_finite()).',
        )

    run_checks(inputs.engine, [Check(rows, ~col(column).is_finite(), error)])


def ndcg_of_pages(inputs: ClickInputs, keys: Sequence[str], judgments: Any, cutoff: int) -> Frame:
    """[keys … serp_id] ndcg: of the top k results of each page, for queries with a positive grade.

    nDCG@k = Σ_{i≤k} g_i / log2(i+1) / the same of the query's judgments in descending order.

    Args:
        inputs: the log.
        keys: the keys of pages besides `serp_id`.
        judgments: as in `with_judgments`.
        cutoff: k.
    """
    engine = inputs.engine
    rows, judged = with_judgments(inputs, inputs.impressions, judgments)
    gaining = judged.filter(col(GRADE) > 0.0)
    place = col(GRADE).cum_count(reverse=True).over("query_id", order_by=[GRADE, "doc_id"]).cast(pl.Float64)
    ordered = gaining.with_columns(place=place)
    ordered = ordered.filter(col("place") <= cutoff)
    ideal = engine.group(
        ordered.with_columns(term=col(GRADE) * logarithmic(col("place"))),
        ("query_id",),
        [Aggregate("ideal", "sum", col("term"))],
    )
    shown = engine.join(engine.join(rows, ideal, ("query_id",), "inner"), gaining, IDS, "left")
    at = col("position").cast(pl.Float64)
    counts = indicator(at <= cutoff) * col(GRADE).fill_null(0.0)
    shown = shown.with_columns(term=counts * logarithmic(at))
    pages = engine.group(
        shown, (*keys, "serp_id"), [Aggregate("dcg", "sum", col("term")), Aggregate("ideal", "max", col("ideal"))]
    )
    return pages.select(*keys, "serp_id", ndcg=col("dcg") / col("ideal"))
