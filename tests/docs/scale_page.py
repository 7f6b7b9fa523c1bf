"""The page of scale, `docs/scale.md`: after what is written by hand, what the benchmark `scale` found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ireval_frames import catalog
from tests.dialects.running import ran
from tests.docs.measure_pages import families
from tests.docs.scale_record import FIGURE, GROWS, LINES, record

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
MARK = "<!-- What follows is made from the catalog and from docs/scale.json: make docs -->\n"


def page() -> str:
    """The text of the page."""
    found = record()
    lines = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK, *_steps(), *_choice(found["rows"]), *_growth(found)]
    for title in GROWS:
        lines += ["", f"### {title.capitalize()}, {GROWS[title]}", "", *_times(title, found[title])]
    machine = "; ".join(found["machine"])
    lines += ["", f"Measured on {machine}."]
    return "\n".join([*lines, found["disturbed"]]).rstrip() + "\n"


def _steps() -> Iterator[str]:
    """How many measures of each family are plans alone."""
    relational = set().union(*ran().values())
    yield from ("## Families", "", "| family | measures | one statement | with a step in Python |", "|---|---|---|---|")
    for family in families():
        names = [d.name for d in catalog.definitions(family)]
        text = sum(f"{family}.{name}" in relational for name in names)
        yield f"| [{family}](measures/{family}.md) | {len(names)} | {text} | {len(names) - text or ''} |"


def _choice(rows: Mapping[str, Any]) -> Iterator[str]:
    """When to take which engine, with what the largest tables took."""
    told = {name: {p["n"]: p for p in rows[name]["points"]} for name in LINES}
    largest = max(told["Polars, Parquet"])
    many = f"{largest / 1e6:,.0f} M rows"
    few, some = min(told["Spark, Parquet"]), max(told["Spark, Parquet"])
    short = told["Spark, Parquet"][few]["seconds"]
    spark, same = (told[f"{engine}, Parquet"][some]["seconds"] for engine in ("Spark", "Polars"))
    cost = {name: _cost(points.get(largest)) for name, points in told.items()}
    dialects = "[their dialect](dialects.md)"
    yield from ("", "## When to take which engine", "", "| the rows are | take | what it costs |", "|---|---|---|")
    yield f"| in frames, and fit into memory | Polars | {many}: {cost['Polars, memory']} with the frame |"
    yield (
        f"| in Parquet files that a machine's disk holds | Polars | {many}: {cost['Polars, Parquet']}; "
        "a billion: 39 s, 0.7 GB |"
    )
    yield (
        "| there too, and memory has a limit, or the values are wanted in SQL | DuckDB, a view of the files | "
        f"{many}: {cost['DuckDB, Parquet']} with a limit of 4 GB; a billion: 89 s, 0.6 GB |"
    )
    yield f"| in tables of DuckDB | DuckDB | {many} in memory: {cost['DuckDB, memory']} with the table |"
    yield (
        "| in Spark's tables, or more than a machine's disk holds | [Spark](spark.md) | "
        f"on one machine, {some / 1e6:.0f} M rows: {spark:.1f} s, {spark / same:.0f} times as long as Polars |"
    )
    yield (
        f"| in another database | {dialects} | 1 M rows, integer ids, beside DuckDB: PostgreSQL 5 times, "
        "ClickHouse 1.5 times as long |"
    )
    yield from (
        "",
        "Of equals, take Polars: it is the default, and on one machine the fastest of nearly all cases below.",
        "Rows of a database or of Spark need not be moved: the evaluation goes to them.",
        f"Spark makes many jobs of an evaluation, and takes {short:.1f} s for {few / 1e3:.0f} k rows.",
        "It pays where the data are in it, or do not fit one machine.",
        "A billion rows and other databases were measured apart, on a faster machine ([benchmarks](benchmarks.md)).",
    )


def _growth(found: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "## How cost grows", "")
    yield f"![Time by rows, queries, runs and measures, on logarithmic axes]({FIGURE.name})"
    yield from (
        "",
        "A process of its own for each point; its peak memory counts, 0.1 to 0.2 GB of it programs.",
        "Spark's memory is that of Java, which keeps what it once took.",
        "Queries have six judgments each and ids are integers; the axes are logarithmic.",
        "",
        "Between the last two points of each line, time grows as this power of what grows, and peak memory by so much.",
        "A power of 1 is linear; below 1 fixed costs still count.",
        "",
        "| what grows | rows lie in | Polars: power, memory | DuckDB: power, memory | Spark: power, memory |",
        "|---|---|---|---|---|",
    )
    for title in GROWS:
        for where in ("Parquet", "memory"):
            if f"Polars, {where}" in found[title]:
                lines = [found[title].get(f"{engine}, {where}") for engine in ("Polars", "DuckDB", "Spark")]
                cells = [_power(title, line) for line in lines]
                yield f"| {title}, {GROWS[title]} | {where} | {' | '.join(cells)} |"


def _power(title: str, line: Mapping[str, Any] | None) -> str:
    if line is None:
        return ""
    one = "query" if title == "queries" else title.removesuffix("s")
    return f"{line['exponent']:.2f}, {_more(line['bytes'], one)}"


def _more(size: float, one: str) -> str:
    """The memory of one more."""
    if size <= 0:
        return "no more memory"
    unit, told = next((u, size / n) for u, n in (("MB", 1e6), ("kB", 1e3), ("bytes", 1.0)) if size >= n or n == 1.0)
    return f"{told:.{0 if told >= 10 else 1}f} {unit} per {one}"


def _times(title: str, lines: Mapping[str, Any]) -> Iterator[str]:
    """A line for each size, a column for each line of the figure."""
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
