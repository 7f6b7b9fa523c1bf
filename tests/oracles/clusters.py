"""Measures of clusterings as plain loops over items and pairs of items.

An item has a class, a cluster and a whole weight, and stands so many times in the loops.  An item without a cluster is
a cluster of its own.  Sums are exact where the measure is rational.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
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


# ---- matching


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


# ---- pairs


def agreeing(s: Sides, value: Callable[[int, int, int, int], Maybe]) -> Maybe:
    tp, fp, fn, tn = s.pairs
    return 1 if fp == fn == 0 else value(tp, fp, fn, tn)


def adjusted_rand(s: Sides) -> Maybe:
    """From the expectation: (index − expected) / (maximum − expected)."""

    def value(tp: int, fp: int, fn: int, tn: int) -> Maybe:
        expected = Fraction((tp + fp) * (tp + fn), tp + fp + fn + tn)
        return (tp - expected) / (Fraction(2 * tp + fp + fn, 2) - expected)

    return agreeing(s, value)


def modified_adjusted_rand(s: Sides) -> Maybe:
    """The expectation from all quadruples: two in one class, and two others in one cluster."""

    def value(tp: int, fp: int, fn: int, _: int) -> Maybe:
        if s.n < 4:
            return None
        together = 0
        for i, j in itertools.combinations(range(s.n), 2):
            if s.items[i][0] == s.items[j][0]:
                rest = Counter(b for k, (_, b) in enumerate(s.items) if k not in (i, j))
                together += sum(math.comb(m, 2) for m in rest.values())
        expected = Fraction(together, 6 * math.comb(s.n, 4)) * math.comb(s.n, 2)
        return ratio(tp - expected, Fraction(2 * tp + fp + fn, 2) - expected)

    return agreeing(s, value)


def pair_f(s: Sides, beta: float) -> Maybe:
    tp, fp, fn, _ = s.pairs
    square = Fraction(beta) ** 2
    return ratio((1 + square) * tp, (1 + square) * tp + square * fn + fp)


def fowlkes_mallows(s: Sides) -> Maybe:
    tp, fp, fn, _ = s.pairs
    return tp / math.sqrt((tp + fp) * (tp + fn)) if tp else 0


def mcnemar(s: Sides) -> Maybe:
    _, fp, fn, _ = s.pairs
    return (fn - fp) / math.sqrt(fn + fp) if fn + fp else None


def hubert_gamma(s: Sides) -> Maybe:
    """Pearson's correlation of two indicators over pairs."""
    tp, fp, fn, tn = s.pairs
    below = (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn)
    return (tp * tn - fp * fn) / math.sqrt(below) if below else None


# ---- information


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


# ---- BCubed, item by item


def bcubed(s: Sides, side: int, self_pairs: bool) -> Maybe:  # noqa: FBT001
    """Precision (side 1: the cluster's other items) or recall (side 0: the class's)."""
    total = Fraction(0)
    for i, one in enumerate(s.items):
        near = [other for j, other in enumerate(s.items) if other[side] == one[side] and (self_pairs or j != i)]
        right = sum(other[1 - side] == one[1 - side] for other in near)
        total += Fraction(right, len(near)) if near else 0
    return ratio(total, s.n)


def bcubed_f(s: Sides, alpha: float, self_pairs: bool, over: str) -> Maybe:  # noqa: FBT001
    if over == "means":
        return harmonic(bcubed(s, 1, self_pairs), bcubed(s, 0, self_pairs), alpha)
    values = [
        harmonic(Fraction(s.cells[a, b], s.clusters[b]), Fraction(s.cells[a, b], s.classes[a]), alpha) or 0
        for a, b in s.items
    ]
    return ratio(math.fsum(map(float, values)), s.n)


Oracle = Callable[..., Maybe]


def counted(function: Callable[[int, int, int, int], Maybe]) -> Oracle:
    return lambda s: function(*s.pairs)


def by_items(value: Callable[..., Maybe]) -> Oracle:
    """Undefined without items."""
    return lambda s, **parameters: value(s, **parameters) if s.n else None


