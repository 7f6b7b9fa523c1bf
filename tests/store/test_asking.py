"""What a store answers is what the evaluations say; its SQL reaches nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import IrevalError, MismatchedTables, UnknownName
from ireval_frames.store.tables import TABLES
from tests.store.worlds import QRELS, evaluation, everything, run


@pytest.fixture
def store(tmp_path: Path) -> ir.Store:
    store = ir.Store(tmp_path / "s")
    runs = pl.concat([run("one"), run("two", -5.0)])
    store.add(ir.evaluate(QRELS, runs, "nDCG@2 RR P@2"), collection="c", at=datetime(2026, 1, 1, tzinfo=UTC))
    store.add(evaluation("one", -5.0), collection="c", at=datetime(2026, 1, 2, tzinfo=UTC))
    return store


def test_the_last_evaluation_of_a_run_counts(store: ir.Store) -> None:
    board = store.leaderboard("c", "ndcg@2 RR").collect()
    assert board["measure"].unique(maintain_order=True).to_list() == ["nDCG@2", "RR"]
    last = evaluation("one", -5.0).summary()
    for measure in ("nDCG@2", "RR"):
        (value,) = board.filter(measure=measure, run_id="one")["value"]
        assert value == last.filter(measure=measure)["value"].item()
    history = store.history("RR", run="one").collect()
    assert history["value"].to_list() == [
        evaluation(shift=s).summary().filter(measure="RR")["value"].item() for s in (0.0, -5.0)
    ]
    assert store.sql("SELECT value FROM history('RR') WHERE run_id = 'one'")["value"].to_list() == [*history["value"]]


def test_ranks_follow_the_direction(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    for name, prediction in (("good", "x"), ("bad", "y")):
        frame = pl.DataFrame({"label": ["x", "x"], "prediction": ["x", prediction]})
        store.add(ir.Labels(frame).evaluate("ErrorRate Accuracy"), run=name)
    board = store.leaderboard().collect()
    assert board.filter(rank=1)["run_id"].to_list() == ["good", "good"]


def test_comparing_stored_values_is_comparing(store: ir.Store) -> None:
    runs = pl.concat([run("one", -5.0), run("two", -5.0).with_columns(score=-pl.col("score"))])
    ev = ir.evaluate(QRELS, runs, "nDCG@2 RR")
    store.add(ev, collection="d")
    found = store.compare("one", "two", "nDCG@2 RR", collection="d", test=["t", "wilcoxon"]).table()
    wanted = ev.compare("one", test=["t", "wilcoxon"]).table()
    assert_frame_equal(found.sort("measure", "test"), wanted.sort("measure", "test"), check_exact=True)
    with pytest.raises(MismatchedTables, match="collections"):
        store.compare("one", "two", "RR")
    with pytest.raises(UnknownName, match="oen"):
        store.compare("oen", "two", "RR")


def test_other_judgments_are_not_compared_unless_asked(store: ir.Store) -> None:
    store.add(ir.evaluate(QRELS.head(4), run("three"), "RR"), collection="c")
    with pytest.raises(MismatchedTables, match=r"different qrels: 4 rows.* and 5 rows"):
        store.compare("one", "three", "RR")
    assert store.compare("one", "three", "RR", strict=False, missing="intersect").table().height == 1
    store.add(ir.evaluate(QRELS, run("four"), "RR", policy="missing=skip"), collection="c")
    with pytest.raises(MismatchedTables, match="conventions"):
        store.compare("one", "four", "RR")


def test_frames_and_views_are_the_same_tables(store: ir.Store) -> None:
    for name, table in TABLES.items():
        rows = store.sql(f'SELECT * FROM "{name}"')
        assert rows.columns == list(table.columns)
        key = list(table.key)
        ours = store.table(name).sort(key).collect()
        assert_frame_equal(
            rows.sort(key).with_columns(pl.col(c).cast(t) for c, t in table.schema.items()), ours, check_exact=True
        )


def test_tags_move(store: ir.Store) -> None:
    ids = store.sql("SELECT evaluation_id FROM occasions ORDER BY made_at")["evaluation_id"].to_list()
    for id in ids:  # noqa: A001
        store.tag("main", id)
        assert store.find("main") == id
        assert {*store.sql("FROM latest('main')")["evaluation_id"]} == {id}
    assert store.find(ids[0][:8]) == ids[0]
    with pytest.raises(UnknownName):
        store.tag("main", "0000")


HOSTILE = (
    "'; DROP VIEW runs; --", '"', "\\", "{}", "a\tb\nc", "", "\x00", "../../etc", "ü\u202e", "${HOME}",
    "%s", "*", "^.*$",
    "NULL", "007", "run_id", "</script>", "1e999", "x" * 5000, "😀",
)  # fmt: skip


def test_odd_names_are_stored_and_returned_as_they_are(tmp_path: Path) -> None:
    store, ids = ir.Store(tmp_path / "it's a 'store'; --"), {}
    for i, text in enumerate(HOSTILE):
        qrels = pl.DataFrame({"query_id": [text], "doc_id": ["x"], "relevance": [1]})
        frame = pl.DataFrame({"run_id": [text], "query_id": [text], "doc_id": ["x"], "score": [1.0 + i]})
        ids[text] = store.add(ir.evaluate(qrels, frame, "RR"), collection=text, tags={text: text})
        store.tag(text or "empty", ids[text])
    store.compact()
    for text, id in ids.items():  # noqa: A001
        row = store.values("RR", runs=text, collection=text).collect().row(0, named=True)
        assert (row["collection"], row["run_id"], row["unit_id"]) == (text, text, text)
        assert store.history("RR", run=text, collection=text).collect().height == 1
        assert store.find(text or "empty") == id
        found = store.sql("SELECT run_id FROM runs WHERE run_id = ?", [text])
        assert found["run_id"].to_list() == [text]
    assert store.check().is_empty()
    assert {*store.runs().collect()["run_id"]} == {*HOSTILE}


@pytest.mark.parametrize(
    "query",
    [
        "CREATE TABLE t AS SELECT 1",
        "DROP VIEW runs",
        "SELECT 1; DROP VIEW runs",
        "COPY (SELECT 1) TO '{store}/values/x.parquet' (FORMAT parquet)",
        "COPY (SELECT 1) TO '{store}/../x.csv'",
        "FROM read_csv('{store}/../secret.csv')",
        "FROM '{store}/../secret.csv'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "ATTACH '{store}/../other.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "PRAGMA database_list",
        "EXPORT DATABASE '{store}/../out'",
        "INSERT INTO runs SELECT * FROM runs",
        "CALL pragma_version()",
        "VACUUM",
        "BEGIN",
        "",
        "SELECT",
        "FROM nowhere",
    ],
)
def test_a_query_changes_nothing_and_reaches_nothing(store: ir.Store, query: str) -> None:
    (store.path.parent / "secret.csv").write_text("secret\n1\n")
    before = everything(store.path.parent)
    with pytest.raises(IrevalError):
        store.sql(query.format(store=store.path))
    assert everything(store.path.parent) == before
    assert store.sql("SELECT count(*) FROM runs").item() == 3


def test_a_connection_reaches_no_file_outside_unless_asked(store: ir.Store) -> None:
    import duckdb

    outside = store.path.parent / "secret.csv"
    outside.write_text("secret\n1\n")
    query = f"FROM read_csv('{outside}')"
    with store.connect() as con:
        assert con.execute("SELECT count(*) FROM evaluations").fetchall() == [(2,)]
        with pytest.raises(duckdb.PermissionException):
            con.execute(query)
        with pytest.raises(duckdb.Error):
            con.execute("SET enable_external_access = true")
    with store.connect(external=True) as con:
        assert con.execute(query).fetchall() == [(1,)]
