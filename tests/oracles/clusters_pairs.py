"""Measures of pairs of items: together in both, in one, in neither."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from tests.oracles.clusters_items import Maybe, Sides, ratio


def agreeing(s: Sides, value: Callable[[int, int, int, int], Maybe]) -> Maybe:
    tp, fp, fn, tn = s.pairs
    return 1 if fp == fn == 0 else value(tp, fp, fn, tn)


def adjusted_rand(s: Sides) -> Maybe:
    """From the expectation: (index − expected) / (maximum − expected)."""

    def value(tp: int, fp: int, fn: int, tn: int) -> Maybe:
        expected = Fraction((tp + fp) * (tp + fn), tp + fp + fn + tn)
        return (tp - expected) / (Fraction(2 * tp + fp + fn, 2) - expected)

    return agreeing(s, value)


def modified_adjusted_rand(s: Sides) -> Maybe:
    """The expectation from all quadruples: two in one class, and two others in one cluster."""

    def value(tp: int, fp: int, fn: int, _: int) -> Maybe:
        if s.n < 4:
            return None
        together = 0
        for i, j in itertools.combinations(range(s.n), 2):
            if s.items[i][0] == s.items[j][0]:
                rest = Counter(b for k, (_, b) in enumerate(s.items) if k not in (i, j))
                together += sum(math.comb(m, 2) for m in rest.values())
        expected = Fraction(together, 6 * math.comb(s.n, 4)) * math.comb(s.n, 2)
        return ratio(tp - expected, Fraction(2 * tp + fp + fn, 2) - expected)

    return agreeing(s, value)


def pair_f(s: Sides, beta: float) -> Maybe:
    tp, fp, fn, _ = s.pairs
    square = Fraction(beta) ** 2
    return ratio((1 + square) * tp, (1 + square) * tp + square * fn + fp)


def fowlkes_mallows(s: Sides) -> Maybe:
    tp, fp, fn, _ = s.pairs
    if not tp:
        return ratio(0, fp + fn)
    return tp / math.sqrt((tp + fp) * (tp + fn))


def mcnemar(s: Sides) -> Maybe:
    _, fp, fn, _ = s.pairs
    return (fn - fp) / math.sqrt(fn + fp) if fn + fp else None


def hubert_gamma(s: Sides) -> Maybe:
    """Pearson's correlation of two indicators over pairs."""
    tp, fp, fn, tn = s.pairs
    below = (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn)
    return (tp * tn - fp * fn) / math.sqrt(below) if below else None
