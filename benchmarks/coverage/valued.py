"""Counterfactual evaluation; repetitions are groups of one log."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, study

SUBJECT = "Rankings valued by old clicks"
APPEAL = np.array([0.8, 0.5, 0.3, 0.1])
EXAMINATION = np.array([1.0, 0.6, 0.4, 0.2])
DOCS = np.array(list("abcd"))
WEIGHTS = 1.0 / np.log2([2.0, 3.0, 4.0, 5.0])


def logged(repetitions: int, pages: int, shown: int, rng: np.random.Generator) -> pl.DataFrame:
    """Pages with the top documents of noisy lists, and clicks where users examine and want them."""
    n = repetitions * pages
    order = np.argsort(-(APPEAL + rng.gumbel(0.0, 0.5, (n, 4))), axis=1)[:, :shown]
    clicked = (rng.random((n, shown)) < EXAMINATION[:shown]) & (rng.random((n, shown)) < APPEAL[order])
    page = np.repeat(np.arange(n), shown)
    return pl.DataFrame(
        {
            "draw": page // pages,
            "serp_id": page,
            "user_id": page // 3,
            "query_id": "q",
            "doc_id": DOCS[order].ravel(),
            "position": np.tile(np.arange(1, shown + 1), n),
            "click": clicked.astype(np.int64).ravel(),
        }
    )


def _run(name: str, order: str) -> pl.DataFrame:
    scores = [float(-i) for i in range(len(order))]
    return pl.DataFrame({"run_id": name, "query_id": "q", "doc_id": list(order), "score": scores})


def _worth(order: str) -> float:
    return float(APPEAL[["abcd".index(d) for d in order]] @ WEIGHTS[: len(order)])


RUNS = pl.concat([_run("new", "dcba"), _run("old", "abdc")])
TRUTH = {"new": _worth("dcba"), "old": _worth("abdc")}


@study(SUBJECT)
def rankings(repetitions: int, seed: int) -> Iterator[Covered]:
    """Pages with all documents, for all estimators, and pages with two of four."""
    rng = np.random.default_rng([seed, 14])
    propensity = list(EXAMINATION)
    trust = pl.DataFrame({"position": range(1, 5), "propensity": EXAMINATION, "alpha": EXAMINATION, "beta": [0.0] * 4})
    complete = logged(repetitions, 150, 4, rng)
    options = {"by": "draw", "measure": "DCG"}
    for cluster in ("page", "user"):
        sizes = "150 pages" + (", 50 users" if cluster == "user" else "") + ", all documents shown"
        estimators = "IPS SNIPS policy_aware affine DR"
        result = ir.clicks.counterfactual(
            complete, RUNS, propensity=trust, estimators=estimators, cluster=cluster, **options
        ).summary()
        for name in estimators.split():
            rows = result.filter(estimator=name, run_id="new")
            truth = TRUTH["new"] / APPEAL.sum() if name == "SNIPS" else TRUTH["new"]
            remark = (
                "a ratio that is skewed with few clicks: 0.93 of 600 pages, 0.95 of 2,400" if name == "SNIPS" else ""
            )
            inside = covers(rows["low"], rows["high"], truth)
            yield Covered(name, f"DCG, cluster={cluster!r}", sizes, inside, remark=remark)
    partial = logged(repetitions, 300, 2, rng)
    limited = ir.clicks.counterfactual(partial, RUNS, propensity=propensity, estimators="policy_aware DR", **options)
    compared = limited.compare("old")
    for name in ("policy_aware", "DR"):
        rows = limited.summary().filter(estimator=name, run_id="new")
        sizes = "300 pages, two of four documents shown"
        yield Covered(name, "DCG", sizes, covers(rows["low"], rows["high"], TRUTH["new"]))
        rows = compared.filter(estimator=name)
        yield Covered(name, "difference of runs", sizes, covers(rows["low"], rows["high"], TRUTH["new"] - TRUTH["old"]))


@study(SUBJECT)
def estimated_propensities(repetitions: int, seed: int) -> Iterator[Covered]:
    """Propensities estimated from the same log."""
    rng = np.random.default_rng([seed, 15])
    inside = []
    for _ in range(max(10, repetitions // 10)):
        log = logged(1, 600, 4, rng)
        log = log.with_columns(query_id=pl.col("serp_id") % 20)
        runs = RUNS.drop("query_id").join(pl.DataFrame({"query_id": range(20)}), how="cross")
        result = ir.clicks.propensities(log, groups=20)
        row = ir.clicks.counterfactual(
            log, runs.filter(run_id="new"), "DCG", propensity=result, estimators="IPS"
        ).summary()
        inside += covers(row["low"], row["high"], TRUTH["new"]).tolist()
    remark = 'takes propensities of the same log as known, and says so: status "estimated_propensities"'
    yield Covered("IPS, propensities of the log", "DCG", "600 pages", np.array(inside), remark=remark)


@study(SUBJECT)
def stochastic_rankers(repetitions: int, seed: int) -> Iterator[Covered]:
    """Two documents in one order or the other, shown equally often, evaluated for a ranker that prefers one."""
    rng = np.random.default_rng([seed, 16])
    pages, prefers = 200, 0.7
    first = rng.random(repetitions * pages) < 0.5
    n = len(first)
    target = np.where(first, prefers, 1.0 - prefers)
    appeal = np.where(first[:, None], [0.6, 0.2], [0.2, 0.6])
    rows = pl.DataFrame(
        {
            "draw": np.repeat(np.arange(n) // pages, 2),
            "serp_id": np.repeat(np.arange(n), 2),
            "doc_id": np.where(np.c_[first, ~first].ravel(), "a", "b"),
            "position": np.tile([1, 2], n),
            "click": (rng.random((n, 2)) < appeal).astype(np.int64).ravel(),
            "propensity": np.tile([0.5, 1.0], n),
            "target": np.c_[target, np.ones(n)].ravel(),
        }
    )
    truth = prefers * 0.6 + (1 - prefers) * 0.2 + 0.5 * (prefers * 0.2 + (1 - prefers) * 0.6)
    estimators = ("SIPS", "RIPS", "SNRIPS")
    result = ir.clicks.off_policy(
        rows, estimators=" ".join(estimators), measure={"mine": [1.0, 0.5]}, by="draw"
    ).summary()
    for name in estimators:
        of = result.filter(estimator=name)
        yield Covered(f"off_policy({name!r})", "sum of rewards", f"{pages} pages", covers(of["low"], of["high"], truth))
