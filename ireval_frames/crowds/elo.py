"""Elo's ratings, which go by the order of comparisons."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import Array, Whole

# Comparisons × replicates that are drawn at once.
BLOCK = 1 << 20
# Ten to a power above this is no number, and its inverse is 0 all the same.
LARGEST = 300.0


def elo(a: Whole, b: Whole, score: Array, k: int, step: float = 32.0, start: float = 1000.0) -> Array:
    """Elo's ratings after comparisons one after another: R_a += K·(s − E), E = 1/(1 + 10^((R_b − R_a)/400)).

    Args:
        a: the first item of each comparison, in their order.
        b: the second.
        score: 1 where a won, ½ for a tie, 0.
        k: how many items there are.
        step: K.
        start: where all begin.

    Source: Elo, The Rating of Chessplayers, 1978.
    """
    rating = [start] * k
    for i, j, s in zip(a.tolist(), b.tolist(), score.tolist(), strict=True):
        moved = step * (s - 1 / (1 + 10 ** min((rating[j] - rating[i]) / 400, LARGEST)))
        rating[i] += moved
        rating[j] -= moved
    return np.array(rating)


def resampled(
    a: Whole, b: Whole, score: Array, k: int, step: float, n_resamples: int, seed: int, start: float = 1000.0
) -> Array:
    """Replicates × items: Elo's ratings where each comparison takes place as often as Poisson's distribution of 1 says.

    Comparisons stay in their order.

    Args:
        a: the first item of each comparison, in their order.
        b: the second.
        score: 1 where a won, ½ for a tie, 0.
        k: how many items there are.
        step: K.
        n_resamples: how many.
        seed: of the draws.
        start: where all begin.
    """
    rng = np.random.default_rng(seed)
    rating = np.full((k, n_resamples), start)
    block = max(1, BLOCK // max(1, n_resamples))
    for first in range(0, len(a), block):
        times = rng.poisson(1.0, (min(block, len(a) - first), n_resamples))
        for t, of in enumerate(times, first):
            i, j, s = a[t], b[t], score[t]
            for turn in range(int(of.max(initial=0))):
                moved = step * (s - 1 / (1 + 10 ** np.minimum((rating[j] - rating[i]) / 400, LARGEST)))
                moved *= of > turn
                rating[i] += moved
                rating[j] -= moved
    return rating.T
