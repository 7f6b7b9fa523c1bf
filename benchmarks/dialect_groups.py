"""The group of cases about one statement in several databases."""

from benchmarks.jobs import Bench
from benchmarks.names import FIVE
from benchmarks.rows import Row, within

DATABASES = {"postgres": "PostgreSQL", "clickhouse": "ClickHouse"}


def dialects(bench: Bench) -> list[Row]:
    """The statement of five measures in other databases, beside DuckDB."""
    rows = []
    size = bench.sizes.described("million")
    for ids in ("integers", "text"):
        tables = {**bench.parquet("million"), "measures": FIVE, "ids": ids}
        ours = bench.work("in_databases.duckdb", calls=3, **tables)
        for name, title in DATABASES.items():
            result = bench.work(f"in_databases.{name}", calls=3, **tables)
            rows.append(within(f"{size}, ids are {ids}: {title}, DuckDB", result, ours))
    return rows
