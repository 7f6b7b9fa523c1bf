"""What macros take and refuse, where they are made, and what stands in a file of them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError, InvalidParameter, NotDefined, UnknownName
from ireval_frames.macros import statements
from ireval_frames.macros.installing import macros_of
from tests.macros.cases import rankings


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(config={"threads": 1})
    for name, frame in zip(("qrels", "run"), rankings(), strict=True):
        con.from_arrow(frame.to_arrow()).create(name)
    return con


def test_evaluate_gives_the_summary(con: duckdb.DuckDBPyConnection) -> None:
    ir.macros.install_macros(con, "AP")
    got = con.sql("FROM ireval_evaluate('qrels', 'run')").fetchall()
    measures = list(dict.fromkeys(row[1] for row in got))
    expected = ir.evaluate(*rankings(), measures).summary().rows()
    assert [(*r[:2], *r[3:]) for r in got] == [(*r[:2], *r[3:]) for r in expected]
    assert [r[2] for r in got] == pytest.approx([r[2] for r in expected], abs=1e-12)


def test_any_table_can_be_named(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Stages have names of ours, and tables of theirs stay what they are; ids stay what they are."""
    ir.macros.install_macros(con, "nDCG")
    expected = con.sql(
        "SELECT query_id, value FROM ireval_ndcg('qrels', 'run') WHERE run_id = 'lsa' ORDER BY ALL"
    ).fetchall()
    con.execute(
        "CREATE TABLE judged AS FROM qrels; CREATE TABLE units AS SELECT * EXCLUDE run_id FROM run WHERE run_id = 'lsa'"
    )
    con.execute(f"COPY judged TO '{tmp_path / 'j.parquet'}'")
    for given in ("judged", f"{tmp_path / 'j.parquet'}", "main.judged"):
        rows = con.sql(f"FROM ireval_ndcg('{given}', 'units') ORDER BY ALL").fetchall()
        assert rows == [("units", *row) for row in expected]
    numbers = "CAST(query_id[2:] AS INTEGER) AS query_id, CAST(doc_id[2:] AS INTEGER) AS doc_id"
    con.execute(f"CREATE VIEW run_numbers AS SELECT {numbers}, score FROM units")
    con.execute(f"CREATE VIEW judged_numbers AS SELECT {numbers}, relevance FROM judged")
    here = con.sql("FROM ireval_ndcg('judged_numbers', 'run_numbers')")
    assert [str(t) for t in here.types] == ["VARCHAR", "INTEGER", "DOUBLE"]
    assert len(here.fetchall()) == 7


def test_in_a_file_that_is_attached(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """The tables are those of whoever calls, and the statements are those that are printed."""
    path = tmp_path / "ireval.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute(statements("AP", schema="main"))
        assert ir.macros.install_macros(made, "AP", schema="ireval")[0] == "ireval.ap"
    con.execute(f"ATTACH '{path}' AS ireval (READ_ONLY)")
    ir.macros.install_macros(con, "AP")
    assert sorted(con.sql("FROM ireval.ap('qrels', 'run', k := 5)").fetchall()) == sorted(
        con.sql("FROM ireval_ap('qrels', 'run', k := 5)").fetchall()
    )


def test_every_macro_is_told_about(con: duckdb.DuckDBPyConnection) -> None:
    names = ir.macros.install_macros(con, "P nDCG(dcg='jk') AP(rel=2)", schema="my eval")
    told = con.sql("SELECT function_name, comment FROM duckdb_functions() WHERE schema_name = 'my eval'").fetchall()
    assert [n.rpartition(".")[2] for n in names] == ["p", "ndcg_dcg_jk", "ap", "evaluate", "compare"]
    assert dict(told).keys() == {n.rpartition(".")[2] for n in names}
    assert dict(told)["ndcg_dcg_jk"].startswith("Discounted cumulative gain")
    assert " With dcg = 'jk'. Fixed: dcg, " in dict(told)["ndcg_dcg_jk"]
    asked = con.sql("FROM \"my eval\".ap('qrels', 'run') ORDER BY ALL").fetchall()
    assert asked == con.sql("FROM \"my eval\".ap('qrels', 'run', rel := 2) ORDER BY ALL").fetchall()


def test_what_is_left_out_is_told() -> None:
    """Only what has a step in Python."""
    left = macros_of(family="clusters").left_out
    assert list(left) == ["clusters: ClusteringAccuracy"]
    assert "step in Python" in left["clusters: ClusteringAccuracy"]


def test_what_cannot_be_made() -> None:
    with pytest.raises(NotDefined, match="needs a cutoff"):
        macros_of("SDCG")
    with pytest.raises(NotDefined, match="step in Python"):
        macros_of("ClusteringAccuracy")
    with pytest.raises(UnknownName, match="no macros of 'points'"):
        macros_of(family="points")
    with pytest.raises(InvalidParameter, match="would make the macro p"):
        macros_of("P@5 P@10")
    with pytest.raises(InvalidParameter, match="no DuckDB connection"):
        ir.macros.install_macros("my.db")
    closed = duckdb.connect()
    closed.close()
    with pytest.raises(EngineError):
        ir.macros.install_macros(closed, "AP")
