"""Bootstraps of measures of each family; the truth is the measure of very many items, or the mean of many units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, study

SUBJECT = "Bootstrap"
REPLICATES = 400
METHODS = ("percentile", "basic", "normal", "bca", "delta")


def _intervals(bootstrap: Any, methods: tuple[str, ...], truth: float, name: str, sizes: str) -> Iterator[Covered]:
    for method in methods:
        rows = bootstrap.table(method=method)
        inside = covers(*(rows[c].fill_null(np.nan).to_numpy() for c in ("ci_low", "ci_high")), truth)
        yield Covered(f"{name}, method={method!r}", "measure", sizes, inside)


def _labels(n: int, rng: np.random.Generator) -> pl.DataFrame:
    label = rng.integers(0, 3, n)
    guess = np.where(rng.random(n) < np.array([0.9, 0.7, 0.6])[label], label, rng.integers(0, 3, n))
    return pl.DataFrame({"label": label, "prediction": guess})


@study(SUBJECT)
def labels(repetitions: int, seed: int) -> Iterator[Covered]:
    """Items of three classes."""
    rng = np.random.default_rng([seed, 17])
    many = ir.Labels(_labels(2_000_000, rng))
    n = 80
    frame = _labels(n * repetitions, rng).with_columns(draw=pl.int_range(pl.len()) // n)
    for name in ("F1(average='macro')", "MCC"):
        truth = many.evaluate(name).summary()["value"].item()
        bootstrap = ir.resampling.bootstrap(ir.Labels(frame, by="draw"), name, n_resamples=REPLICATES, seed=seed)
        yield from _intervals(bootstrap, METHODS, truth, f"Labels, {name}", f"{n} items")
    other = frame.with_columns(
        prediction=pl.when(pl.Series(rng.random(frame.height)) < 0.2).then(0).otherwise("prediction")
    )
    both = pl.concat(
        [f.with_columns(run_id=pl.lit(r), item=pl.int_range(pl.len())) for r, f in (("a", frame), ("b", other))]
    )
    # The truth is the mean difference over all repetitions, whose bias is negligible.
    bootstrap = ir.resampling.bootstrap(
        ir.Labels(both, by="draw", item="item"), "Accuracy", n_resamples=REPLICATES, seed=seed
    )
    for method in ("percentile", "delta"):
        rows = bootstrap.compare(baseline="a", method=method)
        truth = float(np.mean(rows["difference"].to_numpy()))
        inside = covers(*(rows[c].fill_null(np.nan).to_numpy() for c in ("ci_low", "ci_high")), truth)
        yield Covered(f"Labels, Accuracy, compare(method={method!r})", "difference of systems", f"{n} items", inside)
    truth = many.evaluate("Accuracy").summary()["value"].item()
    bootstrap = ir.resampling.bootstrap(ir.Labels(frame, by="draw"), "Accuracy", n_resamples=REPLICATES, seed=seed)
    yield from _intervals(bootstrap, ("wilson",), truth, "Labels, Accuracy", f"{n} items")


@study(SUBJECT)
def users(repetitions: int, seed: int) -> Iterator[Covered]:
    """Users whose items are dependent."""
    rng = np.random.default_rng([seed, 18])
    right = rng.random((repetitions, 40, 5)) < rng.beta(3.5, 1.5, (repetitions, 40, 1))
    draw, user, _ = (x.ravel() for x in np.indices(right.shape))
    frame = pl.DataFrame({"draw": draw, "user": user, "label": True, "prediction": right.ravel()})
    bootstrap = ir.resampling.bootstrap(
        ir.Labels(frame, by="draw"), "Accuracy", cluster="user", n_resamples=REPLICATES, seed=seed
    )
    yield from _intervals(
        bootstrap, ("percentile", "delta"), 0.7, "Labels, Accuracy, cluster='user'", "40 users of 5 items"
    )


@study(SUBJECT)
def clusters(repetitions: int, seed: int) -> Iterator[Covered]:
    """Items of three classes, mostly clustered by class."""
    rng = np.random.default_rng([seed, 19])
    n = 80
    frame = _labels(n * repetitions, rng).rename({"prediction": "cluster"})
    many = ir.Clusters(_labels(1_000_000, rng).rename({"prediction": "cluster"}))
    frame = frame.with_columns(draw=pl.int_range(pl.len()) // n)
    for name in ("Purity", "AdjustedRand"):
        truth = many.evaluate(name).summary()["value"].item()
        bootstrap = ir.resampling.bootstrap(ir.Clusters(frame, by="draw"), name, n_resamples=REPLICATES, seed=seed)
        yield from _intervals(bootstrap, METHODS, truth, f"Clusters, {name}", f"{n} items")


@study(SUBJECT)
def queries(repetitions: int, seed: int) -> Iterator[Covered]:
    """Queries of four documents in random order, of which one is relevant: AP is the mean of 1/rank."""
    rng = np.random.default_rng([seed, 20])
    n, truth = 40, float(np.mean(1.0 / np.arange(1, 5)))
    inside: dict[str, list[float]] = {m: [] for m in METHODS}
    for i in range(max(10, repetitions // 4)):
        query = np.repeat(np.arange(n), 4)
        document = np.tile(np.arange(4), n)
        run = pl.DataFrame({"query_id": query, "doc_id": document, "score": rng.random(4 * n)})
        qrels = pl.DataFrame({"query_id": np.arange(n), "doc_id": np.zeros(n, dtype=np.int64), "relevance": 1})
        bootstrap = ir.resampling.bootstrap(ir.evaluate(qrels, run, "AP"), n_resamples=REPLICATES, seed=seed + i)
        for method, hits in inside.items():
            row = bootstrap.table(method=method).row(0, named=True)
            hits.append(float(covers(row["ci_low"], row["ci_high"], truth)))
    for method, hits in inside.items():
        yield Covered(f"Rankings, AP, method={method!r}", "measure", f"{n} queries", np.array(hits))
