"""Measures of segmentations as plain loops over windows and boundaries.

A boundary is the number of units before it, from 1 to the number of units less 1.  Values are exact fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Maybe = Fraction | float | None
# A numerator and a denominator, of which several documents are summed.
Parts = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Document:
    """The number of units, the boundaries of both sides, and the weight of the document."""

    units: int
    gold: frozenset[int]
    predicted: frozenset[int]
    weight: int = 1

    @classmethod
    def of_segments(cls, gold: list[Any], predicted: list[Any], weight: int = 1) -> Document:
        """A document whose units have segments."""
        return cls(len(gold), boundaries(gold), boundaries(predicted), weight)


def boundaries(segments: list[Any]) -> frozenset[int]:
    """Where the segment changes."""
    return frozenset(i for i in range(1, len(segments)) if segments[i] != segments[i - 1])


# ---- windows


def window_size(d: Document, k: int | None, window: str = "segments") -> int:
    """Half the mean gold segment, as segeval rounds it, or as NLTK computes it from strings of boundaries."""
    if k is not None:
        return k
    if window == "boundaries":
        return round(Fraction(d.units - 1, 2 * max(len(d.gold), 1)))
    return max(2, round(Fraction(d.units, 2 * (len(d.gold) + 1))))


def inside(side: Collection[int], first: int, last: int) -> int:
    """The number of boundaries between two units, counted from 0."""
    return sum(first < b <= last for b in side)


def pk(d: Document, *, k: int | None, window: str = "segments") -> Parts:
    size = window_size(d, k, window)
    wrong = 0
    for first in range(d.units - size):
        together = [inside(side, first, first + size) == 0 for side in (d.gold, d.predicted)]
        wrong += together[0] != together[1]
    return Fraction(wrong), Fraction(max(d.units - size, 0))


def window_diff(
    d: Document, *, k: int | None, weighted: bool, padded: bool, window: str = "segments", padding: str = "windows"
) -> Parts:
    size = window_size(d, k, window)
    ends = range(-size, d.units) if padded else range(d.units - size)
    wrong = 0
    for first in ends:
        difference = abs(inside(d.gold, first, first + size) - inside(d.predicted, first, first + size))
        wrong += difference if weighted else min(1, difference)
    return Fraction(wrong), Fraction(len(ends) + (padded and padding == "one-more"))


# ---- boundaries


def matches(d: Document, tolerance: int) -> int:
    """The largest number of pairs of boundaries at most `tolerance` units apart, each boundary in one pair at most."""
    partner: dict[int, int] = {}

    def paired(gold: int, tried: set[int]) -> bool:
        for b in sorted(d.predicted):
            if abs(gold - b) <= tolerance and b not in tried:
                tried.add(b)
                if b not in partner or paired(partner[b], tried):
                    partner[b] = gold
                    return True
        return False

    return sum(paired(b, set()) for b in sorted(d.gold))


def boundary_precision(d: Document, *, tolerance: int) -> Parts:
    return Fraction(matches(d, tolerance)), Fraction(len(d.predicted))


def boundary_recall(d: Document, *, tolerance: int) -> Parts:
    return Fraction(matches(d, tolerance)), Fraction(len(d.gold))


def boundary_f(d: Document, *, tolerance: int, beta: float) -> Parts:
    square = Fraction(beta) ** 2
    return (1 + square) * matches(d, tolerance), square * len(d.gold) + len(d.predicted)


def boundary_similarity(d: Document, *, transpositions: int) -> Parts:
    """Boundaries of one side only are near misses first, the nearest from the left, and then missing or added."""
    alone = {b: b in d.gold for b in d.gold ^ d.predicted}
    cost, edits = Fraction(0), 0
    for distance in range(1, transpositions):
        for b in sorted(alone):
            if b in alone and b + distance in alone and alone[b] != alone[b + distance]:
                del alone[b], alone[b + distance]
                cost += Fraction(distance, transpositions)
                edits += 1
    total = Fraction(edits + len(alone) + len(d.gold & d.predicted))
    return total - cost - len(alone), total


ORACLES: dict[str, Callable[..., Parts]] = {
    "BoundaryF": boundary_f,
    "BoundaryP": boundary_precision,
    "BoundaryR": boundary_recall,
    "BoundarySimilarity": boundary_similarity,
    "NumBoundaries": lambda d, side: (Fraction(len(d.gold if side == "gold" else d.predicted)), Fraction(1)),
    "NumPositions": lambda d: (Fraction(d.units), Fraction(1)),
    "Pk": pk,
    "WindowDiff": window_diff,
}


def value(name: str, documents: Collection[Document], **parameters: Any) -> Maybe:
    """A document's value, or the pooled value of several: their numerators and denominators are summed."""
    parts = [(d.weight, ORACLES[name](d, **parameters)) for d in documents]
    if name.startswith("Num"):
        return sum((w * above for w, (above, _) in parts), Fraction(0))
    above, below = (sum((w * p[i] for w, p in parts), Fraction(0)) for i in (0, 1))
    if below == 0:
        return Fraction(1) if name == "BoundarySimilarity" else None
    return above / below


def mean(name: str, documents: Collection[Document], **parameters: Any) -> float | None:
    """The mean over the documents that have a value."""
    values = [(d.weight, value(name, [d], **parameters)) for d in documents]
    known = [(w, float(v)) for w, v in values if v is not None]
    total = sum(w for w, _ in known)
    return math.fsum(w * v for w, v in known) / total if total else None
