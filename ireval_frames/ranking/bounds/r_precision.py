"""Bounds of R-precision, whose depth grows with the number of relevant documents, and of its difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ireval_frames.ranking.bounds.arrays import Array, Ends, Lists


@dataclass(frozen=True)
class RPrecision:
    """The precision after a multiple of the number of relevant documents.

    For a number of relevant documents the depth is fixed.  Then only how many of those that become relevant are in the
    first list alone, in the second alone, or elsewhere counts.

    Attributes:
        multiple: the depth over the number of relevant documents.
        relevant: whether a grade is relevant.
    """

    multiple: float
    relevant: Callable[[Array], Array]

    def bounds(self, lists: Lists, empty: float | None) -> Ends:
        """The least and the largest value; NaN where there is none."""
        levels, judged = self.relevant(lists.levels), lists.count(self.relevant(lists.grades))
        n_open = lists.n_to_grade + lists.more
        size = int(max((s.max(initial=0) for s in lists.sizes), default=0))
        # From a depth of the whole list on, more relevant documents outside of it only lower the value.
        deepest = size if self.multiple == 0 else int(np.ceil((size + 1) / self.multiple))
        most = int(n_open.max(initial=0))
        numbers = np.arange(min(most, deepest + int(lists.n_to_grade.max(initial=0))) + 1)[None, :]
        numbers = np.concatenate(
            [np.broadcast_to(numbers, (len(judged), numbers.shape[1])), lists.more[:, None]], axis=1
        )
        numbers = np.concatenate([numbers, n_open[:, None]], axis=1)
        if not levels.any():
            numbers = np.zeros((len(judged), 1), dtype=int)
        elif levels.all():
            numbers = n_open[:, None]
        relevant = judged[:, None] + numbers
        depth = relevant if self.multiple == 1.0 else np.floor(self.multiple * relevant + 0.9)
        before = self.relevant(lists.grade) & ~lists.to_grade
        fixed = _in_first(before, lists.ranks[-1], depth)
        plus, minus = _in_first(lists.to_grade, lists.ranks[-1], depth), np.zeros_like(depth)
        if len(lists.ranks) == 2:
            both = _in_first(lists.to_grade, np.maximum(*lists.ranks), depth)
            fixed = fixed - _in_first(before, lists.ranks[0], depth)
            plus, minus = plus - both, _in_first(lists.to_grade, lists.ranks[0], depth) - both
        total = n_open[:, None]
        high = fixed + np.minimum(numbers, plus) - np.maximum(0, numbers - (total - minus))
        low = fixed - np.minimum(numbers, minus) + np.maximum(0, numbers - (total - plus))
        ends = []
        for hits, worst in ((low, np.inf), (high, -np.inf)):
            with np.errstate(divide="ignore", invalid="ignore"):
                value = np.where(depth > 0, hits / depth, 0.0)
            value = np.where((relevant == 0) & (empty is None), worst, value)
            value = np.where(numbers <= total, value, worst)
            end = value.min(axis=1) if worst > 0 else value.max(axis=1)
            ends.append(np.where(np.isinf(end), np.nan, end))
        return Ends(ends[0], ends[1], np.ones(len(judged)))


def _in_first(marked: Array, rank: Array, depth: Array) -> Array:
    """How many of the marked documents have a rank of at most each depth."""
    last = rank.shape[1]
    rows, places = np.nonzero(marked & np.isfinite(rank))
    counts = np.zeros((len(rank), last + 1))
    np.add.at(counts, (rows, rank[rows, places].astype(int)), 1.0)
    so_far = np.cumsum(counts, axis=1)
    return np.asarray(np.take_along_axis(so_far, np.minimum(depth, last).astype(int), axis=1))
