"""Measures of the information that clusters and classes share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.clusters_items import Maybe, Sides


def entropy(counts: Sequence[int]) -> float:
    n = sum(counts)
    return math.fsum(-c / n * math.log(c / n) for c in counts) if n else 0.0


def information(s: Sides) -> tuple[float, float, float, float, float]:
    """H(G), H(X), H(G|X), H(X|G), I."""
    within_clusters = math.fsum(-n / s.n * math.log(n / s.clusters[b]) for (_, b), n in s.cells.items())
    within_classes = math.fsum(-n / s.n * math.log(n / s.classes[a]) for (a, _), n in s.cells.items())
    shared = math.fsum(
        n / s.n * math.log(Fraction(s.n * n, s.classes[a] * s.clusters[b])) for (a, b), n in s.cells.items()
    )
    return (
        entropy(list(s.classes.values())),
        entropy(list(s.clusters.values())),
        within_clusters,
        within_classes,
        max(shared, 0.0),
    )


def mean(first: float, second: float, normalizer: str) -> float:
    return {
        "arithmetic": (first + second) / 2,
        "geometric": math.sqrt(first * second),
        "min": min(first, second),
        "max": max(first, second),
    }[normalizer]


def nmi(s: Sides, normalizer: str) -> Maybe:
    if len(s.classes) <= 1 and len(s.clusters) <= 1:
        return 1.0
    h_g, h_x, g_given_x, _, shared = information(s)
    below = h_x + g_given_x if normalizer == "joint" else mean(h_g, h_x, normalizer)
    return shared / below if shared > 1e-15 else 0.0


def homogeneity(s: Sides) -> float:
    h_g, _, g_given_x, _, _ = information(s)
    return 1.0 - g_given_x / h_g if h_g else 1.0


def completeness(s: Sides) -> float:
    _, h_x, _, x_given_g, _ = information(s)
    return 1.0 - x_given_g / h_x if h_x else 1.0


def v(s: Sides, beta: float) -> float:
    h, c = homogeneity(s), completeness(s)
    return (1 + beta) * h * c / (beta * h + c) if beta * h + c > 1e-15 else 0.0


def expected_information(s: Sides) -> float:
    """Over all pairs of a class and a cluster and all overlaps, with exact binomials."""
    total = 0.0
    for a in s.classes.values():
        for b in s.clusters.values():
            for k in range(max(1, a + b - s.n), min(a, b) + 1):
                chance = Fraction(math.comb(a, k) * math.comb(s.n - a, b - k), math.comb(s.n, b))
                total += k / s.n * math.log(Fraction(s.n * k, a * b)) * float(chance)
    return total


def ami(s: Sides, normalizer: str) -> Maybe:
    if len(s.cells) == len(s.classes) == len(s.clusters):
        return 1.0
    if len(s.classes) <= 1 or len(s.clusters) <= 1:
        return 0.0
    h_g, h_x, _, _, shared = information(s)
    expected = expected_information(s)
    below = mean(h_g, h_x, normalizer) - expected
    if abs(below) < 1e-12:
        return None
    return (shared - expected) / below if abs(shared - expected) > 1e-12 else 0.0


def squares(s: Sides) -> Fraction:
    return sum((Fraction(n * n, s.classes[a] * s.clusters[b]) for (a, b), n in s.cells.items()), Fraction(0))
