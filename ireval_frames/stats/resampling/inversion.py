"""Intervals by inverting a test: the shifts of the differences that its own draws do not reject.

Under each draw the statistic of differences less δ reaches that of the data from a certain δ on, so p(δ) counts the
draws whose threshold has been passed, and the ends of the interval are order statistics of thresholds.
"""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.sample import Alternative, Array


def interval(
    one: Array, other: Array, confidence: float, alternative: Alternative, *, total: bool = False
) -> tuple[Array, Array]:
    """The ends of the intervals.

    Args:
        one: the δ at which the statistic of the draw and of the data are one, pairs × draws; NaN where at none.
        other: the same for the negated statistic, for two-sided tests.
        confidence: 1 − α.
        alternative: of the test.
        total: all assignments were counted, the data's own among them; else the data are one more.

    Returns:
        low and high: where p(δ) first exceeds α; ±∞ where no δ is rejected, and on the side that is not tested.
    """
    draws = one.shape[1]
    # The observed assignment rejects nothing and comes first.
    rank = int(np.floor((1.0 - confidence) * (draws if total else draws + 1) + 1e-9)) - (not total)
    nowhere = np.full(len(one), np.inf)
    low, high = -nowhere, nowhere
    if not 0 <= rank < draws:
        return low, high
    both = alternative == "two-sided"
    if alternative != "less":
        low = _ranked(np.minimum(one, other) if both else one, rank, -np.inf)
    if alternative != "greater":
        high = -_ranked(-(np.maximum(one, other) if both else one), rank, -np.inf)
    return low, high


def _ranked(thresholds: Array, rank: int, missing: float) -> Array:
    """The threshold of that rank, from 0; those that are not there come first."""
    return np.asarray(np.partition(np.where(np.isnan(thresholds), missing, thresholds), rank, axis=1)[:, rank])
