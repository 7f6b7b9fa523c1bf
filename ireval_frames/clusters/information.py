"""Measures of information and of dependence: how much classes and clusters say about each other."""

from __future__ import annotations

import math

from ireval_frames.catalog import measure
from ireval_frames.clusters.context import ClusterContext
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import UPWARDS, choice, flag, number
from ireval_frames.ratios import ratio

ROSENBERG = "Rosenberg and Hirschberg, 2007; scikit-learn"
# Less information than this is rounding, as in scikit-learn.
EPSILON = 2.220446049250313e-16
# Smaller shares are rounding: V with β = 0 would divide them by themselves.
ROUNDING = 1e-13
BITS_OR_NATS = number(math.e, "the base of logarithms: 2 for bits", low=1.0, high=math.inf, open_ends=True)
NORMALIZERS = ("arithmetic", "geometric", "min", "max")
Pair = tuple[Expr, Expr]


def mean_of(entropies: Pair, normalizer: str) -> Expr:
    """The mean of two entropies: arithmetic, geometric, the smaller or the larger."""
    first, second = entropies
    match normalizer:
        case "geometric":
            return (first * second).sqrt()
        case "min":
            return when(first < second).then(first).otherwise(second)
        case "max":
            return when(first < second).then(second).otherwise(first)
        case _:
            return (first + second) / 2.0


def _in(value: Expr, base: float) -> Expr:
    return value if base == math.e else value / math.log(base)


def needs_items(c: ClusterContext, value: Expr) -> Expr:
    """The value, undefined without items."""
    return when(c.total > 0).then(value).otherwise(c.undefined)


@measure(
    "clusters",
    "Entropy",
    at="",
    parameters={"base": BITS_OR_NATS, "normalized": flag(what="divide by the logarithm of the number of classes")},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="H(G|X) = Σ_ij n_ij/n · log(b_j / n_ij)",
    source="Zhao and Karypis, 2001; " + ROSENBERG,
)
def Entropy(c: ClusterContext, base: float, *, normalized: bool) -> Expr:
    """The mean entropy of the classes within clusters: the uncertainty about the class given the cluster.

    H(G|X) = Σ_ij (n_ij/n)·log(b_j / n_ij), where cluster j has b_j items, n_ij of class i.

    Range: 0 to the entropy of the classes, in nats, or to 1 if normalized; lower is better.  Undefined without items,
    and normalized with a single class.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Clusters(ir.examples.clusters()).evaluate("Entropy Entropy(base=2)")
        >>> ev.summary()["value"].round(4).to_list()
        [0.6632, 0.9567]
    """
    c.partition()
    if normalized:
        several = when(c.num_classes > 1).then(c.num_classes).otherwise(1.0)
        return needs_items(c, c.ratio(c.classes_given_clusters, c.tables.units.column(several, "num_classes").log()))
    return needs_items(c, _in(c.classes_given_clusters, base))


@measure(
    "clusters",
    "ClassEntropy",
    at="",
    parameters={"base": BITS_OR_NATS},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="H(X|G) = Σ_ij n_ij/n · log(a_i / n_ij)",
    source=ROSENBERG,
)
def ClassEntropy(c: ClusterContext, base: float) -> Expr:
    """The mean entropy of the clusters within classes: the uncertainty about the cluster given the class.

    H(X|G) = Σ_ij (n_ij/n)·log(a_i / n_ij), where class i has a_i items, n_ij in cluster j.

    Range: 0 to the entropy of the clusters, in nats; lower is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("ClassEntropy").summary()["value"].round(4).item()
        0.7031
    """
    c.partition()
    return needs_items(c, _in(c.clusters_given_classes, base))


@measure(
    "clusters",
    "MI",
    at="",
    aliases=("MutualInformation",),
    parameters={"base": BITS_OR_NATS},
    range=UPWARDS,
    undefined=None,
    formula="Σ_ij n_ij/n · log(n·n_ij / (a_i·b_j))",
    source="Shannon, 1948; scikit-learn",
)
def MI(c: ClusterContext, base: float) -> Expr:
    """The information that clusters and classes share.

    MI = Σ_ij (n_ij/n)·log(n·n_ij / (a_i·b_j)).

    Range: 0 to the smaller of the two entropies, in nats; higher is better.  0 without items, as in scikit-learn.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("MI").summary()["value"].round(4).item()
        0.3919
    """
    c.partition()
    return _in(c.mutual_information, base)


@measure(
    "clusters",
    "NMI",
    at="",
    parameters={
        "normalizer": choice(
            "arithmetic", "geometric", "min", "max", "joint", what="what the information is divided by"
        )
    },
    undefined=None,
    formula="MI / mean(H(G), H(X))",
    source="Strehl and Ghosh, 2002; Manning, Raghavan and Schütze, 2008; scikit-learn",
)
def NMI(c: ClusterContext, normalizer: str) -> Expr:
    """The information that clusters and classes share, as a share of their entropies.

    NMI = MI / N, where N is the arithmetic mean of H(G) and H(X) (scikit-learn, igraph and textbooks), their
    `geometric` mean (Strehl and Ghosh), the `min`, the `max` (aricode), or the `joint` entropy H(G, X).  1 − NMI is the
    normalized information distance with `max`, the normalized variation of information with `joint`.

    Range: 0 to 1, higher is better.  As in scikit-learn it is 1 where both sides are one group, and 0 where one is.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("NMI").summary()["value"].round(4).item()
        0.3646
    """
    c.partition()
    below = c.joint_entropy if normalizer == "joint" else mean_of((c.class_entropy, c.cluster_entropy), normalizer)
    shared = c.mutual_information
    value = when((shared > EPSILON) & (below > 0)).then(ratio(shared, below)).otherwise(0.0)
    return when(c.trivial).then(1.0).otherwise(value)


