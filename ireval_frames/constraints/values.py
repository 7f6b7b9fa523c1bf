"""The values of all outputs of all cases, from one evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from ireval_frames.constraints.cases import Case, Compared, Kind, outputs_frame
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter, MissingColumn, listed
from ireval_frames.organization.subject import Organization
from ireval_frames.subject import Subject

Function = Callable[[pl.DataFrame], Any]


def frame(cases: Sequence[Case], kind: Kind) -> pl.DataFrame:
    """The outputs as one table, a row per instance and item: the input of a user's function."""
    match kind:
        case "retrieval":
            rows = outputs_frame(cases, "rank").rename({"item_id": "doc_id", "gold": "relevance"})
            return rows.with_columns(score=-pl.col("rank").cast(pl.Float64))
        case "clustering":
            return outputs_frame(cases, "cluster_id").rename({"gold": "label"})
        case "ordinal":
            return outputs_frame(cases, "prediction").rename({"gold": "label"})
        case "diversity":
            return _by_aspect(cases)
    return outputs_frame(cases, "prediction").rename({"gold": "label"}).with_columns(pl.col("prediction").fill_null(0))


def _by_aspect(cases: Sequence[Case]) -> pl.DataFrame:
    """A row per document and aspect, with the weight of the aspect; documents of no aspect have one row."""
    rows = outputs_frame(cases, "rank").rename({"item_id": "doc_id", "gold": "subtopic_id"})
    weights = [(2 * k + i, a, w) for k, case in enumerate(cases) for i in (0, 1) for a, w in case.weights.items()]
    keys = ["instance", "subtopic_id"]
    of_aspects = pl.DataFrame(weights, schema=[*keys, "subtopic_weight"], orient="row")
    return (
        rows.explode("subtopic_id", empty_as_null=True)
        .join(of_aspects, on=keys, how="left", maintain_order="left")
        .with_columns(relevance=pl.col("subtopic_id").is_not_null().cast(pl.Int64))
        .with_columns(score=-pl.col("rank").cast(pl.Float64))
    )


def compare_outputs(
    measure: Measure | Function,
    cases: Sequence[Case],
    rows: pl.DataFrame,
    kind: Kind,
    engine: str | Engine | None,
    *,
    higher: bool,
) -> list[Compared]:
    """Both values of every case with the outputs `rows`, signed so that higher is better."""
    values = _evaluated(measure, rows, kind, engine) if isinstance(measure, Measure) else _called(measure, rows)
    by_instance = dict(zip(values["instance"].to_list(), values["value"].to_list(), strict=True))
    signed = {i: v if v is None or higher else -v for i, v in by_instance.items()}
    return [Compared(case, signed.get(2 * k), signed.get(2 * k + 1)) for k, case in enumerate(cases)]


def _evaluated(measure: Measure, rows: pl.DataFrame, kind: Kind, engine: str | Engine | None) -> pl.DataFrame:
    from ireval_frames import clusters, labels, ranking

    family = measure.definition.family
    subject: Subject[Any, Any]
    if family == "organization":
        columns: dict[str, Any] = {
            "retrieval": {"rank": "rank", "item": "doc_id"},
            "clustering": {"item": "item_id"},
            "filtering": {"relevance": "label", "score": "prediction", "item": "item_id"},
        }[kind]
        if kind == "filtering":
            rows = rows.with_columns(pl.col("prediction").cast(pl.Boolean))
        subject = Organization(rows, unit="instance", engine=engine, **columns)
    elif family == "ranking":
        ids: dict[str, Any] = {"query_id": "instance", "doc_id": "doc_id"}
        aspects = [c for c in ("subtopic_id", "subtopic_weight") if c in rows.columns]
        qrels = rows.drop_nulls(aspects).select("relevance", *aspects, **ids)
        run = rows.filter(pl.col("rank").is_not_null()).select(score="score", **ids).unique(maintain_order=True)
        subject = ranking.Rankings(qrels, run, engine=engine)
    elif family == "clusters":
        subject = clusters.Clusters(rows, item="item_id", label="label", unit="instance", engine=engine)
    else:
        shares: dict[str, Any] = {}
        if "soft_label" in measure.definition.reads:
            # All raters chose the label, and the prediction is certain.
            for side in ("label", "prediction"):
                rows = rows.with_columns((pl.col(side) == c).cast(pl.Float64).alias(f"{side} {c}") for c in (0, 1))
                shares["soft_labels" if side == "label" else "probabilities"] = {c: f"{side} {c}" for c in (0, 1)}
        subject = labels.Labels(rows, item="item_id", unit="instance", positive=1, engine=engine, **shares)
    values: pl.DataFrame = subject.evaluate(measure).per_unit()
    return values.rename({"query_id": "instance"}, strict=False).select("instance", "value")


def _called(function: Function, rows: pl.DataFrame) -> pl.DataFrame:
    """The values of a user's function.

    Raises:
        InvalidParameter: it returns no frame.
        MissingColumn: the frame has no column instance or value.
    """
    result = function(rows.clone())
    if isinstance(result, pl.LazyFrame):
        result = result.collect()
    if not isinstance(result, pl.DataFrame):
        raise InvalidParameter(
            f"The function returned a {type(result).__name__}; it must return a frame of instance and value.",
            'Write: rows.group_by("instance").agg(value=…)',
        )
    missing = {"instance", "value"} - set(result.columns)
    if missing:
        raise MissingColumn(
            f"The function's frame has no column {listed(sorted(missing))} (it has: {listed(result.columns)}).",
            "Give instance and value.",
        )
    return result.with_columns(pl.col("value").cast(pl.Float64).fill_nan(None))