ORACLES: dict[str, Oracle] = {
    "NumItems": lambda s: s.n,
    "NumClasses": lambda s: len(s.classes),
    "NumClusters": lambda s: len(s.clusters),
    "Purity": purity,
    "InversePurity": inverse_purity,
    "PurityF": lambda s, alpha: harmonic(purity(s), inverse_purity(s), alpha),
    "ClusterF": cluster_f,
    "SplitJoin": split_join,
    "EditDistance": edit_distance,
    "EditOperations": edit_operations,
    "ClusteringAccuracy": clustering_accuracy,
    "Rand": lambda s: agreeing(s, lambda tp, fp, fn, tn: ratio(tp + tn, tp + fp + fn + tn)),
    "AdjustedRand": adjusted_rand,
    "ModifiedAdjustedRand": modified_adjusted_rand,
    "PairPrecision": counted(lambda tp, fp, _, __: ratio(tp, tp + fp)),
    "PairRecall": counted(lambda tp, _, fn, __: ratio(tp, tp + fn)),
    "PairF": pair_f,
    "Jaccard": counted(lambda tp, fp, fn, _: ratio(tp, tp + fp + fn)),
    "FowlkesMallows": fowlkes_mallows,
    "PairTP": lambda s: s.pairs[0],
    "PairFP": lambda s: s.pairs[1],
    "PairFN": lambda s: s.pairs[2],
    "PairTN": lambda s: s.pairs[3],
    "Mirkin": lambda s, normalized: (
        ratio(s.pairs[1] + s.pairs[2], sum(s.pairs)) if normalized else s.pairs[1] + s.pairs[2]
    ),
    "Kulczynski": counted(
        lambda tp, fp, fn, _: (Fraction(tp, tp + fp) + Fraction(tp, tp + fn)) / 2 if tp + fp and tp + fn else None
    ),
    "McNemar": mcnemar,
    "HubertGamma": hubert_gamma,
    "RogersTanimoto": counted(lambda tp, fp, fn, tn: ratio(tp + tn, tp + tn + 2 * (fp + fn))),
    "RussellRao": counted(lambda tp, fp, fn, tn: ratio(tp, tp + fp + fn + tn)),
    "SokalSneath1": counted(lambda tp, fp, fn, _: ratio(tp, tp + 2 * (fp + fn))),
    "SokalSneath2": counted(lambda tp, fp, fn, tn: ratio(2 * (tp + tn), 2 * (tp + tn) + fp + fn)),
    "Entropy": by_items(
        lambda s, base, normalized: (
            ratio(information(s)[2], math.log(len(s.classes))) if normalized else information(s)[2] / math.log(base)
        )
    ),
    "ClassEntropy": by_items(lambda s, base: information(s)[3] / math.log(base)),
    "MI": lambda s, base: information(s)[4] / math.log(base) if s.n else 0,
    "NMI": nmi,
    "Homogeneity": lambda s: homogeneity(s) if s.n else 1.0,
    "Completeness": lambda s: completeness(s) if s.n else 1.0,
    "V": lambda s, beta: v(s, beta) if s.n else 1.0,
    "VI": by_items(
        lambda s, base, normalized: (
            ratio(sum(information(s)[2:4]), math.log(s.n)) if normalized else sum(information(s)[2:4]) / math.log(base)
        )
    ),
    "AMI": ami,
    "ChiSquare": by_items(lambda s: s.n * (squares(s) - 1)),
    "Frobenius": lambda s: len(s.classes) + len(s.clusters) - 2 * squares(s),
    "BCubedP": lambda s, self_pairs: bcubed(s, 1, self_pairs),
    "BCubedR": lambda s, self_pairs: bcubed(s, 0, self_pairs),
    "BCubedF": bcubed_f,
}


def value(name: str, items: Sequence[Item], *, undefined: float | None = None, **parameters: Any) -> float | None:
    """What the measure of that name gives for a unit's items."""
    out = ORACLES[name](Sides.of(items), **parameters)
    return undefined if out is None else float(out)


# ---- overlapping


def extended(
    items: Sequence[tuple[frozenset[Any], frozenset[Any]]], side: int, missing: str = "singleton"
) -> float | None:
    """Extended BCubed of items with (classes, clusters): precision (side 1) or recall (side 0), pair by pair."""
    kept = [i for i in items if i[0] and not (missing == "skip" and not i[1])]
    own = [(c, x or frozenset({("alone", n)})) for n, (c, x) in enumerate(kept)]
    values = []
    for (classes, clusters), (_, given) in zip(own, kept, strict=True):
        if missing == "replab" and not given:
            values.append(Fraction(side))
            continue
        shares = []
        for (other_classes, other_clusters), (_, other_given) in zip(own, kept, strict=True):
            shared = (
                len(classes & other_classes),
                len(clusters & other_clusters) if not (missing == "replab" and not other_given) else 0,
            )
            if shared[side]:
                shares.append(Fraction(min(shared), shared[side]))
        values.append(sum(shares, Fraction(0)) / len(shares) if shares else Fraction(0))
    return float(sum(values, Fraction(0)) / len(values)) if values else None
