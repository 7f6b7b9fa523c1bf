"""Dunn's index and its generalisations: the separation of clusters over their diameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ireval_frames.declaration import Runs
from ireval_frames.expr import Expr
from ireval_frames.parameters import choice
from ireval_frames.points.context import PointContext
from ireval_frames.points.criteria import own_metric, point_measure
from ireval_frames.points.geometry import Geometry


def _runs(arguments: Mapping[str, Any]) -> Runs:
    """Centroids and radii are columns of the plan; other distances need all pairs of points."""
    columns = (arguments["separation"], arguments["diameter"]) == ("centroids", "radius")
    return "relational" if columns and arguments["metric"] in (None, "euclidean") else "python"


@point_measure(
    "Dunn",
    higher_is_better=True,
    aliases=("DunnIndex", "GeneralizedDunn"),
    parameters={
        "separation": choice(
            "nearest", "farthest", "average", "centroids", "to_centroids", what="the distance of two clusters"
        ),
        "diameter": choice("farthest", "average", "to_centroid", "radius", what="the size of a cluster"),
        "metric": own_metric(),
    },
    formula="min_{k≠l} δ(k, l) / max_k Δ(k)",
    source="Dunn, 1974; Bezdek and Pal, 1998; clusterCrit; torchmetrics",
    runs=_runs,
    cost="Distances of points need all pairs: n²·D, in blocks of bounded memory.",
)
def Dunn(u: PointContext, separation: str, diameter: str, metric: str | None) -> Expr:
    """The ratio of the smallest separation of two clusters and the largest diameter of a cluster.

    D = min_{k≠l} δ(k, l) / max_k Δ(k).  The separation δ is the distance of the two clusters' "nearest" points (GDI 1
    of clusterCrit), of the "farthest" (2), the "average" over pairs of their points (3), the distance of the
    "centroids" (4), or the mean distance of the points of both "to_centroids" of their own cluster (5).  The diameter Δ
    is the distance of the "farthest" two points (1), the "average" over pairs (2), twice the mean distance of the
    points "to_centroid" (3), or the "radius", the largest distance of a point to its centroid.  torchmetrics'
    dunn_index is `Dunn(separation="centroids", diameter="radius")`.

    With `diameter="average"` weights must be whole numbers.

    Range: 0 and more, higher is better.  Undefined for fewer than two clusters, and where every diameter is 0.

    Example:
        >>> import ireval_frames as ir
        >>> points = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3")
        >>> ev = points.evaluate("Dunn Dunn(separation='centroids', diameter='radius')")
        >>> ev.summary()["value"].round(4).to_list()
        [1.1785, 3.4928]
    """
    of = u.metric(metric)
    if diameter == "average":
        u.whole_weights()
    if of == "euclidean" and separation == "centroids" and diameter == "radius":
        farthest = u.tables.centred.max(u.tables.from_centroid)
        return u.ratio(u.pairs.min(u.squared_centroid_distance), farthest).sqrt()

    def value(g: Geometry) -> float | None:
        if g.k < 2:
            return None
        size = DIAMETERS[diameter](g, of)
        return SEPARATIONS[separation](g, of) / size if size > 0 else None

    of_points = separation in OF_POINTS and diameter in OF_POINTS
    return u.computed(value, metric=of if of_points else None)


def _average_separation(g: Geometry, metric: str) -> float:
    import numpy as np

    means = g.cluster_sums(metric) / np.outer(g.mass, g.mass)
    np.fill_diagonal(means, np.inf)
    return float(means.min())


def _farthest_separation(g: Geometry, metric: str) -> float:
    import numpy as np

    high = g.extremes(metric, pairs=True).high
    if high is None:
        return float("nan")
    between = high.copy()
    np.fill_diagonal(between, np.inf)
    return float(between.min())


def _to_centroids(g: Geometry, metric: str) -> float:
    """The smallest pooled mean distance of two clusters to their centroids."""
    import numpy as np

    own, _ = g.near_centroids(metric)
    sums = g.by_cluster(own)
    pooled = (sums[:, None] + sums) / (g.mass[:, None] + g.mass)
    np.fill_diagonal(pooled, np.inf)
    return float(pooled.min())


def _average_diameter(g: Geometry, metric: str) -> float:
    """The largest mean distance of two points of a cluster; 0 for a single point."""
    import numpy as np

    near = g.near(metric)
    count = g.mass * (g.mass - 1.0)
    sums = g.by_cluster(near.own)
    return float(np.divide(sums, count, out=np.zeros_like(sums), where=count > 0).max())


def _mean_radius(g: Geometry, metric: str) -> float:
    own, _ = g.near_centroids(metric)
    return float(2.0 * (g.by_cluster(own) / g.mass).max())


# Distances between points; the others need centroids.
OF_POINTS = ("nearest", "farthest", "average")
SEPARATIONS: dict[str, Callable[[Geometry, str], float]] = {
    "nearest": lambda g, metric: g.extremes(metric).separation,
    "farthest": _farthest_separation,
    "average": _average_separation,
    "centroids": lambda g, metric: g.smallest_centroid_distance(metric),
    "to_centroids": _to_centroids,
}
DIAMETERS: dict[str, Callable[[Geometry, str], float]] = {
    "farthest": lambda g, metric: g.extremes(metric).diameter,
    "average": _average_diameter,
    "to_centroid": _mean_radius,
    "radius": lambda g, metric: float(g.near_centroids(metric)[0].max()),
}
