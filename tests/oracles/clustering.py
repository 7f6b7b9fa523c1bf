"""Points in clusters, and their distances, for the oracles of internal criteria.

Coordinates and weights are fractions of integers, so sums, squared distances, scatter matrices and determinants are
exact; only roots and logarithms are floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

Number = Fraction | float
Maybe = Number | None
Matrix = list[list[Fraction]]
Vector = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Point:
    """A point with its cluster and how many it stands for; two of the same are two."""

    x: Vector
    cluster: Any
    weight: Fraction = Fraction(1)
    item: Any = None


def point(x: Iterable[float], cluster: Any, weight: float = 1, item: Any = None) -> Point:
    return Point(tuple(Fraction(v) for v in x), cluster, Fraction(weight), item)


def root(value: Number) -> float:
    """Of fractions of any size."""
    if isinstance(value, float):
        return math.sqrt(value)
    scale = 10**40
    return math.isqrt(value.numerator * scale * scale // value.denominator) / scale if value else 0.0


def log(value: Number) -> float:
    return math.log(value) if isinstance(value, float) else math.log(value.numerator) - math.log(value.denominator)


def squared(x: Vector, y: Vector) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))


def manhattan(x: Vector, y: Vector) -> Fraction:
    return sum((abs(a - b) for a, b in zip(x, y, strict=True)), Fraction(0))


def cosine(x: Vector, y: Vector) -> float:
    """Of a vector without direction: 1, as of orthogonal ones."""
    dot = sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))
    lengths = sum(a * a for a in x) * sum(b * b for b in y)
    if lengths == 0:
        return 1.0
    # 1 − cos = (1 − cos²) / (1 + cos), which keeps the digits of small angles.
    cos = math.copysign(root(Fraction(dot * dot) / lengths), dot)
    return float(1 - Fraction(dot * dot) / lengths) / (1.0 + cos) if cos > 0 else 1.0 - cos


DISTANCES: dict[str, Callable[[Vector, Vector], Number]] = {
    "euclidean": lambda x, y: root(squared(x, y)),
    "squared_euclidean": squared,
    "manhattan": manhattan,
    "cosine": cosine,
}


class Clustering:
    """Points by cluster."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = [p for p in points if p.weight > 0]
        self.clusters: dict[Any, list[Point]] = {}
        for p in self.points:
            self.clusters.setdefault(p.cluster, []).append(p)
        self.n = sum((p.weight for p in self.points), Fraction(0))
        self.k = len(self.clusters)
        self.size = {c: sum((p.weight for p in own), Fraction(0)) for c, own in self.clusters.items()}
        self.middle = {c: mean(own) for c, own in self.clusters.items()}
        self.centre = mean(self.points) if self.points else ()

    @property
    def separable(self) -> bool:
        return 2 <= self.k < self.n

    def scatter(self, cluster: Any) -> Fraction:
        return sum((p.weight * squared(p.x, self.middle[cluster]) for p in self.clusters[cluster]), Fraction(0))

    @property
    def within(self) -> Fraction:
        return sum((self.scatter(c) for c in self.clusters), Fraction(0))

    @property
    def between(self) -> Fraction:
        return sum((self.size[c] * squared(v, self.centre) for c, v in self.middle.items()), Fraction(0))

    def spread(self, cluster: Any) -> float:
        return float(
            sum(p.weight * Fraction(root(squared(p.x, self.middle[cluster]))) for p in self.clusters[cluster])
            / self.size[cluster]
        )

    def apart(self) -> list[Fraction]:
        return [squared(self.middle[a], self.middle[b]) for a, b in combinations(self.clusters, 2)]


def mean(points: Sequence[Point]) -> Vector:
    total = sum((p.weight for p in points), Fraction(0))
    return tuple(sum((p.weight * p.x[d] for p in points), Fraction(0)) / total for d in range(len(points[0].x)))


def over(above: Number, below: Number) -> Maybe:
    return None if below == 0 else above / below
