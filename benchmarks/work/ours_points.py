"""This project's work on points in clusters."""

from collections.abc import Callable

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.means import Means


def measures(table: str, names: str) -> Callable[[], Means]:
    """Measures of a frame in memory."""
    frame = pl.read_parquet(table).drop("segment")
    return lambda: _means(ir.Points(frame, _features(frame), cluster="cluster_id"), names)


def inside(table: str, names: str) -> Callable[[], Means]:
    """The same of a table in DuckDB."""
    frame = pl.read_parquet(table).drop("segment")
    return lambda: _means(ir.Points(frame, _features(frame), cluster="cluster_id", engine="duckdb"), names)


def groups(table: str, names: str) -> Callable[[], Means]:
    """Measures of every group; their means."""
    frame = pl.read_parquet(table)

    def work() -> Means:
        result = ir.Points(frame, _features(frame), cluster="cluster_id", by="segment").evaluate(names).summary()
        return means.of(result)

    return work


def _features(frame: pl.DataFrame) -> list[str]:
    return [c for c in frame.columns if c not in ("cluster_id", "segment")]


def _means(subject: ir.Points, names: str) -> Means:
    result = subject.evaluate(names).summary()
    return means.of(result)
