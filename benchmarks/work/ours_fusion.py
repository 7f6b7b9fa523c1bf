"""This project's fusion of runs."""

from collections.abc import Callable

import polars as pl

import ireval_frames as ir
from benchmarks.work.means import Means


def fuse(run: str, method: str) -> Callable[[], Means]:
    """The fused run of a frame in memory."""
    frame = pl.read_parquet(run)
    return lambda: _found(ir.fuse(frame, method).collect())


def load(run: str) -> Callable[[], Means]:
    """The runs as a frame in memory."""
    return lambda: {"rows": float(pl.read_parquet(run).height)}


def from_file(run: str, method: str) -> Callable[[], Means]:
    """The fused run of a file."""
    return lambda: _found(ir.fuse(run, method).collect())


def _found(fused: pl.DataFrame) -> Means:
    return {"documents": float(fused.height), "score": fused.select(pl.col("score").mean()).item()}
