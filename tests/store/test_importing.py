"""What other tools computed is stored as they wrote it, and marked so."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    FileError,
    InvalidParameter,
    InvalidValue,
    MalformedFile,
    MismatchedTables,
)
from tests.cli.commands import invoke
from tests.store.cases import QRELS, TOPICS, run

# Values of two measures of two queries, as each tool writes them.
TREC = "runid                 \tall\tbm25\nmap                   \tq1\t0.5000\nP_2                   \tq1\t1.0000\n"
TREC += "map                   \tq2\t0.3333\nP_2                   \tq2\t0.0000\nmap                   \tall\t0.4166\n"
WRITTEN = {
    "a.eval": (TREC, "trec_eval"),
    "a.tsv": ("q1\tAP\t0.5\nq1\tP@2\t1\nq2\tAP\t0.3333\nq2\tP@2\t0\nall\tAP\t0.4\n", "ir_measures"),
    "a.json": (json.dumps({"map": {"q1": 0.5, "q2": 0.3333}, "P_2": {"q1": 1, "q2": 0}}), "ranx"),
    "b.json": (json.dumps({q: {"map": a, "P_2": p} for q, a, p in (("q1", 0.5, 1), ("q2", 0.3333, 0))}), "pytrec_eval"),
    "a.csv": ("name,qid,measure,value\nbm25,q1,AP,0.5\nbm25,q1,P@2,1\nbm25,q2,AP,0.3333\nbm25,q2,P@2,0\n", "table"),
    "b.csv": ("query_id,AP,P@2\nq1,0.5,1\nq2,0.3333,0\n", "table"),
    "a.jsonl": (
        "\n".join(
            json.dumps({"query_id": q, "measure": m, "value": v})
            for q, m, v in (("q1", "AP", 0.5), ("q1", "P@2", 1.0), ("q2", "AP", 0.3333), ("q2", "P@2", 0.0))
        ),
        "table",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_tools_write_is_read(tmp_path: Path, name: str) -> None:
    text, tool = WRITTEN[name]
    if name == "a.json":
        text = text.replace("P_2", "P_2")
    path = tmp_path / name
    path.write_text(text)
    store = ir.Store(tmp_path / "s")
    more = {} if name in ("a.eval", "a.csv") else {"run": "bm25"}
    added = store.import_values(path, **more)
    assert store.import_values(path, **more) == added
    rows = store.values().select("run_id", "measure", "unit_id", "value", "status").collect()
    assert rows.rows() == [
        ("bm25", "AP", "q1", 0.5, "ok"),
        ("bm25", "AP", "q2", 0.3333, "ok"),
        ("bm25", "P@2", "q1", 1.0, "ok"),
        ("bm25", "P@2", "q2", 0.0, "ok"),
    ]
    row = store.evaluations().collect().row(0, named=True)
    assert (row["source"], row["decimals"], row["family"]) == (tool, 4, "ranking")
    of_file = store.table("inputs").filter(name="file").collect().row(0, named=True)
    assert of_file["digest"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert of_file["path"] == str(path)
    board = store.leaderboard().collect()
    assert dict(board.select("measure", "value").rows()) == {"AP": (0.5 + 0.3333) / 2, "P@2": 0.5}
    assert board["rank"].to_list() == [1, 1]
    assert store.check().is_empty()


def test_imported_values_stand_beside_ones_own(tmp_path: Path) -> None:
    ev = ir.evaluate(QRELS, pl.concat([run("one"), run("two", -5.0)]), "RR P@2", queries=TOPICS, by="lang")
    other = ir.Store(tmp_path / "other")
    other.add(ev, collection="c")
    path = other.export(tmp_path / "values.parquet", collection="c")
    store = ir.Store(tmp_path / "s")
    table = pl.read_parquet(path).with_columns(lang=pl.col("groups").str.json_path_match("$.lang"))
    for name in ("one", "two"):
        store.import_values(table.filter(run_id=name), by="lang", collection="c")
    columns = ["run_id", "groups", "unit_id", "measure", "value"]
    assert_frame_equal(store.values().select(columns).collect(), other.values().select(columns).collect())
    summaries = ["run_id", "groups", "measure", "value", "n_units", "n_undefined"]
    actual, expected = (s.table("summaries").select(summaries).sort(pl.all()).collect() for s in (store, other))
    assert_frame_equal(actual, expected, check_exact=False, rel_tol=1e-12)
    actual = store.compare("one", "two", "RR").table()["difference"]
    assert actual.to_list() == other.compare("one", "two", "RR").table()["difference"].to_list()
    # Whether conventions were the same is not known.
    store.add(ir.evaluate(QRELS, run("three"), "RR", queries=TOPICS, by="lang"), collection="c")
    with pytest.raises(MismatchedTables, match="conventions"):
        store.compare("one", "three", "RR")
    assert store.compare("one", "three", "RR", strict=False).table().height > 0


def test_unknown_measures_have_the_direction_that_is_row(tmp_path: Path) -> None:
    frame = pl.DataFrame({"run_id": ["a", "b"], "query_id": [1, 1], "latency": [3.0, 5.0], "clicks": [1.0, 2.0]})
    store = ir.Store(tmp_path)
    store.import_values(frame, lower_is_better="latency")
    board = store.leaderboard().select("measure", "run_id", "rank").collect()
    assert {*board.rows()} == {("latency", "a", 1), ("latency", "b", 2), ("clicks", "a", None), ("clicks", "b", None)}


@pytest.mark.parametrize(
    "name,text,error",
    [
        ("a.eval", "map\tall\t0.5\n", MalformedFile),
        ("a.eval", "map\tq1\t0.5\nmap\tq2\thigh\n", MalformedFile),
        ("a.json", '{"metrics": ["map"], "model_names": ["a"]}', MalformedFile),
        ("a.json", '{"map": 0.5}', MalformedFile),
        ("a.json", '{"map": {"q1": "high"}}', MalformedFile),
        ("a.json", "{", MalformedFile),
        ("a.csv", "query_id,measure,value\nq1,AP,0.5\nq1,AP,0.6\n", DuplicateRows),
        ("a.csv", "query_id,measure,value\n", FileError),
        ("a.csv", "query_id,measure,value\nq1,AP,inf\n", InvalidValue),
    ],
)
def test_what_cannot_be_read_is_reported(tmp_path: Path, name: str, text: str, error: type[Exception]) -> None:
    (tmp_path / name).write_text(text)
    store = ir.Store(tmp_path / "s")
    with pytest.raises(error):
        store.import_values(tmp_path / name)
    assert store.evaluations().collect().is_empty()


def test_the_command(tmp_path: Path) -> None:
    for name in ("bm25", "lsa"):
        with gzip.open(tmp_path / f"{name}.eval.gz", "wt") as stream:
            stream.write(TREC.partition("\n")[2])
    at = ("--store", str(tmp_path / "s"))
    files = [str(tmp_path / f"{name}.eval.gz") for name in ("bm25", "lsa")]
    done = invoke("store", "import", *files, *at, "--collection", "c", "--set", "k1=1.2")
    assert done.exit_code == 0, done.stderr
    store = ir.Store(tmp_path / "s")
    assert sorted(store.runs().collect()["run_id"]) == ["bm25", "lsa"]
    assert "trec_eval" in invoke("store", "list", *at).stdout
    assert invoke("store", "export", str(tmp_path / "v.csv"), *at).exit_code == 0
    assert pl.read_csv(tmp_path / "v.csv")["query_id"].unique().sort().to_list() == ["q1", "q2"]
    again = invoke("store", "import", str(tmp_path / "s"), "--store", str(tmp_path / "t"))
    assert again.stdout == "2 evaluations copied\n"
    assert invoke("store", "import", *files, *at, "--run", "x").exit_code == 2


def test_values_that_are_all_null_are_no_empty_table(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    rows = {"run_id": [*"aabb"], "query_id": ["1", "2"] * 2, "measure": ["AP"] * 4, "value": [None] * 4}
    store.import_values(pl.DataFrame(rows, schema_overrides={"value": pl.Float64}))
    assert {*store.values("AP").collect()["status"]} == {"undefined"}
    with pytest.raises(InvalidParameter, match="All 4 values are null"):
        store.compare("a", "b", "AP").table()
