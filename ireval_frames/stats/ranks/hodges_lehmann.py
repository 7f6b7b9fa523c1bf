"""Order statistics of sums of two values, without making all sums.

The sums of two histograms' bins, one fast Fourier transform, leave a narrow range in which an order statistic lies;
only the sums within it are made.  Equal values are taken together.  All rows go through these steps at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.stats.sample import EPSILON, Array

Orders = NDArray[np.int64]
# The most sums per value that are computed one by one.
SUMS_PER_VALUE, MIN_SUMS = 4, 64
# Enough bisections to separate any two numbers.
HALVINGS = 80


@dataclass(frozen=True, eq=False)
class _Points:
    """The distinct values of each row in order, row after row, and how often each is there."""

    value: Array
    times: Array
    start: Orders
    """Where each row begins; one more for the end."""

    @property
    def row(self) -> Orders:
        """The row of each value."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    @property
    def first(self) -> Array:
        """Each row's smallest value."""
        return self.value[self.start[:-1]]

    @property
    def last(self) -> Array:
        """Each row's largest value."""
        return self.value[self.start[1:] - 1]


def means_of_two(rows: Array, orders: Orders) -> Array:
    """The sorted means (v_i + v_j) / 2 over i ≤ j of each row, at some places.

    Args:
        rows: values, NaN where there is none; at least one in each row.
        orders: of each row some places, from 1.
    """
    points = _distinct(rows)
    return _order_statistics(points, points, orders) / 2.0


def differences_of_two(one: Array, other: Array, orders: Orders) -> Array:
    """The sorted differences one_i − other_j of each row, at some places; arguments as of `means_of_two`."""
    return _order_statistics(_distinct(one), _distinct(-other), orders)


def middle(count: Orders) -> tuple[Orders, Orders]:
    """The two ranks, among n values, whose mean is the median."""
    return (count + 1) // 2, count // 2 + 1


def _distinct(rows: Array) -> _Points:
    ordered = np.sort(rows, axis=1)
    new = ~np.isnan(ordered)
    values_of = new.sum(axis=1)
    new[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    start = np.concatenate([[0], np.cumsum(new.sum(axis=1))])
    place = np.broadcast_to(np.arange(rows.shape[1]), rows.shape)[new]
    following = np.append(place[1:], 0)
    following[start[1:] - 1] = values_of
    return _Points(ordered[new], (following - place).astype(np.float64), start)


def _order_statistics(one: _Points, other: _Points, orders: Orders) -> Array:
    """The order statistics of all sums of one value and another of each row, over i ≤ j where both are one."""
    most = int(max(np.diff(one.start).max(), np.diff(other.start).max()))
    bins = 1 << max(5, math.ceil(math.log2(most)) + 2)
    widest = np.maximum(one.last - one.first, other.last - other.first)
    # Bins whose width is a power of two are exact: rounding moves no sum out of its bin.
    width = np.where(widest > 0, np.ldexp(1.0, np.frexp(widest / (bins - 1))[1]), 1.0)
    mine = _binned(one, width)
    others = mine if one is other else _binned(other, width)
    counts = _counts(one, other, mine, others, bins)
    started = np.stack([np.searchsorted(c, o) for c, o in zip(counts, orders, strict=True)])
    jobs, job_of = np.unique(np.arange(len(orders))[:, None] * 2 * bins + started, return_inverse=True)
    row, start = np.divmod(jobs, 2 * bins)
    job_of = job_of.reshape(orders.shape)
    # A sum lies in the two bins that start at the sum of its terms' bins: beside those of the same number only those
    # of the numbers next to it can be the one searched for.
    earliest = np.append(0, np.cumsum(np.bincount(other.row * bins + others, minlength=len(width) * bins)))
    sizes, places = np.diff(one.start)[row], _places(one, row)
    offset, gap = np.repeat(row * bins, sizes), np.repeat(start, sizes) - mine[places]
    first, end = (earliest[offset + np.clip(gap + step, 0, bins)] for step in (-1, 2))
    if one is other:
        first = np.maximum(first, places)
    lengths = np.maximum(end - first, 0)
    skipped = np.where(start > 1, counts[row, np.maximum(start - 2, 0)], 0.0)
    if (np.add.reduceat(lengths, np.cumsum(sizes) - sizes) > SUMS_PER_VALUE * sizes + MIN_SUMS).any():
        # Each order statistic becomes a job of its own, which can be narrowed.
        largest = np.maximum(np.abs(one.first), np.abs(one.last)) + np.maximum(np.abs(other.first), np.abs(other.last))
        slack = width[row] + 8.0 * EPSILON * largest[row]
        base = one.first[row] + other.first[row] + width[row] * start
        ends = (base - 2.0 * slack)[job_of].ravel(), (base + 2.0 * width[row] + slack)[job_of].ravel()
        row, job_of = row[job_of].ravel(), np.arange(orders.size).reshape(orders.shape)
        low, high = _narrowed(one, other, row, *ends, orders.ravel())
        first, less = _below(one, other, row, low)
        lengths = _below(one, other, row, high)[0] - first
        sizes = np.diff(one.start)[row]
        skipped = np.add.reduceat(less, np.cumsum(sizes) - sizes)
    return _selected(one, other, row, first, lengths, orders - skipped[job_of], job_of)


def _binned(points: _Points, width: Array) -> Orders:
    """The bin of each value, from 0 in its row."""
    lowest, of_value = np.floor(points.first / width), width[points.row]
    return np.asarray((np.floor(points.value / of_value) - lowest[points.row]).astype(np.int64))


def _counts(one: _Points, other: _Points, mine: Orders, others: Orders, bins: int) -> Array:
    """How many sums of each row have bins whose numbers add up to at most 0, to at most 1, and so on."""
    shape = len(one.start) - 1, bins
    spectra = []
    for points, at in ((one, mine),) if one is other else ((one, mine), (other, others)):
        block = np.bincount(points.row * bins + at, points.times, shape[0] * bins).reshape(shape)
        spectra.append(np.fft.rfft(block, 2 * bins))
    counts = np.fft.irfft(spectra[0] * spectra[-1], 2 * bins)
    if one is other:
        counts[:, ::2] += block
        counts *= 0.5
    return np.asarray(np.cumsum(np.rint(counts), axis=1))


def _selected(
    one: _Points, other: _Points, row: Orders, first: Orders, lengths: Orders, orders: Orders | Array, job_of: Orders
) -> Array:
    """The order statistics among the sums of each job: each value of its row with `lengths` others, from `first` on."""
    sizes = np.diff(one.start)[row]
    chosen_values = np.add.reduceat(lengths, np.cumsum(sizes) - sizes)
    left = np.repeat(_places(one, row), lengths)
    right = np.arange(len(left)) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)
    sums, weights = one.value[left] + other.value[right], one.times[left] * other.times[right]
    if one is other:
        weights = np.where(left == right, one.times[left] * (one.times[left] + 1.0) / 2.0, weights)
    # By job, then by sum; numbers of 16 bits are sorted in one pass.
    order = np.argsort(sums)
    job = np.repeat(np.arange(len(row), dtype=np.uint16 if len(row) < 2**16 else np.int64), chosen_values)
    order = order[np.argsort(job[order], kind="stable")]
    reached = np.concatenate([[0.0], np.cumsum(weights[order])])
    earlier = reached[np.cumsum(chosen_values) - chosen_values]
    places = np.searchsorted(reached, orders + earlier[job_of]) - 1
    return np.asarray(sums[order][places])


