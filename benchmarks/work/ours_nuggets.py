"""This project's measures of nuggets."""

from collections.abc import Callable
from pathlib import Path

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.means import Means

TABLES = ("nuggets", "assignments")


def frames(folder: str, measures: str, engine: str) -> Callable[[], Means]:
    """Of frames in memory."""
    tables = [pl.read_parquet(Path(folder) / f"{name}.parquet") for name in TABLES]
    return lambda: means.of(ir.Nuggets(*tables, engine=engine).evaluate(measures).summary())


def files(folder: str, measures: str, engine: str) -> Callable[[], Means]:
    """Of Parquet files."""
    tables = [str(Path(folder) / f"{name}.parquet") for name in TABLES]
    return lambda: means.of(ir.Nuggets(*tables, engine=engine).evaluate(measures).summary())
