"""The page of plots, `docs/plots.md`: after the hand-written part, every plot."""

from __future__ import annotations

import inspect
import random
import re
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import polars as pl

import ireval_frames as ir

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "pictures"
QRELS, RUNS = str(ROOT / "data/stdlib/qrels.txt"), ROOT / "data/stdlib/runs"

PAGE = ROOT / "docs" / "plots.md"
MARK = "<!-- Generated from the plots: make docs -->\n"
FAMILIES = {
    "Rankings, and other evaluations with values per unit": ("systems", "cutoffs", "units", "distribution"),
    "Rankings": ("precision_recall", "judged", "bounds"),
    "Pool bias": ("pool_bias",),
    "A fused run": ("fused",),
    "Recommended items": ("popularity",),
    "Exposure of groups": ("exposure",),
    "From retrieval to the answer": ("losses",),
    "Comparisons": ("differences", "scatter", "effects", "matrix", "rank_changes"),
    "Labels": ("confusion", "curve", "thresholds", "reliability"),
    "Clusters and points": ("contingency", "silhouettes", "elbow"),
    "Spans": ("errors",),
    "A store": ("history",),
    "Quality and cost": ("tradeoff",),
}


def _evaluation() -> Any:
    runs = [str(RUNS / f"{name}.txt") for name in ("bm25", "lsa", "tfidf")]
    return ir.evaluate(QRELS, runs, "AP nDCG@1 nDCG@5 nDCG@10 nDCG@20")


def compared() -> Any:
    """The picture of README.md."""
    ev = ir.evaluate(QRELS, str(RUNS / "*.txt"), "AP nDCG@10")
    return ir.plots.effects(ev, baseline="bm25", margin=0.02)


def _tradeoff(ev: Any) -> Any:
    """AP of three runs against latencies that are made up."""
    rng = random.Random(0)
    queries = ev.per_unit()["query_id"].unique().sort()
    means = {"tfidf": 8.0, "bm25": 12.0, "lsa": 60.0}
    rows = [(run, query, rng.expovariate(1 / mean) + 1) for run, mean in means.items() for query in queries]
    frame = pl.DataFrame(rows, schema=["run_id", "query_id", "seconds"], orient="row")
    timings = ir.Timings(frame, time_unit="ms")
    return ir.tradeoff(ev, timings, measure="AP", cost_measure="MeanLatency", n_resamples=200)


def drawn() -> dict[str, Any]:
    """Every plot of the page."""
    ev, scored = _evaluation(), _scored()
    pair: dict[str, Any] = {"system": "lsa", "baseline": "bm25"}
    return {
        "systems": ir.plots.systems(ev, "AP nDCG@10"),
        "cutoffs": ir.plots.cutoffs(ev),
        "units": ir.plots.units(ev, "AP"),
        "distribution": ir.plots.distribution(ev, "AP"),
        "precision_recall": ir.plots.precision_recall(ev),
        "judged": ir.plots.judged(ev, depth=50),
        "bounds": ir.plots.bounds(ev, "AP nDCG@10"),
        "pool_bias": ir.plots.pool_bias(ir.pool_bias(QRELS, str(RUNS / "*.txt"), "AP P@10")),
        "fused": ir.plots.fused(ir.fuse(ir.read_run(str(RUNS / "*.txt"))), QRELS, "AP P@10"),
        "popularity": ir.plots.popularity(ir.Recommendations(**ir.examples.recommendations()), cutoff=3),
        "exposure": ir.plots.exposure(ir.FairExposure(**ir.examples.exposure())),
        "losses": ir.plots.losses(_chain()),
        "tradeoff": ir.plots.tradeoff(_tradeoff(ev)),
        "differences": ir.plots.differences(ev, "AP", **pair),
        "scatter": ir.plots.scatter(ev, "AP", **pair),
        "effects": compared(),
        "matrix": ir.plots.matrix(ev, "AP"),
        "rank_changes": ir.plots.rank_changes(ev.diagnose("lsa", "bm25", "AP"), "115", top=10),
        "confusion": ir.plots.confusion(ir.Labels(ir.examples.labels())),
        "curve": ir.plots.curve(ir.Labels(ir.examples.scores())),
        "thresholds": ir.plots.thresholds(scored),
        "reliability": ir.plots.reliability(scored, bins=5),
        "contingency": ir.plots.contingency(ir.Clusters(ir.examples.clusters())),
        "silhouettes": ir.plots.silhouettes(ir.Points(ir.examples.points(), ["x", "y"], cluster="k3")),
        "elbow": ir.plots.elbow(_clusterings(), "Silhouette DaviesBouldin"),
        "errors": ir.plots.errors(_spans()),
        "history": ir.plots.history(_nights(), "AP", run="bm25", floor=0.25),
    }


