"""Nuggets of queries, and labels of them for the answers of runs."""

from pathlib import Path

import numpy as np
import polars as pl

LABELS = np.array(["support", "partial_support", "not_support"])


def answered(folder: Path, shape: tuple[int, int, int]) -> None:
    """Labels of so many runs, queries, and nuggets of each query, half of which are vital."""
    runs, queries, nuggets = shape
    rng = np.random.default_rng(runs)
    query, nugget = np.repeat(np.arange(queries), nuggets), np.tile(np.arange(1, nuggets + 1), queries)
    ids = {"query_id": pl.Series(query).cast(pl.String), "nugget_id": nugget}
    vital = np.where(nugget % 2 == 1, "vital", "okay")
    pl.DataFrame({**ids, "importance": vital}).write_parquet(folder / "nuggets.parquet")
    labels = pl.DataFrame(
        {
            "run_id": np.repeat(np.arange(runs), len(query)),
            "query_id": np.tile(query, runs),
            "nugget_id": np.tile(nugget, runs),
            "label": LABELS[rng.choice(3, runs * len(query), p=[0.4, 0.2, 0.4])],
        }
    )
    text = labels.with_columns(pl.format("run{}", "run_id").alias("run_id"), pl.col("query_id").cast(pl.String))
    text.write_parquet(folder / "assignments.parquet")
