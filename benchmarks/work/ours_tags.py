"""This project's work on tags."""

from collections.abc import Callable
from typing import Any

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.database import items_database
from benchmarks.work.means import Means

THREE = "Precision Recall F1"


def seqeval(table: str, measures: str = THREE) -> Callable[[], Means]:
    """Measures of spans of a frame in memory, read as seqeval reads tags."""
    frame = pl.read_parquet(table)
    return lambda: _means(ir.Spans.from_tags(frame, doc="sentence_id", convention="seqeval"), measures)


def report(table: str, repair: Any = "conll") -> Callable[[], Means]:
    """The same by IOB2, with all checks of the scheme, and the mean over types."""
    frame = pl.read_parquet(table)

    def work() -> Means:
        subject = ir.Spans.from_tags(frame, doc="sentence_id", repair=repair)
        return _means(subject, f"{THREE} F1(average='macro')")

    return work


def shuffled(table: str) -> Callable[[], Means]:
    """Rows in random order."""
    frame = pl.read_parquet(table).sample(fraction=1.0, shuffle=True, seed=1)
    return lambda: _means(ir.Spans.from_tags(frame, doc="sentence_id", convention="seqeval"), THREE)


def inside(table: str) -> Callable[[], Means]:
    """The same of a table in DuckDB."""
    con = items_database(table, "tags", "*")
    return lambda: _means(ir.Spans.from_tags("tags", doc="sentence_id", convention="seqeval", con=con), THREE)


def _means(subject: ir.Spans, measures: str) -> Means:
    return means.of(subject.evaluate(measures).summary())
