"""BCubed: precision and recall of each item, averaged over the items."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clusters import overlapping
from ireval_frames.clusters.context import ClusterContext
from ireval_frames.clusters.matching import ALPHA
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import choice, flag
from ireval_frames.ratios import harmonic, ratio

BAGGA = "Bagga and Baldwin, 1998; Amigó et al., 2009"
SELF = flag(default=True, what="an item is related to itself")


def _precision(c: ClusterContext, *, self_pairs: bool) -> Expr:
    if c.overlapping:
        return overlapping.precision(c, self_pairs=self_pairs)
    return _mean(c, c.cluster_size, 1.0, self_pairs=self_pairs)


def _recall(c: ClusterContext, *, self_pairs: bool) -> Expr:
    if c.overlapping:
        return overlapping.recall(c, self_pairs=self_pairs)
    return _mean(c, c.class_size, 0.0, self_pairs=self_pairs)


def _mean(c: ClusterContext, margin: Expr, of_missing: float, *, self_pairs: bool) -> Expr:
    """The mean over items of the share of a margin that is in their cell."""
    size = c.size
    if self_pairs:
        value = when(margin > 0).then(size * (ratio(size, margin))).otherwise(0.0)
    else:
        c.whole_weights()
        value = when((margin > 1) & (size > 1)).then(size * (size - 1.0) / (margin - 1.0)).otherwise(0.0)
    if c.policy.missing == "replab":
        value = when(col("cluster_id").is_null()).then(size * of_missing).otherwise(value)
    return c.ratio(c.over_cells(value), c.total)


@measure(
    "clusters",
    "BCubedP",
    at="",
    aliases=("BCubedPrecision",),
    parameters={"self_pairs": SELF},
    undefined=None,
    formula="Σ_ij n_ij² / b_j / n",
    source=BAGGA,
)
def BCubedP(c: ClusterContext, *, self_pairs: bool) -> Expr:
    """The mean over items of the share of their cluster that is of their class.

    P = (1/n)·Σ_ij n_ij²/b_j, where cluster j has b_j items, n_ij of class i; the item itself counts.  With
    `self_pairs=False` it does not, and an item alone in its cluster has 0 (as in ELKI); weights must then be whole.

    Where clusters or classes overlap it is extended BCubed: of two items that share clusters, the precision is
    min(shared clusters, shared classes) / shared clusters; an item's precision is the mean over all items it shares a
    cluster with, and items in no cluster do not count.

    Range: 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("BCubedP").summary()["value"].round(4).item()
        0.5843
    """
    return _precision(c, self_pairs=self_pairs)


@measure(
    "clusters",
    "BCubedR",
    at="",
    aliases=("BCubedRecall",),
    parameters={"self_pairs": SELF},
    undefined=None,
    formula="Σ_ij n_ij² / a_i / n",
    source=BAGGA,
)
def BCubedR(c: ClusterContext, *, self_pairs: bool) -> Expr:
    """The mean over items of the share of their class that is in their cluster.

    R = (1/n)·Σ_ij n_ij²/a_i, where class i has a_i items, n_ij in cluster j; the item itself counts.  With
    `self_pairs=False` it does not, and an item alone in its class has 0 (as in ELKI); weights must then be whole.

    Where clusters or classes overlap it is extended BCubed: of two items that share classes, the recall is
    min(shared clusters, shared classes) / shared classes; an item's recall is the mean over all items it shares a class
    with.

    Range: 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("BCubedR").summary()["value"].round(4).item()
        0.5676
    """
    return _recall(c, self_pairs=self_pairs)


@measure(
    "clusters",
    "BCubedF",
    at="",
    aliases=("BCubed",),
    parameters={
        "alpha": ALPHA,
        "self_pairs": SELF,
        "over": choice("means", "items", what="the F of the means, or the mean of the items' F"),
    },
    undefined=None,
    formula="1 / (α/P + (1−α)/R)",
    source=BAGGA,
)
def BCubedF(c: ClusterContext, alpha: float, *, self_pairs: bool, over: str) -> Expr:
    """The weighted harmonic mean of BCubed precision and recall.

    F = 1 / (α/P + (1−α)/R).  `over="items"` is the mean over items of the F of their own precision and recall.
    Without self pairs weights must be whole.

    Range: 0 to 1, higher is better; 0 where either is 0.  Undefined without items.

    Raises:
        NotDefined: `over="items"` with overlapping clusters, or without self pairs.
        InvalidValue: without self pairs, a weight is a fraction.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("BCubedF").summary()["value"].round(4).item()
        0.5759
    """
    if over == "means":
        both = [_precision(c, self_pairs=self_pairs), _recall(c, self_pairs=self_pairs)]
        return harmonic(both, [alpha, 1.0 - alpha])
    if c.overlapping or not self_pairs:
        raise NotDefined(
            "The F of single items needs items in one class and one cluster each, and self pairs.", "Write BCubedF."
        )
    below = alpha * c.cluster_size + (1.0 - alpha) * c.class_size
    value = when(below > 0).then(c.size * (ratio(c.size, below))).otherwise(0.0)
    if c.policy.missing == "replab":
        # With recall 0, F is 0.
        value = when(col("cluster_id").is_null()).then(0.0).otherwise(value)
    return c.ratio(c.over_cells(value), c.total)
