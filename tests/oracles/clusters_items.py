"""What measures of clusterings look at, as plain loops: items, and pairs of items.

An item has a class, a cluster and a whole weight, and stands so many times in the loops.  An item without a cluster is
a cluster of its own.  Sums are exact where the measure is rational.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Number = Fraction | float
Maybe = Number | None


@dataclass(frozen=True)
class Item:
    """The class (None: unknown), the cluster (None: none), and how often it stands."""

    label: Any
    cluster: Any
    weight: int = 1


@dataclass
class Sides:
    """Every copy of every item with its class and its cluster, and which pairs are together."""

    items: list[tuple[Any, Any]]

    @classmethod
    def of(cls, items: Sequence[Item]) -> Sides:
        out = []
        for number, i in enumerate(items):
            if i.label is not None:
                cluster = ("alone", number) if i.cluster is None else ("cluster", i.cluster)
                out += [(i.label, cluster)] * i.weight
        return cls(out)

    @property
    def n(self) -> int:
        return len(self.items)

    @functools.cached_property
    def cells(self) -> Counter[tuple[Any, Any]]:
        return Counter(self.items)

    @functools.cached_property
    def classes(self) -> Counter[Any]:
        return Counter(a for a, _ in self.items)

    @functools.cached_property
    def clusters(self) -> Counter[Any]:
        return Counter(b for _, b in self.items)

    @functools.cached_property
    def pairs(self) -> tuple[int, int, int, int]:
        """Together in both, in a cluster only, in a class only, in neither."""
        counts = [0, 0, 0, 0]
        for (a, b), (c, d) in itertools.combinations(self.items, 2):
            counts[(0 if a == c else 1) if b == d else (2 if a == c else 3)] += 1
        return counts[0], counts[1], counts[2], counts[3]


def ratio(above: Number, below: Number) -> Maybe:
    if below == 0:
        return None
    exact = isinstance(above, (int, Fraction)) and isinstance(below, (int, Fraction))
    return Fraction(above) / Fraction(below) if exact else above / below


def harmonic(first: Maybe, second: Maybe, alpha: float) -> Maybe:
    if first is None or second is None:
        return None
    return 0.0 if first == 0 or second == 0 else 1.0 / (alpha / float(first) + (1.0 - alpha) / float(second))
