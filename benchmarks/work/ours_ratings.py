"""This project's work on ratings."""

from collections.abc import Callable

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.means import Means


def alpha(table: str, level: str) -> Callable[[], Means]:
    """Krippendorff's alpha of a frame in memory."""
    frame = pl.read_parquet(table)
    return lambda: means.of(ir.Ratings(frame).evaluate(f"KrippendorffAlpha(level={level!r})").summary())


def dawid_skene(table: str, iterations: int) -> Callable[[], Means]:
    """The consensus of all units."""
    frame = pl.read_parquet(table)

    def work() -> Means:
        result = ir.Ratings(frame).aggregate("dawid-skene", max_iter=iterations, tol=0.0)
        return {"units": float(result.consensus().height)}

    return work
