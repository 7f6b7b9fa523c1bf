"""Small results of every kind, and each picture of them."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.evaluation.evaluation import Evaluation

MEASURES = "nDCG@1 nDCG@3 nDCG@10 AP"
RUNS = ("a", "b", "c")
YES, NO = "support", "not_support"


@functools.cache
def ranking_tables(n: int = 12) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments and runs of n queries."""
    draw = random.Random(3)
    qrels = [(f"q{q}", f"d{d}", draw.choice([0, 0, 1, 2])) for q in range(n) for d in range(8)]
    runs = [
        (run, f"q{q}", f"d{d}", draw.random() + i * 0.01)
        for i, run in enumerate(RUNS)
        for q in range(n)
        for d in range(i, 11)
    ]
    names = ["run_id", "query_id", "doc_id", "score"]
    return (
        pl.DataFrame(qrels, schema=["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(runs, schema=names, orient="row"),
    )


@functools.cache
def evaluation() -> Evaluation:
    """Three runs by four measures."""
    return ir.evaluate(*ranking_tables(), MEASURES)


@functools.cache
def comparison() -> ir.comparison.Comparison:
    """The same, compared."""
    return evaluation().compare()


@functools.cache
def labels_table() -> pl.DataFrame:
    """Two classifiers with scores that are probabilities."""
    draw = random.Random(5)
    rows = []
    for i in range(300):
        label = int(draw.random() < 0.4)
        for run, gap in (("new", 0.35), ("old", 0.15)):
            score = round(min(1.0, max(0.0, draw.gauss(0.3 + gap * label, 0.2))), 3)
            rows.append((run, i, label, score, score, int(score > 0.5)))
    names = ["run_id", "item_id", "label", "score", "probability", "prediction"]
    return pl.DataFrame(rows, schema=names, orient="row")


def labels() -> ir.Labels:
    """The classifiers."""
    return ir.Labels(labels_table(), positive=1)


def clusters() -> ir.Clusters:
    """A clustering of four classes."""
    draw = random.Random(7)
    rows = [(i, draw.choice("wxyz"), draw.randrange(5)) for i in range(80)]
    return ir.Clusters(pl.DataFrame(rows, schema=["item_id", "label", "cluster_id"], orient="row"))


def spans_tables() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Gold spans of four types, and those of two systems: right, of another type, too short, or in another place."""
    draw, types = random.Random(8), ["w", "x", "y", "z"]
    gold = [(f"d{i % 3}", 20 * i, 20 * i + 8, draw.choice(types)) for i in range(60)]
    rows = []
    for run, right in (("old", 0.4), ("new", 0.7)):
        for doc, start, end, of in gold:
            chance = draw.random() - right
            if chance < 0.2:
                other = of if chance < 0.1 else draw.choice(types)
                rows.append((run, doc, start, end if chance < 0 else end - 3, other))
            if draw.random() > 0.9:
                rows.append((run, doc, start + 12, start + 15, draw.choice(types)))
    columns = ["doc_id", "start", "end", "type"]
    return (
        pl.DataFrame(gold, schema=columns, orient="row"),
        pl.DataFrame(rows, schema=["run_id", *columns], orient="row"),
    )


def spans() -> ir.Spans:
    """The systems."""
    return ir.Spans(*spans_tables())


def points() -> ir.Points:
    """Three clusters of points, one of more points than bars."""
    draw = random.Random(9)
    rows = [
        (draw.gauss(x, 1), draw.gauss(y, 1), name)
        for x, y, name, n in ((0, 0, "p", 150), (4, 0, "q", 20), (0, 5, "r", 30))
        for _ in range(n)
    ]
    return ir.Points(pl.DataFrame(rows, schema=["x", "y", "cluster_id"], orient="row"), ["x", "y"])


def clusterings() -> Evaluation:
    """Three clusterings of the same points."""
    draw = random.Random(11)
    rows = [(f"k{k}", x, x * draw.random(), int(x * k)) for k in (2, 3, 5) for x in [draw.random() for _ in range(40)]]
    table = pl.DataFrame(rows, schema=["run_id", "x", "y", "cluster_id"], orient="row")
    return ir.Points(table, ["x", "y"]).evaluate("NumClusters Silhouette DaviesBouldin")


def store() -> ir.Store:
    """Four nights, of which the last two have other judgments."""
    stored = ir.Store(Path(mkdtemp()))
    qrels, runs = ranking_tables()
    for day in range(4):
        judged = qrels if day < 2 else qrels.filter(pl.col("query_id") != "q0")
        some = runs.filter(pl.col("run_id") != "c").with_columns(score=pl.col("score") * (1 - day / 10) + day / 7)
        stored.add(ir.evaluate(judged, some, "AP"), at=datetime(2026, 3, 1 + day, tzinfo=UTC))
    return stored


def tradeoff() -> ir.tradeoffs.Tradeoff:
    """The quality of three runs, and the time that they take."""
    draw = random.Random(12)
    means = {"a": 9, "b": 3, "c": 60}
    rows = [(run, f"q{q}", draw.expovariate(1 / mean) + 5) for run, mean in means.items() for q in range(12)]
    timings = ir.Timings(pl.DataFrame(rows, schema=["run_id", "query_id", "seconds"], orient="row"), time_unit="ms")
    return ir.tradeoff(evaluation(), timings, measure="AP", cost_measure="MeanLatency", n_resamples=100)


def recommended() -> ir.Recommendations:
    """Two systems, of which one recommends what is popular."""
    draw = random.Random(13)
    items = [f"i{n:02d}" for n in range(40)]
    users = [f"u{n}" for n in range(30)]
    used = {(u, items[min(39, int(draw.expovariate(0.1)))]) for u in users for _ in range(8)}
    rows = [
        (run, u, item, rank)
        for run, size in (("niche", 40), ("popular", 8))
        for u in users
        for rank, item in enumerate(draw.sample(items[:size], 5), 1)
    ]
    ids = ["user_id", "item_id"]
    recs = pl.DataFrame(rows, schema=["run_id", *ids, "rank"], orient="row")
    return ir.Recommendations(recs, pl.DataFrame(sorted(used), schema=ids, orient="row"), catalogue=items)


def exposure() -> Any:
    """Two runs of three queries, with groups of their documents."""
    tables = ir.examples.exposure()
    lists = {("a", 1): "abcde", ("a", 2): "cebad", ("b", 1): "edcba", ("b", 2): "acbed", ("b", 3): "bcade"}
    rows = [(*name, doc, rank) for name, docs in lists.items() for rank, doc in enumerate(docs, 1)]
    tables["run"] = pl.DataFrame(rows, schema=["run_id", "query_id", "doc_id", "rank"], orient="row")
    tables.pop("relevant")
    return ir.FairExposure(**tables)


def chain() -> ir.nuggets.Chain:
    """Two runs of two queries with five nuggets: one lists little, one cites little."""
    keys = [(q, n) for q in ("q1", "q2") for n in range(5)]
    nuggets = pl.DataFrame(keys, schema=["query_id", "nugget_id"], orient="row")
    ids = ["run_id", "query_id"]
    found = nuggets.select("query_id", "nugget_id", pl.format("d{}", "nugget_id").alias("doc_id"), label=pl.lit(NO))
    found = found.with_columns(label=pl.when(pl.col("nugget_id") < 4).then(pl.lit(YES)).otherwise("label"))
    lists = [(r, q, f"d{n}", n + 1) for r, k in (("a", 2), ("b", 4)) for q, n in keys if n < k]
    cited = [(r, q, d) for r, q, d, rank in lists if rank < 3]
    labels = [(r, q, n, YES if (n + len(r) + (r == "a")) % 2 else NO) for r in ("a", "b") for q, n in keys]
    return ir.nuggets.chain(
        ir.Nuggets(nuggets, pl.DataFrame(labels, schema=[*ids, "nugget_id", "label"], orient="row")),
        ir.Nuggets(nuggets, found, run="doc_id"),
        pl.DataFrame(lists, schema=[*ids, "doc_id", "rank"], orient="row"),
        pl.DataFrame(cited, schema=[*ids, "doc_id"], orient="row"),
    )


# Each picture of these, by name: what is called, and with what.
CASES: dict[str, tuple[str, Callable[[], Any], dict[str, Any]]] = {
    "systems": ("systems", evaluation, {}),
    "cutoffs": ("cutoffs", evaluation, {}),
    "units": ("units", evaluation, {"measure": "AP"}),
    "distribution": ("distribution", evaluation, {"measure": "AP"}),
    "precision_recall": ("precision_recall", evaluation, {}),
    "judged": ("judged", evaluation, {"depth": 12}),
    "bounds": ("bounds", evaluation, {}),
    "pool_bias": ("pool_bias", lambda: ir.pool_bias(*ir.examples.pooled(), "AP P@3", group="team", depth=3), {}),
    "fused": ("fused", lambda: ir.fuse(ir.examples.pooled()[1]), {"qrels": ir.examples.pooled()[0], "measures": "AP"}),
    "exposure": ("exposure", exposure, {}),
    "losses": ("losses", chain, {}),
    "tradeoff": ("tradeoff", tradeoff, {}),
    "popularity": ("popularity", recommended, {"cutoff": 3}),
    "differences": ("differences", comparison, {"measure": "AP", "system": "c", "baseline": "a"}),
    "scatter": ("scatter", comparison, {"measure": "AP", "system": "c", "baseline": "a"}),
    "effects": ("effects", comparison, {"margin": 0.05}),
    "matrix": ("matrix", comparison, {"measure": "AP"}),
    "rank_changes": ("rank_changes", lambda: evaluation().diagnose("c", "a", "AP"), {"query_id": "q1", "top": 5}),
    "confusion": ("confusion", labels, {"run": "new"}),
    "roc": ("curve", labels, {"kind": "roc"}),
    "precision-recall": ("curve", labels, {"kind": "precision-recall"}),
    "det": ("curve", labels, {"kind": "det"}),
    "gain": ("curve", labels, {"kind": "gain"}),
    "thresholds": ("thresholds", labels, {"run": "new"}),
    "reliability": ("reliability", labels, {"bins": 5}),
    "contingency": ("contingency", clusters, {}),
    "errors": ("errors", spans, {"run": "new"}),
    "spans": ("confusion", spans, {"run": "new"}),
    "silhouettes": ("silhouettes", points, {}),
    "elbow": ("elbow", clusterings, {}),
    "history": ("history", store, {"measure": "AP", "floor": 0.3}),
}


def drawn(case: str, **options: Any) -> Any:
    """The chart of a case."""
    name, make, own = CASES[case]
    return getattr(ir.plots, name)(make(), **own, **options)


def frame(case: str, **options: Any) -> pl.DataFrame:
    """The rows of a case."""
    name, make, own = CASES[case]
    return getattr(ir.plots, name).frame(make(), **{**own, **options})
