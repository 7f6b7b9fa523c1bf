"""Ranks of differences by size, and the exact distribution of the sum of those that are positive."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from ireval_frames.stats.sample import Array, Integers

# The most units for which the order statistics of an interval are exact.
MOST_DISTINCT = 100


def midranks(rows: Array) -> tuple[Array, Array]:
    """Of each row, ranks from 1, ties sharing the mean of theirs; and the sum of t³ − t over groups of t tied values.

    NaN has no rank, and is in no group.
    """
    order = np.argsort(rows, axis=1)
    ordered = np.take_along_axis(rows, order, axis=1)
    first, last = _groups(ordered)
    size = (last - first + 1).astype(np.float64)
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, np.where(np.isnan(ordered), np.nan, (first + last) / 2.0 + 1.0), axis=1)
    return ranks, (np.square(size) - 1.0).sum(axis=1)


def shares_of_positive_sums(differences: Array) -> Array:
    """Of each row and each d_i, the share of units j with d_i + d_j > 0, sums of 0 as ½; NaN where d_i is.

    No difference may be 0.  The shares are in the order of |d_i|.
    """
    ordered = np.take_along_axis(differences, np.argsort(np.abs(differences), axis=1), axis=1)
    first, last = _groups(np.abs(ordered))
    start = np.zeros((len(ordered), 1))
    smaller = []
    with np.errstate(invalid="ignore"):
        for sign in (ordered < 0, ordered > 0):
            counts = np.concatenate([start, np.cumsum(sign, axis=1)], axis=1)
            at = (np.take_along_axis(counts, place, axis=1) for place in (first, last + 1))
            smaller.append((sum(at, np.zeros(1)) / 2.0, counts[:, -1:]))
        (negative, _), (positive, all_positive) = smaller
        # A positive one outweighs all positive ones and the smaller negative ones.
        counted = np.where(ordered > 0, all_positive + negative, all_positive - positive)
        n = (~np.isnan(ordered)).sum(axis=1, keepdims=True)
        return np.where(np.isnan(ordered), np.nan, counted / n)


def _groups(ordered: Array) -> tuple[Integers, Integers]:
    """The first and the last place of the values that equal each, in sorted rows; NaN equals nothing."""
    width = ordered.shape[1]
    place = np.broadcast_to(np.arange(width), ordered.shape)
    edge = np.ones((len(ordered), width + 1), dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=edge[:, 1:-1])
    first = np.maximum.accumulate(np.where(edge[:, :-1], place, 0), axis=1)
    last = np.minimum.accumulate(np.where(edge[:, 1:], place, width)[:, ::-1], axis=1)[:, ::-1]
    return first, last


def rank_sum_distribution(ranks: Array) -> Array:
    """The probability of each sum of ranks with a positive sign, when all signs are equally likely.

    Args:
        ranks: midranks of differences that are not 0, in any order.

    Returns:
        Probabilities of the doubled sums 0, 1, 2 … twice the sum of the ranks.
    """
    return _distribution(np.sort(np.rint(2.0 * ranks).astype(np.int64)).tobytes())


def tail_probabilities(ranks: Array, total: float) -> tuple[float, float]:
    """P(sum ≤ total) and P(sum ≥ total) of `rank_sum_distribution`."""
    chances = rank_sum_distribution(ranks)
    at = round(2.0 * total)
    return float(chances[: at + 1].sum()), float(chances[at:].sum())


@lru_cache(maxsize=4096)
def _distribution(doubled: bytes) -> Array:
    steps = np.frombuffer(doubled, dtype=np.int64)
    chances = np.zeros(int(steps.sum()) + 1)
    chances[0], end = 1.0, 1
    for step in steps.tolist():
        shifted = chances[:end] * 0.5
        chances[:end] = shifted
        chances[step : end + step] += shifted
        end += step
    chances.flags.writeable = False
    return chances


@lru_cache(maxsize=1024)
def lower_order(n: int, level: float) -> int:
    """Which of the n (n + 1) / 2 sorted means of two bounds their median from below: P(sum < k) ≤ level for the rank k.

    0 where none does.  Exact for up to 100 units, then from the normal distribution.
    """
    if n <= MOST_DISTINCT:
        below = np.cumsum(rank_sum_distribution(np.arange(1, n + 1, dtype=np.float64))[::2])
        return int(np.searchsorted(below, level * (1 + 1e-12), side="right"))
    from scipy.special import ndtri

    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return max(0, math.floor(n * (n + 1) / 4 + 0.5 + float(ndtri(level)) * spread))
