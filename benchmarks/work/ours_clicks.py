"""This project's work on click logs."""

from collections.abc import Callable
from typing import Any

import duckdb

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
