"""Battles that share prompts, and judgments of a model that errs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, ends, study
from ireval_frames.judging import corrected
from ireval_frames.stats.means.prediction_powered import actively_sampled, stratified

SUBJECT = "Ratings"
# Of the prompts' own effects, by which battles of one prompt are alike.
TASTE = 1.0


def battles_of(rng: np.random.Generator, repetitions: int, prompts: int, each: int) -> pl.DataFrame:
    """Battles of four items, `each` of a prompt; a prompt suits some items more than others."""
    theta = np.array([0.6, 0.2, -0.2, -0.6])
    shape = (repetitions, prompts, each)
    taste = rng.normal(0, TASTE, (repetitions, prompts, 4))
    a = rng.integers(0, 4, shape)
    b = (a + rng.integers(1, 4, shape)) % 4
    x = rng.uniform(-1, 1, shape)
    own = [np.take_along_axis(taste, i, axis=2) for i in (a, b)]
    d = theta[a] - theta[b] + own[0] - own[1] + 0.8 * x
    won = rng.random(shape) < 1 / (1 + np.exp(-d))
    draw, prompt, _ = (v.ravel() for v in np.indices(shape))
    return pl.DataFrame(
        {"draw": draw, "prompt_id": prompt, "item_a": a.ravel(), "item_b": b.ravel(), "x": x.ravel(),
         "winner": np.where(won, "a", "b").ravel()}
    )  # fmt: skip


@study(SUBJECT)
def battles(repetitions: int, seed: int) -> Iterator[Covered]:
    """Strengths and an effect where battles of one prompt are alike; the truth is that of very many prompts."""
    rng = np.random.default_rng([seed, 31])
    some = min(repetitions, 300)
    large = ir.ratings.PairedComparisons(battles_of(rng, 1, 100_000, 8))
    truth = large.strengths().sort("item_id")["value"].to_numpy()
    controlled = large.strengths(covariates="x").sort("item_id")["value"].to_numpy()
    unit = large.effects("x")
    effect = unit["value"].item() / unit["unit"].item()
    sizes = "4 items, 60 prompts of 8 battles"
    pairs = ir.ratings.PairedComparisons(battles_of(rng, some, 60, 8), by="draw")
    for method in ("percentile", "sandwich"):
        result = pairs.strengths(cluster="prompt_id", method=method)
        at = result["item_id"].cast(pl.Int64).to_numpy()
        name = f"strengths(cluster='prompt_id', method={method!r})"
        yield Covered(name, "strength of an item", sizes, covers(*ends(result), truth[at]))
    remark = "battles of a prompt are not independent"
    result = pairs.strengths()
    at = result["item_id"].cast(pl.Int64).to_numpy()
    inside = covers(*ends(result), truth[at])
    yield Covered("strengths() of clustered battles", "strength of an item", sizes, inside, remark=remark)
    result = pairs.strengths(covariates="x", cluster="prompt_id", method="sandwich")
    at = result["item_id"].cast(pl.Int64).to_numpy()
    inside = covers(*ends(result), controlled[at])
    yield Covered("strengths(covariates='x', method='sandwich')", "strength of an item", sizes, inside)
    result = pairs.effects("x", cluster="prompt_id", method="sandwich")
    low, high = (v / result["unit"].to_numpy() for v in ends(result))
    yield Covered("effects('x', method='sandwich')", "coefficient", sizes, covers(low, high, effect))


@study(SUBJECT)
def controlled_lengths(repetitions: int, seed: int) -> Iterator[Covered]:
    """150 prompts against a baseline, where longer answers win; the truth is the win rate at equal lengths."""
    rng = np.random.default_rng([seed, 32])
    some = min(repetitions, 1000)
    gap = rng.normal(0.6, 1.0, (some, 150))
    d = 0.4 + 1.0 * np.tanh(gap / gap.std(axis=1, ddof=1)[:, None])
    won = rng.random((some, 150)) < 1 / (1 + np.exp(-d))
    draw, unit = (v.ravel() for v in np.indices(gap.shape))
    frame = pl.DataFrame({"draw": draw, "unit_id": unit, "winner": np.where(won, "a", "b").ravel()})
    frame = frame.with_columns(
        item_a=pl.lit("m"), item_b=pl.lit("base"), length_a=pl.Series(gap.ravel()), length_b=pl.lit(0.0)
    )
    result = ir.ratings.PairedComparisons(frame, by="draw").length_controlled("base")
    inside = covers(*ends(result), 1 / (1 + np.exp(-0.4)))
    yield Covered("length_controlled('base')", "win rate at equal lengths", "150 prompts", inside)


@study(SUBJECT)
def erring_judges(repetitions: int, seed: int) -> Iterator[Covered]:
    """Verdicts of a judge on 500 items, of which people judged 120; means by strata and of active samples."""
    rng = np.random.default_rng([seed, 33])
    truth = rng.random((repetitions, 500)) < 0.3
    judge = np.where(truth, rng.random(truth.shape) < 0.85, rng.random(truth.shape) < 0.25)
    draw, item = (v.ravel() for v in np.indices(truth.shape))
    frame = pl.DataFrame({"draw": draw, "judge": judge.ravel(), "human": truth.ravel()}).with_columns(
        human=pl.when(pl.Series(item) < 120).then("human")
    )
    for method in ("rogan-gladen", "predictive-values", "ppi++"):
        result = corrected(frame, by="draw", positive=True, method=method)
        inside = covers(*ends(result), 0.3)
        yield Covered(f"judging.corrected(method={method!r})", "share", "500 items, 120 by people", inside)
    by_strata, active = [], []
    for _ in range(repetitions):
        parts = []
        for mean, size in ((0.0, 240), (2.0, 60)):
            y = rng.normal(mean, 1, size + 40)
            f = y + rng.normal(0.3, 0.7, size + 40)
            parts.append((y[:40], f[:40], f[40:]))
        result_ = stratified(parts)
        by_strata.append(float(result_.low <= 2.0 * 100 / 380 <= result_.high))
        y, unsure = rng.normal(size=500), rng.uniform(0.1, 1.5, 500)
        f = y + rng.normal(size=500) * unsure
        chance = np.minimum(1.0, 0.25 * unsure / unsure.mean())
        known = rng.random(500) < chance
        estimate = actively_sampled(y[known], f[known], chance[known], f[~known])
        active.append(float(estimate.low <= 0.0 <= estimate.high))
    yield Covered("judges.powered(strata='stratum')", "mean", "2 strata, 40 each by people", np.array(by_strata))
    yield Covered("judges.powered(probability='chance')", "mean", "500 queries, 125 by people", np.array(active))