def _chain() -> Any:
    """Three runs over the same passages: one retrieves little, one cites little, and one states little."""
    draw, queries = random.Random(6), [f"q{i}" for i in range(20)]
    keys = [(q, n) for q in queries for n in range(5)]
    passages = [(q, n, f"d{n}", "support") for q, n in keys if draw.random() < 0.9]
    shares = {"short list": (0.4, 0.9, 0.9), "few citations": (0.8, 0.5, 0.9), "short answer": (0.8, 0.9, 0.4)}
    lists, cited, answers = [], [], []
    for run, steps in shares.items():
        for q, n in keys:
            passed = [draw.random() < share for share in steps]
            lists += [(run, q, f"d{n}" if passed[0] else "d9", n + 1)]
            cited += [(run, q, f"d{n}")] if all(passed[:2]) else []
            answers.append((run, q, n, "support" if all(passed) else "not_support"))
    ids = ["run_id", "query_id"]
    nuggets = pl.DataFrame(keys, schema=["query_id", "nugget_id"], orient="row")
    labels = pl.DataFrame(answers, schema=[*ids, "nugget_id", "label"], orient="row")
    found = pl.DataFrame(passages, schema=["query_id", "nugget_id", "doc_id", "label"], orient="row")
    run = pl.DataFrame(lists, schema=[*ids, "doc_id", "rank"], orient="row").unique([*ids, "doc_id"], keep="first")
    return ir.nuggets.chain(
        ir.Nuggets(nuggets, labels), ir.Nuggets(nuggets, found, run="doc_id", policy="unassigned=not_support"), run,
        pl.DataFrame(cited, schema=[*ids, "doc_id"], orient="row"),
    )  # fmt: skip


def _spans() -> ir.Spans:
    """Names in the documents of the examples' generator: some are missed, cut short, or of another type."""
    draw, types = random.Random(3), ["PER", "LOC", "ORG", "MISC"]
    gold, predicted = [], []
    for i in range(300):
        start, of = 20 * i, draw.choices(types, [4, 3, 2, 1])[0]
        gold.append(("d", start, start + 8, of))
        chance = draw.random()
        if chance < 0.9:
            other = draw.choice(types) if chance > 0.8 else of
            predicted.append(("d", start, start + (8 if chance < 0.7 else 5), other))
        if chance > 0.95:
            predicted.append(("d", start + 12, start + 15, draw.choice(types)))
    columns = ["doc_id", "start", "end", "type"]
    return ir.Spans(*(pl.DataFrame(rows, schema=columns, orient="row") for rows in (gold, predicted)))


def _scored() -> ir.Labels:
    """Items with slightly overconfident probabilities as scores."""
    draw = random.Random(5)
    scores = [draw.random() for _ in range(400)]
    rows = [(int(draw.random() < 0.2 + 0.6 * p), p) for p in scores]
    return ir.Labels(pl.DataFrame(rows, schema=["label", "score"], orient="row"), positive=1)


def _clusterings() -> Any:
    """Three groups of points on a line, in two to five clusters."""
    draw = random.Random(11)
    values = sorted(draw.gauss(center, 0.15) for center in (0, 1, 2) for _ in range(30))
    rows = [(f"k{k}", x, i * k // 90) for k in (2, 3, 4, 5) for i, x in enumerate(values)]
    table = pl.DataFrame(rows, schema=["run_id", "x", "cluster_id"], orient="row")
    return ir.Points(table, ["x"]).evaluate("NumClusters Silhouette DaviesBouldin")


def _nights() -> ir.Store:
    """A store of eight nights; on the last three, a part of the documents was lost."""
    qrels, run = (frame.collect() for frame in (ir.io.scan_qrels(QRELS), ir.io.scan_run(RUNS / "bm25.txt")))
    draw = random.Random(3)
    store = ir.Store(mkdtemp())
    for night in range(8):
        loss = draw.uniform(0.02, 0.08) if night < 5 else 0.4
        partial = run.filter(pl.Series([draw.random() >= loss for _ in range(run.height)]))
        store.add(ir.evaluate(qrels, partial, "AP"), at=datetime(2026, 3, 1 + night, tzinfo=UTC))
    return store


def page() -> str:
    """The text of the page."""
    parts = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK]
    for family, names in FAMILIES.items():
        parts.append(f"### {family}\n")
        for name in names:
            text = inspect.getdoc(getattr(ir.plots, name)) or ""
            sentence = text.split("\n\n")[0].replace("\n", " ")
            frame = re.search(r"its frame is (.*?)(?:[.:;,]? of |[.:;]|\n\n)", text, re.DOTALL)
            columns = " ".join(frame[1].split()) if frame else ""
            parts.append(f"**`{name}`** {sentence}\n")
            parts.append(f"Its frame: {columns}.\n")
            parts.append(f"![{sentence.rstrip('.').replace('|', '')}](pictures/{name}.svg)\n")
    return "\n".join(parts)


def write() -> None:
    """Write the plots."""
    FOLDER.mkdir(exist_ok=True)
    charts = drawn()
    for old in FOLDER.glob("*.svg"):
        if old.stem not in charts:
            old.unlink()
    for name, chart in charts.items():
        ir.plots.save(chart, FOLDER / f"{name}.svg")
