"""The distribution of a sum over all assignments of signs, counted.

Differences on a grid are summed as whole numbers; few of any kind by halves: the sums of all subsets of one half are
sorted, and for each subset of the other it is looked up how many of them reach the sum.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.stats.sample import Alternative, Array, Integers

# Differences of any kind are counted up to so many; above, it takes seconds.
MOST = 34
# Additions that differences on a grid may take.
WORK = 4_000_000
# What a difference on a grid may lie beside it, in roundings of the values.
BESIDE = 4.0


def counted(d: Array, rounding: float, alternative: Alternative, most: int = MOST) -> float | None:
    """The share of all 2ⁿ assignments of signs whose sum is at least as extreme; None where they are too many to count.

    Args:
        d: differences, none of them 0.
        rounding: what one difference may be beside its true value.
        alternative: of their sum.
        most: how many differences may be counted by halves; 0 for no counting at all.
    """
    if not len(d):
        return 1.0
    if not most:
        return None
    # Halves of 2¹¹ sums are cheaper than to look for a grid.
    if len(d) > min(most, 22) and (grid := on_grid(d, rounding)) is not None:
        return _of_integers(grid, alternative)
    return _of_halves(d, rounding * len(d), alternative) if len(d) <= most else None


def on_grid(d: Array, rounding: float) -> Integers | None:
    """The differences as whole numbers of a common step, if there is one that makes them small enough to be counted."""
    size = np.sort(np.abs(d))
    # Numbers that are one but for their rounding stand beside each other.
    distinct = size[np.r_[True, np.diff(size) > BESIDE * rounding]]
    smallest = max(size.sum() * len(d) / WORK, 100.0 * BESIDE * rounding)
    step = float(distinct[0])
    for value in distinct[1:]:
        other = float(value)
        while other > BESIDE * rounding * max(1.0, value / step):
            step, other = other, abs(step - other * round(step / other))
            if step < smallest:
                return None
    if step < smallest:
        return None
    times = np.rint(d / step)
    # One step for all, by least squares; its own rounding grows with the number of steps.
    step = float(d @ times / (times @ times))
    return times.astype(np.int64) if bool((np.abs(d - step * times) <= BESIDE * rounding).all()) else None


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
    whole, observed = int(sizes @ counts), int(d.sum())
    if alternative == "two-sided":
        tail = share[(whole + abs(observed)) // 2 :].sum()
        return 1.0 if observed == 0 else min(1.0, 2.0 * float(tail))
    least = (whole + (observed if alternative == "greater" else -observed)) // 2
    return min(1.0, float(share[least:].sum()))


def _of_halves(d: Array, allowed: float, alternative: Alternative) -> float:
    """The same of numbers of any kind; sums that differ by no more than `allowed` are one."""
    half = len(d) // 2
    one, other = np.sort(subset_sums(d[:half])), subset_sums(d[half:])
    # What is turned round sums to F, all to D: D − 2F ≥ D where F ≤ 0.
    whole, patterns = float(d.sum()), 2.0 ** len(d)

    def at_most(limit: float) -> float:
        return float(np.searchsorted(one, limit - other, side="right").sum()) / patterns

    def at_least(limit: float) -> float:
        return 1.0 - float(np.searchsorted(one, limit - other, side="left").sum()) / patterns

    if alternative == "greater":
        return at_most(allowed)
    if alternative == "less":
        return at_least(-allowed)
    if abs(whole) <= 2.0 * allowed:
        return 1.0
    # The other tail has as many: those that are not turned round instead.
    return min(1.0, 2.0 * (at_most(allowed) if whole > 0 else at_least(-allowed)))


def subset_sums(d: Array) -> Array:
    """The sums of all subsets."""
    out = np.zeros(1)
    for value in d.tolist():
        out = np.concatenate([out, out + value])
    return out
