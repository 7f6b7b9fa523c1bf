"""This project's measures of recommended items."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.means import Means

TABLES = ("recs", "train", "relevant", "catalogue")


def frames(folder: str, measures: str) -> Callable[[], Means]:
    """Of frames in memory."""
    tables: dict[str, Any] = {name: pl.read_parquet(Path(folder) / f"{name}.parquet") for name in TABLES}
    return lambda: means.of(ir.Recommendations(**tables, rank="rank").evaluate(measures).summary())


def diversity(folder: str, engine: str = "polars") -> Callable[[], Means]:
    """ILD by features, of files."""
    tables: dict[str, Any] = {name: str(Path(folder) / f"{name}.parquet") for name in ("recs", "features")}
    return lambda: means.of(ir.Recommendations(**tables, rank="rank", engine=engine).evaluate("ILD@10").summary())
