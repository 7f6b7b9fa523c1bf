"""Measures of pairs of items: whether they are together in both partitions, in one, or in neither."""

from __future__ import annotations

from collections.abc import Callable

from ireval_frames.catalog import measure
from ireval_frames.clusters.context import ClusterContext, Pairs
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import number

DESGRAUPES = "Desgraupes, clusterCrit, 2018"


def agreeing(c: ClusterContext, value: Callable[[Pairs], Expr]) -> Expr:
    """A value of the pairs, 1 where no pair is together on one side only: the partitions are equal."""
    pairs = c.pairs
    return when((pairs.fp == 0) & (pairs.fn == 0)).then(1.0).otherwise(value(pairs))


@measure(
    "clusters",
    "Rand",
    at="",
    aliases=("RandIndex", "RI"),
    undefined=None,
    formula="(TP + TN) / pairs",
    source="Rand, 1971; scikit-learn",
)
def Rand(c: ClusterContext) -> Expr:
    """The share of pairs of items that both partitions treat alike.

    Rand = (TP + TN) / C(n, 2): TP pairs share class and cluster, TN pairs neither.

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  1 with fewer than two items, as in scikit-learn.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Rand").summary()["value"].round(4).item()
        0.6765
    """
    return agreeing(c, lambda p: (p.tp + p.tn) / p.all)


@measure(
    "clusters",
    "AdjustedRand",
    at="",
    aliases=("ARI", "AdjustedRandIndex"),
    range=(-0.5, 1.0),
    undefined=None,
    formula="2(TP·TN − FN·FP) / ((TP+FN)(FN+TN) + (TP+FP)(FP+TN))",
    source="Hubert and Arabie, 1985; scikit-learn",
)
def AdjustedRand(c: ClusterContext) -> Expr:
    """The Rand index corrected for chance: 0 is expected of partitions with these sizes drawn at random.

    ARI = 2(TP·TN − FN·FP) / ((TP+FN)(FN+TN) + (TP+FP)(FP+TN)) over pairs of items.

    Weights must be whole numbers.

    Range: −0.5 to 1, higher is better.  1 for equal partitions, also for those without any pair, as in scikit-learn.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("AdjustedRand").summary()["value"].round(4).item()
        0.2429
    """

    def adjusted(p: Pairs) -> Expr:
        below = p.in_class * (p.fn + p.tn) + p.in_cluster * (p.fp + p.tn)
        return 2.0 * (p.tp * p.tn - p.fn * p.fp) / below

    return agreeing(c, adjusted)


@measure(
    "clusters",
    "ModifiedAdjustedRand",
    at="",
    aliases=("MARI",),
    range=(float("-inf"), 1.0),
    undefined=None,
    formula="(TP − E) / ((in_class + in_cluster)/2 − E), E from quadruples of items",
    source="Sundqvist, Chiquet and Rigaill, 2023; aricode",
)
def ModifiedAdjustedRand(c: ClusterContext) -> Expr:
    """The Rand index corrected for chance under independent labels of random sizes.

    MARI = (TP − E) / ((Σ C(a_i, 2) + Σ C(b_j, 2))/2 − E), where E·C(n, 2) estimates the probability that of four
    different items two share a class and the other two a cluster.

    Weights must be whole numbers.

    Range: up to 1, higher is better.  1 for equal partitions; undefined otherwise with fewer than four items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("ModifiedAdjustedRand").summary()["value"].round(4).item()
        0.2419
    """
    n = c.total

    def squares(size: Expr) -> Expr:
        return size * size

    triples = c.over_cells(c.size * c.class_size * c.cluster_size)
    single = (
        c.over_cells(squares(c.size))
        + c.over_classes(squares(c.size_of_class))
        + c.over_clusters(squares(c.size_of_cluster))
    )

    def adjusted(p: Pairs) -> Expr:
        disjoint = p.in_class * p.in_cluster - p.tp - (2.0 * n + triples - single)
        # C(n, 2) / (6·C(n, 4)) = 2 / ((n−2)(n−3)).
        expected = 2.0 * disjoint / ((n - 2.0) * (n - 3.0))
        below = (p.in_class + p.in_cluster) / 2.0 - expected
        return when(n > 3).then(c.ratio(p.tp - expected, below)).otherwise(c.undefined)

    return agreeing(c, adjusted)


