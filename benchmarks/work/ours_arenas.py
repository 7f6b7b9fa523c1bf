"""This project's strengths of models from battles."""

from collections.abc import Callable
from typing import Any

import polars as pl

import ireval_frames as ir
from benchmarks.work.means import Means


def strengths(path: str, draws: int = 0, **options: Any) -> Callable[[], Means]:
    """Strengths from a frame in memory, with the percentiles of so many draws."""
    frame = pl.read_parquet(path)
    frame = frame if "cluster" in options else frame.drop("user")
    if draws:
        options |= {"method": "percentile", "n_resamples": draws}

    def work() -> Means:
        table = ir.ratings.PairedComparisons(frame).strengths(**options)
        return {"largest": float(max(table["value"])), "models": float(table.height)}

    return work
