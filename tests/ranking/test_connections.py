"""Connections of DuckDB that are closed, foreign, or lack the table."""

from __future__ import annotations

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
    with connected() as one, duckdb.connect() as other:
        judgments = other.from_arrow(QRELS.to_arrow())
        with pytest.raises(EngineError, match=r"different DuckDB connections(.|\n)*one connection"):
            ir.evaluate(judgments, one.table("run"), "AP").summary()


def test_a_frame_beside_a_relation_is_read_in_its_connection():
    with connected() as con:
        assert ir.evaluate(QRELS, con.table("run"), "RR").wide().item() == 1.0
        assert con.sql("SELECT count(*) FROM duckdb_tables()").fetchall() == [(1,)]


@pytest.mark.parametrize("asked", [False, True])
def test_closed_connection(asked):
    con = connected()
    evaluation = ir.evaluate(QRELS, "run", "AP", con=con) if asked else None
    con.close()
    with pytest.raises(EngineError, match=r"closed(.|\n)*duckdb\.connect"):
        (evaluation or ir.evaluate(QRELS, "run", "AP", con=con)).summary()


def test_missing_table_lists_those_there():
    with connected() as con, pytest.raises(EngineError, match=r"no table 'runs'.*it has: run"):
        ir.evaluate(QRELS, "runs", "AP", con=con).summary()


def test_what_is_no_connection():
    with pytest.raises(EngineError, match=r"con=duckdb\.connect"):
        ir.evaluate(QRELS, "run", "AP", con="run.duckdb")
