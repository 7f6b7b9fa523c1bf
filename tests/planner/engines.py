"""Engines as the planner gets them, and frames in them."""

from __future__ import annotations

from collections.abc import Callable

import duckdb
import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.duckdb.engine import DuckDBEngine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.engines.spark.engine import SparkEngine
from tests import spark

ENGINES = ("polars", "duckdb")
# Spark takes a second for what others do in a few milliseconds, so the plans of these tests it is not asked for.
EVERY = (*ENGINES, "spark")


OPENERS: dict[str, Callable[[], Engine]] = {
    "polars": PolarsEngine,
    "duckdb": lambda: DuckDBEngine(duckdb.connect()),
    "spark": lambda: SparkEngine(spark.session()),
}


class Opened:
    """An engine of that name."""

    def __init__(self, name: str) -> None:
        self.engine = OPENERS[name]()

    def frame(self, frame: pl.DataFrame) -> Frame:
        return self.engine.from_polars(frame)

    def collect(self, frame: Frame) -> pl.DataFrame:
        return self.engine.collect(frame)
