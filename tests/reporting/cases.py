"""Results that the tests report: systems with known values, and names that mean harm."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.reporting import figures

HOSTILE = (
    "</script><script>alert(1)</script>", '" onload="alert(1)', "{{7*7}}{% raw %}", "a\u202eb", "new\nline\0nul",
    "<img src=https://example.org/x>", "&lt;b&gt;", "'; DROP TABLE run; --", "x" * 200,
)  # fmt: skip

BLANK = '<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="1" height="1" viewBox="0 0 1 1"></svg>'


def blank_drawings(patched: pytest.MonkeyPatch) -> None:
    """Have pictures drawn blank, for tests of the words and tables of a page: most of its time is drawing."""
    patched.setattr(figures, "svg", lambda *_: BLANK)


def rankings(names: tuple[str, ...] = ("a", "b", "c"), n: int = 12) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments and runs: later runs are better."""
    dice = random.Random(1)
    qrels = [(f"q{q}", f"d{q}-0", 1) for q in range(n)]
    run = [
        (name, f"q{q}", f"d{q}-{d}", float(-abs(d - dice.randrange(6 - min(i, 3)))) - d / 100)
        for i, name in enumerate(names)
        for q in range(n)
        for d in range(6)
    ]
    return (
        pl.DataFrame(qrels, schema=["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(run, schema=["run_id", "query_id", "doc_id", "score"], orient="row"),
    )


def evaluation(measures: str = "RR P@1 P@2") -> ir.Evaluation:
    return ir.evaluate(*rankings(), measures)


def hostile_rankings() -> ir.Evaluation:
    """Runs, queries and documents of hostile names."""
    qrels, run = rankings(HOSTILE[:4])
    bad = {f"q{i}": name for i, name in enumerate(HOSTILE)}
    documents = {f"d{i}-0": name for i, name in enumerate(HOSTILE)}
    qrels = qrels.with_columns(pl.col("query_id").replace(bad), pl.col("doc_id").replace(documents))
    run = run.with_columns(pl.col("query_id").replace(bad), pl.col("doc_id").replace(documents))
    return ir.evaluate(qrels, run, "RR P@1")


def hostile_values() -> pl.DataFrame:
    """Values of hostile units, systems, measures and groups."""
    dice = random.Random(2)
    rows = [
        (m, s, u, g, dice.random()) for m in HOSTILE[:2] for s in HOSTILE[2:5] for g in HOSTILE[5:7] for u in HOSTILE
    ]
    return pl.DataFrame(rows, schema=["measure", "run_id", "query_id", "lang", "value"], orient="row")


def hostile_labels() -> ir.Evaluation:
    dice = random.Random(3)
    rows = [(s, str(i), dice.choice(HOSTILE[:4]), dice.choice(HOSTILE[:4])) for s in HOSTILE[:2] for i in range(30)]
    frame = pl.DataFrame(rows, schema=["run_id", "item_id", "label", "prediction"], orient="row")
    return ir.Labels(frame).evaluate("Accuracy F1(average='macro')")


def hostile_clusters() -> ir.Evaluation:
    dice = random.Random(4)
    rows = [(str(i), dice.choice(HOSTILE[:4]), dice.choice(HOSTILE[4:7])) for i in range(30)]
    frame = pl.DataFrame(rows, schema=["item_id", "label", "cluster_id"], orient="row")
    return ir.Clusters(frame).evaluate("AdjustedRand Purity")


def hostile_groups() -> ir.Evaluation:
    """Groups of hostile names, in a column that has one."""
    qrels, run = rankings(HOSTILE[:2])
    names = [HOSTILE[2 + i % 4] for i in range(qrels.height)]
    queries = qrels.select("query_id").with_columns(pl.Series(HOSTILE[0], names))
    return ir.evaluate(qrels, run, "RR", queries=queries, by=[HOSTILE[0]])


def hostile_scores() -> ir.Evaluation:
    """Scores of two classes, from systems of hostile names."""
    dice = random.Random(5)
    rows = [(s, HOSTILE[i % 9] + str(i), dice.random() < 0.5, dice.random()) for s in HOSTILE[:2] for i in range(40)]
    frame = pl.DataFrame(rows, schema=["run_id", "item_id", "label", "score"], orient="row")
    return ir.Labels(frame).evaluate("ROCAUC BrierScore")


def hostile_points() -> ir.Evaluation:
    """Points in clusters of hostile names, by coordinates that have such names too."""
    dice = random.Random(6)
    rows = [(HOSTILE[i % 9] + str(i), HOSTILE[i % 3], i % 3 + dice.random(), dice.random()) for i in range(30)]
    frame = pl.DataFrame(rows, schema=["item_id", "cluster_id", *HOSTILE[:2]], orient="row")
    return ir.Points(frame, [*HOSTILE[:2]]).evaluate("Silhouette SSE")


def hostile_organization() -> ir.Evaluation:
    """Documents of hostile names in classes and clusters of hostile names, in topics of hostile names."""
    dice = random.Random(7)
    rows = [
        (s, t, HOSTILE[i], dice.choice([0, 1]), dice.choice(HOSTILE[:3]), dice.random(), dice.choice(HOSTILE[3:6]))
        for s in HOSTILE[:2]
        for t in HOSTILE[2:6]
        for i in range(9)
    ]
    columns = ["run_id", "query_id", "doc_id", "relevance", "label", "score", "cluster_id"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    gold = frame.filter(run_id=HOSTILE[0]).select("query_id", "doc_id", "relevance", "label")
    return ir.Organization(gold, frame.drop("relevance", "label")).evaluate("RS Reliability Sensitivity")


def hostile_store(folder: Path) -> ir.Store:
    """Two occasions of an evaluation, in a collection and with tags of hostile names."""
    store = ir.Store(folder / "results")
    for day, measures in enumerate(("RR P@1", "RR")):
        qrels, run = rankings(HOSTILE[:2], 12 - day)
        at = datetime(2026, 1, 1 + day, tzinfo=UTC)
        store.add(ir.evaluate(qrels, run, measures), collection=HOSTILE[4], tags={HOSTILE[0]: HOSTILE[2]}, at=at)
    return store


def hostile_experiment() -> Any:
    """Variants and groups of hostile names."""
    dice = random.Random(8)
    rows = [(u, HOSTILE[u % 2], HOSTILE[2 + u % 3], dice.random() + u % 2) for u in range(120)]
    frame = pl.DataFrame(rows, schema=["user_id", "variant", "lang", "spent"], orient="row")
    return ir.Experiment(frame).analyze("Mean(spent)", by="lang")


def hostile_interleaving() -> ir.interleaving.Interleaving:
    """Rankings and documents of hostile names."""
    rows = [(p, HOSTILE[p % 9], HOSTILE[k], k, int((p + k) % 3 == 0), HOSTILE[(p + k) % 2]) for p in range(40)
            for k in (1, 2, 3)]  # fmt: skip
    columns = ["serp_id", "query_id", "doc_id", "position", "click", "team"]
    return ir.interleaving.Interleaving(pl.DataFrame(rows, schema=columns, orient="row"))


def click_log() -> pl.DataFrame:
    """Sixty pages of three documents; the one that is called as its query is clicked most."""
    dice = random.Random(9)
    rows = []
    for page in range(60):
        shown = dice.sample(range(3), 3)
        rows += [(page, HOSTILE[page % 4], HOSTILE[d], k, int(dice.random() < (0.8 - 0.3 * d) / k))
                 for k, d in enumerate(shown, 1)]  # fmt: skip
    return pl.DataFrame(rows, schema=["serp_id", "query_id", "doc_id", "position", "click"], orient="row")


def hostile_counterfactual() -> ir.clicks.Counterfactual:
    """New rankings of hostile names: the documents in their order, and turned."""
    rows = [(HOSTILE[turn], HOSTILE[q], HOSTILE[d], float(d if turn else -d)) for turn in (0, 1) for q in range(4)
            for d in range(3)]  # fmt: skip
    runs = pl.DataFrame(rows, schema=["run_id", "query_id", "doc_id", "score"], orient="row")
    return ir.clicks.counterfactual(click_log(), runs, "DCG@2", propensity=[1, 1 / 2, 1 / 3], estimators="IPS SNIPS")


# Results with intervals of their own.
ESTIMATED: dict[str, Callable[[], Any]] = {
    "experiment": hostile_experiment,
    "interleaving": hostile_interleaving,
    "counterfactual": hostile_counterfactual,
}
