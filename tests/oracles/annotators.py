"""The alternative annotator test, as loops over people and items."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

Ratings = Mapping[str, Mapping[Any, Any]]


def advantages(
    judge: Mapping[Any, Any], people: Ratings, person: str, *, distance: bool = False
) -> list[tuple[int, int]]:
    """Of each item of a person: whether the judge is as close to the others or closer, and whether the person is."""
    out = []
    for item, own in people[person].items():
        others = [ratings[item] for name, ratings in people.items() if name != person and item in ratings]
        if item not in judge or not others:
            continue
        one, other = (closeness(x, others, distance=distance) for x in (judge[item], own))
        out.append((int(one >= other), int(other >= one)))
    return out


def closeness(rating: Any, others: list[Any], *, distance: bool) -> float:
    if distance:
        return -sum((rating - x) ** 2 for x in others) / len(others)
    return sum(rating == x for x in others) / len(others)


def t_of(pairs: list[tuple[int, int]], epsilon: float) -> float:
    """The t statistic of the person's advantage minus the judge's, against the margin."""
    d = [person - judge for judge, person in pairs]
    mean = sum(d) / len(d)
    variance = sum((x - mean) ** 2 for x in d) / (len(d) - 1)
    return (mean - epsilon) / math.sqrt(variance / len(d))


def benjamini_yekutieli(p: list[float], alpha: float) -> list[bool]:
    """Which hypotheses are rejected: all up to the largest p(i) ≤ i/m · α/Σ 1/j."""
    m = len(p)
    harmonic = sum(1 / j for j in range(1, m + 1))
    order = sorted(range(m), key=lambda i: p[i])
    last = max((i for i, at in enumerate(order) if p[at] <= (i + 1) / m * alpha / harmonic), default=-1)
    return [i in order[: last + 1] for i in range(m)]
