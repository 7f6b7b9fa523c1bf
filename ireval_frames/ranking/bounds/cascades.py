"""Bounds of the normalized expected reciprocal rank.

For a fixed number of documents of each grade the best order is fixed, and the sum is largest with the largest grades
first.  Documents that the sum does not reach only raise the best order.  So all numbers of the documents that it
reaches are tried, which are polynomially many.  Where there are more than `MOST`, the extremes of the sum over those
of the best order enclose the values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ireval_frames.ranking.bounds.arrays import Array, Ends, Lists

# The largest number of different numbers of documents per grade that are tried.
MOST = 1000
# How many numbers are in memory at once.
IN_MEMORY = 4_000_000


@dataclass(frozen=True)
class NormalizedCascade:
    """The expected reciprocal rank of where a reader stops, over that of the best order.

    Attributes:
        stop: the probability of stopping at a document of a grade, which rises with the grade.
        cutoff: the last rank.
    """

    stop: Callable[[Array], Array]
    cutoff: int | None

    def bounds(self, lists: Lists, empty: float | None) -> Ends:
        """The least and the largest value; NaN where there is none."""
        out = Ends(*(np.full(len(lists.more), value) for value in (np.nan, np.nan, 1.0)))
        reached = self._reached(lists).sum(axis=1)
        for number in np.unique(reached):
            rows = np.flatnonzero(reached == number)
            numbers = _numbers(int(number), len(lists.levels))
            each = lists.grade.shape[1] + 10 * (1 + int(lists.judged.sum(axis=1).max(initial=0)) + lists.grade.shape[1])
            step = max(1, IN_MEMORY // (each * (2 if numbers is None else len(numbers))))
            for first in range(0, len(rows), step):
                part = rows[first : first + step]
                ends = self._ends(lists.rows(part), numbers, empty)
                for array, values in zip(out, ends, strict=True):
                    array[part] = values
        return out

    def _ends(self, lists: Lists, numbers: Array | None, empty: float | None) -> Ends:
        """The bounds of lists that have as many documents that are reached."""
        if numbers is None:
            number = int(self._reached(lists).sum(axis=1)[0])
            lowest, highest = np.zeros((1, number), dtype=int), np.full((1, number), len(lists.levels) - 1)
            low = self._sum(lists, lowest) / self._best(lists, highest, largest=True)
            with np.errstate(divide="ignore", invalid="ignore"):
                high = self._sum(lists, highest) / self._best(lists, lowest, largest=False)
            high = np.where(np.isfinite(high), np.minimum(high, 1.0), 1.0)
            return Ends(low[:, 0], high[:, 0], np.zeros(len(low)))
        # Where nothing is relevant, a document that is not reached may make it defined.
        others = lists.n_to_grade + lists.more - numbers.shape[1]
        nothing = np.where((others > 0) & (self.stop(lists.levels[-1:]) > 0), 0.0, np.nan)
        ends = []
        for descending, worst in ((False, np.inf), (True, -np.inf)):
            assigned = numbers[:, ::-1] if descending else numbers
            best = self._best(lists, assigned, largest=not descending)
            with np.errstate(divide="ignore", invalid="ignore"):
                value = self._sum(lists, assigned) / best
            value = np.where(best > 0, value, nothing[:, None] if empty is None else empty)
            value = np.where(np.isnan(value), worst, value)
            end = value.max(axis=1) if descending else value.min(axis=1)
            ends.append(np.where(np.isinf(end), np.nan, end))
        return Ends(ends[0], ends[1], np.ones(len(lists.more)))

    def _reached(self, lists: Lists) -> Array:
        last = np.inf if self.cutoff is None else self.cutoff
        return lists.to_grade & (lists.ranks[0] <= last)

    def _sum(self, lists: Lists, assigned: Array) -> Array:
        """By list and assignment, the sum; `assigned` are the levels of the documents that are reached, in order."""
        last = min(lists.grade.shape[1], self.cutoff or lists.grade.shape[1])
        reached = self._reached(lists)[:, :last]
        place = np.maximum(np.cumsum(reached, axis=1) - 1, 0)
        known = self.stop(np.where(lists.grade > 0, lists.grade, 0.0)[:, :last])
        levels = self.stop(lists.levels)[assigned] if assigned.shape[1] else np.zeros((len(assigned), 1))
        stop = np.where(reached[:, None, :], np.moveaxis(levels[:, place], 0, 1), known[:, None, :])
        return _cascade(stop)

    def _best(self, lists: Lists, assigned: Array, *, largest: bool) -> Array:
        """By list and assignment, the sum of the best order, if other documents get the largest or the least grade."""
        grades = np.unique(np.concatenate([lists.grades, lists.levels]))[::-1]
        counts = np.zeros((len(lists.more), len(assigned), len(grades)))
        counts[:, :, np.searchsorted(-grades, -lists.grades)] += lists.judged[:, None, :]
        at = np.searchsorted(-grades, -lists.levels)
        for level, place in enumerate(at):
            counts[:, :, place] += (assigned == level).sum(axis=1)
        others = lists.n_to_grade + lists.more - assigned.shape[1]
        counts[:, :, at[-1 if largest else 0]] += others[:, None]
        so_far = np.cumsum(counts, axis=2)
        total = int(so_far.max(initial=0))
        ranks = np.arange(1, min(total, self.cutoff or total) + 1)
        index = (so_far[:, :, None, :] < ranks[:, None]).sum(axis=3)
        stops = np.append(self.stop(np.where(grades > 0, grades, 0.0)), 0.0)
        return _cascade(stops[index])


def _cascade(stop: Array) -> Array:
    """Σ 1/i · stop(i) · Π of 1 − stop above i, over the last axis."""
    survival = np.cumprod(1.0 - stop, axis=-1)
    before = np.concatenate([np.ones((*stop.shape[:-1], 1)), survival[..., :-1]], axis=-1)
    return np.asarray((before[..., : stop.shape[-1]] * stop / np.arange(1, stop.shape[-1] + 1)).sum(axis=-1))


def _numbers(number: int, n_levels: int) -> Array | None:
    """Every ascending assignment of levels to some documents; None if there are too many."""
    total = 1
    for i in range(1, n_levels):
        total = total * (number + i) // i
    if total > MOST:
        return None
    return np.array([*itertools.combinations_with_replacement(range(n_levels), number)], dtype=int).reshape(
        total, number
    )
