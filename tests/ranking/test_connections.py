"""Errors of DuckDB connections: closed, different or without the table."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError

QRELS, RUN = ir.examples.ranking()


def connected() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute("CREATE TABLE run AS SELECT 'q' AS query_id, 'd1' AS doc_id, 1.0 AS score")
    return con


def test_relations_of_different_connections():
    with connected() as first, duckdb.connect() as second:
        judgments = second.from_arrow(QRELS.to_arrow())
        with pytest.raises(EngineError, match=r"different DuckDB connections(.|\n)*one connection"):
            ir.evaluate(judgments, first.table("run"), "AP").summary()


def test_a_frame_with_a_relation():
    with connected() as con:
        assert ir.evaluate(QRELS, con.table("run"), "RR").wide().item() == 1.0
        assert con.sql("SELECT count(*) FROM duckdb_tables()").fetchall() == [(1,)]


@pytest.mark.parametrize("before_closing", [False, True])
def test_closed_connection(before_closing):
    con = connected()
    evaluation = ir.evaluate(QRELS, "run", "AP", con=con) if before_closing else None
    con.close()
    with pytest.raises(EngineError, match=r"closed(.|\n)*duckdb\.connect"):
        (evaluation or ir.evaluate(QRELS, "run", "AP", con=con)).summary()


def test_missing_tables():
    with connected() as con, pytest.raises(EngineError, match=r"no table 'runs'.*it has: run"):
        ir.evaluate(QRELS, "runs", "AP", con=con).summary()


def test_con_of_another_type():
    with pytest.raises(EngineError, match=r"con=duckdb\.connect"):
        ir.evaluate(QRELS, "run", "AP", con="run.duckdb")


def test_a_database_that_can_only_be_read(tmp_path: Path) -> None:
    """The hint's lines work."""
    path = tmp_path / "my.duckdb"
    with duckdb.connect(path) as con:
        for name, frame in zip(("qrels", "run"), ir.examples.ranking(), strict=True):
            con.from_arrow(frame.to_arrow()).create(name)
    with duckdb.connect(path, read_only=True) as con:
        ev = ir.evaluate("qrels", "run", "AP", con=con)
        for call in (lambda: ev.per_unit.to_view("x"), lambda: ir.macros.install_macros(con, "AP")):
            with pytest.raises(EngineError, match=r"can only be read(.|\n)*ATTACH"):
                call()
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{path}' AS my (READ_ONLY)")
        ir.macros.install_macros(con, "AP")
        ir.evaluate("my.qrels", "my.run", "AP", con=con).per_unit.to_view("x")
        of_macro = con.sql("SELECT value FROM ireval_ap('my.qrels', 'my.run')").fetchall()
        assert of_macro == con.sql("SELECT value FROM x").fetchall()
