"""Ranks among sampled candidates: how they are distributed, and functions of the rank among all estimated from them.

An item at rank r of n is above all but r − 1 of the others.  Among m others that are drawn at random its rank is one
more than the number of those that are above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
# Cells of the matrix of probabilities at a time.
BLOCK = 4_000_000


def probabilities(ranks: Array, n: int, m: int, *, replacement: bool) -> Array:
    """A row per rank among n items: the probabilities of the ranks 1 to m + 1 among m drawn items.

    Args:
        ranks: ranks from 1 to n.
        n: the number of items.
        m: how many of the others are drawn.
        replacement: whether one can be drawn several times.
    """
    from scipy.special import gammaln, xlogy

    above, below = (np.asarray(ranks, dtype=float) - 1.0)[:, None], (n - np.asarray(ranks, dtype=float))[:, None]
    drawn = np.arange(m + 1.0)
    rest = m - drawn
    if replacement:
        ways = gammaln(m + 1.0) - gammaln(drawn + 1.0) - gammaln(rest + 1.0)
        logs = ways + xlogy(drawn, above / (n - 1.0)) + xlogy(rest, below / (n - 1.0))
    else:
        with np.errstate(invalid="ignore"):
            logs = _log_ways(above, drawn) + _log_ways(below, rest) - _log_ways(np.array(n - 1.0), np.array(float(m)))
        logs = np.where((drawn <= above) & (rest <= below), logs, -np.inf)
    return np.asarray(np.exp(logs))


def _log_ways(of: Array, chosen: Array) -> Array:
    """The logarithm of the number of ways to choose some of so many."""
    from scipy.special import gammaln

    return np.asarray(gammaln(of + 1.0) - gammaln(chosen + 1.0) - gammaln(of - chosen + 1.0))


def _blocks(n: int, m: int) -> Iterator[Array]:
    size = max(1, BLOCK // (m + 1))
    for start in range(1, n + 1, size):
        yield np.arange(start, min(start + size, n + 1))


def estimated_ranks(n: int, m: int) -> Array:
    """The rank among n items that is estimated from each of the ranks 1 to m + 1: ⌊1 + (n − 1)·(r̃ − 1)/m⌋."""
    return 1 + (n - 1) * np.arange(m + 1) // m


def least_squares(values: Array, n: int, m: int, gamma: float, *, replacement: bool) -> Array:
    """The values at the ranks 1 to m + 1 that estimate functions of the rank among n items with least error.

    f̂ = ((1 − γ)·AᵀA + γ·diag(c))⁻¹·Aᵀb with A = √p·P(r̃ | r), b = √p·f(r), c = Σ p·P(r̃ | r) and p = 1/n: the mean over
    all ranks of bias² + γ·variance is least.

    Args:
        values: a row per rank among n items, a column per function.
        n: the number of items.
        m: how many of the others are drawn.
        gamma: the weight γ of the variance, above 0.
        replacement: whether one can be drawn several times.
    """
    squares, means = np.zeros((m + 1, m + 1)), np.zeros(m + 1)
    products = np.zeros((m + 1, values.shape[1]))
    for ranks in _blocks(n, m):
        weights = probabilities(ranks, n, m, replacement=replacement)
        squares += weights.T @ weights
        means += weights.sum(axis=0)
        products += weights.T @ values[ranks - 1]
    return np.linalg.solve((1.0 - gamma) * squares + gamma * np.diag(means), products)
