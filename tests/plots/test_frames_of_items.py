"""What pictures of labels, clusters and points draw, against plain loops over the items."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from tests.plots.cases import clusters, frame, labels_table, points, spans


def test_cells_are_shares_of_labels_and_of_clusters() -> None:
    pairs = Counter(labels_table().filter(pl.col("run_id") == "new").select("label", "prediction").rows())
    rows = frame("confusion").rows(named=True)
    assert len(rows) == len(pairs)
    for row in rows:
        label, prediction = int(row["label"]), int(row["prediction"])
        total = sum(n for (k, _), n in pairs.items() if k == label)
        assert (row["count"], row["share"]) == pytest.approx(
            (pairs[label, prediction], pairs[label, prediction] / total)
        )
    cells = clusters().contingency().rows(named=True)
    sizes: Counter[str] = Counter()
    for cell in cells:
        sizes[str(cell["cluster_id"])] += cell["count"]
    shares = {(c["label"], str(c["cluster_id"])): c["count"] / sizes[str(c["cluster_id"])] for c in cells}
    drawn = {(r["label"], r["cluster_id"]): r["share"] for r in frame("contingency").rows(named=True)}
    assert drawn == pytest.approx(shares)
    few = frame("contingency", top=3)
    assert set(few["label"]) >= {"(other)"}
    assert few["count"].sum() == 80


def test_errors_are_counted_by_type() -> None:
    rows = [r for r in spans().errors().rows(named=True) if r["run_id"] == "new"]
    counts = Counter((r["gold_type"] or r["predicted_type"], r["error"]) for r in rows)
    drawn = {(r["type"], r["error"]): r["count"] for r in frame("errors").rows(named=True)}
    assert drawn == counts
    by_type: Counter[str] = Counter()
    for (of, error), n in counts.items():
        by_type[of] += n * (error != "correct")
    order = list(dict.fromkeys(frame("errors")["type"]))
    assert order == sorted(by_type, key=lambda of: (-by_type[of], of))
    few = frame("errors", types=2)
    assert list(dict.fromkeys(few["type"])) == [order[0], "(other)"]
    assert few["count"].sum() == len(rows)
    pairs = Counter((r["gold_type"] or "(none)", r["predicted_type"] or "(none)") for r in rows)
    drawn = {(r["label"], r["prediction"]): r["count"] for r in frame("spans").rows(named=True)}
    assert drawn == pairs


def test_many_classes_become_the_pairs_confused_most() -> None:
    rows = [(i % 30, (i + (i % 7 == 0)) % 30) for i in range(300)]
    table = pl.DataFrame(rows, schema=["label", "prediction"], orient="row")
    wrong = Counter((a, b) for a, b in rows if a != b).most_common()
    actual = ir.plots.confusion.frame(ir.Labels(table), pairs=4)
    assert actual["count"].to_list() == [n for _, n in wrong[:4]]
    assert actual["pair"][0] == f"{actual['label'][0]} → {actual['prediction'][0]}"


def test_curves_are_points_of_the_curve() -> None:
    lab = ir.Labels(labels_table().filter(pl.col("run_id") == "new"), positive=1)
    every = {(r["threshold"], r["fpr"], r["tpr"]) for r in lab.curve("roc").rows(named=True)}
    rows = ir.plots.curve.frame(lab)
    assert {(r["threshold"], r["x"], r["y"]) for r in rows.rows(named=True)} <= every
    det = ir.plots.curve.frame(lab, "det")
    rates = {(r["fpr"], r["fnr"]) for r in lab.curve("det").rows(named=True)}
    for row in det.rows(named=True):
        pair = float(stats.norm.cdf(row["x"])), float(stats.norm.cdf(row["y"]))
        assert min(abs(a - pair[0]) + abs(b - pair[1]) for a, b in rates) < 1e-9
        assert 0 < pair[0] < 1


def test_thinned_curves_keep_their_extremes_in_every_column() -> None:
    from ireval_frames.plots.thinning import thinned

    draw = pl.Series(range(20_000))
    line = pl.DataFrame({"x": draw / 19_999, "y": ((draw * 7919) % 10_007) / 10_007})
    few = thinned(line, "x", "y", [], 50)
    assert few.height <= 200
    assert few.rows() == [row for row in line.rows() if row in set(few.rows())]
    for pixel in range(50):
        here = [(x, y) for x, y in line.rows() if math.floor(x * 49) == pixel]
        column = [(x, y) for x, y in few.rows() if math.floor(x * 49) == pixel]
        assert (here[0], here[-1]) == (column[0], column[-1])
        assert (min(y for _, y in here), max(y for _, y in here)) == (
            min(y for _, y in column),
            max(y for _, y in column),
        )


@pytest.mark.parametrize("bent", [lambda x: x, lambda x: -x, lambda x: np.floor(x / 3), lambda x: x % 5_000])
def test_thinned_curves_are_those_of_a_loop(bent: Callable[[Any], Any]) -> None:
    """Curves that go up, down, in steps, and back and forth, with heights that are undefined."""
    from ireval_frames.plots.thinning import thinned

    draw = np.arange(12_000)
    heights = ((draw * 7919) % 997).astype(float)
    heights[draw % 11 == 0] = np.nan
    for up in (heights, np.nan_to_num(heights)):
        line = pl.DataFrame({"x": bent(draw).astype(float), "y": up, "at": draw})
        low, span = float(line["x"].min()), float(line["x"].max()) - float(line["x"].min())
        expected, column, here = set(), None, []
        for x, y, at in [*line.rows(), (math.inf, 0.0, -1)]:
            place = math.floor((x - low) / span * 39) if at >= 0 else None
            if place != column and here:
                known = [(v, i) for v, i in here if not math.isnan(v)]
                ends = {min(known)[1], min(known, key=lambda p: (-p[0], p[1]))[1]} if known else set()
                expected |= {here[0][1], here[-1][1], *ends}
                here = []
            column = place
            here.append((y, at))
        assert thinned(line, "x", "y", [], 40)["at"].to_list() == sorted(expected)


def test_reliability_has_wilson_intervals() -> None:
    for row in frame("reliability").rows(named=True):
        actual = stats.binomtest(round(row["observed"] * row["n"]), round(row["n"])).proportion_ci(method="wilson")
        assert (row["low"], row["high"]) == pytest.approx((actual.low, actual.high))


def test_confusions_of_two_types_are_of_one_class() -> None:
    colours = {"label": ["a", "b", "b"], "prediction": ["a", "b", "a"]}
    text, numbers = pl.DataFrame(colours), pl.DataFrame({"label": [1, 2, 2], "prediction": [1.0, 2.0, 1.0]})
    cases = [
        text.with_columns(pl.col("prediction").cast(pl.Categorical)),
        text.with_columns(pl.all().cast(pl.Categorical)),
        text.with_columns(pl.col("label").cast(pl.Enum(["b", "a"])), pl.col("prediction").cast(pl.Enum(["a", "b"]))),
        pd.DataFrame({"label": pd.Categorical(["a", "b", "b"], categories=["b", "a"]), "prediction": ["a", "b", "a"]}),
        numbers,
        numbers.cast(pl.Float64),
        pl.DataFrame({"label": [True, False, False], "prediction": [1, 0, 1]}),
        pl.DataFrame({"label": [True, False, False], "prediction": [1.0, 0.0, 1.0]}),
        pl.DataFrame({"label": [1, 2, 2], "prediction": [1, 2, 1]}, schema={"label": pl.Int8, "prediction": pl.UInt64}),
    ]
    for case in cases:
        drawn_cells = ir.plots.confusion.frame(ir.Labels(case))
        right = drawn_cells.filter(pl.col("label") == pl.col("prediction"))
        assert (right["count"].sum(), drawn_cells.height) == (2.0, 3), case
        assert "2 classes" in str(ir.plots.confusion(ir.Labels(case)).to_dict()["title"])
        assert ir.plots.confusion.frame(ir.Labels(case), classes=1)["count"].to_list() == [1.0]
    halves = ir.plots.confusion.frame(ir.Labels(pl.DataFrame({"label": [0.5, 2.0], "prediction": [0.5, 0.5]})))
    assert halves["label"].to_list() == ["0.5", "2.0"]


def test_classes_of_several_runs_have_panels() -> None:
    draw, names = np.random.default_rng(4), list("abcde")
    chances = draw.random((60, 5))
    table = pl.DataFrame(chances / chances.sum(1, keepdims=True), schema=names)
    one = table.with_columns(label=pl.Series(draw.choice(names, 60)), item_id=pl.int_range(60))
    both = pl.concat([one.with_columns(run_id=pl.lit(run)) for run in ("new", "old")])
    for some, runs in ((both, ["new", "old"]), (one, ["all"])):
        labels = ir.Labels(some, probabilities=names)
        for kind in ("roc", "precision-recall", "det", "gain"):
            rows = ir.plots.curve.frame(labels, kind)
            assert rows["group"].unique().sort().to_list() == [f"class = {c}" for c in names]
            assert rows["run_id"].unique().sort().to_list() == runs
            chart = ir.plots.curve(labels, kind).to_dict()
            assert len(chart["concat"]) == 5
            assert "grey" not in str(chart["title"])
    expected = ir.Labels(both, probabilities=names).curve("roc").filter(run_id="old", class_id="c")
    shown = ir.plots.curve.frame(ir.Labels(both, probabilities=names)).filter(run_id="old", group="class = c")
    assert 20 < shown.height <= expected.height
    assert set(shown.select("x", "y").rows()) <= set(expected.select("fpr", "tpr").rows())
    named = ir.plots.curve(ir.Labels(both, probabilities=names), highlight=("old, class = c",)).to_dict()
    assert "in colour: old, class = c; grey: 9 others" in named["title"]["subtitle"]
    few = ir.Labels(one.with_columns(label=pl.lit("a")), probabilities=names[:3])
    assert "group" not in ir.plots.curve.frame(few).columns


def test_pictures_of_an_evaluation_keep_its_groups_and_conventions() -> None:
    table = labels_table().filter(run_id="new").drop("run_id").with_columns(part=pl.col("item_id") % 2)
    table = table.with_columns(pl.when(pl.col("item_id") > 5).then("label").alias("label"))
    ev = ir.Labels(table).evaluate("Accuracy", by="part", policy="unlabelled=skip")
    rows = ir.plots.confusion.frame(ev, run="part = 1")
    assert rows["count"].sum() == table.filter(pl.col("part") == 1)["label"].count()
    assert "null" not in rows["label"]
    assert "null" in ir.plots.confusion.frame(ev, run="part = 1", policy="unlabelled=empty")["label"]


def test_reliability_of_several_classes_is_of_right_predictions() -> None:
    frame = pl.DataFrame({"label": [*"abab"], "a": [0.9, 0.2, 0.7, 0.6], "b": [0.1, 0.8, 0.3, 0.4]})
    for labels, outcome in (
        (ir.Labels(frame, probabilities=["a", "b"]), "right predictions"),
        (ir.Labels(frame, score="a", positive="a"), "positive items"),
    ):
        text = json.dumps(ir.plots.reliability(labels).to_dict())
        assert f"share of {outcome}" in text
        assert ("positive" in text) == (outcome == "positive items")


def test_groups_of_one_system_are_beside_each_other() -> None:
    table = labels_table().filter(run_id="new").drop("run_id").with_columns(part=pl.col("item_id") % 3)
    evaluation = ir.Labels(table, by="part").evaluate("Accuracy")
    chart = ir.plots.systems(evaluation).to_dict()
    assert chart["title"]["text"] == "3 groups by Accuracy"
    assert chart["title"]["subtitle"] == ["one value of each, without an interval"]
    assert chart["layer"][1]["encoding"]["y"]["field"] == "group"
    assert ir.plots.systems.frame(evaluation)["group"].to_list() == ["part = 0", "part = 1", "part = 2"]


def test_reliability_is_of_the_error_beside_it() -> None:
    table = labels_table().filter(run_id="new").drop("run_id").with_columns(weight=pl.col("item_id") % 7 / 5 + 0.1)
    weight = f"items with weights of {table['weight'].sum():.6g} in all"
    for measure in ("ECE", "ECE@4", "ECE(kind='mass')@6", "MCE(closed='right')@5"):
        for some, counted in ((table, weight), (table.drop("weight"), "300 items")):
            ev = ir.Labels(some).evaluate([measure, measure.replace("MCE", "ECE")])
            rows = ir.plots.reliability.frame(ev)
            error = ((rows["probability"] - rows["observed"]).abs() * rows["n"]).sum() / rows["n"].sum()
            value = ev.summary()["value"][-1]
            assert error == pytest.approx(value, rel=1e-12)
            first, shown = ir.plots.reliability(ev).to_dict()["title"]["subtitle"]
            assert (first.partition(";")[0], shown) == (counted, f"ECE {value:.4f}")
    rows = ir.Labels(table).curve("calibration")
    assert rows.equals(ir.plots.reliability.frame(ir.Labels(table)).select(rows.columns))
    shown = ir.plots.reliability(ir.Labels(table).evaluate("ECE@4"), bins=3, binning="mass").to_dict()["title"]
    assert "3 bins of equal mass" in shown["subtitle"][0]
    assert weight in str(ir.plots.curve(ir.Labels(table)).to_dict()["title"])
    assert weight in str(ir.plots.confusion(ir.Labels(table)).to_dict()["title"])


def test_silhouettes_are_sorted_and_large_clusters_shortened() -> None:
    every = points().silhouettes()
    rows = frame("silhouettes")
    assert rows.group_by("cluster_id").agg(pl.col("n_points").sum()).sort("cluster_id").rows() == [
        ("p", 150), ("q", 20), ("r", 30),
    ]  # fmt: skip
    q = sorted(every.filter(pl.col("cluster_id") == "q")["silhouette"], reverse=True)
    assert rows.filter(pl.col("cluster_id") == "q")["silhouette"].to_list() == pytest.approx(q)
    p = rows.filter(pl.col("cluster_id") == "p")
    assert p.height == 100
    mean = (p["silhouette"] * p["n_points"]).sum() / 150
    assert mean == pytest.approx(every.filter(pl.col("cluster_id") == "p")["silhouette"].mean())


def test_an_elbow_has_each_clustering_at_its_number() -> None:
    rows = frame("elbow").rows(named=True)
    assert [(r["measure"], r["run_id"], r["k"]) for r in rows] == [
        (m, f"k{k}", float(k)) for m in ("Silhouette", "DaviesBouldin") for k in (2, 3, 5)
    ]
