"""The page of scale, `docs/scale.md`: after the hand-written part, the results of the benchmark `scale`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.recording import recorded
from ireval_frames import catalog
from tests.docs.generators.measure_pages import families

PAGE = Path(__file__).parents[3] / "docs" / "scale.md"
MARK = "<!-- Generated from the catalog and docs/scale.json: make docs -->\n"
RECORD = Path(__file__).parents[3] / "docs" / "scale.json"
FIGURE = RECORD.with_suffix(".svg")
# Blue, vermilion and green are distinct for the colour-blind; dashes and marks repeat the distinction.
LINES = {
    "Polars, Parquet": ("#0072B2", [1, 0], "circle"),
    "Polars, memory": ("#0072B2", [6, 4], "square"),
    "DuckDB, Parquet": ("#D55E00", [1, 0], "triangle-up"),
    "DuckDB, memory": ("#D55E00", [6, 4], "diamond"),
    "Spark, Parquet": ("#009E73", [1, 0], "cross"),
}
# What grows, and what is constant.
GROWS = {
    "rows": "five measures",
    "queries": "1 M rows in all",
    "runs": "of 100 k rows each",
    "measures": "of 1 M rows",
}


def record() -> dict[str, Any]:
    """The machine, and the lines by what grows."""
    results: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return results


def mark() -> str:
    """The hash of the record, written into its figure, since renderers differ in the text of the same figure."""
    return f"<!-- of {RECORD.name} {hashlib.sha256(RECORD.read_bytes()).hexdigest()} -->\n"


def drawn() -> bool:
    """Whether the figure was drawn from this record."""
    return FIGURE.exists() and FIGURE.read_text("utf-8").endswith(mark())


def page() -> str:
    """The text of the page."""
    results = record()
    lines = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK, *_steps(), *_choice(results["rows"]), *_growth(results)]
    for title, constant in GROWS.items():
        lines += ["", f"### {title.capitalize()}, {constant}", "", *_times(title, results[title])]
    machine = "; ".join(results["machine"])
    lines += ["", f"Measured on {machine}."]
    return "\n".join([*lines, results["disturbed"]]).rstrip() + "\n"


def _steps() -> Iterator[str]:
    """How many measures of each family are one statement."""
    yield from ("## Families", "", "| family | measures | one statement | with a step in Python |", "|---|---|---|---|")
    for family in families():
        steps = [d.runs == "python" for d in catalog.definitions(family)]
        yield f"| [{family}](measures/{family}.md) | {len(steps)} | {steps.count(False)} | {sum(steps) or ''} |"


def _choice(rows: Mapping[str, Any]) -> Iterator[str]:
    """When to use which engine, with the costs of the largest tables."""
    by_line = {name: {p["n"]: p for p in rows[name]["points"]} for name in LINES}
    largest = max(by_line["Polars, Parquet"])
    rows_text = f"{largest / 1e6:,.0f} M rows"
    fewest, most = min(by_line["Spark, Parquet"]), max(by_line["Spark, Parquet"])
    short = by_line["Spark, Parquet"][fewest]["seconds"]
    spark, same = (by_line[f"{engine}, Parquet"][most]["seconds"] for engine in ("Spark", "Polars"))
    cost = {name: _cost(points.get(largest)) for name, points in by_line.items()}
    dialects = "[their dialect](dialects.md)"
    yield from ("", "## Which engine to use", "", "| the rows are | use | cost |", "|---|---|---|")
    yield f"| in frames in memory | Polars | {rows_text}: {cost['Polars, memory']} with the frame |"
    yield (
        f"| in Parquet files on one machine | Polars | {rows_text}: {cost['Polars, Parquet']}"
        f"{_billion('whole process')} |"
    )
    yield (
        "| there too, with limited memory, or results are needed in SQL | DuckDB, a view of the files | "
        f"{rows_text}: {cost['DuckDB, Parquet']} with a limit of 4 GB{_billion('DuckDB')} |"
    )
    yield f"| in tables of DuckDB | DuckDB | {rows_text} in memory: {cost['DuckDB, memory']} with the table |"
    yield (
        "| in tables of Spark, or too large for one machine | [Spark](spark.md) | "
        f"on one machine, {most / 1e6:.0f} M rows: {spark:.1f} s, {spark / same:.0f} times as long as Polars |"
    )
    yield (
        f"| in another database | {dialects} | 1 M rows, integer ids, beside DuckDB: PostgreSQL "
        f"{_beside_duckdb('PostgreSQL')} times, ClickHouse {_beside_duckdb('ClickHouse')} times as long |"
    )
    yield from (
        "",
        "In doubt use Polars: it is the default, and on one machine the fastest in nearly all cases below.",
        "Rows in a database or in Spark need not be moved: the evaluation runs there.",
        f"Spark runs an evaluation as many jobs, and takes {short:.1f} s for {fewest / 1e3:.0f} k rows.",
        "It pays off where the data are already in Spark, or do not fit one machine.",
    )


def _billion(engine: str) -> str:
    """What a billion rows cost, if that was recorded."""
    costs = [ours for case, ours, *_ in _recorded("billion") if engine in case]
    return f"; a billion: {costs[0]}" if costs else ""


def _beside_duckdb(database: str) -> str:
    (times,) = (ratio for case, _, _, ratio, _ in _recorded("dialects") if "integers" in case and database in case)
    return times.removesuffix("×")


def _recorded(group: str) -> list[list[str]]:
    """The rows of a group of benchmarks."""
    rows: list[list[str]] = recorded(PAGE.parent).get(group, {}).get("rows", [])
    return rows


def _growth(results: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "## How cost grows", "")
    yield f"![Time by rows, queries, runs and measures, on logarithmic axes]({FIGURE.name})"
    yield from (
        "",
        "Each point is a process of its own; its peak memory includes 0.1 to 0.2 GB for the programs.",
        "Spark's memory is that of Java, which does not return memory.",
        "Queries have six judgments each, ids are integers, and the axes are logarithmic.",
        "",
        "The table has the growth between the last two points of each line: the exponent of time, and the additional",
        "peak memory. An exponent of 1 is linear; below 1, fixed costs still dominate.",
        "",
        "| what grows | rows in | Polars: exponent, memory | DuckDB: exponent, memory | Spark: exponent, memory |",
        "|---|---|---|---|---|",
    )
    for title, constant in GROWS.items():
        for where in ("Parquet", "memory"):
            if f"Polars, {where}" in results[title]:
                lines = [results[title].get(f"{engine}, {where}") for engine in ("Polars", "DuckDB", "Spark")]
                cells = [_power(title, line) for line in lines]
                yield f"| {title}, {constant} | {where} | {' | '.join(cells)} |"


def _power(title: str, line: Mapping[str, Any] | None) -> str:
    if line is None:
        return ""
    one = "query" if title == "queries" else title.removesuffix("s")
    return f"{line['exponent']:.2f}, {_more(line['bytes'], one)}"


def _more(size: float, one: str) -> str:
    """The memory per additional unit."""
    if size <= 0:
        return "no more memory"
    unit, value = next((u, size / n) for u, n in (("MB", 1e6), ("kB", 1e3), ("bytes", 1.0)) if size >= n or n == 1.0)
    return f"{value:.{0 if value >= 10 else 1}f} {unit} per {one}"


def _times(title: str, lines: Mapping[str, Any]) -> Iterator[str]:
    """A row per size, a column per line of the figure."""
    names = [name for name in LINES if name in lines]
    points = {name: {p["n"]: p for p in lines[name]["points"]} for name in names}
    yield from (f"| {title} | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|")
    for n in sorted(set().union(*points.values())):
        yield f"| {n:,} | {' | '.join(_cost(points[name].get(n)) for name in names)} |"


def _cost(point: Mapping[str, Any] | None) -> str:
    if point is None:
        return ""
    seconds = point["seconds"]
    time = f"{seconds:.1f} s" if seconds >= 10 else f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.0f} ms"
    return f"{time}, {point['peak'] / 1e9:.2f} GB"
