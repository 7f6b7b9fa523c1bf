"""Tests of counts against expected shares: χ² and exact."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy import special

from ireval_frames.stats.sample import Array

# The largest number of outcomes that are enumerated.
MAX_OUTCOMES = 200_000
# Probabilities that differ by less are equal.
TIED = 1e-7


def chi_square(counts: Array, shares: Array) -> tuple[Array, Array]:
    """χ² = Σ (o − e)² / e over the last axis, of k counts, with k − 1 degrees of freedom, and its p-value.

    Source: Pearson, Philosophical Magazine 1900.

    Example:
        >>> statistic, p = chi_square(np.array([520.0, 480.0]), np.array([0.5, 0.5]))
        >>> round(float(statistic), 4), round(float(p), 4)
        (1.6, 0.2059)
    """
    expected = counts.sum(axis=-1, keepdims=True) * shares
    statistic = np.asarray(np.sum((counts - expected) ** 2 / expected, axis=-1))
    return statistic, np.asarray(special.chdtrc(counts.shape[-1] - 1.0, statistic))


def exact_fits(counts: Array) -> bool:
    """Whether the outcomes of these units are few enough to be enumerated."""
    n, k = int(counts.sum()), len(counts)
    return math.comb(n + k - 1, k - 1) <= MAX_OUTCOMES


def exact(counts: Array, shares: Array) -> float:
    """The probability of all outcomes that are no more probable than this one; of two counts the binomial test.

    Source: Clopper and Pearson, Biometrika 1934, for the distribution; as scipy.stats.binomtest for two counts.

    Example:
        >>> round(exact(np.array([14.0, 6.0]), np.array([0.5, 0.5])), 4)
        0.1153
        >>> round(exact(np.array([7.0, 2.0, 1.0]), np.array([0.5, 0.25, 0.25])), 4)
        0.5065
    """
    n, k = int(counts.sum()), len(counts)
    if k == 2:
        first = np.arange(n + 1.0)
        outcomes = np.stack([first, n - first], axis=1)
    else:
        bars = np.array(list(itertools.combinations(range(n + k - 1), k - 1)), dtype=np.float64)
        ends = np.full((len(bars), 1), n + k - 1.0)
        outcomes = np.diff(np.hstack([np.full((len(bars), 1), -1.0), bars, ends]), axis=1) - 1.0
    logs = _log_probability(outcomes, shares)
    observed = _log_probability(counts[None, :], shares)[0]
    return float(min(np.exp(logs[logs <= observed + TIED]).sum(), 1.0))


def _log_probability(outcomes: Array, shares: Array) -> Array:
    n = outcomes[0].sum()
    return np.asarray(special.gammaln(n + 1.0) + (outcomes * np.log(shares) - special.gammaln(outcomes + 1.0)).sum(1))
