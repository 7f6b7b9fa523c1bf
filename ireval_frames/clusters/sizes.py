"""Numbers of items, classes and clusters."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clusters import overlapping
from ireval_frames.clusters.context import ClusterContext
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS


@measure(
    "clusters", "NumItems", at="", range=UPWARDS, higher_is_better=None, undefined=None, formula="n", source="counted"
)
def NumItems(c: ClusterContext) -> Expr:
    """The number of items that count, or the sum of their weights.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("NumItems").summary()["value"].item()
        17.0
    """
    return overlapping.num_items(c.tables) if c.overlapping else c.total


@measure(
    "clusters",
    "NumClasses",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="classes",
    source="counted",
)
def NumClasses(c: ClusterContext) -> Expr:
    """The number of classes.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("NumClasses").summary()["value"].item()
        3.0
    """
    return overlapping.num_classes(c.tables) if c.overlapping else c.num_classes


@measure(
    "clusters",
    "NumClusters",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="clusters",
    source="counted",
)
def NumClusters(c: ClusterContext) -> Expr:
    """The number of clusters, singletons included.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Clusters(ir.examples.clusters()).evaluate("NumClusters").summary()["value"].item()
        3.0
    """
    return overlapping.num_clusters(c.tables) if c.overlapping else c.num_clusters
