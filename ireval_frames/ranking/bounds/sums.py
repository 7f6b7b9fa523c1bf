"""Bounds of discounted sums of gains, over 1, a number of documents, or an ideal, and of their differences.

For a fixed number of documents of each gain the denominator is fixed, and the sum is largest with the largest gains at
the largest weights.  So a grading is a number of documents that gain at least so much, for each gain: numerator and
denominator are sums over these numbers, which fall as the gain rises.  Their ratio is maximised by Dinkelbach's
iteration (Management Science 13(7), 1967): the numbers that maximise numerator − λ·denominator, found gain by gain,
give the next λ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ireval_frames.ranking.bounds.arrays import Array, Ends, Lists

# Every iteration squares the distance to the bound; ten are rare.
ITERATIONS = 100


@dataclass(frozen=True)
class Sum:
    """A sum over the documents of weight(rank) · gain(grade), over a denominator.

    Attributes:
        weight: the weight of a rank, at least 0 and falling with it; 0 at infinity.
        gain: the gain of a grade; also of NaN, which is no judgment.
        ideal: the denominator is the sum of the positive gains of all judged documents, largest first, weighted by
            this function of their rank.
        divisor: or it is this function of the number of documents that gain.
        base: what is added to the numerator.
    """

    weight: Callable[[Array], Array]
    gain: Callable[[Array], Array]
    ideal: Callable[[Array], Array] | None = None
    divisor: Callable[[Lists, Array], Array] | None = None
    base: float = 0.0

    def bounds(self, lists: Lists, empty: float | None) -> Ends:
        """The least and the largest value; NaN where there is none.

        Args:
            lists: the lists, or pairs of them, whose difference is the last less the first.
            empty: the value where no document gains; None leaves such gradings out.
        """
        # Without the 0.0 a low of 0 would be -0.0.
        low, high = 0.0 - self._largest(lists, empty, -1.0), self._largest(lists, empty, 1.0)
        return Ends(low, high, np.ones(len(low)))

    def _largest(self, lists: Lists, empty: float | None, sign: float) -> Array:
        """The largest of sign · value."""
        weight = sum(s * self.weight(rank) for s, rank in zip((1.0, -1.0), reversed(lists.ranks), strict=False))
        weight = np.asarray(sign * weight)
        gains = np.unique(self.gain(lists.levels))
        fixed = (np.where(lists.to_grade, gains[0], self.gain(lists.grade)) * weight).sum(axis=1)
        heaviest = -np.sort(np.where(lists.to_grade, -weight, np.inf), axis=1)[
            :, : int(lists.n_to_grade.max(initial=0))
        ]
        heaviest = np.cumsum(np.where(np.isfinite(heaviest), heaviest, 0.0), axis=1)
        taken = np.concatenate([np.zeros((len(weight), 1)), heaviest], axis=1)
        numerators = [step * taken for step in np.diff(gains)]
        numerator = fixed + sign * self.base
        # Documents outside of the lists only change the denominator: all of them get the lowest grade, or the highest.
        largest = self._ratio(lists, gains, numerator, numerators, empty, np.zeros_like(lists.more))
        if lists.more.any():
            with_more = self._ratio(lists, gains, numerator, numerators, empty, lists.more)
            largest = np.fmax(largest, with_more)
            if self.ideal is not None and gains[0] < 0 < gains[-1]:
                # A sum below 0 is least over the least ideal, which one of them may have alone.
                least = lists.levels[self.gain(lists.levels) == gains[gains > 0][0]][0]
                one = replace(
                    lists, grades=np.append(lists.grades, least), more=np.zeros_like(lists.more),
                    judged=np.concatenate([lists.judged, np.minimum(lists.more, 1)[:, None]], axis=1),
                )  # fmt: skip
                with_one = self._ratio(one, gains, numerator, numerators, empty, one.more)
                largest = np.fmax(largest, with_one)
        # Without a document that gains.
        if empty is not None and gains[0] <= 0:
            none = lists.count(self.gain(lists.grades) > 0) == 0
            undivided = self.ideal is None and self.divisor is None
            if not undivided:
                largest = np.where(none, np.fmax(largest, sign * empty), largest)
        return largest

    def _ratio(
        self,
        lists: Lists,
        gains: Array,
        numerator: Array,
        numerators: Sequence[Array],
        empty: float | None,
        more: Array,
    ) -> Array:
        """The largest ratio over all numbers of documents of each gain; `more` documents gain the most."""
        n, width = len(numerator), int(lists.n_to_grade.max(initial=0)) + 1
        allowed = np.arange(width) <= lists.n_to_grade[:, None]
        denominator, denominators = self.denominators(lists, gains, width, more)
        needs = [np.where(allowed, 0.0, -np.inf)] * len(numerators)
        judged = lists.count(self.gain(lists.grades) > 0)
        undivided = self.ideal is None and self.divisor is None
        if gains[0] <= 0 and (not undivided or empty is None):
            none = (judged == 0) & ((more == 0) | (gains[-1] <= 0))
            positive = int((gains[1:] <= 0).sum())
            if positive < len(needs):
                needs[positive] = np.where(none[:, None] & (np.arange(width) == 0), -np.inf, needs[positive])
            else:
                numerator = np.where(none, np.nan, numerator)
        elif gains[0] > 0:
            numerator = np.where(judged + lists.n_to_grade + lists.more > 0, numerator, np.nan)
        if not numerators:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(numerator / denominator)
        if len(numerators) == 1:
            with np.errstate(divide="ignore", invalid="ignore"):
                values = (numerator[:, None] + numerators[0]) / (denominator[:, None] + denominators[0]) + needs[0]
            values = np.where(np.isnan(needs[0]) | (needs[0] == -np.inf), -np.inf, values)
            return _or_none(values.max(axis=1, initial=-np.inf))
        ratio = np.full(n, -np.inf)
        numbers = [lists.n_to_grade for _ in numerators]
        for _ in range(ITERATIONS):
            above, below = numerator, denominator
            for number, a, d in zip(numbers, numerators, denominators, strict=True):
                above, below = above + _at(a, number), below + _at(d, number)
            with np.errstate(divide="ignore", invalid="ignore"):
                better = above / below
            if not (better > ratio).any():
                break
            ratio = np.fmax(ratio, better)
            by_gain = [
                a - np.where(np.isfinite(ratio), ratio, 0.0)[:, None] * d + need
                for a, d, need in zip(numerators, denominators, needs, strict=True)
            ]
            numbers = _best_numbers(by_gain)
        return _or_none(ratio)

    def denominators(self, lists: Lists, gains: Array, width: int, more: Array) -> tuple[Array, list[Array]]:
        """The fixed part of the denominator, and that of each gain above the least, by the number that gain so much."""
        numbers, steps = np.arange(width), len(gains) - 1
        zeros = [np.zeros((len(lists.more), width)) for _ in range(steps)]
        if self.divisor is not None:
            judged = lists.count(self.gain(lists.grades) > 0)
            if not steps:
                gaining = judged + (lists.n_to_grade + lists.more if gains[0] > 0 else 0)
                return self.divisor(lists, gaining[:, None])[:, 0], zeros
            # A gain or none.
            return np.zeros(len(judged)), [self.divisor(lists, (judged + more)[:, None] + numbers)]
        if self.ideal is None:
            return np.ones(len(lists.more)), zeros
        of_judged = self.gain(lists.grades)
        out = np.zeros(len(lists.more))
        most = int((lists.judged.sum(axis=1) + lists.n_to_grade + lists.more).max(initial=0))
        ideal = np.concatenate([[0.0], np.cumsum(self.ideal(np.arange(1.0, most + 1.0)))])
        before = 0.0
        for gain in np.unique(np.concatenate([of_judged[of_judged > 0], gains[gains > 0]])):
            judged = lists.count(of_judged >= gain).astype(int)
            at = int(np.searchsorted(gains, gain))
            if at == 0:
                out = out + (gain - before) * ideal[judged + lists.n_to_grade + lists.more]
            elif at > steps:
                out = out + (gain - before) * ideal[judged]
            else:
                places = np.minimum((judged + more)[:, None] + numbers, most)
                zeros[at - 1] = zeros[at - 1] + (gain - before) * ideal[places]
            before = gain
        return out, zeros


@dataclass(frozen=True)
class Ideal:
    """The denominator of such a sum as a measure, which only rises with every grade.

    Attributes:
        of: the sum.
    """

    of: Sum

    def bounds(self, lists: Lists, empty: float | None) -> Ends:
        """The least and the largest value; both 0 of a difference."""
        gains, width = np.unique(self.of.gain(lists.levels)), int(lists.n_to_grade.max(initial=0)) + 1
        ends = []
        for number, more in ((np.zeros_like(lists.more), np.zeros_like(lists.more)), (lists.n_to_grade, lists.more)):
            fixed, by_gain = self.of.denominators(lists, gains, width, more)
            ends.append(fixed + sum(_at(values, number) for values in by_gain))
        if empty is None:
            # One document that gains the least.
            positive = gains[gains > 0]
            least = positive[0] * self.of.ideal(np.ones(1))[0] if len(positive) and self.of.ideal else np.nan
            none, any_open = ends[0] == 0, lists.n_to_grade + lists.more > 0
            ends = [np.where(none, np.where(any_open, least, np.nan), ends[0]), np.where(ends[1] > 0, ends[1], np.nan)]
        if len(lists.ranks) == 2:
            ends = [np.zeros_like(end) for end in ends]
        return Ends(ends[0], ends[1], np.ones(len(lists.more)))


def _at(values: Array, number: Array) -> Array:
    return np.take_along_axis(values, number[:, None], axis=1)[:, 0]


def _or_none(values: Array) -> Array:
    return np.where(np.isfinite(values), values, np.nan)


def _best_numbers(values: Sequence[Array]) -> list[Array]:
    """The numbers c_1 ≥ c_2 ≥ … that maximise the sum of values[l][c_l]."""
    totals, choices = values[-1], []
    for value in reversed(values[:-1]):
        best = np.maximum.accumulate(totals, axis=1)
        place = np.where(totals == best, np.arange(totals.shape[1]), 0)
        # The first place of each maximum so far.
        is_new = np.concatenate([np.ones((len(best), 1), dtype=bool), best[:, 1:] > best[:, :-1]], axis=1)
        choices.append(np.maximum.accumulate(np.where(is_new, place, 0), axis=1))
        totals = value + best
    numbers = [totals.argmax(axis=1)]
    for choice in reversed(choices):
        numbers.append(_at(choice, numbers[-1]))
    return numbers
