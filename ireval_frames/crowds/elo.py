"""Elo's ratings, which depend on the order of comparisons."""

from __future__ import annotations

import numpy as np

from ireval_frames.crowds.answers import Array, Whole

# Comparisons × replicates per block of draws.
BLOCK = 1 << 20
# Ten to a larger power overflows; its inverse is 0 anyway.
MAX_EXPONENT = 300.0


def elo(a: Whole, b: Whole, score: Array, k: int, step: float = 32.0, start: float = 1000.0) -> Array:
    """Elo's ratings after comparisons one after another: R_a += K·(s − E), E = 1/(1 + 10^((R_b − R_a)/400)).

    Args:
        a: the first item of each comparison, in their order.
        b: the second.
        score: 1 where a won, ½ for a tie, 0.
        k: the number of items.
        step: K.
        start: the first rating of all.

    Source: Elo, The Rating of Chessplayers, 1978.
    """
    rating = [start] * k
    for i, j, s in zip(a.tolist(), b.tolist(), score.tolist(), strict=True):
        change = step * (s - 1 / (1 + 10 ** min((rating[j] - rating[i]) / 400, MAX_EXPONENT)))
        rating[i] += change
        rating[j] -= change
    return np.array(rating)


def bootstrap_elo(
    a: Whole,
    b: Whole,
    score: Array,
    k: int,
    step: float,
    n_resamples: int,
    seed: int,
    start: float = 1000.0,
    cluster: Whole | None = None,
) -> Array:
    """Replicates × items: Elo's ratings where each comparison counts as often as a Poisson draw of mean 1 says.

    Comparisons of one cluster share a draw.

    Comparisons keep their order.

    Args:
        a: the first item of each comparison, in their order.
        b: the second.
        score: 1 where a won, ½ for a tie, 0.
        k: the number of items.
        step: K.
        n_resamples: the number of replicates.
        seed: of the draws.
        start: the first rating of all.
        cluster: of each comparison, from 0.
    """
    rng = np.random.default_rng(seed)
    rating = np.full((k, n_resamples), start)
    block = max(1, BLOCK // max(1, n_resamples))
    drawn = None if cluster is None else rng.poisson(1.0, (int(cluster.max(initial=-1)) + 1, n_resamples))
    for first in range(0, len(a), block):
        here = min(block, len(a) - first)
        times = (
            rng.poisson(1.0, (here, n_resamples))
            if cluster is None or drawn is None
            else drawn[cluster[first : first + here]]
        )
        for t, counts in enumerate(times, first):
            i, j, s = a[t], b[t], score[t]
            for n in range(int(counts.max(initial=0))):
                change = step * (s - 1 / (1 + 10 ** np.minimum((rating[j] - rating[i]) / 400, MAX_EXPONENT)))
                change *= counts > n
                rating[i] += change
                rating[j] -= change
    return rating.T
