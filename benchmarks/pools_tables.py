"""Runs that have many documents in common, for pools."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.sizes import PASSAGES

SCHEMA = pa.schema({"run_id": pa.string(), "query_id": pa.string(), "doc_id": pa.string(), "score": pa.float64()})
# Documents of a query among which runs choose, per document of a list.
CANDIDATES = 5


def pooled(folder: Path, shape: tuple[int, int, int]) -> None:
    """So many runs in one table, with text ids, each run query by query and best first.

    A document has a score that all runs share, and an error in each of them.
    """
    number, queries, depth = shape
    rng = np.random.default_rng(queries)
    n = CANDIDATES * depth
    part = PASSAGES // n
    documents = rng.permuted(rng.integers(0, part, (queries, n)) + np.arange(n) * part, axis=1)
    shared = rng.gumbel(0, 1.5, (queries, n)).astype(np.float32)
    with pq.ParquetWriter(folder / "run.parquet", SCHEMA, compression="zstd") as parquet:
        for i in range(number):
            score = shared + rng.normal(0, 1.5, (queries, n)).astype(np.float32)
            best = np.argpartition(-score, depth - 1, axis=1)[:, :depth]
            best = _taken(best, np.argsort(-_taken(score, best), axis=1))
            rows = pl.DataFrame(
                {
                    "query_id": (np.arange(queries) * 7 + 13).repeat(depth),
                    "doc_id": _taken(documents, best).ravel(),
                    "score": _taken(score, best).ravel().astype(np.float64).round(6),
                }
            )
            ids = pl.col("query_id", "doc_id").cast(pl.String)
            rows = rows.select(pl.lit(f"run_{i:03d}").alias("run_id"), ids, "score")
            parquet.write_table(rows.to_arrow().cast(SCHEMA))


def _taken(values: Any, at: Any) -> Any:
    return np.take_along_axis(values, at, axis=1)
