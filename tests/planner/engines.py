"""Engines as the planner gets them, and frames in them."""

from __future__ import annotations

import duckdb
import polars as pl

from ireval_frames.engines.duckdb import DuckDBEngine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars import PolarsEngine

ENGINES = ("polars", "duckdb")


class Opened:
    """An engine of that name."""

    def __init__(self, name: str) -> None:
        self.engine = PolarsEngine() if name == "polars" else DuckDBEngine(duckdb.connect())

    def frame(self, frame: pl.DataFrame) -> Frame:
        return self.engine.from_polars(frame)

    def collect(self, frame: Frame) -> pl.DataFrame:
        return self.engine.collect(frame)
