"""Measures that match each cluster, or each class, with the one that it shares most items with."""

from __future__ import annotations

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.clusters.context import ClusterContext
from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.assignment import assignment_step
from ireval_frames.parameters import UPWARDS, choice, flag, number
from ireval_frames.ratios import harmonic, ratio

ZHAO = "Zhao and Karypis, 2001; Manning, Raghavan and Schütze, 2008"
ALPHA = number(0.5, "the weight of the first of the two", low=0.0, high=1.0)


def _purity(c: ClusterContext) -> Expr:
    c.partition()
    return c.ratio(c.over_clusters(c.best_of_cluster), c.total)


def _inverse_purity(c: ClusterContext) -> Expr:
    c.partition()
    return c.ratio(c.over_classes(c.best_of_class), c.total)


@measure("clusters", "Purity", at="", undefined=None, formula="Σ_j max_i n_ij / n", source=ZHAO)
def Purity(c: ClusterContext) -> Expr:
    """The share of items that are of the most frequent class of their cluster.

    Purity = (1/n)·Σ_j max_i n_ij, where n_ij items of class i are in cluster j.

    Range: 0 to 1, higher is better; clusters of one item each have 1.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("Purity").summary()["value"].round(4).item()
        0.7059
    """
    return _purity(c)


@measure("clusters", "InversePurity", at="", undefined=None, formula="Σ_i max_j n_ij / n", source="Amigó et al., 2009")
def InversePurity(c: ClusterContext) -> Expr:
    """The share of items that are in the most frequent cluster of their class.

    InversePurity = (1/n)·Σ_i max_j n_ij, where n_ij items of class i are in cluster j.

    Range: 0 to 1, higher is better; one cluster of all has 1.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("InversePurity").summary()["value"].round(4).item()
        0.7059
    """
    return _inverse_purity(c)


@measure(
    "clusters",
    "PurityF",
    at="",
    parameters={"alpha": ALPHA},
    undefined=None,
    formula="1 / (α/P + (1−α)/IP)",
    source="Amigó et al., 2009",
)
def PurityF(c: ClusterContext, alpha: float) -> Expr:
    """The weighted harmonic mean of purity and inverse purity.

    F = 1 / (α/Purity + (1−α)/InversePurity).

    Range: 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("PurityF").summary()["value"].round(4).item()
        0.7059
    """
    return harmonic([_purity(c), _inverse_purity(c)], [alpha, 1.0 - alpha])


@measure(
    "clusters",
    "ClusterF",
    at="",
    parameters={"over": choice("classes", "clusters", what="whose best partners are averaged")},
    undefined=None,
    formula="Σ_i a_i/n · max_j 2·n_ij / (a_i + b_j)",
    source="Larsen and Aone, 1999; Steinbach, Karypis and Kumar, 2000",
)
def ClusterF(c: ClusterContext, over: str) -> Expr:
    """The mean over classes, by their size, of F1 with the best cluster.

    ClusterF = Σ_i (a_i/n)·max_j 2·n_ij / (a_i + b_j), where class i has a_i items, cluster j has b_j, and they share
    n_ij.  `over="clusters"` takes the best class of each cluster instead.

    Range: 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("ClusterF").summary()["value"].round(4).item()
        0.7069
    """
    c.partition()
    tables = c.tables
    below = c.class_size + c.cluster_size
    fit = tables.cells.column(when(below > 0).then(ratio(2.0 * c.size, below)).otherwise(0.0), "fit")
    groups = tables.classes if over == "classes" else tables.clusters
    return c.ratio(groups.sum(tables.cells.max(fit, into=groups) * tables.size_of(groups)), c.total)


@measure(
    "clusters",
    "SplitJoin",
    at="",
    parameters={"normalized": flag(what="divide by twice the number of items")},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="2n − Σ_i max_j n_ij − Σ_j max_i n_ij",
    source="van Dongen, 2000; igraph",
)
def SplitJoin(c: ClusterContext, *, normalized: bool) -> Expr:
    """The number of items to move in order to turn each partition into its largest common parts with the other.

    SplitJoin = 2n − Σ_i max_j n_ij − Σ_j max_i n_ij, where n_ij items of class i are in cluster j.

    Range: 0 to 2n, or to 1 if normalized; lower is better.  Normalized, it is undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("SplitJoin").summary()["value"].item()
        10.0
    """
    c.partition()
    moves = 2.0 * c.total - c.over_classes(c.best_of_class) - c.over_clusters(c.best_of_cluster)
    return c.ratio(moves, 2.0 * c.total) if normalized else moves


