"""This project's measures of recommended items."""

import tempfile
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


def diversity(folder: str, engine: str = "polars", memory: str = "") -> Callable[[], Means]:
    """ILD by features, of files; in DuckDB with so much memory."""
    tables: dict[str, Any] = {name: str(Path(folder) / f"{name}.parquet") for name in ("recs", "features")}
    options: dict[str, Any] = {"engine": engine}
    if engine == "duckdb":
        import duckdb

        # By default what does not fit is written below the working directory.
        con = duckdb.connect(config={"memory_limit": memory, "temp_directory": tempfile.mkdtemp()})
        tables = {name: con.read_parquet(path) for name, path in tables.items()}
        options["con"] = con
    return lambda: means.of(ir.Recommendations(**tables, **options, rank="rank").evaluate("ILD@10").summary())
