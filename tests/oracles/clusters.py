"""Measures of clusterings as plain loops over items and pairs of items: BCubed, and all measures by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.clusters_information import ami, completeness, homogeneity, information, nmi, squares, v
from tests.oracles.clusters_items import Item, Maybe, Sides, harmonic, ratio
from tests.oracles.clusters_matching import (
    cluster_f,
    clustering_accuracy,
    edit_distance,
    edit_operations,
    inverse_purity,
    purity,
    split_join,
)
from tests.oracles.clusters_pairs import (
    adjusted_rand,
    agreeing,
    fowlkes_mallows,
    hubert_gamma,
    mcnemar,
    modified_adjusted_rand,
    pair_f,
)


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
