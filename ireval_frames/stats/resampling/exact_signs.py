"""The distribution of a sum over all assignments of signs, counted.

Differences on a grid are summed as integers; few of any kind by halves: the sums of all subsets of one half are
sorted, and for each subset of the other half a binary search counts those that reach the sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ireval_frames.stats.rounding import EXACT
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Alternative, Array, Integers

# The most differences of any kind that are counted; more take seconds.
MAX_COUNTED = 34
# Additions that differences on a grid may take.
MAX_ADDITIONS = 4_000_000
# What a difference on a grid may lie beside it, in roundings of the values.
MAX_ROUNDINGS = 4.0


def counted(d: Array, beside: Array, alternative: Alternative, most: int = MAX_COUNTED) -> float | None:
    """The share of all 2ⁿ assignments of signs whose sum is at least as extreme; None where they are too many to count.

    Args:
        d: differences, none of them 0.
        beside: what each difference may be beside its true value.
        alternative: of their sum.
        most: how many differences may be counted by halves; 0 for no counting at all.
    """
    if not len(d):
        return 1.0
    if not most:
        return None
    # Integers have no rounding; the rounding of other sums is that of their terms.
    integral = bool((np.rint(d) == d).all()) and float(np.abs(d).sum()) < EXACT
    beside = beside if integral and not beside.any() else np.maximum(beside, ROUNDINGS * EPSILON * np.abs(d))
    # Halves of 2¹¹ sums are cheaper than to look for a grid.
    if len(d) > min(most, 22):
        step = max(float(beside.max()), 8.0 * EPSILON * float(np.abs(d).max()))
        if (grid := on_grid(d, step)) is not None:
            return _of_integers(grid, alternative)
    return _of_halves(d, beside, alternative) if len(d) <= most else None


def on_grid(d: Array, rounding: float) -> Integers | None:
    """The differences as integers of a common step, if there is one that makes them small enough to be counted."""
    size = np.sort(np.abs(d))
    # Numbers that are equal but for rounding are neighbours.
    distinct = size[np.r_[True, np.diff(size) > MAX_ROUNDINGS * rounding]]
    smallest = max(size.sum() * len(d) / MAX_ADDITIONS, 100.0 * MAX_ROUNDINGS * rounding)
    step = float(distinct[0])
    for value in distinct[1:]:
        other = float(value)
        while other > MAX_ROUNDINGS * rounding * max(1.0, value / step):
            step, other = other, abs(step - other * round(step / other))
            if step < smallest:
                return None
    if step < smallest:
        return None
    times = np.rint(d / step)
    # One step for all, by least squares; its own rounding grows with the number of steps.
    step = float(d @ times / (times @ times))
    return times.astype(np.int64) if bool((np.abs(d - step * times) <= MAX_ROUNDINGS * rounding).all()) else None


def _of_integers(d: Integers, alternative: Alternative) -> float:
    """The share of sums that are as extreme, from the distribution of the sum of those that keep a positive sign."""
    sizes, counts = np.unique(np.abs(d), return_counts=True)
    share = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        j = np.arange(count + 1.0)
        log = special.gammaln(count + 1.0) - special.gammaln(j + 1.0) - special.gammaln(count - j + 1.0)
        binomial = np.exp(log - count * np.log(2.0))
        binomial /= binomial.sum()
        grown = np.zeros(len(share) + count * size)
        for times, weight in enumerate(binomial.tolist()):
            grown[times * size : times * size + len(share)] += weight * share
        share = grown
    integers, observed = int(sizes @ counts), int(d.sum())
    if alternative == "two-sided":
        tail = share[(integers + abs(observed)) // 2 :].sum()
        return 1.0 if observed == 0 else min(1.0, 2.0 * float(tail))
    least = (integers + (observed if alternative == "greater" else -observed)) // 2
    return min(1.0, float(share[least:].sum()))


def _of_halves(d: Array, beside: Array, alternative: Alternative) -> float:
    """The same of numbers of any kind; a sum that is 0 but for the rounding of what is in it is 0."""
    half = len(d) // 2

    def at_most(d: Array) -> float:
        """The share of subsets whose sum is at most 0: the reversed terms sum to F, all to D, and D − 2F ≥ D there."""
        low = d - beside
        one, other = np.sort(subset_sums(low[:half])), subset_sums(low[half:])
        return float(np.searchsorted(one, -other, side="right").sum()) / 2.0 ** len(d)

    if alternative != "two-sided":
        return at_most(d if alternative == "greater" else -d)
    # The other tail has as many, by symmetry.
    return min(1.0, 2.0 * at_most(d if d.sum() > 0 else -d))


def subset_sums(d: Array | Integers) -> Any:
    """The sums of all subsets, in the type of the numbers."""
    out = np.zeros(1, dtype=d.dtype)
    for value in d.tolist():
        out = np.concatenate([out, out + value])
    return out
