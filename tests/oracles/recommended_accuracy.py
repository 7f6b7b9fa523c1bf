"""Accuracy of lists of recommended items, as plain loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.oracles.recommended import Data, Item, Number, User

# ---- accuracy


def accuracy(measure: Callable[..., float]) -> Callable[..., Number]:
    def value(d: Data, user: User, *, rel: float = 1.0, **options: Any) -> Number:
        grades = d.relevant.get(user)
        if grades is None:
            return None if d.no_relevant == "null" or not d.lists.get(user) else 0.0
        relevant = {i for i, grade in grades.items() if grade >= rel}
        if measure is ndcg:
            relevant = {i for i, grade in grades.items() if grade > 0}
        if not relevant:
            return None if d.no_relevant == "null" else 0.0
        return measure(d.lists.get(user, ()), {i: grades[i] for i in relevant}, **options)

    return value


def hit_rate(top: Sequence[Item], relevant: Mapping[Item, float], *, cutoff: int) -> float:
    return float(any(i in relevant for i in top[:cutoff]))


def precision(top: Sequence[Item], relevant: Mapping[Item, float], *, cutoff: int) -> float:
    return sum(i in relevant for i in top[:cutoff]) / cutoff


def recall(top: Sequence[Item], relevant: Mapping[Item, float], *, capped: bool, cutoff: int) -> float:
    below = min(cutoff, len(relevant)) if capped else len(relevant)
    return sum(i in relevant for i in top[:cutoff]) / below


def f1(top: Sequence[Item], relevant: Mapping[Item, float], *, cutoff: int) -> float:
    return 2 * sum(i in relevant for i in top[:cutoff]) / (len(relevant) + cutoff)


def average_precision(
    top: Sequence[Item], relevant: Mapping[Item, float], *, capped: bool, cutoff: int | None
) -> float:
    hits, total = 0, 0.0
    for rank, item in enumerate(top[: cutoff or None], 1):
        if item in relevant:
            hits += 1
            total += hits / rank
    return total / (min(cutoff, len(relevant)) if capped and cutoff else len(relevant))


def reciprocal_rank(top: Sequence[Item], relevant: Mapping[Item, float], *, cutoff: int | None) -> float:
    return next((1 / rank for rank, item in enumerate(top[: cutoff or None], 1) if item in relevant), 0.0)


def ndcg(top: Sequence[Item], relevant: Mapping[Item, float], *, gain: str, ideal: str, cutoff: int | None) -> float:
    def gained(grade: float) -> float:
        return grade if gain == "relevance" else 2**grade - 1

    def dcg(grades: Sequence[float]) -> float:
        return math.fsum(gained(g) / math.log2(rank + 1) for rank, g in enumerate(grades[: cutoff or None], 1))

    best = [1.0] * (cutoff or 0) if ideal == "k" else sorted(relevant.values(), reverse=True)
    return dcg([relevant.get(i, 0.0) for i in top]) / dcg(best)
