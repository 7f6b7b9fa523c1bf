"""Runs and judgments, and tables of items, in DuckDB."""

from collections.abc import Mapping

import duckdb


def database(
    run: str, qrels: str, *, kind: str = "TABLE", config: Mapping[str, str] | None = None
) -> duckdb.DuckDBPyConnection:
    """A database in memory with tables (or views) `run` and `qrels` of Parquet files."""
    con = duckdb.connect(config=dict(config or {}))
    for name, path in (("run", run), ("qrels", qrels)):
        quoted = path.replace("'", "''")
        con.execute(f"CREATE {kind} {name} AS SELECT * FROM read_parquet('{quoted}')")
    return con


def items_database(
    table: str, name: str, columns: str, *, kind: str = "TABLE", config: Mapping[str, str] | None = None
) -> duckdb.DuckDBPyConnection:
    """A database in memory with some columns of a Parquet file as the table (or view) of that name."""
    con = duckdb.connect(config=dict(config or {}))
    quoted = table.replace("'", "''")
    con.execute(f"CREATE {kind} {name} AS SELECT {columns} FROM read_parquet('{quoted}')")
    return con


def experiment(users: int) -> duckdb.DuckDBPyConnection:
    """A database in memory with a table `experiment`: a value of each user, who saw one of two variants."""
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE experiment AS SELECT i AS user_id, CASE WHEN hash(i) % 2 = 0 THEN 'new' ELSE 'old' END AS "
        f"variant, (hash(i, 7) % 1000003) / 1000003 AS value FROM range({users}) t(i)"
    )
    return con
