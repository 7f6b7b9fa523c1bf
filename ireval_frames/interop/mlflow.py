"""Evaluations in runs of MLflow: metrics, tags, and the values per unit as a table."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.errors import NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.interop import trackers
from ireval_frames.interop.tables import package

# The most metrics and tags of a call of MLflow, and the longest value of a tag.
_METRICS, _TAGS, _MAX_LENGTH = 1000, 100, 5000


def log(
    evaluation: Evaluation,
    *,
    units: str | None = None,
    report: str | None = None,
    step: int | None = None,
    **where: Any,
) -> None:
    """Log a summary to the active run of MLflow: a metric per measure, and tags that describe them.

    Metrics are named `ir.interop.trackers.key(measure)`, since MLflow refuses `@` and parentheses.  Undefined values
    are left out, and counted in a tag.  A run of MLflow is one system, so `where` selects one of several.

    Args:
        evaluation: of one system, or of several of which `where` selects one.
        units: the name of an artifact for the values per unit, such as "units.parquet" or "units.json".
        report: the name of an artifact for the page of `ir.report`, of all systems, such as "report.html".
        step: the step of the metrics.
        where: selects one system or group: `run_id="bm25"`, and the columns of `by=`.

    Raises:
        EngineError: MLflow, or with `units` pandas, is not installed.
        NotDefined: there are several rows, and `where` does not select one; or a tag is too long for MLflow.
        UnknownName: there is no such column or value.

    Source: MLflow 3, `mlflow.log_metrics`, `mlflow.set_tags`, `mlflow.log_table`.
    """
    metrics, tags = trackers.metrics(evaluation, **where), trackers.tags(evaluation, **where)
    long = [name for name, value in tags.items() if len(value) > _MAX_LENGTH]
    if long:
        raise NotDefined(
            f"The tag {long[0]!r} has {len(tags[long[0]])} characters; MLflow takes at most {_MAX_LENGTH}.",
            "Log the numbers: mlflow.log_metrics(ir.interop.trackers.metrics(evaluation))",
        )
    mlflow = package("mlflow")
    for chunk in _chunks(metrics, _METRICS):
        mlflow.log_metrics(chunk, step=step)
    for chunk in _chunks(tags, _TAGS):
        mlflow.set_tags(chunk)
    if units is not None:
        package("pandas")
        mlflow.log_table(trackers.units(evaluation, **where).to_pandas(), units)
    if report is not None:
        from ireval_frames.reporting import report as write_report

        with tempfile.TemporaryDirectory() as folder:
            mlflow.log_artifact(str(write_report(evaluation, Path(folder, report))))


def from_run(run: Any) -> pl.DataFrame:
    """The measures that were logged to a run: measure (its full name) and value.

    Args:
        run: a `mlflow.entities.Run`, such as `mlflow.get_run(id)`.
    """
    return trackers.from_metrics(run.data.metrics, run.data.tags)


def _chunks(mapping: Mapping[str, Any], size: int) -> Iterator[dict[str, Any]]:
    items = iter(mapping.items())
    while chunk := dict(islice(items, size)):
        yield chunk
