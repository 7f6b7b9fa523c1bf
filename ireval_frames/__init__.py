"""Evaluation as a query over tables: ranked retrieval on Polars and DuckDB, from one declaration of each measure."""

from collections.abc import Iterable as _Iterable
from typing import Any as _Any

from ireval_frames.catalog import parse
from ireval_frames.evaluation import Evaluation
from ireval_frames.io import read_qrels, read_queries, read_run, scan_qrels, scan_queries, scan_run, write_qrels, write_run
from ireval_frames.measure import Measure
from ireval_frames.policy import Policy
from ireval_frames.ranking import *  # noqa: F403 - the ranking measures are the package's public names
from ireval_frames.ranking import Rankings
from ireval_frames.version import __version__


def evaluate(qrels: _Any, run: _Any, measures: str | Measure | _Iterable[str | Measure], **options: _Any) -> Evaluation:
    """Evaluate runs against judgments: `Rankings(qrels, run, **options).evaluate(measures)`."""
    return Rankings(qrels, run, **options).evaluate(measures)
