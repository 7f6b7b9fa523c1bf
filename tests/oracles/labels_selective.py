"""Measures of selective classification as plain loops: the surest predictions first, one threshold after another.

A prediction is (confidence, how much of it is right, weight).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.class_probabilities import Scored
from tests.oracles.labels_scores import Item

Guess = tuple[float, Fraction, Fraction]


def of_probability(items: Sequence[Item]) -> list[Guess]:
    """The more likely of two classes is predicted; of equally likely ones half."""
    out = []
    for i in items:
        right = Fraction(1, 2) if i.score == 0.5 else Fraction(i.positive == (i.score > 0.5))
        out.append((i.score if i.score >= 0.5 else round(1 - i.score, 15), right, i.weight))
    return out


def of_classes(items: Sequence[Scored]) -> list[Guess]:
    """The most likely class is predicted; of equally likely ones each in part."""
    out = []
    for gold, chances, weight in items:
        if any(c in chances for c in gold):
            best = max(chances.values())
            top = [c for c, p in chances.items() if p == best]
            out.append((best, Fraction(sum(c in gold for c in top), len(top)), Fraction(weight)))
    return out


def total(guesses: Sequence[Guess]) -> Fraction:
    return sum((w for *_, w in guesses), Fraction(0))


def wrong(guesses: Sequence[Guess]) -> Fraction:
    return sum(((1 - right) * w for _, right, w in guesses), Fraction(0))


def thresholds(guesses: Sequence[Guess]) -> list[list[Guess]]:
    """What is accepted at each distinct confidence, the highest first."""
    return [[g for g in guesses if g[0] >= sure] for sure in sorted({g[0] for g in guesses}, reverse=True)]


def area(guesses: Sequence[Guess]) -> Fraction | None:
    if not total(guesses):
        return None
    out, before = Fraction(0), Fraction(0)
    for accepted in thresholds(guesses):
        if total(accepted):
            out += (total(accepted) - before) / total(guesses) * wrong(accepted) / total(accepted)
            before = total(accepted)
    return out


def best_area(guesses: Sequence[Guess]) -> float:
    risk = float(wrong(guesses) / total(guesses))
    return risk + (1 - risk) * math.log(1 - risk) if risk < 1 else 1.0


def excess(guesses: Sequence[Guess]) -> float | None:
    measured = area(guesses)
    return None if measured is None else max(0.0, float(measured) - best_area(guesses))


def normalised(guesses: Sequence[Guess]) -> float | None:
    if not total(guesses) or not 0 < wrong(guesses) < total(guesses):
        return None
    return excess(guesses) / (float(wrong(guesses) / total(guesses)) - best_area(guesses))


def generalised(guesses: Sequence[Guess]) -> Fraction | None:
    """By the accuracy and the AUC of right against wrong ones, pair by pair."""
    n = total(guesses)
    if not n:
        return None
    pairs = [(a, b, a[1] * a[2] * (1 - b[1]) * b[2]) for a in guesses for b in guesses]
    accuracy, errors = 1 - wrong(guesses) / n, wrong(guesses) / n
    # Parts of one prediction are equally sure.
    in_order = sum((w * (Fraction(1) if a[0] > b[0] else Fraction(a[0] == b[0], 2)) for a, b, w in pairs), Fraction(0))
    missed = accuracy * errors - in_order / n**2
    return missed + errors**2 / 2


def accuracy_at(guesses: Sequence[Guess], coverage: float) -> Fraction | None:
    expected, taken, right = Fraction(coverage) * total(guesses), Fraction(0), Fraction(0)
    if not expected:
        return None
    for sure in sorted({g[0] for g in guesses}, reverse=True):
        here = [g for g in guesses if g[0] == sure]
        if total(here):
            part = min(Fraction(1), max(Fraction(0), (expected - taken) / total(here)))
            right += part * (total(here) - wrong(here))
            taken += total(here)
    return right / expected


MEASURES: dict[str, Callable[..., Any]] = {
    "AURC": area,
    "EAURC": excess,
    "NAURC": normalised,
    "AUGRC": generalised,
    "SelectiveAccuracy": accuracy_at,
}
