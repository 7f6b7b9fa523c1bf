"""Measures of how well clusters and classes match."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.oracles.clusters_items import Maybe, Number, Sides, ratio


def purity(s: Sides) -> Maybe:
    return ratio(sum(max(n for (_, b), n in s.cells.items() if b == cluster) for cluster in s.clusters), s.n)


def inverse_purity(s: Sides) -> Maybe:
    return ratio(sum(max(n for (a, _), n in s.cells.items() if a == label) for label in s.classes), s.n)


def cluster_f(s: Sides, over: str) -> Maybe:
    def fit(label: Any, cluster: Any) -> Fraction:
        return Fraction(2 * s.cells[label, cluster], s.classes[label] + s.clusters[cluster])

    if over == "classes":
        return ratio(sum((n * max(fit(a, b) for b in s.clusters) for a, n in s.classes.items()), Fraction(0)), s.n)
    return ratio(sum((n * max(fit(a, b) for a in s.classes) for b, n in s.clusters.items()), Fraction(0)), s.n)


def split_join(s: Sides, normalized: bool) -> Maybe:  # noqa: FBT001
    moved = 2 * s.n - (purity(s) or 0) * s.n - (inverse_purity(s) or 0) * s.n
    return ratio(moved, 2 * s.n) if normalized else moved


def edit_operations(s: Sides, of: str) -> Number:
    sides = {
        "clusters": len(s.clusters) + s.n * (1 - (purity(s) or 0)),
        "classes": len(s.classes) + s.n * (1 - (inverse_purity(s) or 0)),
    }
    return sum(sides.values()) if of == "both" else sides[of]


def edit_distance(s: Sides, of: str) -> Maybe:
    if of != "both":
        return ratio(s.n - edit_operations(s, of), s.n)
    first, second = (ratio(s.n - edit_operations(s, side), s.n) for side in ("clusters", "classes"))
    if first is None or second is None:
        return None
    return 2 * first * second / (first + second) if first + second > 0 else 0


def clustering_accuracy(s: Sides) -> Maybe:
    """Cluster by cluster: the best for every set of classes that are taken."""
    labels = list(s.classes)
    best = {frozenset[int](): 0}
    for cluster in s.clusters:
        after = dict(best)
        for taken, matched in best.items():
            for i, label in enumerate(labels):
                if i not in taken and s.cells[label, cluster]:
                    key = taken | {i}
                    after[key] = max(after.get(key, 0), matched + s.cells[label, cluster])
        best = after
    return ratio(max(best.values()), s.n)
