"""Criteria of density: whether there are fewer points between clusters than in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ireval_frames.expr import Expr
from ireval_frames.points.context import PointContext
from ireval_frames.points.criteria import point_measure
from ireval_frames.points.distances import between
from ireval_frames.points.geometry import Geometry

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array

# The tolerance of distances to the radius, for rounding.
SLACK = 1e-12


@point_measure(
    "SDbw",
    higher_is_better=False,
    aliases=("S_Dbw",),
    formula="SDScattering + 2/(K(K−1)) · Σ_{k<l} γ(m_kl) / max(γ(v_k), γ(v_l))",
    source="Halkidi and Vazirgiannis, 2001; clusterCrit",
    runs="python",
    cost="n·K·D",
)
def SDbw(u: PointContext) -> Expr:
    """The mean scattering of the clusters, plus the mean density between clusters relative to that in them.

    S_Dbw = SDScattering + 2/(K(K−1)) · Σ_{k<l} γ(m_kl) / max(γ(v_k), γ(v_l)), where γ counts the points of the two
    clusters within σ of a point: the midpoint m_kl of the two centroids, or one of these.  σ is the root of
    the summed lengths of the clusters' vectors of variances, over K.

    Range: 0 and more, lower is better.  Undefined for fewer than two clusters, where all points are equal, and where no
    point is near either centroid of a pair.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k2").evaluate("SDbw")
        >>> ev.summary()["value"].round(4).item()
        0.3125
    """
    return u.computed(_s_dbw)


def _s_dbw(g: Geometry) -> float | None:
    import numpy as np

    if g.k < 2:
        return None
    squares = g.offsets * g.offsets
    variances = np.stack([g.by_cluster(column) for column in squares.T], axis=1) / g.mass[:, None]
    lengths = np.sqrt((variances * variances).sum(axis=1))
    total_variance = (g.weights @ squares + g.mass @ (g.centroids * g.centroids)) / g.n
    if not total_variance.any():
        return None
    radius = float(np.sqrt(lengths.sum())) / g.k * (1.0 + SLACK)
    # The number of points of each cluster near each centroid.
    near = np.stack([_counts(g, v[None, :], radius) for v in g.centroids], axis=1)
    total = 0.0
    for k in range(g.k):
        for other in range(k + 1, g.k):
            rows = np.concatenate([g.rows(k), g.rows(other)])
            middle = (g.centroids[k] + g.centroids[other]) / 2.0
            n_between = g.weights[rows] @ (between(g.x[rows], middle[None, :], "euclidean")[:, 0] <= radius)
            n_inside = max(near[k, k] + near[other, k], near[k, other] + near[other, other])
            if n_inside == 0:
                return None
            total += float(n_between) / float(n_inside)
    scattering = float(lengths.mean()) / float(np.sqrt((total_variance * total_variance).sum()))
    return scattering + 2.0 * total / (g.k * (g.k - 1.0))


def _counts(g: Geometry, place: Array, radius: float) -> Array:
    return g.by_cluster((between(g.x, place, "euclidean")[:, 0] <= radius).astype(float))
