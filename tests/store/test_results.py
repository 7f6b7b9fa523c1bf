"""What comparisons, bootstraps and gates compute is stored as in their tables."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter
from tests.store.cases import QRELS, TOPICS, evaluation, run

RUNS = pl.concat([run("one"), run("two", -5.0)])


def test_comparisons(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    both = ir.evaluate(QRELS, RUNS, "RR P@2", queries=TOPICS, by="lang").compare("one")
    actual = store.add(both, collection="c", tags={"k": 1})
    assert store.add(both, collection="c", tags={"k": 1}) == actual
    rows = store.table("comparisons").collect()
    table = both.table()
    assert [json.loads(g)["lang"] for g in rows["groups"]] == table["lang"].to_list()
    for column in ("measure", "system", "difference", "p_value", "ci_low", "wins"):
        assert rows[column].to_list() == table[column].to_list()
    assert {json.loads(m)["method"] for m in rows["more"]} == {*table["method"]}
    assert rows.select("collection", "tags").unique().rows() == [("c", '{"k":1}')]


def test_bootstraps(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    subject = ir.Rankings(QRELS, RUNS, queries=TOPICS, by="lang")
    b = ir.resampling.bootstrap(subject, "RR P@2", n_resamples=20, seed=3)
    actual = store.add(b)
    assert store.add(b) == actual
    rows, table = store.table("bootstraps").collect(), b.table()
    names = pl.struct("lang").struct.json_encode()
    keyed = table.select(
        "run_id", names.alias("groups"), "measure", "value", "ci_low", "ci_high", "n_resamples", "status"
    )
    assert rows.select(keyed.columns).sort(pl.all()).rows() == keyed.sort(pl.all()).rows()
    assert rows["seed"].unique().to_list() == [3]
    # It says which evaluation it is of.
    assert rows["evaluation_id"].unique().to_list() == [store.add(subject.evaluate("RR P@2"))]
    labels = pl.DataFrame({"label": [*"xyxy"], "prediction": [*"xyyy"]})
    store.add(ir.resampling.bootstrap(ir.Labels(labels), "Accuracy", n_resamples=20), run="clf")
    assert store.sql("SELECT run_id, value FROM bootstraps WHERE measure = 'Accuracy'").rows() == [("clf", 0.75)]


def test_gates(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    sides = [ir.evaluate(QRELS, run("one", s), "RR P@2", queries=TOPICS, by="lang") for s in (0.0, -5.0)]
    gate = ir.gate(*sides, "RR drop <= 0.01; P@2 no significant loss; RR >= 0.99")
    night = datetime(2026, 1, 2, tzinfo=UTC)
    actual = store.add(gate, collection="c", at=night)
    assert store.add(gate, collection="c", at=night) == actual
    assert store.add(gate, collection="c", at=night.replace(day=3)) != actual
    rows = store.sql("SELECT * FROM gates WHERE gate_id = ? ORDER BY place", [actual])
    table = gate.table()
    for column in ("rule", "kind", "measure", "verdict", "passed", "reason", "observed", "limit", "n", "difference"):
        assert rows[column].to_list() == table[column].to_list(), column
    segments = [json.loads(g).get("lang") for g in rows["groups"]]
    assert segments == table["lang"].to_list()
    assert rows["exit_code"].unique().to_list() == [gate.exit_code] == [3]
    numbers = json.loads(rows["numbers"][0])
    assert numbers["wins"] == table["wins"][0]
    assert [w["difference"] for w in numbers["worst"]] == gate.worst()["difference"].to_list()[: len(numbers["worst"])]


def test_ids_are_of_what_was_found(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    gates = [ir.gate(evaluation(), evaluation(shift=s), "RR no significant loss") for s in (0.0, -5.0)]
    assert len({store.add(g) for g in gates}) == 2
    assert store.sql("SELECT count(DISTINCT gate_id) FROM gates").item() == 2
    other = ir.Store(tmp_path / "other")
    assert other.add(gates[0]) == store.add(gates[0])
    assert store.merge(other) == 0
    store.compact()
    assert store.table("gates").collect().height == 2
    assert store.check().is_empty()
    with pytest.raises(InvalidParameter, match="not str"):
        store.add("nDCG")  # type: ignore[arg-type]
