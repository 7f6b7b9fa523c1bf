"""`ireval macros`: what it prints makes the macros."""

from pathlib import Path

import duckdb

import ireval_frames as ir
from tests.cli.commands import invoke


def test_the_file_makes_macros(tmp_path: Path) -> None:
    path = tmp_path / "ireval.sql"
    assert invoke("macros", "-m", "P RR", "-o", path).exit_code == 0
    with duckdb.connect() as con:
        con.execute(path.read_text("utf-8"))
        for name, frame in zip(("qrels", "run"), ir.examples.ranking(), strict=True):
            con.from_arrow(frame.to_arrow()).create(name)
        assert con.sql("FROM ireval_p('qrels', 'run', k := 5)").fetchall() == [("run", "q", 0.4)]
        assert con.sql("FROM ireval_rr('qrels', 'run', rel := 3)").fetchall() == [("run", "q", 1 / 3)]


def test_what_is_left_out_is_reported() -> None:
    shown = invoke("macros", "--family", "clusters", "--schema", "eval").stdout
    assert "MACRO eval.clusters_purity(clusters) AS TABLE" in shown
    assert "-- No macro of clusters: ClusteringAccuracy: The plan has a step in Python" in shown
    assert "ireval_evaluate" not in shown


def test_mistakes_are_reported() -> None:
    result = invoke("macros", "--family", "point")
    assert result.exit_code == 2
    assert "no macros of 'point'" in result.stderr
    result = invoke("macros", "-m", "PrefsPair")
    assert result.exit_code == 2
    assert "step in Python" in result.stderr


def test_the_hint_of_a_measure_without_a_macro() -> None:
    result = invoke("macros", "-m", "alpha_nDCG")
    assert result.exit_code != 0
    assert "Leave it out" in result.stderr
    assert "sql()" not in result.stderr
