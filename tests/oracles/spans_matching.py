"""Spans as sets of positions, and their one-to-one matching by trying every one.

A span has fragments and a type.  Spans of equal fragments and type are matched first, then those of equal fragments in
the order of their types; the others so that the sum of their intersections over unions is largest, then the number of
pairs of one type, then that of all pairs; then the first gold span has the first predicted one that it can have.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Fragments = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Span:
    """Its fragments from start to end, the end exclusive, its type, and which of several equal spans it is."""

    fragments: Fragments
    type: Any = None
    copy: int = 0

    @property
    def start(self) -> int:
        return min(s for s, _ in self.fragments)

    @property
    def end(self) -> int:
        return max(e for _, e in self.fragments)

    @functools.cached_property
    def positions(self) -> frozenset[int]:
        return frozenset(p for start, end in self.fragments for p in range(start, end))

    @property
    def order(self) -> tuple[Any, ...]:
        return self.start, self.end, (self.type is not None, self.type or ""), self.fragments, self.copy


def span(start: int, end: int, type: Any = None, *more: tuple[int, int]) -> Span:
    """A span of one fragment, or of several."""
    return Span(((start, end), *more), type)


def copies(spans: Sequence[Span]) -> list[Span]:
    """The spans; equal ones are numbered."""
    return [Span(s.fragments, s.type, sum(s == t for t in spans[:i])) for i, s in enumerate(spans)]


def common(one: Span, other: Span) -> int:
    return len(one.positions & other.positions)


def iou(one: Span, other: Span) -> Fraction:
    return Fraction(common(one, other), len(one.positions | other.positions))


Pair = tuple[Span, Span]


def matched(
    gold: Sequence[Span], predicted: Sequence[Span], threshold: float | None = None, *, typed: bool = False
) -> list[Pair]:
    """The pairs of a gold and a predicted span.

    Args:
        gold: the gold spans of a document.
        predicted: its predicted spans.
        threshold: the least intersection over union of a pair; None is more than 0.
        typed: whether spans of different types are no pair.
    """
    pairs = [(g, p) for g in gold for p in predicted if g == p]
    if not typed:
        for fragments in {s.fragments: None for s in gold}:
            sides = [
                sorted((s for s in side if s.fragments == fragments and s not in used), key=lambda s: s.order)
                for side, used in ((gold, [g for g, _ in pairs]), (predicted, [p for _, p in pairs]))
            ]
            pairs += list(zip(*sides, strict=False))
    left = sorted((g for g in gold if g not in [g for g, _ in pairs]), key=lambda s: s.order)
    other = sorted((p for p in predicted if p not in [p for _, p in pairs]), key=lambda s: s.order)
    return pairs + best(left, other, threshold, typed=typed)


def best(gold: list[Span], predicted: list[Span], threshold: float | None, *, typed: bool) -> list[Pair]:
    """The best of all matchings of spans that overlap."""

    def allowed(g: Span, p: Span) -> bool:
        enough = common(g, p) > 0 if threshold is None else float(iou(g, p)) >= threshold
        return enough and (g.type == p.type or not typed)

    @functools.cache
    def of(number: int, used: frozenset[int]) -> tuple[Fraction, int, int, tuple[int, ...]]:
        """The sum, the pairs of one type, all, and the negative partners of the gold spans from this one on."""
        if number == len(gold):
            return Fraction(0), 0, 0, ()
        total, same, n, partners = of(number + 1, used)
        options = [(total, same, n, (-len(predicted), *partners))]
        for i, p in enumerate(predicted):
            if i not in used and allowed(gold[number], p):
                total, same, n, partners = of(number + 1, used | {i})
                types = same + (gold[number].type == p.type)
                options.append((total + iou(gold[number], p), types, n + 1, (-i, *partners)))
        return max(options)

    partners = of(0, frozenset())[3]
    return [(g, predicted[-i]) for g, i in zip(gold, partners, strict=True) if -i < len(predicted)]