OF = choice("clusters", "classes", "both", what="which side is edited into the other")


@measure(
    "clusters",
    "EditDistance",
    at="",
    parameters={"of": OF},
    range=(float("-inf"), 1.0),
    undefined=None,
    formula="1 − Σ_j (1 + b_j − max_i n_ij) / n",
    source="Pantel and Lin, 2002; ELKI",
)
def EditDistance(c: ClusterContext, of: str) -> Expr:
    """The share of operations saved by editing the clusters into the classes, relative to one operation per item.

    EditDistance = 1 − operations/n, with the operations that `EditOperations` counts.  It is a score, as Pantel and Lin
    give it.  `of="both"` is the harmonic mean of both directions.

    Weights must be whole numbers.

    Range: up to 1, higher is better; negative with more clusters than correct items.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("EditDistance").summary()["value"].round(4).item()
        0.5294
    """
    if of != "both":
        return c.ratio(c.total - _operations(c, of), c.total)
    first, second = (c.ratio(c.total - _operations(c, side), c.total) for side in ("clusters", "classes"))
    return (
        when(first + second > 0)
        .then(ratio(2.0 * first * second, first + second))
        .otherwise(when(~first.is_null()).then(0.0))
    )


@measure(
    "clusters",
    "EditOperations",
    at="",
    parameters={"of": OF},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="Σ_j (1 + b_j − max_i n_ij)",
    source="Pantel and Lin, 2002; ELKI",
)
def EditOperations(c: ClusterContext, of: str) -> Expr:
    """The number of operations that edit the clusters into the classes.

    Every cluster is merged into the class that it shares most items with, and its other items are moved:
    Σ_j (1 + b_j − max_i n_ij) operations, where cluster j has b_j items, n_ij of them of class i.  `of="classes"` edits
    the classes into the clusters; `of="both"` is the sum.  The number of moves into classes one to one is
    n − n·ClusteringAccuracy.

    Weights must be whole numbers.

    Range: 0 and up, lower is better.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("EditOperations").summary()["value"].item()
        8.0
    """
    return _operations(c, "clusters") + _operations(c, "classes") if of == "both" else _operations(c, of)


def _operations(c: ClusterContext, of: str) -> Expr:
    c.partition()
    c.whole_weights()
    if of == "classes":
        return c.num_classes + c.total - c.over_classes(c.best_of_class)
    return c.num_clusters + c.total - c.over_clusters(c.best_of_cluster)


@measure(
    "clusters",
    "ClusteringAccuracy",
    at="",
    aliases=("ACC", "MaximumMatching"),
    undefined=None,
    formula="max over one-to-one σ of Σ_i n_{i,σ(i)} / n",
    source="Kuhn, 1955; Yang et al., 2010",
    runs="python",
    cost="an optimal assignment of clusters to classes, cubic in their number",
)
def ClusteringAccuracy(c: ClusterContext) -> Expr:
    """The share of correct items under the best one-to-one assignment of clusters to classes.

    ACC = max_σ Σ_i n_{i,σ(i)} / n over all one-to-one assignments σ of clusters to classes; items of unassigned
    clusters are wrong.  The assignment is computed in Python from the cells, so there is no SQL text.

    Range: 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("ClusteringAccuracy").summary()["value"].round(4).item()
        0.7059
    """
    c.partition()
    tables = c.tables
    step = assignment_step(tables.keys, ("label",), ("cluster_id", "singleton"), "size")
    assignment = tables.plan.applied(
        "assignment", tables.keys, tables.cells, step, {"matched": pl.Float64}, by=tables.keys
    )
    return c.ratio(tables.units.lookup(col("matched"), of=assignment).fill_null(0.0), c.total)
