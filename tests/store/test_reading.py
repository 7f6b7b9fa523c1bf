"""What a store answers is what the evaluations say; its SQL reaches nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import MismatchedTables, UnknownName
from ireval_frames.store.tables import TABLES
from tests.store.cases import QRELS, evaluation, run


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


def test_runs_of_other_judgments_or_conventions_are_ranked_apart(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    fewer = QRELS.head(QRELS.height - 1)
    for day, (qrels, policy, name) in enumerate(
        [(fewer, None, "old"), (QRELS, None, "new"), (QRELS, None, "too"), (QRELS, {"ties": "rank"}, "ranked")]
    ):
        table = run(name).with_columns(rank=pl.int_range(pl.len()).over("query_id"))
        ev = ir.evaluate(qrels, table, "RR", policy=policy)
        store.add(ev, collection="c", at=datetime(2026, 1, 1 + day, tzinfo=UTC))
    labels = pl.DataFrame({"label": ["x", "x"], "prediction": ["x", "y"]})
    store.add(ir.Labels(labels).evaluate("Accuracy"), collection="c", run="labels")
    board = store.leaderboard("c").select("run_id", "conditions", "rank", "differs").collect()
    assert {*board.rows()} == {
        ("ranked", 1, 1, None), ("new", 2, 1, "conventions"), ("too", 2, 1, "conventions"),
        ("old", 3, 1, "judgments, conventions"), ("labels", 1, 1, None),
    }  # fmt: skip


def test_comparing_stored_values_is_comparing(store: ir.Store) -> None:
    runs = pl.concat([run("one", -5.0), run("two", -5.0).with_columns(score=-pl.col("score"))])
    ev = ir.evaluate(QRELS, runs, "nDCG@2 RR")
    store.add(ev, collection="d")
    actual = store.compare("one", "two", "nDCG@2 RR", collection="d", test=["t", "wilcoxon"]).table()
    expected = ev.compare("one", test=["t", "wilcoxon"]).table()
    assert_frame_equal(actual.sort("measure", "test"), expected.sort("measure", "test"), check_exact=True)
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


def test_a_collection_of_no_name_is_no_proposal(tmp_path: Path) -> None:
    store = ir.Store(tmp_path / "s")
    store.add(ir.evaluate(*ir.examples.ranking(), "AP"), run="one")
    with pytest.raises(UnknownName) as caught:
        store.leaderboard("news", "AP").collect()
    assert caught.value.hint == "See: store.runs()"
