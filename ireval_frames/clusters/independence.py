"""How far classes and clusters are from independent, by the squares of their cells."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clusters.context import ClusterContext
from ireval_frames.clusters.information import needs_items
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import UPWARDS


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

    χ² = n·(Σ_ij n_ij²/(a_i·b_j) − 1), computed from what is apart: independent sides do not cancel large sums.

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