@measure("clusters", "Homogeneity", at="", undefined=None, formula="1 − H(G|X) / H(G)", source=ROSENBERG)
def Homogeneity(c: ClusterContext) -> Expr:
    """The extent to which clusters hold items of one class only.

    Homogeneity = 1 − H(G|X)/H(G).

    Range: 0 to 1, higher is better.  1 with a single class, as in scikit-learn.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Homogeneity").summary()["value"].round(4).item()
        0.3715
    """
    return _one_minus(c, c.classes_given_clusters, c.class_entropy)


@measure("clusters", "Completeness", at="", undefined=None, formula="1 − H(X|G) / H(X)", source=ROSENBERG)
def Completeness(c: ClusterContext) -> Expr:
    """How far the items of a class are in one cluster.

    Completeness = 1 − H(X|G)/H(X).

    Range: 0 to 1, higher is better.  1 with a single cluster, as in scikit-learn.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Completeness").summary()["value"].round(4).item()
        0.3579
    """
    return _one_minus(c, c.clusters_given_classes, c.cluster_entropy)


def _one_minus(c: ClusterContext, open_: Expr, entropy: Expr) -> Expr:
    c.partition()
    value = 1.0 - open_ / entropy
    return when(entropy > 0).then(when(value > ROUNDING).then(value).otherwise(0.0)).otherwise(1.0)


@measure(
    "clusters",
    "V",
    at="",
    aliases=("VMeasure",),
    parameters={"beta": number(1.0, "how many times more completeness weighs", low=0.0)},
    undefined=None,
    formula="(1+β)·h·c / (β·h + c)",
    source=ROSENBERG,
)
def V(c: ClusterContext, beta: float) -> Expr:
    """The weighted harmonic mean of homogeneity and completeness.

    V = (1+β)·h·c / (β·h + c), with β itself, not its square.  With β = 1 it is NMI with the arithmetic mean.

    Range: 0 to 1, higher is better.  0 where homogeneity and completeness are 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("V").summary()["value"].round(4).item()
        0.3646
    """
    first = _one_minus(c, c.classes_given_clusters, c.class_entropy)
    second = _one_minus(c, c.clusters_given_classes, c.cluster_entropy)
    below = beta * first + second
    return when(below > 0).then(ratio((1.0 + beta) * first * second, below)).otherwise(0.0)


@measure(
    "clusters",
    "VI",
    at="",
    aliases=("VariationOfInformation",),
    parameters={"base": BITS_OR_NATS, "normalized": flag(what="divide by the logarithm of the number of items")},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="H(G|X) + H(X|G)",
    source="Meilă, 2007; igraph",
)
def VI(c: ClusterContext, base: float, *, normalized: bool) -> Expr:
    """The information that has to be lost and gained to come from one partition to the other.

    VI = H(G|X) + H(X|G), a metric.

    Normalized, weights must be whole numbers.

    Range: 0 to log n, in nats, or to 1 if normalized; lower is better.  Undefined without
    items, and normalized with one.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("VI").summary()["value"].round(4).item()
        1.3663
    """
    c.partition()
    value = c.classes_given_clusters + c.clusters_given_classes
    if normalized:
        c.whole_weights()
        return (
            when(c.total > 1)
            .then(value / c.tables.units.column(when(c.total > 1).then(c.total).otherwise(2.0)).log())
            .otherwise(c.undefined)
        )
    return needs_items(c, _in(value, base))


@measure(
    "clusters",
    "ChiSquare",
    at="",
    range=UPWARDS,
    undefined=None,
    formula="n·(Σ_ij n_ij² / (a_i·b_j) − 1)",
    source="Pearson, 1900; aricode",
)
def ChiSquare(c: ClusterContext) -> Expr:
    """Pearson's statistic of the independence of classes and clusters.

    χ² = n·(Σ_ij n_ij²/(a_i·b_j) − 1), computed from the deviations from independence, without cancellation.

    Range: 0 to n·(min(classes, clusters) − 1), higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("ChiSquare").summary()["value"].round(4).item()
        11.9
    """
    c.partition()
    return needs_items(c, c.total * c.contingency.mean_square())


@measure(
    "clusters",
    "Frobenius",
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="classes + clusters − 2·Σ_ij n_ij² / (a_i·b_j)",
    source="Lajugie, Bach and Arlot, 2014; aricode",
)
def Frobenius(c: ClusterContext) -> Expr:
    """The squared distance of the two partitions as projections: the Frobenius norm of their matrices' difference.

    F = K_G + K_X − 2·Σ_ij n_ij²/(a_i·b_j), with K_G classes and K_X clusters.

    Range: 0 and up, lower is better.  0 without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Frobenius").summary()["value"].round(4).item()
        2.6
    """
    c.partition()
    squares = c.over_cells(when(c.size > 0).then(c.size / c.class_size * (c.size / c.cluster_size)).otherwise(0.0))
    value = c.num_classes + c.num_clusters - 2.0 * squares
    return when(value > 0).then(value).otherwise(0.0)
