"""Raters, comparisons of two items, and judgments of a model beside those of people."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy.special import ndtr

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, ends, study
from ireval_frames.stats.means.prediction_powered import prediction_powered
from ireval_frames.stats.proportions.intervals import wilson

SUBJECT = "Ratings"
UNITS = 60


def _rated(answers: np.ndarray) -> pl.DataFrame:
    """Ratings of repetitions × units × raters as rows."""
    draw, unit, rater = (x.ravel() for x in np.indices(answers.shape))
    return pl.DataFrame({"draw": draw, "item_id": unit, "rater_id": rater, "rating": answers.ravel()})


def _measured(frame: pl.DataFrame, truth: dict[str, float], level: str, sizes: str) -> Iterator[Covered]:
    result = ir.Ratings(frame, by="draw", level=level).evaluate(" ".join(truth)).intervals()
    for name, value in truth.items():
        rows = result.filter(measure=name)
        yield Covered(name, "agreement", sizes, covers(*ends(rows), value))


@study(SUBJECT)
def agreement(repetitions: int, seed: int) -> Iterator[Covered]:
    """Three raters who are right in 80 % of two classes; and three who add noise to numbers."""
    rng = np.random.default_rng([seed, 8])
    truth = rng.integers(0, 2, (repetitions, UNITS, 1))
    answers = np.where(rng.random((repetitions, UNITS, 3)) < 0.8, truth, 1 - truth)
    names = ["FleissKappa", "CongerKappa", "CohenKappa", "KrippendorffAlpha", "GwetAC1", "BrennanPrediger", "ScottPi"]
    shares = {"PercentAgreement": 0.68} | dict.fromkeys(names, 0.36)
    names_in_catalog = {str(m) for m in ir.measures("ratings")["name"]}
    sizes = f"{UNITS} units, 3 raters"
    yield from _measured(_rated(answers), {n: v for n, v in shares.items() if n in names_in_catalog}, "nominal", sizes)
    numbers = rng.normal(0.0, 1.0, (repetitions, UNITS, 1)) + rng.normal(0.0, 0.7, (repetitions, UNITS, 3))
    share = 1.0 / 1.49
    yield from _measured(_rated(numbers), {"ICC": share, "KrippendorffAlpha": share}, "interval", sizes)


@study(SUBJECT)
def strengths(repetitions: int, seed: int) -> Iterator[Covered]:
    """Five items, each two compared twelve times; ties where the model has them."""
    rng = np.random.default_rng([seed, 9])
    theta = np.array([0.8, 0.3, 0.0, -0.4, -0.7])
    theta = theta - theta.mean()
    a, b = np.triu_indices(5, 1)
    d = theta[a] - theta[b]
    times, sizes = 12, "5 items, 12 comparisons of each two"
    for model in ("bradley-terry", "davidson", "thurstone"):
        if model == "davidson":
            p = np.stack([np.exp(d / 2), np.exp(-d / 2), np.full(10, 0.6)])
            p = p / p.sum(axis=0)
        else:
            win = 1.0 / (1.0 + np.exp(-d)) if model == "bradley-terry" else ndtr(d)
            p = np.stack([win, 1.0 - win, np.zeros(10)])
        drawn = np.array([["a", "b", "tie"][k] for k in range(3)])[
            (rng.random((repetitions, 10, times, 1)) > np.cumsum(p.T, axis=1)[None, :, None, :2]).sum(axis=-1)
        ]
        draw, pair, _ = (x.ravel() for x in np.indices(drawn.shape))
        rows = pl.DataFrame({"draw": draw, "a": a[pair], "b": b[pair], "winner": drawn.ravel()})
        rows = rows.with_columns(
            winner=pl.when(winner="a").then(pl.col("a").cast(pl.String))
            .when(winner="b").then(pl.col("b").cast(pl.String)).otherwise(pl.lit("tie")),
            a=pl.col("a").cast(pl.String), b=pl.col("b").cast(pl.String),
        )  # fmt: skip
        pairs = ir.ratings.PairedComparisons(rows, a="a", b="b", winner="winner", by="draw")
        result = pairs.strengths(model)
        truth = theta[result["item_id"].cast(pl.Int64).to_numpy()]
        inside = covers(*ends(result), truth)
        yield Covered(f"strengths({model!r})", "strength of an item", sizes, inside)
        if model != "bradley-terry":
            continue
        wins = 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))
        rate = (wins.sum(axis=1) - 0.5) / 4
        rates = pairs.win_rates()
        inside = covers(*ends(rates), rate[rates["item_id"].cast(pl.Int64).to_numpy()])
        yield Covered("win_rates()", "share of comparisons won", sizes, inside)
        first = pairs.bias().filter(bias="first")
        inside = covers(*ends(first), (1.0 / (1.0 + np.exp(-d))).mean())
        yield Covered("bias()", "share that the first item won", "120 comparisons", inside)


@study(SUBJECT)
def judged(repetitions: int, seed: int) -> Iterator[Covered]:
    """Values of 40 queries judged by people, and 300 judged only by a model; a proportion by Wilson's interval."""
    rng = np.random.default_rng([seed, 10])
    for method, weight in (("ppi++", None), ("ppi", 1.0), ("human", 0.0)):
        inside = []
        for _ in range(repetitions):
            truth = rng.normal(size=340)
            predicted = truth + rng.normal(0.2, 0.5, 340)
            result = prediction_powered(truth[:40], predicted[:40], predicted[40:], weight=weight)
            inside.append(float(result.low <= 0.0 <= result.high))
        yield Covered(f"judges.powered(method={method!r})", "mean", "40 and 300 queries", np.array(inside))
    hits = rng.binomial(30, 0.2, repetitions).astype(np.float64)
    yield Covered("wilson", "share", "30 items, 0.2", covers(*wilson(hits, np.full(repetitions, 30.0)), 0.2))
