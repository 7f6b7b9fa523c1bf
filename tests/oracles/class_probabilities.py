"""Measures of the probabilities of classes as plain loops over items, pairs of classes, and pairs of items.

An item is (classes it has, probability by class, weight).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.labels_scores import Item, area_of_lines, average_precision, roc_auc

Scored = tuple[frozenset[Any], dict[Any, float], float]


def mean(items: Sequence[Scored], value: Callable[[Scored], float | None]) -> float | None:
    total, weight = 0.0, 0.0
    for one in items:
        v = value(one)
        if v is not None:
            total += float(v) * one[2]
            weight += one[2]
    return total / weight if weight else None


def top_k(items: Sequence[Scored], cutoff: int, ties: str = "expected") -> float | None:
    def of(one: Scored) -> float | None:
        has, chances, _ = one
        own = [c for c in has if c in chances]
        if not own:
            return None
        mine = chances[own[0]]
        above = sum(p > mine for p in chances.values())
        equal = sum(p == mine for p in chances.values())
        if ties == "pessimistic":
            return float(above + equal <= cutoff)
        if ties == "optimistic":
            return float(above < cutoff)
        # Every place among the equal ones is as likely.
        return sum(above + place < cutoff for place in range(equal)) / equal

    return mean(items, of)


def hinge(items: Sequence[Scored]) -> float | None:
    def of(one: Scored) -> float | None:
        has, values, _ = one
        own = [values[c] for c in values if c in has]
        return max(0.0, 1 - own[0] + max(v for c, v in values.items() if c not in has)) if own else None

    return mean(items, of)


def label_ranking_average_precision(items: Sequence[Scored]) -> float | None:
    def of(one: Scored) -> float:
        has, chances, _ = one
        own = [c for c in chances if c in has]
        if not own or len(own) == len(chances):
            return 1.0
        shares = [
            sum(chances[d] >= chances[c] for d in own) / sum(p >= chances[c] for p in chances.values()) for c in own
        ]
        return sum(shares) / len(own)

    return mean(items, of)


def coverage_error(items: Sequence[Scored]) -> float | None:
    def of(one: Scored) -> float:
        has, chances, _ = one
        own = [chances[c] for c in chances if c in has]
        return float(sum(p >= min(own) for p in chances.values())) if own else 0.0

    return mean(items, of)


def ranking_loss(items: Sequence[Scored]) -> float | None:
    def of(one: Scored) -> float:
        has, chances, _ = one
        own, others = [chances[c] for c in chances if c in has], [chances[c] for c in chances if c not in has]
        return sum(b >= a for a in own for b in others) / (len(own) * len(others)) if own and others else 0.0

    return mean(items, of)


def area(items: Sequence[Scored], name: Any, others: Callable[[Scored], bool]) -> float | None:
    """The chance that the class's probability is higher on an item of its own than on another item."""
    won, pairs = 0.0, 0.0
    for first in items:
        for second in items:
            if name in first[0] and others(second):
                a, b = first[1][name], second[1][name]
                won += first[2] * second[2] * (1.0 if a > b else 0.5 if a == b else 0.0)
                pairs += first[2] * second[2]
    return won / pairs if pairs else None


def averaged(values: Sequence[tuple[float | None, float]], average: str) -> float | None:
    some = [(a, w if average == "weighted" else 1.0) for a, w in values if a is not None]
    return float(sum(a * w for a, w in some) / sum(w for _, w in some)) if some and sum(w for _, w in some) else None


def one_vs_rest_auc(items: Sequence[Scored], average: str = "macro") -> float | None:
    classes = sorted({c for _, chances, _ in items for c in chances})
    return averaged(
        [(area(items, c, lambda other, c=c: c not in other[0]), weight_of(items, c)) for c in classes], average
    )


def hand_till(items: Sequence[Scored], average: str = "macro") -> float | None:
    classes = sorted({c for _, chances, _ in items for c in chances})
    pairs = [(c, d) for c in classes for d in classes if c != d]
    areas = [
        (area(items, c, lambda other, d=d: d in other[0]), weight_of(items, c) + weight_of(items, d)) for c, d in pairs
    ]
    return averaged(areas, average)


def weight_of(items: Sequence[Scored], name: Any) -> float:
    return sum(weight for has, _, weight in items if name in has)


def of_scores(value: Callable[[list[Item]], Any]) -> Callable[..., float | None]:
    """A measure of one score per item, averaged over classes or items, or of all pairs of item and class."""

    def of(items: Sequence[Scored], average: str) -> float | None:
        classes = sorted({c for _, chances, _ in items for c in chances})

        def pairs(some: Sequence[Scored], names: Sequence[Any]) -> list[Item]:
            return [Item(c in has, chances[c], Fraction(w)) for has, chances, w in some for c in names]

        if average == "micro":
            result = value(pairs(items, classes))
            return None if result is None else float(result)
        if average == "item":
            return mean(items, lambda one: value(pairs([(*one[:2], 1)], classes)))
        return averaged([(value(pairs(items, [c])), weight_of(items, c)) for c in classes], average)

    return of


AVERAGED = {
    "ROCAUC": of_scores(roc_auc),
    "AveragePrecision": of_scores(average_precision),
    "PRAUC": of_scores(area_of_lines),
}
# These are for items with one label each.
SINGLE = {"TopK": top_k, "OneVsRestAUC": one_vs_rest_auc, "HandTill": hand_till, "Hinge": hinge}
SETS = {"LRAP": label_ranking_average_precision, "CoverageError": coverage_error, "RankingLoss": ranking_loss}
