"""A store has what an evaluation has, and its id is that of what was evaluated."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, UnknownName
from tests.store.cases import QRELS, TOPICS, contents, evaluation, run


def test_values_and_summaries_are_those_of_the_evaluation(tmp_path: Path) -> None:
    runs = pl.concat([run("one"), run("two", -5.0)])
    ev = ir.evaluate(QRELS, runs, "nDCG@2 RR NumRelRet AP(aggregation='geometric')", queries=TOPICS, by="lang")
    store = ir.Store(tmp_path / "s")
    store.add(ev, collection="small")
    values = store.table("values").collect()
    keys = ["run_id", "lang", "query_id", "measure"]
    rows = values.select(
        "run_id", pl.col("groups").str.json_path_match("$.lang").alias("lang"), query_id="unit_id", measure="measure",
        value="value",
    )  # fmt: skip
    assert_frame_equal(rows.sort(keys), ev.per_unit().select(*keys, "value").sort(keys), check_exact=True)
    summary = store.table("summaries").collect()
    actual = summary.with_columns(lang=pl.col("groups").str.json_path_match("$.lang"))
    columns = ["run_id", "lang", "measure", "value", "n_units", "n_undefined"]
    assert_frame_equal(actual.select(columns), ev.summary().select(columns), check_exact=True)
    measures = {m["measure"]: m for m in store.table("measures").collect().to_dicts()}
    assert measures["AP(aggregation='geometric')"]["aggregation"] == "geometric"
    assert [m["higher_is_better"] for m in measures.values()] == [m.definition.higher_is_better for m in ev.measures]


def test_missing_and_undefined_are_reported_apart(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    store.add(ir.evaluate(QRELS, run(), "P@2 nDCG@2", policy="undefined=null"), run=None)
    rows = store.values("P@2", counts=True).collect()
    assert rows.select("unit_id", "status", "n_retrieved", "n_relevant").rows() == [
        ("a", "ok", 3, 2),
        ("b", "ok", 2, 1),
        ("c", "missing", 0, 1),
    ]
    labels = pl.DataFrame({"unit": [1, 1, 2], "label": ["x", "y", "x"], "prediction": ["x", "y", "x"]})
    store.add(ir.Labels(labels, unit="unit").evaluate("MCC Accuracy"), run="clf")
    rows = store.values(["MCC", "Accuracy"], runs="clf").collect()
    actual = {(u, m): (v, s) for u, m, v, s in rows.select("unit_id", "measure", "value", "status").rows()}
    assert actual["2", "Accuracy"] == (1.0, "ok")
    undefined = [s for (_, m), (v, s) in actual.items() if m == "MCC" and v is None]
    assert undefined == ["undefined"] * len(undefined)


def test_adding_again_changes_nothing(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    options = {"collection": "c", "tags": {"k1": 1.2}, "queries": TOPICS}
    one = store.add(evaluation(), **options)
    before = contents(tmp_path)
    assert store.add(evaluation(), **options) == one
    shuffled = ir.evaluate(QRELS.reverse(), run().reverse(), "nDCG@2 RR P@2")
    assert store.add(shuffled, **options) == one
    con = duckdb.connect()
    tables = [con.from_arrow(frame.to_arrow()) for frame in (QRELS, run())]
    assert store.add(ir.evaluate(*tables, "nDCG@2 RR P@2"), **options) == one
    assert contents(tmp_path) == before
    store.compact()
    before = contents(tmp_path)
    assert store.add(evaluation(), **options) == one
    assert contents(tmp_path) == before
    assert store.add(evaluation(), collection="other") == one
    assert store.table("occasions").collect().height == 2
    assert store.evaluations().collect().height == 1


def test_a_run_under_two_names_and_a_changed_run_are_seen(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    ids = {store.add(evaluation(name, shift)) for name, shift in (("one", 0.0), ("copy", 0.0), ("one", 0.5))}
    assert len(ids) == 3
    digests = {(r, d) for r, d in store.runs().select("run_id", "digest").collect().rows()}
    by_digest = {d: {r for r, e in digests if e == d} for _, d in digests}
    assert sorted(map(sorted, by_digest.values())) == [["copy", "one"], ["one"]]


@pytest.mark.parametrize(
    "changed",
    [
        lambda: ir.evaluate(QRELS.with_columns(relevance=pl.lit(1)), run(), "P@2"),
        lambda: ir.evaluate(QRELS, run(), "P@2 RR"),
        lambda: ir.evaluate(QRELS, run(), "P@2", policy="ties=doc_id"),
        lambda: ir.evaluate(QRELS, run(), "P@2", queries=TOPICS, by="lang"),
    ],
)
def test_what_changes_numbers_changes_the_id(tmp_path: Path, changed: object) -> None:
    store = ir.Store(tmp_path)
    assert callable(changed)
    assert store.add(ir.evaluate(QRELS, run(), "P@2")) != store.add(changed())


def test_headers_of_run_files_are_kept(tmp_path: Path) -> None:
    header = "# ir_metadata.start\n# tag: bm25\n# method:\n#   automatic: true\n# ir_metadata.end\n"
    (tmp_path / "bm25.run").write_text(header + "a Q0 x 1 2.5 bm25\n")
    (tmp_path / "plain.run").write_text("a Q0 y 1 2.5 bm25\n")
    store = ir.Store(tmp_path / "s")
    paths = [str(tmp_path / n) for n in ("bm25.run", "plain.run")]
    store.add(ir.evaluate(QRELS, paths, "P@1"))
    metadata = dict(store.runs().select("run_id", "metadata").collect().rows())
    assert metadata == {"bm25": "tag: bm25\nmethod:\n  automatic: true", "plain": None}


def test_occasions_say_when_and_by_whom_only_if_asked(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    store.add(evaluation(), at=datetime(2026, 1, 2, tzinfo=UTC), tags={"night": 1})
    store.add(evaluation(), at=datetime(2026, 1, 3, tzinfo=UTC), tags={"night": 2}, who=True)
    rows = store.table("occasions").sort("made_at").collect().to_dicts()
    assert [(r["made_at"].day, json.loads(r["tags"])["night"]) for r in rows] == [(2, 1), (3, 2)]
    assert rows[0]["host"] is None
    assert rows[0]["user"] is None
    assert rows[1]["host"]
    assert store.history("RR").collect()["made_at"].dt.day().to_list() == [2, 3]


@pytest.mark.parametrize(
    "wrong",
    [
        {"tags": {"k": math.inf}},
        {"tags": {"k": [1]}},
        {"tags": ["k"]},
        {"collection": 3},
        {"at": datetime(2026, 1, 1)},  # noqa: DTZ001 - the error is about it
        {"run": "x"},
    ],
)
def test_what_cannot_be_kept_is_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    store = ir.Store(tmp_path)
    with pytest.raises(InvalidParameter):
        store.add(evaluation(), **wrong)  # type: ignore[arg-type]
    assert list(contents(tmp_path)) == ["FORMAT"]


def test_other_families_are_kept(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    frame = pl.DataFrame({"item_id": [1, 2, 3, 4], "label": [*"xxyy"], "cluster_id": [*"ppqp"]})
    points = pl.DataFrame({"cluster_id": [*"ppqq"], "f": [0.0, 1.0, 5.0, 6.0], "g": [0.0, 0.5, 5.0, 5.5]})
    evs = [
        ir.Clusters(frame).evaluate("Purity NMI"),
        ir.Points(points, features=["f", "g"]).evaluate("Silhouette"),
        ir.Similarity(pl.concat([run("one"), run("two", -5.0)])).evaluate("Tau RBO"),
        ir.Labels(frame.select("label", prediction="cluster_id")).evaluate("Accuracy"),
    ]
    for i, ev in enumerate(evs):
        store.add(ev, **({} if "run_id" in ev.summary().columns else {"run": f"r{i}"}))  # type: ignore[arg-type]
        assert store.add(ev, **({} if "run_id" in ev.summary().columns else {"run": f"r{i}"}))  # type: ignore[arg-type]
    assert store.evaluations().collect().height == len(evs)
    summaries = store.table("summaries").collect()
    for ev in evs:
        for measure, value in ev.summary().select("measure", "value").rows():
            assert value in summaries.filter(pl.col("measure") == measure)["value"].to_list()
    assert store.check().is_empty()


def test_tables_are_kept_under_the_digests_of_evaluations(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    runs = pl.concat([run("one"), run("two", -5.0)])
    ev = ir.evaluate(QRELS, runs, "RR")
    store.add(ev)
    store.keep(QRELS, runs)
    judged = store.kept(store.table("inputs").filter(pl.col("name") == "qrels").collect()["digest"][0])
    for name, digest in store.runs().select("run_id", "digest").collect().rows():
        again = ir.evaluate(judged, store.kept(digest), "nDCG@2").summary()["value"].item()
        expected = ir.evaluate(QRELS, runs, "nDCG@2").summary().filter(run_id=name)["value"].item()
        assert again == expected
    with pytest.raises(UnknownName, match="no table"):
        store.kept("0" * 64)


def test_named_tables_of_a_connection_are_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are no paths, also where a folder has the name of the run: that of the store by default."""
    monkeypatch.chdir(tmp_path)
    con = duckdb.connect()
    for name, frame in {"judged": QRELS, "results": run(), "topics": TOPICS}.items():
        con.from_arrow(frame.to_arrow()).create(name)
    store = ir.Store("results")
    ev = ir.evaluate("judged", "results", "RR", queries="topics", by="lang", con=con)
    assert store.add(ev, collection="small") == store.add(ev, collection="small")
    stored = store.table("summaries").collect().select("measure", "value").sort("value")
    assert_frame_equal(stored, ev.summary().select("measure", "value").sort("value"))
    assert store.table("inputs").collect()["path"].to_list() == [None, None, None]
    assert store.table("queries").collect().height == TOPICS.height
