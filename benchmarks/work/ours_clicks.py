"""Click models and counterfactual evaluation in this project."""

from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.means import Means


def measures(
    log: str, names: str, memory_limit: str = "", spill: str = "", duplicates: str = "error"
) -> Callable[[], Means]:
    """Measures of a log in Parquet; in DuckDB with this limit of memory."""
    options: dict[str, Any] = {"con": _database(memory_limit, spill)} if memory_limit else {}
    subject = ir.Impressions(log, policy={"duplicates": duplicates}, **options)
    return lambda: means.of(subject.evaluate(names).summary())


def check(log: str, memory_limit: str, spill: str) -> Callable[[], Means]:
    """What is odd about a log: how often each check found something."""
    subject = ir.Impressions(log, con=_database(memory_limit, spill))
    return lambda: {name: float(n) for name, n in subject.check().select("check", "count").rows()}


def fits(log: str, names: str, memory_limit: str = "", spill: str = "") -> Callable[[], Means]:
    """Click models, one after another, each read from the file; iterated ones fifty times."""
    options: dict[str, Any] = {"con": _database(memory_limit, spill)} if memory_limit else {}

    def work() -> Means:
        values = {}
        for name in names.split():
            closed = {} if name == "SDBN" else {"iterations": 50, "tolerance": 0.0}
            model = ir.Impressions(log, **options).fit(name, **closed)
            values[name] = float(model.parameters()["value"].to_numpy().mean())
        return values

    return work


def _database(memory_limit: str, spill: str) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"memory_limit": memory_limit, "temp_directory": spill})


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
