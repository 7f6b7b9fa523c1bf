"""This project's work on new runs valued by clicks, and on interleaved lists."""

from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl

import ireval_frames as ir
from benchmarks.work.means import Means

PROPENSITIES = [1 / k for k in range(1, 11)]
PAGES = 100_000


def valued(
    log: str, run: str, estimators: str, memory_limit: str = "", spill: str = "", duplicates: str = "error"
) -> Callable[[], Means]:
    """The value of a run by a log in Parquet; in DuckDB with this limit of memory."""
    options: dict[str, Any] = {}
    if memory_limit:
        options["con"] = duckdb.connect(config={"memory_limit": memory_limit, "temp_directory": spill})
    subject = ir.Impressions(log, policy={"duplicates": duplicates}, **options)

    def work() -> Means:
        result = ir.clicks.counterfactual(
            subject, run, "DCG@10", propensity=PROPENSITIES, estimators=estimators
        ).summary()
        return dict(result.select("estimator", "value").rows())

    return work


def harvested(log: str) -> Callable[[], Means]:
    """Propensities by position of a log in Parquet."""
    subject = ir.Impressions(log, policy="duplicates=trust")
    return lambda: {
        str(k): p for k, p in ir.clicks.propensities(subject).table().select("position", "propensity").rows()
    }


def interleaved(run: str) -> Callable[[], Means]:
    """Lists of two runs for many pages."""
    first = pl.read_parquet(run).filter(pl.col("query_id") < PAGES // 10)
    other = first.with_columns(score=-pl.col("score"))
    queries = first["query_id"].unique().sort()
    pages = pl.DataFrame({"serp_id": range(PAGES)}).with_columns(
        query_id=pl.Series(queries.gather([i % len(queries) for i in range(PAGES)]))
    )
    return lambda: {"rows": float(ir.interleaving.interleave(first, other, pages=pages).height)}
