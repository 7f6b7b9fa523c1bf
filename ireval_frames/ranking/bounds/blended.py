"""The blended ratio of lists whose documents gain all the same, or nothing: see `ByNumber`.

With one gain γ the measures are functions of the ranks of the relevant documents, each of which is better higher up.
"""

from __future__ import annotations

import numpy as np

from ireval_frames.ranking.bounds.arrays import Array
from ireval_frames.ranking.bounds.by_number import Graded, Value


def _ratio(g: Graded, beta: float) -> Array:
    """By list, number and rank, the blended ratio."""
    gain = g.gain[:, None, None]
    best = np.minimum(g.rank, g.num_relevant[..., None])
    return np.asarray((g.hits + beta * gain * g.hits) / (g.rank + beta * gain * best))


def q_measure(beta: float, cutoff: int | None) -> Value:
    """QMeasure."""

    def value(g: Graded) -> Array:
        within = g.is_hit if cutoff is None else g.is_hit & (g.rank <= cutoff)
        relevant = g.num_relevant if cutoff is None else np.minimum(g.num_relevant, cutoff)
        return np.asarray(np.where(within, _ratio(g, beta), 0.0).sum(axis=2) / relevant)

    return value


def first_ratio(beta: float) -> Value:
    """OMeasure; PMeasure and PPlus, too, as the first document that gains has the largest gain."""
    return lambda g: np.where(g.is_hit & (g.hits == 1), _ratio(g, beta), 0.0).sum(axis=2)


def cumulative_utility(beta: float, gamma: float) -> Value:
    """NCU of rank-biased readers."""

    def value(g: Graded) -> Array:
        terms = np.where(g.is_hit, _ratio(g, beta) * gamma ** (g.hits - 1.0), 0.0).sum(axis=2)
        return np.asarray(terms / ((1.0 - gamma**g.num_relevant) / (1.0 - gamma)))

    return value
