"""The groups of cases about many small evaluations and about many small units."""

import os
from collections.abc import Callable, Mapping
from unittest.mock import patch

from benchmarks.jobs import Bench, Measured, Missing, Result, gigabytes
from benchmarks.rows import Row, shown

FAMILIES = ("rankings", "labels", "clusters", "points", "similarity")
MEMORY_LIMIT = "4GB"


def latency(bench: Bench) -> list[Row]:
    """Five measures of a tiny table, again and again, and the SQL of many measures."""
    n = bench.sizes.repeats
    rows = []
    for family in FAMILIES:
        for engine in ("polars", "duckdb"):
            seconds = bench.work("latency.repeated", family=family, engine=engine, n=str(n))
            rows.append(shown(f"{family} on {engine}, median of {n:,}", _text(seconds, "median", _milliseconds)))
            rows.append(shown(f"… memory after {n // 10:,}", _text(seconds, "first", gigabytes)))
            rows.append(shown(f"… memory after {n:,}", _text(seconds, "last", gigabytes)))
    text = bench.work("latency.text", calls=3)
    return [
        *rows,
        shown("sql() of all of all_trec", str(text)),
        shown("… its length", _text(text, "bytes", lambda size: f"{size / 1e3:.0f} kB")),
    ]


def units(bench: Bench) -> list[Row]:
    """Labels of users: a measure for each, and their means."""
    table = bench.path("users", "run.parquet")
    spill, out = bench.path("users", "spill"), bench.path("users", "units.parquet")
    count, users = bench.sizes.users
    described_size = f"{count / 1e6:.0f} M items of {users / 1e6:.0f} M users"
    inside = {"table": table, "memory_limit": MEMORY_LIMIT, "spill": spill}
    # Polars reads it when it starts.
    with patch.dict(os.environ, POLARS_OOC_MEMORY_BUDGET_MB="4000"):
        cases = {
            f"{described_size}, means, DuckDB in {MEMORY_LIMIT}": bench.work("latency.in_duckdb", **inside),
            "… Polars, streaming, budget of 4 GB": bench.work("latency.streaming", table=table),
            f"{described_size}, every user to Parquet, DuckDB in {MEMORY_LIMIT}": bench.work(
                "latency.in_duckdb", **inside, out=out
            ),
            "… every user, Polars, streaming, budget of 4 GB": bench.work("latency.streaming", table=table, out=out),
        }
    means = next((result.values for result in cases.values() if isinstance(result, Measured)), {})
    return [shown(case, str(result), difference=_apart(result, means)) for case, result in cases.items()]


def _text(result: Result, name: str, words: Callable[[float], str]) -> str:
    return str(result) if isinstance(result, Missing) else words(result.values[name])


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms"


def _apart(result: Result, means: Mapping[str, float]) -> float | None:
    """How far the means are from those of another way."""
    if isinstance(result, Missing) or result.values is means:
        return None
    return max(abs(result.values[name] - means[name]) for name in means)
