"""Evaluations in MLflow's runs: metrics, tags and the values per unit as a table."""

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
from ireval_frames.interop.packages import package

# How many of each MLflow takes at once, and how long a tag may be.
_METRICS, _TAGS, _LONGEST = 1000, 100, 5000


def log(
    evaluation: Evaluation,
    *,
    units: str | None = None,
    report: str | None = None,
    step: int | None = None,
    **where: Any,
) -> None:
    """Log a summary to the active run of MLflow: a metric per measure, and tags that say what they are.

    Metrics are called `ir.interop.trackers.key(measure)`, since MLflow refuses `@` and parentheses.  Undefined values
    are left out, and counted in a tag.  MLflow keeps one run for each system, so of several one is named.

    Args:
        evaluation: of one system, or of several of which one is named.
        units: the name of an artifact for the values per unit, such as "units.parquet" or "units.json".
        report: the name of an artifact for the page of `ir.report`, of all systems, such as "report.html".
        step: of the metrics.
        where: which row of the summary, where there are several: `run_id="bm25"`, and the columns of `by=`.

    Raises:
        EngineError: MLflow, or with `units` pandas, is not installed.
        NotDefined: there are several rows, and none is named; or a tag is longer than MLflow has room for.
        UnknownName: there is no such column or value.

    Source: MLflow 3, `mlflow.log_metrics`, `mlflow.set_tags`, `mlflow.log_table`.
    """
    found, tags = trackers.metrics(evaluation, **where), trackers.tags(evaluation, **where)
    long = [name for name, value in tags.items() if len(value) > _LONGEST]
    if long:
        raise NotDefined(
            f"The tag {long[0]!r} has {len(tags[long[0]])} letters; MLflow takes {_LONGEST}.",
            "Log the numbers: mlflow.log_metrics(ir.interop.trackers.metrics(evaluation))",
        )
    mlflow = package("mlflow")
    for part in _parts(found, _METRICS):
        mlflow.log_metrics(part, step=step)
    for part in _parts(tags, _TAGS):
        mlflow.set_tags(part)
    if units is not None:
        package("pandas")
        mlflow.log_table(trackers.units(evaluation, **where).to_pandas(), units)
    if report is not None:
        from ireval_frames.reporting import report as written

        with tempfile.TemporaryDirectory() as folder:
            mlflow.log_artifact(str(written(evaluation, Path(folder, report))))


def from_run(run: Any) -> pl.DataFrame:
    """The measures that were logged to a run: measure, as it was written, and value.

    Args:
        run: a `mlflow.entities.Run`, such as `mlflow.get_run(id)`.
    """
    return trackers.from_metrics(run.data.metrics, run.data.tags)


def _parts(all_of: Mapping[str, Any], size: int) -> Iterator[dict[str, Any]]:
    left = iter(all_of.items())
    while part := dict(islice(left, size)):
        yield part
