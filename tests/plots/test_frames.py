"""What pictures draw, against plain loops over the values."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from tests.plots.worlds import clusters, comparison, drawn, evaluation, frame, labels_table, points, ranking_tables


def values(measure: str) -> dict[str, dict[str, float]]:
    """Run → query → value."""
    out: dict[str, dict[str, float]] = {}
    for row in evaluation().per_unit().filter(pl.col("measure") == measure).iter_rows(named=True):
        out.setdefault(row["run_id"], {})[row["query_id"]] = row["value"]
    return out


def test_systems_are_means_with_t_intervals_the_best_first() -> None:
    rows = frame("systems", measures="AP").rows(named=True)
    of = values("AP")
    assert [r["run_id"] for r in rows] == sorted(of, key=lambda run: -statistics.mean(of[run].values()))
    for row in rows:
        x = list(of[row["run_id"]].values())
        half = stats.t.ppf(0.975, len(x) - 1) * statistics.stdev(x) / math.sqrt(len(x))
        mean = statistics.mean(x)
        assert (row["value"], row["low"], row["high"]) == pytest.approx((mean, mean - half, mean + half))
        assert row["n_units"] == len(x)
    assert frame("systems", measures="AP", top=1)["run_id"].to_list() == [rows[0]["run_id"]]


def test_cutoffs_are_the_means_of_each() -> None:
    rows = frame("cutoffs").rows(named=True)
    assert [(r["run_id"], r["cutoff"]) for r in rows] == [(run, k) for run in "abc" for k in (1, 3, 10)]
    for row in rows:
        assert row["measure"] == "nDCG"
        assert row["value"] == pytest.approx(statistics.mean(values(f"nDCG@{row['cutoff']}")[row["run_id"]].values()))


def test_units_stand_from_hard_to_easy_and_can_share_columns() -> None:
    of = values("AP")
    hard = sorted(of["a"], key=lambda q: (statistics.mean(of[run][q] for run in of), q))
    rows = frame("units").rows(named=True)
    assert len(rows) == 3 * len(hard)
    for row in rows:
        assert row["unit"] == hard[row["place"] - 1]
        assert row["value"] == of[row["run_id"]][row["unit"]]
    few = frame("units", bins=4).rows(named=True)
    for row in few:
        some = hard[(row["place"] - 1) * 3 : row["place"] * 3]
        assert (row["unit"], row["n_units"]) == (f"{some[0]} … {some[-1]}", 3)
        assert row["value"] == pytest.approx(statistics.mean(of[row["run_id"]][q] for q in some))


def test_distributions_are_shares_of_units() -> None:
    of = values("AP")
    rows = frame("distribution")
    for run, found in of.items():
        steps = rows.filter(pl.col("run_id") == run).rows(named=True)
        assert steps[0]["share"] == 0
        for step in steps[1:]:
            assert step["share"] == pytest.approx(sum(v <= step["value"] for v in found.values()) / len(found))


def test_judged_documents_are_counted_at_every_rank() -> None:
    qrels, runs = ranking_tables()
    grades = {(q, d): g for q, d, g in qrels.rows()}
    rows = {(r["run_id"], r["rank"]): r for r in frame("judged").rows(named=True)}
    for run in "abc":
        lists: dict[str, list[tuple[float, str]]] = {}
        for _, q, d, score in runs.filter(pl.col("run_id") == run).rows():
            lists.setdefault(q, []).append((score, d))
        ordered = {q: [d for _, d in sorted(docs, reverse=True)] for q, docs in lists.items()}
        for rank in range(1, 12):
            there = [(q, docs[rank - 1]) for q, docs in ordered.items() if len(docs) >= rank]
            if not there:
                assert (run, rank) not in rows
                continue
            row = rows[run, rank]
            assert row["n_queries"] == len(there)
            assert row["judged"] == pytest.approx(sum(pair in grades for pair in there) / len(there))
            assert row["relevant"] == pytest.approx(sum(grades.get(pair, 0) >= 1 for pair in there) / len(there))


def test_differences_are_sorted_and_told_apart() -> None:
    of = values("AP")
    gaps = sorted(((of["c"][q] - of["a"][q], q) for q in of["a"]), key=lambda x: (-x[0], x[1]))
    rows = frame("differences").rows(named=True)
    assert [(r["difference"], r["unit"]) for r in rows] == gaps
    assert [r["verdict"] for r in rows] == ["better" if g > 0 else "worse" if g < 0 else "equal" for g, _ in gaps]
    turned = frame("differences", system="a", baseline="c").rows(named=True)
    assert sorted(-r["difference"] for r in turned) == pytest.approx(sorted(g for g, _ in gaps))
    few = frame("differences", bars=4).rows(named=True)
    assert [r["n_units"] for r in few] == [3, 3, 3, 3]
    assert few[0]["difference"] == pytest.approx(statistics.mean(g for g, _ in gaps[:3]))


def test_falling_measures_are_better_below() -> None:
    table = pl.DataFrame({"query_id": [1, 2, 3] * 2, "run_id": [*"aaabbb"], "value": [3.0, 1.0, 2.0, 1.0, 1.0, 4.0]})
    c = ir.compare(table, lower_is_better="value", baseline="a")
    rows = ir.plots.differences.frame(c).rows(named=True)
    assert [(r["difference"], r["verdict"]) for r in rows] == [(-2.0, "better"), (0.0, "equal"), (2.0, "worse")]
    assert ir.plots.systems.frame(c)["run_id"].to_list() == ["a", "b"]


def test_scatters_hold_each_unit_or_count_them() -> None:
    of = values("AP")
    rows = frame("scatter").rows(named=True)
    assert {(r["unit"], r["a"], r["b"]) for r in rows} == {(q, of["a"][q], of["c"][q]) for q in of["a"]}
    cells = frame("scatter", points=5, bins=4).rows(named=True)
    assert sum(cell["n_units"] for cell in cells) == len(rows)
    for cell in cells:
        inside = [
            r for r in rows
            if cell["a1"] <= r["a"] and (r["a"] < cell["a2"] or cell["a2"] == 1)
            and cell["b1"] <= r["b"] and (r["b"] < cell["b2"] or cell["b2"] == 1)
        ]  # fmt: skip
        assert cell["n_units"] == len(inside)


def test_effects_and_the_matrix_are_the_table() -> None:
    table = comparison().table()
    by_pair = {(r["measure"], r["system"], r["baseline"]): r for r in table.rows(named=True)}
    rows = frame("effects").rows(named=True)
    assert len(rows) == table.height
    for row in rows:
        told = by_pair[row["measure"], row["system"], row["baseline"]]
        assert (row["difference"], row["low"], row["high"]) == (told["difference"], told["ci_low"], told["ci_high"])
        sure = ("better" if told["difference"] > 0 else "worse") if told["significant"] else "not told apart"
        assert row["verdict"] == sure
    cells = {(r["run_id"], r["other_run_id"]): r for r in frame("matrix").rows(named=True)}
    assert len(cells) == 6
    for (one, other), cell in cells.items():
        assert cell["difference"] == -cells[other, one]["difference"]
        told = by_pair.get(("AP", one, other)) or by_pair["AP", other, one]
        assert (abs(cell["difference"]), cell["p_adjusted"]) == (abs(told["difference"]), told["p_adjusted"])


def test_moved_documents_keep_their_ranks() -> None:
    _, runs = ranking_tables()
    ranks: dict[str, dict[str, int]] = {}
    for run in "ac":
        docs = runs.filter((pl.col("run_id") == run) & (pl.col("query_id") == "q1")).sort("score", descending=True)
        ranks[run] = {d: i + 1 for i, d in enumerate(docs["doc_id"])}
    rows = frame("moved").rows(named=True)
    near = {d for run in "ac" for d, rank in ranks[run].items() if rank <= 5}
    assert {r["doc_id"] for r in rows} == near
    for row in rows:
        one, other = ranks["a"].get(row["doc_id"]), ranks["c"].get(row["doc_id"])
        assert (row["rank_a"], row["rank_b"]) == (one, other)
        assert (row["at_a"], row["at_b"]) == (min(one or 6, 6), min(other or 6, 6))


def test_cells_are_shares_of_labels_and_of_clusters() -> None:
    pairs = Counter(labels_table().filter(pl.col("run_id") == "new").select("label", "prediction").rows())
    rows = frame("confusion").rows(named=True)
    assert len(rows) == len(pairs)
    for row in rows:
        label, prediction = int(row["label"]), int(row["prediction"])
        whole = sum(n for (k, _), n in pairs.items() if k == label)
        assert (row["count"], row["share"]) == pytest.approx(
            (pairs[label, prediction], pairs[label, prediction] / whole)
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


def test_many_classes_become_the_pairs_confused_most() -> None:
    rows = [(i % 30, (i + (i % 7 == 0)) % 30) for i in range(300)]
    table = pl.DataFrame(rows, schema=["label", "prediction"], orient="row")
    wrong = Counter((a, b) for a, b in rows if a != b).most_common()
    found = ir.plots.confusion.frame(ir.Labels(table), pairs=4)
    assert found["count"].to_list() == [n for _, n in wrong[:4]]
    assert found["pair"][0] == f"{found['label'][0]} → {found['prediction'][0]}"


def test_curves_are_points_of_the_curve() -> None:
    lab = ir.Labels(labels_table().filter(pl.col("run_id") == "new"), positive=1)
    whole = {(r["threshold"], r["fpr"], r["tpr"]) for r in lab.curve("roc").rows(named=True)}
    rows = ir.plots.curve.frame(lab)
    assert {(r["threshold"], r["x"], r["y"]) for r in rows.rows(named=True)} <= whole
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
        kept = [(x, y) for x, y in few.rows() if math.floor(x * 49) == pixel]
        assert (here[0], here[-1]) == (kept[0], kept[-1])
        assert (min(y for _, y in here), max(y for _, y in here)) == (min(y for _, y in kept), max(y for _, y in kept))


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
        kept, column, here = set(), None, []
        for x, y, at in [*line.rows(), (math.inf, 0.0, -1)]:
            place = math.floor((x - low) / span * 39) if at >= 0 else None
            if place != column and here:
                known = [(v, i) for v, i in here if not math.isnan(v)]
                ends = {min(known)[1], min(known, key=lambda p: (-p[0], p[1]))[1]} if known else set()
                kept |= {here[0][1], here[-1][1], *ends}
                here = []
            column = place
            here.append((y, at))
        assert thinned(line, "x", "y", [], 40)["at"].to_list() == sorted(kept)


def test_reliability_has_wilson_intervals() -> None:
    for row in frame("reliability").rows(named=True):
        found = stats.binomtest(round(row["observed"] * row["n"]), round(row["n"])).proportion_ci(method="wilson")
        assert (row["low"], row["high"]) == pytest.approx((found.low, found.high))


def test_confusions_of_two_types_are_of_one_class() -> None:
    colours = {"label": ["a", "b", "b"], "prediction": ["a", "b", "a"]}
    text, numbers = pl.DataFrame(colours), pl.DataFrame({"label": [1, 2, 2], "prediction": [1.0, 2.0, 1.0]})
    worlds = [
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
    for world in worlds:
        drawn_cells = ir.plots.confusion.frame(ir.Labels(world))
        right = drawn_cells.filter(pl.col("label") == pl.col("prediction"))
        assert (right["count"].sum(), drawn_cells.height) == (2.0, 3), world
        assert "2 classes" in str(ir.plots.confusion(ir.Labels(world)).to_dict()["title"])
        assert ir.plots.confusion.frame(ir.Labels(world), classes=1)["count"].to_list() == [1.0]
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
    wanted = ir.Labels(both, probabilities=names).curve("roc").filter(run_id="old", class_id="c")
    shown = ir.plots.curve.frame(ir.Labels(both, probabilities=names)).filter(run_id="old", group="class = c")
    assert 20 < shown.height <= wanted.height
    assert set(shown.select("x", "y").rows()) <= set(wanted.select("fpr", "tpr").rows())
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


def test_reliability_is_of_the_error_beside_it() -> None:
    table = labels_table().filter(run_id="new").drop("run_id").with_columns(weight=pl.col("item_id") % 7 / 5 + 0.1)
    weight = f"items with weights of {table['weight'].sum():.6g} in all"
    for measure in ("ECE", "ECE@4", "ECE(kind='mass')@6", "MCE(closed='right')@5"):
        for some, said in ((table, weight), (table.drop("weight"), "300 items")):
            ev = ir.Labels(some).evaluate([measure, measure.replace("MCE", "ECE")])
            rows = ir.plots.reliability.frame(ev)
            error = ((rows["probability"] - rows["observed"]).abs() * rows["n"]).sum() / rows["n"].sum()
            value = ev.summary()["value"][-1]
            assert error == pytest.approx(value, rel=1e-12)
            told, shown = ir.plots.reliability(ev).to_dict()["title"]["subtitle"]
            assert (told.partition(";")[0], shown) == (said, f"ECE {value:.4f}")
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


def test_history_breaks_where_judgments_change() -> None:
    rows = frame("history")
    assert rows.filter(pl.col("run_id") == "a")["part"].to_list() == [1, 1, 2, 2]
    assert rows.filter(pl.col("run_id") == "a")["n_units"].to_list() == [12, 12, 11, 11]


def test_history_has_intervals_over_units_and_a_line_per_group() -> None:
    qrels, runs = ranking_tables()
    queries = qrels.select("query_id").unique().with_columns(lang=pl.col("query_id").str.tail(1).is_in(["1", "2"]))
    ev = ir.evaluate(qrels, runs.filter(pl.col("run_id") == "a"), "AP", queries=queries, by="lang")
    kept = ir.Store(Path(mkdtemp()))
    kept.add(ev)
    rows = ir.plots.history.frame(kept, "AP", confidence=0.9)
    assert rows["run_id"].to_list() == ["a, lang = False", "a, lang = True"]
    for row, lang in zip(rows.rows(named=True), (False, True), strict=True):
        values = ev.per_unit().filter(pl.col("lang") == lang)["value"].to_list()
        half = stats.t.ppf(0.95, len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
        mean = statistics.fmean(values)
        assert (row["low"], row["high"]) == (pytest.approx(mean - half), pytest.approx(mean + half))
    kept.add(ir.evaluate(qrels, runs, "NumRel"))
    assert ir.plots.history.frame(kept, "NumRel")["low"].null_count() == 3


def test_history_tells_what_failed_a_gate() -> None:
    qrels, runs = ranking_tables()
    evs = [ir.evaluate(qrels, runs.filter(pl.col("run_id") == name), "AP RR") for name in ("a", "b")]
    kept = ir.Store(Path(mkdtemp()))
    for ev in evs:
        kept.add(ev)
    assert ir.plots.history.frame(kept, "AP")["verdict"].to_list() == [None, None]
    kept.add(ir.gate(*evs, "AP >= 0; AP >= 1; RR >= 0"))
    assert ir.plots.history.frame(kept, "AP").select("run_id", "verdict").rows() == [("a", None), ("b", "fail")]
    assert ir.plots.history.frame(kept, "RR")["verdict"].to_list() == [None, "pass"]
    assert "crossed out: failed a gate" in str(ir.plots.history(kept, "AP").to_dict()["title"])


def test_subtitles_say_of_how_many() -> None:
    def subtitle(chart: Any) -> str:
        return " ".join(chart.to_dict()["title"]["subtitle"])

    shown = {"precision_recall": "mean over 12 queries of", "roc": "300 items; 2 lines", "thresholds": "300 items;"}
    shown |= {
        "reliability": "300 items; 5 bins of equal width",
        "history": "4 evaluations of 11 to 12 units; band: 95% t interval",
    }
    for case, said in shown.items():
        assert subtitle(drawn(case)).startswith(said), case
