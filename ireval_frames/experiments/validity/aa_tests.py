"""A/A tests: whether the test of a metric keeps its level without a difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.experiments.data import ExperimentData
from ireval_frames.experiments.estimates import pair
from ireval_frames.experiments.metrics import Metric, Quantile
from ireval_frames.experiments.moments import Cells, Moments, cells_of
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.pairs import Compared, numbers_of, units_of
from ireval_frames.experiments.units import Buckets
from ireval_frames.parameters import SEED, whole
from ireval_frames.stats.proportions.intervals import wilson
from ireval_frames.stats.resampling.draws import generator
from ireval_frames.stats.sample import Array

# The number of buckets of units, from which halves are drawn.
BUCKETS = 1000
HALVES = whole(1000, "how many random halves, for --aa", 100)


def aa_test(
    experiment: ExperimentData,
    metrics: Sequence[Metric],
    n_resamples: int,
    seed: int,
    confidence: float,
    coefficient: str,
) -> pl.DataFrame:
    """The table of `Experiment.aa`."""
    if experiment.unit is None:
        raise NotDefined(
            "Units are dealt out by their ids, and none are named.", Hint("Name them: ", Argument("unit", "user_id"))
        )
    if any(isinstance(m, Quantile) for m in metrics):
        raise NotDefined("Quantiles do not follow from sums.", "Leave them out, or cap: Capped(revenue, at=0.99)")
    HALVES.check("n_resamples", n_resamples)
    SEED.check("seed", seed)
    cells = cells_of(experiment.rows, metrics, (), Buckets(BUCKETS, seed))
    units_of(cells)
    halves = _halves(cells.keys.height, n_resamples, seed)
    options = AnalysisOptions(coefficient=coefficient, confidence=confidence)
    return pl.DataFrame([_row(metric, cells, halves, options) for metric in metrics]).with_columns(
        pl.col("p_uniform", "share_significant", "low", "high").fill_nan(None)
    )


def _halves(n: int, draws: int, seed: int) -> Array:
    """Draws × buckets: 1 for the half that is the variant."""
    order = generator(seed, 0).random((draws, n)).argsort(axis=1)
    return (order < n // 2).astype(np.float64)


def _row(metric: Metric, cells: Cells, halves: Array, options: AnalysisOptions) -> dict[str, object]:
    p = np.array([_p(metric, one, options) for one in _drawn(cells.of[metric], halves)])
    p = p[~np.isnan(p)]
    # Of a constant both halves are always the same.
    p = p[:0] if (p == 1.0).all() else p
    draws, often = len(p), float((p <= options.alpha).sum())
    low, high = wilson(np.array([often]), np.array([float(draws)]), 0.999)
    distance = np.max(np.abs(np.sort(p) - (np.arange(draws) + 0.5) / draws)) + 0.5 / draws if draws else np.nan
    verdict = "undefined" if not draws else "as expected"
    if draws and not low[0] <= options.alpha <= high[0]:
        verdict = "too often" if often / draws > options.alpha else "too rarely"
    return {
        "metric": metric.label,
        "n": int(cells.of[metric].n.sum()),
        "n_resamples": draws,
        "level": options.alpha,
        "share_significant": often / draws if draws else float("nan"),
        "low": float(low[0]),
        "high": float(high[0]),
        "p_uniform": float(special.kolmogorov(np.sqrt(draws) * distance)) if draws else float("nan"),
        "verdict": verdict,
    }


def _drawn(of: Moments, halves: Array) -> list[tuple[Moments, Moments]]:
    """The moments of both halves, of every draw: sums about the mean of all, which add up."""
    n, k = of.n, of.mean.shape[1]
    centre = of.merged(np.zeros(len(n), dtype=np.int64), 1).mean[0]
    off = np.where(n[:, None] > 0, of.mean - centre, 0.0)
    squares = of.products + n[:, None, None] * off[:, :, None] * off[:, None, :]
    flat = np.concatenate([n[:, None], n[:, None] * off, squares.reshape(len(n), -1)], axis=1)
    sums = halves @ flat
    rest = flat.sum(axis=0) - sums
    return [(_moments(a, k, centre), _moments(b, k, centre)) for a, b in zip(rest, sums, strict=True)]


def _moments(sums: Array, k: int, centre: Array) -> Moments:
    n = sums[0]
    off = sums[1 : k + 1] / n if n else np.zeros(k)
    products = sums[k + 1 :].reshape(k, k) - n * np.outer(off, off)
    return Moments(np.array([n]), (centre + off)[None, :], products[None])


def _p(metric: Metric, halves: tuple[Moments, Moments], options: AnalysisOptions) -> float:
    compared_pair = pair(metric, *halves, np.ones(1), options.coefficient)
    return float(numbers_of(Compared(metric, (), 0, 1, compared_pair), options)["p_value"])
