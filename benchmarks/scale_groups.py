"""The group of cases about growth: what an evaluation costs as one of its sizes grows.

Integer ids, from Parquet unless it says otherwise.  A query has six judgments, and 1,000 documents where queries or
documents are not what grows.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.jobs import Bench, Measured, Missing, Result
from benchmarks.names import FIVE, HUNDRED
from benchmarks.rows import Row, shown, within
from benchmarks.sizes import thousands

DEPTH = 1_000
COUNTS = (1, 3, 10, 30, 100)
MEMORY_LIMIT = "4GB"
# Number of rows from which one call is enough, and above which Spark is not measured on one machine.
LONG = 10_000_000

Line = Mapping[int, Result]


def scale(bench: Bench) -> list[Row]:
    """Growth with rows, queries, runs and measures on Polars and DuckDB, with rows also in Spark; memory per row."""
    lines = {title: dict(_lines(bench, title)) for title in ("rows", "queries", "runs", "measures")}
    rows = []
    for title, by_name in lines.items():
        for name, line in by_name.items():
            engine, _, where = name.partition(", ")
            if engine != "Polars":
                base = by_name[f"Polars, {where}"]
                rows += [within(f"{title}: {thousands(n)}, {where}; {engine}, Polars", line[n], base[n]) for n in line]
    for title, by_name in lines.items():
        rows += [shown(f"{title}: {name}, growth", _told(line)) for name, line in by_name.items()]
    missing = [
        r for by_name in lines.values() for line in by_name.values() for r in line.values() if isinstance(r, Missing)
    ]
    if missing:
        return [*rows, shown("for the page", f"nothing, since {len(missing)} are missing: {missing[0]}")]
    bench.recorded["scale"] = {
        title: {n: _record(line) for n, line in by_name.items()} for title, by_name in lines.items()
    }
    return rows


def _lines(bench: Bench, title: str) -> Iterator[tuple[str, Line]]:
    """Measurements by what grows, for each engine and place of the rows."""
    steps = len(bench.sizes.scale)
    middle = bench.sizes.scale[-1] // 100
    cases: dict[int, tuple[str, int, Sequence[str]]] = {}
    if title == "rows":
        cases = {n: (_lists(bench, n // DEPTH, DEPTH), n, FIVE) for n in bench.sizes.scale}
    elif title == "queries":
        cases = {10**i: (_lists(bench, 10**i, middle // 10**i), middle, FIVE) for i in range(1, steps + 1)}
    elif title == "runs":
        queries = middle // DEPTH // 10
        cases = {n: (f"runs_of_{n}_{queries}_{DEPTH}", n * queries * DEPTH, FIVE) for n in COUNTS[:steps]}
    else:
        lists = _lists(bench, middle // DEPTH, DEPTH)
        cases = {n: (lists, middle, HUNDRED[:n]) for n in COUNTS[:steps]}
    works: dict[str, tuple[str, dict[str, Any]]] = {
        "Polars, Parquet": ("ours.files", {}),
        "DuckDB, Parquet": ("ours.views", {"memory_limit": MEMORY_LIMIT, "spill": bench.path(*_spill(bench))}),
    }
    if title == "rows":
        works |= {"Polars, memory": ("ours.frames", {}), "DuckDB, memory": ("ours.tables", {})}
        works["Spark, Parquet"] = ("in_spark.ours", {})
    for name, (function, more) in works.items():
        yield (
            name,
            {
                n: bench.work(function, calls=_calls(name, size), **bench.parquet(table), measures=measures, **more)
                for n, (table, size, measures) in cases.items()
                if size <= LONG or not name.startswith("Spark")
            },
        )


def _lists(bench: Bench, queries: int, depth: int) -> str:
    """The table with this many lists, which another group may have created."""
    existing = {bench.sizes.million: "million", bench.sizes.big: "big"}
    return existing.get((queries, depth), f"lists_of_{queries}_{depth}")


def _calls(name: str, size: int) -> int:
    """Spark's first call is twice as long as those that follow."""
    if name.startswith("Spark"):
        return 2
    return 1 if size >= LONG else 3


def _spill(bench: Bench) -> tuple[str, str]:
    return _lists(bench, bench.sizes.scale[0] // DEPTH, DEPTH), "spill"


def _record(line: Line) -> dict[str, Any]:
    """The points of a line, and how it grows."""
    points = [
        {"n": n, "seconds": round(point.seconds, 4), "peak": point.peak}
        for n, point in line.items()
        if isinstance(point, Measured)
    ]
    return {"points": points, **_growth(line)}


def _growth(line: Line) -> dict[str, float]:
    """Between the last two points: the exponent of the time, and the bytes of peak memory for one more."""
    last = [(n, point) for n, point in line.items() if isinstance(point, Measured)][-2:]
    if len(last) < 2:
        return {}
    (few, small), (many, large) = last
    exponent = math.log(large.seconds / small.seconds) / math.log(many / few)
    return {"exponent": round(exponent, 2), "bytes": round((large.peak - small.peak) / (many - few), 1)}


def _told(line: Line) -> str:
    growth = _growth(line)
    if not growth:
        return "not measured"
    return f"time as n^{growth['exponent']:.2f}, {growth['bytes']:,.1f} bytes for one more"
