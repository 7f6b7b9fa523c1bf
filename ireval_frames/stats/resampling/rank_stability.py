"""How stable the order of systems is when the units are others: the bootstrap of means and ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ireval_frames.errors import NotDefined
from ireval_frames.stats.joint import complete
from ireval_frames.stats.resampling.draws import BLOCK
from ireval_frames.stats.resampling.resampled_means import resampled_sums
from ireval_frames.stats.rounding import of_means
from ireval_frames.stats.sample import Array, Options


@dataclass(frozen=True, eq=False)
class Stability:
    """What resampled units make of the order of systems; rank 1 is the best.

    Attributes:
        rank: of each system's mean over all units, ties sharing the mean of theirs.
        rank_low, rank_high: the interval of its rank over the draws.
        best: the share of draws in which it is best; systems that tie share the draw.
        beats: systems × systems, the share of draws in which the row's mean is better than the column's, ties half.
        tau_mean, tau_sd: of Kendall's τ_b between the order of a draw and the observed one; NaN where all means tie.
        units, draws: how many.
    """

    rank: Array
    rank_low: Array
    rank_high: Array
    best: Array
    beats: Array
    tau_mean: float
    tau_sd: float
    units: int
    draws: int


def rank_stability(values: Array, options: Options, *, higher_is_better: bool = True) -> Stability:
    """Rank intervals, P(best), P(i beats j) and Kendall's τ to the observed order, over resampled units.

    Units are drawn with replacement, the same ones for all systems; each draw ranks the systems' means.  It describes,
    so that no correction follows.

    Args:
        values: units × systems, NaN where there is none; units with gaps are left out.
        options: confidence, draws, seed, threads.
        higher_is_better: whether a larger value is.

    Raises:
        NotDefined: there are no units without gaps, or no systems.
        InvalidParameter: `seed`, `n_resamples` or `threads` is not an integer.

    Source: Efron and Tibshirani, 1993; Goldstein and Spiegelhalter, JRSS A 1996 (intervals of ranks).

    Example:
        >>> values = np.random.default_rng(0).random((50, 3)) + np.array([0.0, 0.1, 0.5])
        >>> found = rank_stability(values, Options(n_resamples=2000))
        >>> found.rank.tolist(), found.best.round(2).tolist()
        ([3.0, 2.0, 1.0], [0.0, 0.0, 1.0])
    """
    draws = options.n_resamples
    values = complete(values)
    n, m = values.shape
    if not n or not m:
        raise NotDefined(
            f"There are {n} units that all of {m} systems have.",
            "Ranks need a system, and a unit that all systems have.",
        )
    signed = values if higher_is_better else -values
    # Without the means of units sums are rounded less, and orders stay the same.
    centred = signed - signed.mean(axis=1, keepdims=True)
    tied = of_means(values)
    means = resampled_sums(centred, options) / n
    observed = centred.mean(axis=0)[None]
    own = _orders(observed, observed[0], tied)
    parts = [_orders(means[start : start + BLOCK], observed[0], tied) for start in range(0, draws, BLOCK)]
    ranks = np.concatenate([part.ranks for part in parts])
    tau = np.concatenate([part.tau for part in parts])
    levels = (1.0 - options.confidence) / 2.0, (1.0 + options.confidence) / 2.0
    # A rank that was drawn, not one between two.
    low, high = np.quantile(ranks, levels, axis=0, method="inverted_cdf")
    beats = np.sum([part.beats for part in parts], axis=0) / draws
    np.fill_diagonal(beats, np.nan)
    best = np.sum([part.best for part in parts], axis=0) / draws
    known = tau[~np.isnan(tau)]
    mean, sd = (float(known.mean()), float(known.std())) if len(known) else (np.nan, np.nan)
    return Stability(own.ranks[0], low, high, best, beats, mean, sd, n, draws)


@dataclass(frozen=True, eq=False)
class _Orders:
    """Ranks (draws × systems), how often each system beats and is best, and τ_b of each draw."""

    ranks: Array
    beats: Array
    best: Array
    tau: Array


def _orders(means: Array, observed: Array, tied: float) -> _Orders:
    """What means (draws × systems, larger is better) say of the order; means that differ by their rounding tie."""
    draws, m = means.shape
    ranks, beats = np.empty((draws, m)), np.empty((m, m))
    agree, pairs = np.zeros(draws), np.zeros(draws)
    known = 0.0
    for i in range(m):
        sign = _sign(means[:, i : i + 1] - means, tied)
        expected = _sign(observed[i] - observed, tied)
        # Half a win of a tie, and of itself.
        ranks[:, i] = (m + 1.0 - sign.sum(axis=1)) / 2.0
        beats[i] = (sign + 1.0).sum(axis=0) / 2.0
        agree += sign @ expected
        pairs += np.square(sign).sum(axis=1)
        known += float(np.square(expected).sum())
    first = (means.max(axis=1, keepdims=True) - means <= tied).astype(np.float64)
    best = (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
    both = np.sqrt(pairs * known)
    return _Orders(ranks, beats, best, np.divide(agree, both, out=np.full(draws, np.nan), where=both > 0))


def _sign(difference: Array, tied: float) -> Array:
    return np.asarray(np.where(np.abs(difference) <= tied, 0.0, np.sign(difference)))
