"""Strengths, win rates and biases as tables, from the comparisons of one group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.crowds.elo import bootstrap_elo, elo
from ireval_frames.crowds.graph import components
from ireval_frames.crowds.strengths import Compared, Strengths, bradley_terry, davidson, thurstone
from ireval_frames.errors import Argument, ConvergenceWarning, Hint, InvalidParameter, listed, warn
from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, choice, number, option, whole
from ireval_frames.ratings.paired.rows import coded

MODELS: dict[str, Callable[..., Strengths]] = {
    "bradley-terry": bradley_terry,
    "thurstone": thurstone,
    "davidson": davidson,
}
WARNED = {"not_converged": "did not converge", "singular": "have no standard errors: their matrix is singular"}
# Standard errors below this are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class StrengthOptions(BaseOptions):
    """How strengths are estimated.

    Attributes:
        model: the model; "elo" depends on the order of the comparisons.
        confidence: of intervals.
        prior: the number of comparisons that are added to each pair.
        step: K of Elo.
        n_resamples: of Elo, the number of replicates; 0 is no interval.
        seed: of the draws.
    """

    model: str = option(choice(*MODELS, "elo", what="the model of strengths"))
    confidence: float = option(CONFIDENCE)
    prior: float = option(number(0.0, "comparisons that are added to each pair", low=0.0, example=0.5))
    step: float = option(number(32.0, "K of Elo", low=0.0))
    n_resamples: int = option(whole(200, "of Elo, the number of replicates", low=0))
    seed: int = option(SEED)


def strengths(rows: pl.DataFrame, options: StrengthOptions) -> pl.DataFrame:
    """The strengths of the items, the strongest first (`PairedComparisons.strengths`).

    Raises:
        InvalidParameter: with this step Elo's ratings overflow.
    """
    from scipy.special import ndtri

    by_order = options.model == "elo"
    rows = rows.sort("order", "item_a", "item_b", "score") if by_order else rows
    items, a, b = coded(rows)
    k, score, n = len(items), rows["score"].to_numpy(), rows["n"].to_numpy()
    if by_order:
        estimate, low, high = _elo(a, b, score, k, options)
    else:
        estimate = _fitted(a, b, score, n, k, options)
        for status, text in WARNED.items():
            if affected := [i for i, s in zip(items, estimate.status, strict=True) if s == status]:
                message = f"The strengths ({options.model}) of {len(affected)} items {text}: {listed(affected, 3)}."
                warn(message, ConvergenceWarning)
        half = float(ndtri((1 + options.confidence) / 2)) * estimate.se
        low, high = estimate.value - half, estimate.value + half
    both = np.concatenate([a, b])
    wins = np.concatenate([n * (score == 1), n * (score == 0)])
    columns = {
        "item_id": items,
        "value": estimate.value,
        "se": estimate.se,
        "ci_low": low,
        "ci_high": high,
        "n": sums(both, np.tile(n, 2), k),
        "wins": sums(both, wins, k),
        "ties": sums(both, np.tile(n * (score == 0.5), 2), k),
        "component": estimate.component,
        "status": estimate.status,
    }
    table = pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))
    return table.sort("value", "item_id", descending=[True, False], nulls_last=True)


def _fitted(a: Whole, b: Whole, score: Array, n: Array, k: int, options: StrengthOptions) -> Strengths:
    """The model's strengths, from the comparisons summed by pair."""
    low, high, swapped = np.minimum(a, b), np.maximum(a, b), a > b
    pair, place = np.unique(low * k + high, return_inverse=True)
    points = np.where(swapped, 1 - score, score)
    won, lost, tied = (sums(place, n * (points == x), len(pair)) for x in (1, 0, 0.5))
    return MODELS[options.model](Compared(pair // k, pair % k, won, lost, tied, k), options.prior)


def _elo(a: Whole, b: Whole, score: Array, k: int, options: StrengthOptions) -> tuple[Strengths, Array, Array]:
    """Elo's ratings with the standard errors and percentiles of their replicates."""
    several = options.n_resamples > 1
    with np.errstate(over="ignore", invalid="ignore"):
        replicates = bootstrap_elo(a, b, score, k, options.step, options.n_resamples, options.seed)
        se = replicates.std(axis=0, ddof=1) if several else np.full(k, np.nan)
    value = elo(a, b, score, k, options.step)
    if not (np.isfinite(value).all() and np.isfinite(replicates).all() and (np.isfinite(se).all() or not several)):
        raise InvalidParameter(
            f"With the step {options.step!r} Elo's ratings are beyond all numbers.",
            Hint("Write ", Argument("step", 32.0)),
        )
    estimate = Strengths(value, se, components(a, b, k), ["ok"] * k)
    if not several:
        return estimate, np.full(k, np.nan), np.full(k, np.nan)
    low, high = np.quantile(replicates, [(1 - options.confidence) / 2, (1 + options.confidence) / 2], axis=0)
    return estimate, low, high


def win_rates(rows: pl.DataFrame, confidence: float) -> pl.DataFrame:
    """The share of its comparisons that each item won (`PairedComparisons.win_rates`)."""
    from scipy.special import stdtrit

    from ireval_frames.stats.proportions.intervals import wilson

    unit = ["unit_id"] if "unit_id" in rows.columns else []
    sides = pl.concat(
        [
            rows.select(*unit, "n", item_id="item_a", score="score"),
            rows.select(*unit, "n", item_id="item_b", score=1 - pl.col("score")),
        ]
    )
    weight = pl.col("n")
    if unit:
        # A unit counts once, with the mean of its comparisons.
        sides = sides.group_by("item_id", *unit).agg(
            score=(pl.col("score") * pl.col("n")).sum() / pl.col("n").sum(), n=pl.col("n").sum()
        )
        weight = pl.lit(1.0)
    sides = sides.with_columns(weight=weight)
    weight = pl.col("weight")
    mean = (pl.col("score") * weight).sum() / weight.sum()
    squares = (weight * (pl.col("score") - mean) ** 2).sum()
    rates = sides.group_by("item_id").agg(
        win_rate=mean, squares=squares, n_units=weight.sum().cast(pl.Int64), n=pl.col("n").sum().cast(pl.Int64)
    )
    n = rates["n_units"].to_numpy().astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.where(n > 1, np.sqrt(rates["squares"].to_numpy() / (n - 1) / n), np.nan)
        # Where scores do not vary, their variance says nothing of the error.
        se = np.where(se > ROUNDING, se, np.nan)
        t = np.array([stdtrit(x - 1, (1 + confidence) / 2) if x > 1 else np.nan for x in n])
    rate = rates["win_rate"].to_numpy()
    low, high = wilson(rate * n, n, confidence)
    known = ~np.isnan(se)
    ends = {
        "se": se,
        "ci_low": np.where(known, np.maximum(rate - t * se, 0.0), low),
        "ci_high": np.where(known, np.minimum(rate + t * se, 1.0), high),
    }
    rates = rates.with_columns(**{k: pl.Series(v, dtype=pl.Float64).fill_nan(None) for k, v in ends.items()})
    return rates.select("item_id", "win_rate", "se", "ci_low", "ci_high", "n_units", "n").sort(
        "win_rate", "item_id", descending=[True, False]
    )


def bias(rows: pl.DataFrame, confidence: float) -> pl.DataFrame:
    """What the judge prefers besides the better item (`PairedComparisons.bias`)."""
    from scipy.special import bdtr

    from ireval_frames.stats.proportions.intervals import wilson

    # The name, the number of hits, and of how many.
    counts: list[tuple[str, float, float]] = []
    decided = rows.filter(pl.col("score") != 0.5)
    counts.append(("first", float((decided["score"] * decided["n"]).sum()), float(decided["n"].sum())))
    if {"length_a", "length_b"} <= set(rows.columns):
        longer = decided.filter(pl.col("length_a") != pl.col("length_b"))
        correct = (longer["score"] == 1) == (longer["length_a"] > longer["length_b"])
        counts.append(("longer", float((correct * longer["n"]).sum()), float(longer["n"].sum())))
    if "unit_id" in rows.columns:
        low, high = (f("item_a", "item_b") for f in (pl.min_horizontal, pl.max_horizontal))
        both = rows.with_columns(low=low, high=high, swapped=pl.col("item_a") > pl.col("item_b"))
        mean = (pl.col("score") * pl.col("n")).sum() / pl.col("n").sum()
        sides = both.group_by("unit_id", "low", "high", "swapped").agg(score=mean)
        one, other = (sides.filter(pl.col("swapped") == t).drop("swapped") for t in (False, True))
        pairs = one.join(other, on=["unit_id", "low", "high"], suffix="_swapped")
        same = pairs["score"] == 1 - pairs["score_swapped"]
        counts.append(("consistent", float(same.sum()), float(pairs.height)))
        mixed = pairs.filter(~same & (pl.col("score") != 0.5) & (pl.col("score_swapped") != 0.5))
        counts.append(("first_of_inconsistent", float((mixed["score"] == 1).sum()), float(mixed.height)))
    hits, n = (np.array([f[i] for f in counts], dtype=float) for i in (1, 2))
    low_, high_ = wilson(hits, n, confidence)
    p: Array = np.array(
        [
            np.nan if m == 0 or name == "consistent" else min(1.0, 2 * float(bdtr(min(h, m - h), int(m), 0.5)))
            for name, h, m in counts
        ]
    )
    with np.errstate(invalid="ignore"):
        share = np.where(n > 0, hits / np.maximum(n, 1), np.nan)
    columns = {"share": share, "ci_low": low_, "ci_high": high_, "n": n.astype(int), "p_value": p}
    table = pl.DataFrame({"bias": [f[0] for f in counts], **columns})
    return table.with_columns(pl.selectors.float().fill_nan(None))
