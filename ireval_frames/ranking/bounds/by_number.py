"""Bounds of measures that are best with relevant documents at the top, for a fixed number of them.

They are worst with these documents at the end.  So the bounds are the largest value over all numbers of relevant
documents with the first ones relevant, and the least with the last.  A measure is a function of `Graded`: a row per
list, and a column per number of documents that become relevant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ireval_frames.ranking.bounds.arrays import Array, Ends, Lists

# trec_eval's smoothing of the share of relevant documents among the judged ones above.
EPSILON = 1e-5


@dataclass(frozen=True, eq=False)
class Graded:
    """Lists in rank order, in which the first documents to grade are relevant, or the last ones.

    Attributes:
        lists: the lists.
        relevant: whether each document is judged relevant before.
        judged_relevant, judged_other: how many documents of the query are judged relevant, and not relevant.
        first: whether the first documents to grade are relevant, or the last ones.
        outside: how many relevant documents there are outside of the list, of those that get a grade.
        gain: the gain of a relevant document.
    """

    lists: Lists
    relevant: Array
    judged_relevant: Array
    judged_other: Array
    first: bool
    outside: Array
    gain: Array

    @property
    def size(self) -> Array:
        """The number of documents of each list."""
        return self.lists.sizes[0]

    @cached_property
    def numbers(self) -> Array:
        """The columns: how many documents of the list become relevant."""
        return np.arange(int(self.lists.n_to_grade.max(initial=0)) + 1)

    @cached_property
    def allowed(self) -> Array:
        """Whether the list has at least this number of documents to grade."""
        return self.numbers <= self.lists.n_to_grade[:, None]

    @property
    def num_relevant(self) -> Array:
        """The number of relevant documents of the query."""
        return (self.judged_relevant + self.outside)[:, None] + self.numbers

    @property
    def num_hits(self) -> Array:
        """The number of relevant documents of the list."""
        return np.asarray(self.relevant.sum(axis=1)[:, None] + self.numbers)

    @property
    def rank(self) -> Array:
        """The ranks 1, 2, …."""
        return np.arange(1.0, self.relevant.shape[1] + 1)

    def total(self, gained: Array) -> Array:
        """The sum over the documents that become relevant of a value of each document."""
        at, used = self.lists.places()
        values = np.where(used, np.take_along_axis(gained, at, axis=1), 0.0)
        sums = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
        if self.first:
            return sums
        rest = np.maximum(self.lists.n_to_grade[:, None] - self.numbers, 0)
        return np.asarray(sums[:, -1:] - np.take_along_axis(sums, rest, axis=1))

    def hit_sum(self, weight: Array) -> Array:
        """Σ H(i) · weight(i) over the relevant documents, where H(i) counts relevant documents down to rank i."""
        before, to_grade = self.relevant, self.lists.to_grade
        hits = np.cumsum(before, axis=1)
        below = _after(before * weight)
        if self.first:
            own = (hits + np.cumsum(to_grade, axis=1)) * weight
        else:
            own, below = (hits + 1) * weight, below + _after(to_grade * weight)
        fixed = (before * hits * weight).sum(axis=1)
        return np.asarray(fixed[:, None] + self.total(own + below))

    # ---- with a document per column

    @cached_property
    def hits(self) -> Array:
        """By list, number and rank: the relevant documents down to the rank."""
        return np.cumsum(self.relevant, axis=1)[:, None, :] + self._new

    @cached_property
    def is_hit(self) -> Array:
        """By list, number and rank: whether the document is relevant."""
        new = self._new
        risen = np.diff(new, axis=2, prepend=0) > 0
        return self.relevant[:, None, :] | risen

    @cached_property
    def _new(self) -> Array:
        """By list, number and rank: the documents down to the rank that become relevant."""
        so_far = np.cumsum(self.lists.to_grade, axis=1)[:, None, :]
        numbers = self.numbers[None, :, None]
        if self.first:
            return np.asarray(np.minimum(so_far, numbers))
        return np.asarray(np.maximum(0, so_far - (self.lists.n_to_grade[:, None, None] - numbers)))

    @property
    def unjudged_so_far(self) -> Array:
        """By list and rank: the documents down to the rank that remain without a judgment."""
        left = np.isfinite(self.lists.ranks[0]) & ~self.lists.to_grade & ~(self.lists.grade >= 0)
        return np.cumsum(left, axis=1)


def _after(values: Array) -> Array:
    """The sum of what follows each document."""
    return np.asarray(values.sum(axis=1)[:, None] - np.cumsum(values, axis=1))


Value = Callable[[Graded], Array]


@dataclass(frozen=True)
class ByNumber:
    """A measure of relevant documents.

    Attributes:
        value: its value, by list and number; NaN where it is undefined.
        relevant: whether a grade is relevant.
        last: documents after this rank do not count, and nor do those outside of the list; None counts all.
        falls: whether it never rises with a relevant document outside of the list; otherwise only lists without any
            have bounds.
        always: whether it has a value for every number of relevant documents but 0.
        gain: the gain of a grade, where it counts: lists have bounds if all documents that gain have one gain.
    """

    value: Value
    relevant: Callable[[Array], Array]
    last: int | None = None
    falls: bool = True
    always: bool = True
    gain: Callable[[Array], Array] | None = None

    def bounds(self, lists: Lists, empty: float | None) -> Ends:
        """The least and the largest value; NaN where there is none."""
        if self.last is not None:
            lists = replace(lists, to_grade=lists.to_grade & (lists.ranks[0] <= self.last))
        known = np.ones(len(lists.more), dtype=bool) if self.falls else lists.more == 0
        known &= self._gains(lists)[1]
        low, high = (np.full(len(known), np.nan) for _ in range(2))
        rows = np.flatnonzero(known)
        parts = [self._of_few(part, empty) for part in lists.rows(rows).split()]
        if parts:
            low[rows], high[rows] = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
        return Ends(low, high, known * 1.0)

    def _gains(self, lists: Lists) -> tuple[Array, Array]:
        """The largest gain of each list, and whether all documents that gain have it."""
        if self.gain is None:
            return np.ones(len(lists.more)), np.ones(len(lists.more), dtype=bool)
        levels = self.gain(lists.levels)
        levels = levels if lists.to_grade.any() or lists.more.any() else levels[:0]
        of_judged = self.gain(lists.grades) * (lists.judged > 0)
        gains = np.concatenate([of_judged, np.broadcast_to(levels, (len(lists.more), len(levels)))], axis=1)
        largest = gains.max(axis=1, initial=0.0)
        return largest, ((gains <= 0) & (gains >= 0) | (gains == largest[:, None])).all(axis=1)

    def _of_few(self, lists: Lists, empty: float | None) -> tuple[Array, Array]:
        """The same, of lists that fit in memory."""
        levels = self.relevant(lists.levels)
        relevant = self.relevant(lists.grade) & ~lists.to_grade
        of_judged = self.relevant(lists.grades)
        counts = lists.count(of_judged), lists.count(~of_judged)
        # Relevant documents outside of the list lower the value; without others one may make it defined.
        only = (counts[0] == 0) & (lists.n_to_grade == 0) & (empty is None)
        most = lists.more * levels.any()
        fewest = most if levels.all() else np.minimum(most, only)
        ends = []
        for first, outside in ((False, most), (True, fewest)):
            graded = Graded(lists, relevant, *counts, first, outside, self._gains(lists)[0])
            with np.errstate(divide="ignore", invalid="ignore"):
                value = self.value(graded)
            none = graded.num_relevant == 0
            value = np.where(none, np.nan if empty is None else empty, value)
            # Where all grades are relevant, or none is, there is one number.
            allowed = graded.allowed & (levels.any() | (graded.numbers == 0))
            allowed &= ~levels.all() | (graded.numbers == lists.n_to_grade[:, None])
            worst = -np.inf if first else np.inf
            value = np.where(allowed & ~np.isnan(value), value, worst)
            end = value.max(axis=1) if first else value.min(axis=1)
            ends.append(np.where(np.isinf(end), np.nan, end))
        return ends[0], ends[1]
