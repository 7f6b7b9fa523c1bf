"""What macros take and refuse, where they are created, and the text of `statements`."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import EngineError, InvalidParameter, NotDefined, UnknownName
from ireval_frames.macros import statements
from ireval_frames.macros.installing import macros_of
from ireval_frames.macros.measure_macro import measure_macro
from tests.macros.cases import rankings


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(config={"threads": 1})
    for name, frame in zip(("qrels", "run"), rankings(), strict=True):
        con.from_arrow(frame.to_arrow()).create(name)
    return con


def test_evaluate_gives_the_summary(con: duckdb.DuckDBPyConnection) -> None:
    ir.macros.install_macros(con, "AP")
    actual = con.sql("FROM ireval_evaluate('qrels', 'run')").fetchall()
    measures = list(dict.fromkeys(row[1] for row in actual))
    expected = ir.evaluate(*rankings(), measures).summary().rows()
    assert [(*r[:2], *r[3:]) for r in actual] == [(*r[:2], *r[3:]) for r in expected]
    assert [r[2] for r in actual] == pytest.approx([r[2] for r in expected], abs=1e-12)


def test_any_table_can_be_named(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Tables may be files and have schemas; ids keep their types."""
    ir.macros.install_macros(con, "nDCG")
    expected = con.sql(
        "SELECT query_id, value FROM ireval_ndcg('qrels', 'run') WHERE run_id = 'lsa' ORDER BY ALL"
    ).fetchall()
    con.execute(
        "CREATE TABLE judged AS FROM qrels; CREATE TABLE units AS SELECT * EXCLUDE run_id FROM run WHERE run_id = 'lsa'"
    )
    con.execute(f"COPY judged TO '{tmp_path / 'j.parquet'}'")
    for table in ("judged", f"{tmp_path / 'j.parquet'}", "main.judged"):
        rows = con.sql(f"FROM ireval_ndcg('{table}', 'units') ORDER BY ALL").fetchall()
        assert rows == [("units", *row) for row in expected]
    numbers = "CAST(query_id[2:] AS INTEGER) AS query_id, CAST(doc_id[2:] AS INTEGER) AS doc_id"
    con.execute(f"CREATE VIEW run_numbers AS SELECT {numbers}, score FROM units")
    con.execute(f"CREATE VIEW judged_numbers AS SELECT {numbers}, relevance FROM judged")
    here = con.sql("FROM ireval_ndcg('judged_numbers', 'run_numbers')")
    assert [str(t) for t in here.types] == ["VARCHAR", "INTEGER", "DOUBLE"]
    assert len(here.fetchall()) == 7


def test_in_a_file_that_is_attached(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Tables are those of the caller; the printed statements create the same macros."""
    path = tmp_path / "ireval.duckdb"
    with duckdb.connect(str(path)) as attached:
        attached.execute(statements("AP", schema="main"))
        assert ir.macros.install_macros(attached, "AP", schema="ireval")[0] == "ireval.ap"
    con.execute(f"ATTACH '{path}' AS ireval (READ_ONLY)")
    ir.macros.install_macros(con, "AP")
    assert sorted(con.sql("FROM ireval.ap('qrels', 'run', k := 5)").fetchall()) == sorted(
        con.sql("FROM ireval_ap('qrels', 'run', k := 5)").fetchall()
    )


def test_every_macro_has_a_comment(con: duckdb.DuckDBPyConnection) -> None:
    names = ir.macros.install_macros(con, "P nDCG(dcg='jk') AP(rel=2)", schema="my eval")
    comments = con.sql("SELECT function_name, comment FROM duckdb_functions() WHERE schema_name = 'my eval'").fetchall()
    assert [n.rpartition(".")[2] for n in names] == ["p", "ndcg_dcg_jk", "ap", "evaluate", "compare"]
    assert dict(comments).keys() == {n.rpartition(".")[2] for n in names}
    assert dict(comments)["ndcg_dcg_jk"].startswith("Discounted cumulative gain")
    assert " With dcg = 'jk'. Fixed: dcg, " in dict(comments)["ndcg_dcg_jk"]
    rows = con.sql("FROM \"my eval\".ap('qrels', 'run') ORDER BY ALL").fetchall()
    assert rows == con.sql("FROM \"my eval\".ap('qrels', 'run', rel := 2) ORDER BY ALL").fetchall()


def test_skipped_measures_have_a_reason() -> None:
    """Measures with a step in Python."""
    skipped = macros_of(family="clusters").skipped
    assert list(skipped) == ["clusters: ClusteringAccuracy"]
    assert "step in Python" in skipped["clusters: ClusteringAccuracy"]


def test_unknown_macros_are_refused() -> None:
    with pytest.raises(NotDefined, match="needs a cutoff"):
        macros_of("SDCG")
    with pytest.raises(NotDefined, match="step in Python"):
        macros_of("ClusteringAccuracy")
    with pytest.raises(UnknownName, match="no macros of 'points'"):
        macros_of(family="points")
    with pytest.raises(InvalidParameter, match="would make the macro p"):
        macros_of("P@5 P@10")
    with pytest.raises(InvalidParameter, match="not a DuckDB connection"):
        ir.macros.install_macros("my.db")
    closed = duckdb.connect()
    closed.close()
    with pytest.raises(EngineError):
        ir.macros.install_macros(closed, "AP")


@pytest.mark.parametrize("name", ["ICM", "ICMNorm"])
def test_measures_of_a_hierarchy_read_its_table(name: str) -> None:
    assert measure_macro(catalog.parse(name, "labels")).tables == ("labels", "hierarchy")


def test_stages_have_names_that_no_table_has() -> None:
    """DuckDB 1.4, as in browsers, refuses a table `clusters` beside a stage of that name."""
    body = measure_macro(catalog.parse("AMI", "clusters")).body
    stages = re.findall(r"^(?:WITH|\),) (\w+) AS ", body, re.MULTILINE)
    assert len(stages) > 20
    assert all(name.startswith("ireval_macro_") for name in stages)


def test_classes_without_probabilities_are_left_out() -> None:
    """Python warns of them; a macro cannot, and has the same value."""
    labels = pl.DataFrame({"item_id": [1, 2, 3], "label": ["a", "b", "c"]})
    rows = [(i, c, p) for i in (1, 2, 3) for c, p in (("a", 0.7), ("b", 0.3))]
    probabilities = pl.DataFrame(rows, ["item_id", "label", "probability"], orient="row")
    con = duckdb.connect()
    for name, frame in (("items", labels), ("chances", probabilities)):
        con.from_arrow(frame.to_arrow()).create(name)
    ir.macros.install_macros(con, "TopK@1", family="labels")
    (actual,) = con.sql("SELECT value FROM ireval_labels_topk('items', 'chances', k := 1)").fetchall()
    with pytest.warns(ir.errors.IrevalWarning, match="No probabilities are of the class 'c'"):
        expected = ir.Labels(labels, probabilities=probabilities).evaluate("TopK@1").summary()["value"].item()
    assert actual == (expected,)
