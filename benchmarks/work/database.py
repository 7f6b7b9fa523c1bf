"""Runs and judgments in DuckDB."""

from collections.abc import Mapping

import duckdb


def database(run: str, qrels: str, *, kind: str = "TABLE", config: Mapping[str, str] | None = None) -> duckdb.DuckDBPyConnection:
    """A database in memory with tables (or views) `run` and `qrels` of Parquet files."""
    con = duckdb.connect(config=dict(config or {}))
    for name, path in (("run", run), ("qrels", qrels)):
        quoted = path.replace("'", "''")
        con.execute(f"CREATE {kind} {name} AS SELECT * FROM read_parquet('{quoted}')")
    return con


def labels_database(table: str) -> duckdb.DuckDBPyConnection:
    """A database in memory with a table `labels` of a Parquet file."""
    con = duckdb.connect()
    quoted = table.replace("'", "''")
    con.execute(f"CREATE TABLE labels AS SELECT label, prediction FROM read_parquet('{quoted}')")
    return con
