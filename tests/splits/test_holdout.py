"""Training and test rows, what is wrong with a split, and scores over folds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, WrongType
from tests.splits.test_folds import FRAME, N, portable, relation

WAYS: list[dict[str, Any]] = [
    {},
    {"exact": True},
    {"stratify": "y", "valid": 0.1},
    {"group": "g", "valid": 0.2},
    {"exact": True, "valid": 0.3},
]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_engines_and_orders_agree(way: dict[str, Any]) -> None:
    actual = ir.splits.holdout(FRAME, 0.25, **way).sort("item_id")
    assert actual.equals(ir.splits.holdout(relation(FRAME), 0.25, **way).pl().sort("item_id").select(actual.columns))
    assert actual.equals(ir.splits.holdout(FRAME.reverse(), 0.25, **way).sort("item_id"))


def test_hash_decides() -> None:
    actual = ir.splits.holdout(FRAME, 0.25, valid=0.25, seed=4)["split"].to_list()
    shares = [portable(4, i) / 2**63 for i in FRAME["item_id"]]
    assert actual == ["test" if s < 0.25 else "valid" if s < 0.5 else "train" for s in shares]


def test_exact_shares() -> None:
    assert Counter(ir.splits.holdout(FRAME, 0.25, valid=0.3, exact=True)["split"]) == {
        "test": 250,
        "valid": 300,
        "train": 450,
    }
    assert Counter(ir.splits.holdout(FRAME, 0.1, valid=0.2, exact=True)["split"]) == {
        "test": 100,
        "valid": 200,
        "train": 700,
    }
    stratified = ir.splits.holdout(FRAME, 0.2, stratify="y")
    for _, part in stratified.group_by("y"):
        assert abs((part["split"] == "test").sum() - 0.2 * part.height) < 1


def test_groups_stay_together() -> None:
    actual = ir.splits.holdout(FRAME, 0.25, group="g")
    assert actual.group_by("g").agg(pl.col("split").n_unique())["split"].max() == 1


def test_check_finds_leaks_and_holes() -> None:
    frame = pl.DataFrame({"user": ["a", "a", "b", "c"], "y": ["p", "n", "p", "p"], "fold": [0, 2, 2, 2]})
    actual = ir.splits.check_split(frame, disjoint=["user", "y"], label="y")
    assert actual.columns == ["check", "column", "fold", "value", "n", "share", "ok"]
    rows = {(r["check"], r["column"], r["fold"], r["value"]): (r["n"], r["ok"]) for r in actual.iter_rows(named=True)}
    assert rows["rows", None, "1", None] == (0, False)
    assert rows["rows", None, "2", None] == (3, True)
    assert rows["leak", "user", None, "a"] == (1, False)
    assert rows["leak", "y", None, "p"] == (1, False)
    assert rows["class", "y", "0", "n"] == (0, False)
    assert rows["class", "y", "2", "p"] == (2, True)
    shares = actual.filter(pl.col("check") == "class").group_by("fold").agg(pl.col("share").sum())
    assert shares["share"].to_list() == pytest.approx([1.0, 1.0])
    assert actual.equals(ir.splits.check_split(relation(frame), disjoint=["user", "y"], label="y"))


def test_a_sound_split() -> None:
    actual = ir.splits.check_split(ir.splits.kfold(FRAME, 5, group="g"), disjoint=["item_id", "g"], label="y")
    assert actual["ok"].all()
    marks = ir.splits.check_split(ir.splits.holdout(FRAME), disjoint="item_id", column="split")
    assert marks.filter(pl.col("check") == "rows")["n"].sum() == N


@pytest.mark.parametrize("measures", ["Accuracy F1(average='macro') MCC"])
def test_scores_over_folds(measures: str) -> None:
    frame = ir.splits.kfold(pl.concat([ir.examples.labels()] * 5).with_columns(item_id=pl.int_range(40)), 4, seed=1)
    actual = ir.splits.scores(ir.Labels(frame), measures)
    for row in actual.iter_rows(named=True):
        each = [
            ir.Labels(frame.filter(pl.col("fold") == f)).evaluate(row["measure"]).summary()["value"].item()
            for f in range(4)
        ]
        defined = [e for e in each if e is not None]
        assert row["mean"] == pytest.approx(sum(defined) / len(defined), rel=1e-12)
        assert row["std"] == pytest.approx(pl.Series(defined).std(), rel=1e-12)
        assert (row["n_folds"], row["n_undefined"]) == (4, each.count(None))
        assert all(
            a == (None if b is None else pytest.approx(b, rel=1e-12)) for a, b in zip(row["scores"], each, strict=True)
        )
        assert row["pooled"] == pytest.approx(
            ir.Labels(frame).evaluate(row["measure"]).summary()["value"].item(), rel=1e-12
        )


def test_scores_of_rankings() -> None:
    qrels, run = ir.examples.ranking()
    actual = ir.splits.scores(ir.Rankings(ir.splits.by_query(qrels, 2), run), "AP")
    assert actual.select("mean", "pooled").row(0) == (pytest.approx(5 / 9), pytest.approx(5 / 9))


def test_scores_by_groups_and_repeats() -> None:
    items = (
        pl.concat([ir.examples.labels()] * 5)
        .with_columns(item_id=pl.int_range(40))
        .with_columns(part=pl.col("item_id") % 2)
    )
    frame = ir.splits.kfold(items, 4, exact=True, repeats=2)
    actual = ir.splits.scores(ir.Labels(frame), "Accuracy", by="part", column=["repeat", "fold"])
    assert actual.columns == [
        "part",
        "measure",
        "mean",
        "std",
        "min",
        "max",
        "n_folds",
        "n_undefined",
        "pooled",
        "scores",
    ]
    for row in actual.iter_rows(named=True):
        part = frame.filter(part=row["part"])
        each = [
            ir.Labels(part.filter(repeat=r, fold=f)).evaluate("Accuracy").summary()["value"].item()
            for r in range(2)
            for f in range(4)
        ]
        assert row["scores"] == pytest.approx(each, rel=1e-12)
        assert row["n_folds"] == 8
        assert row["pooled"] == pytest.approx(
            ir.Labels(items.filter(part=row["part"])).evaluate("Accuracy").summary()["value"].item(), rel=1e-12
        )


def test_scores_refused() -> None:
    frame = ir.splits.kfold(ir.examples.labels(), 2, exact=True)
    with pytest.raises(WrongType, match="Make a subject"):
        ir.splits.scores(frame, "MCC")
    with pytest.raises(InvalidParameter, match="'fold' is the fold"):
        ir.splits.scores(ir.Labels(frame, by="fold"), "MCC")
    for name in ("mean", "n_folds", "scores"):
        with pytest.raises(InvalidParameter, match="column of the result"):
            ir.splits.scores(ir.Labels(frame.with_columns(pl.lit(1).alias(name))), "MCC", by=name)
    times = ir.splits.by_time(ir.examples.labels(), "item_id", 2)
    with pytest.raises(InvalidParameter, match="rows that no fold tests"):
        ir.splits.scores(ir.Labels(times), "Accuracy")
    tested = ir.splits.scores(ir.Labels(times.filter(pl.col("fold") >= 0)), "Accuracy")
    assert tested["n_folds"].item() == 2