@measure(
    "clusters",
    "PairPrecision",
    at="",
    undefined=None,
    formula="TP / (TP + FP)",
    source="Manning, Raghavan and Schütze, 2008",
)
def PairPrecision(c: ClusterContext) -> Expr:
    """The share of pairs in the same cluster that are in the same class.

    PairPrecision = TP / (TP + FP) over pairs of items.

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined where no two items share a cluster.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("PairPrecision").summary()["value"].item()
        0.5
    """
    return c.ratio(c.pairs.tp, c.pairs.in_cluster)


@measure(
    "clusters",
    "PairRecall",
    at="",
    undefined=None,
    formula="TP / (TP + FN)",
    source="Manning, Raghavan and Schütze, 2008",
)
def PairRecall(c: ClusterContext) -> Expr:
    """The share of pairs in the same class that are in the same cluster.

    PairRecall = TP / (TP + FN) over pairs of items.

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined where no two items share a class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("PairRecall").summary()["value"].round(4).item()
        0.4545
    """
    return c.ratio(c.pairs.tp, c.pairs.in_class)


@measure(
    "clusters",
    "PairF",
    at="",
    aliases=("CzekanowskiDice",),
    parameters={"beta": number(1.0, "the weight of recall relative to precision", low=0.0)},
    undefined=None,
    formula="(1+β²)·TP / ((1+β²)·TP + β²·FN + FP)",
    source="Manning, Raghavan and Schütze, 2008",
)
def PairF(c: ClusterContext, beta: float) -> Expr:
    """The weighted harmonic mean of precision and recall over pairs of items.

    F = (1+β²)·TP / ((1+β²)·TP + β²·FN + FP).  With β = 1 it is the index of Czekanowski and Dice.

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined where no two items are together on any side.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("PairF(beta=5)").summary()["value"].round(4).item()
        0.4561
    """
    square = beta * beta
    return c.ratio((1.0 + square) * c.pairs.tp, square * c.pairs.in_class + c.pairs.in_cluster)


@measure(
    "clusters", "Jaccard", at="", undefined=None, formula="TP / (TP + FP + FN)", source="Jaccard, 1912; " + DESGRAUPES
)
def Jaccard(c: ClusterContext) -> Expr:
    """The share of pairs together in both partitions among those together in either.

    Jaccard = TP / (TP + FP + FN) over pairs of items.

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  Undefined where no two items are together on any side.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Jaccard").summary()["value"].round(4).item()
        0.3125
    """
    return c.ratio(c.pairs.tp, c.pairs.in_class + c.pairs.in_cluster - c.pairs.tp)


@measure(
    "clusters",
    "FowlkesMallows",
    at="",
    aliases=("FMI",),
    undefined=None,
    formula="TP / √((TP+FP)(TP+FN))",
    source="Fowlkes and Mallows, 1983; scikit-learn",
)
def FowlkesMallows(c: ClusterContext) -> Expr:
    """The geometric mean of precision and recall over pairs of items.

    FM = TP / √((TP+FP)·(TP+FN)).

    Weights must be whole numbers.

    Range: 0 to 1, higher is better.  0 where only one side has no two items together, as for `Jaccard`.  Undefined
    where no two items are together on any side; scikit-learn gives 0 there.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("FowlkesMallows").summary()["value"].round(4).item()
        0.4767
    """
    p = c.pairs
    value = (p.tp / p.in_cluster).sqrt() * (p.tp / p.in_class).sqrt()
    some = when(p.tp > 0).then(value).otherwise(0.0)
    return when((p.in_cluster > 0) | (p.in_class > 0)).then(some).otherwise(c.undefined)