def _narrowed(one: _Points, other: _Points, row: Orders, low: Array, high: Array, ranks: Orders) -> tuple[Array, Array]:
    """Two numbers between which an order statistic lies, with few other sums: one value far off makes bins too wide."""
    left = np.arange(len(row))
    for _ in range(HALVINGS):
        sizes = np.diff(one.start)[row[left]]
        begin = np.cumsum(sizes) - sizes
        lengths = _below(one, other, row[left], high[left])[0] - _below(one, other, row[left], low[left])[0]
        left = left[np.add.reduceat(lengths, begin) > SUMS_PER_VALUE * sizes + MIN_SUMS]
        if not left.size:
            break
        middle = (low[left] + high[left]) / 2.0
        sizes = np.diff(one.start)[row[left]]
        less = np.add.reduceat(_below(one, other, row[left], middle)[1], np.cumsum(sizes) - sizes)
        above = less < ranks[left]
        low[left], high[left] = np.where(above, middle, low[left]), np.where(above, high[left], middle)
    return low, high


def _below(one: _Points, other: _Points, row: Orders, at: Array) -> tuple[Orders, Array]:
    """Of each job and each value of its row: the first other value with which the sum is not below a number.

    And how many sums with the value are below it, over i ≤ j where both are one.
    """
    counts = []
    for r, limit in zip(row.tolist(), at.tolist(), strict=True):
        others = other.value[other.start[r] : other.start[r + 1]]
        counts.append(others.searchsorted(limit - one.value[one.start[r] : one.start[r + 1]]) + other.start[r])
    first, mine = np.concatenate(counts), _places(one, row)
    before, times = np.concatenate([[0.0], np.cumsum(other.times)]), one.times[mine]
    if one is other:
        passed = first > mine
        first = np.maximum(first, mine)
        # A value and itself are m (m + 1) / 2 sums, not m².
        return first, times * (before[first] - before[mine]) - np.where(passed, times * (times - 1.0) / 2.0, 0.0)
    return first, times * (before[first] - np.repeat(before[other.start[row]], np.diff(one.start)[row]))


def _places(points: _Points, row: Orders) -> Orders:
    """The values of the rows, one row after another."""
    sizes = np.diff(points.start)[row]
    return np.asarray(np.arange(sizes.sum()) + np.repeat(points.start[row] - np.cumsum(sizes) + sizes, sizes))
