"""Silhouettes: whether points are nearer to their own cluster than to the next one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ireval_frames.expr import Expr
from ireval_frames.parameters import choice, flag, whole
from ireval_frames.points.context import PointContext
from ireval_frames.points.criteria import own_metric, point_measure
from ireval_frames.points.geometry import Geometry

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array

COST = (
    "Squared Euclidean and cosine: n·K·D; Manhattan: D·n·(log n + K); Euclidean: all pairs, n²·D, in blocks of "
    "bounded memory."
)


@dataclass(frozen=True)
class Silhouettes:
    """The mean distances a and b, and the silhouettes s of some points."""

    a: Array
    b: Array
    s: Array


def silhouettes(
    g: Geometry, metric: str, *, self_in_mean: bool = False, sample: int | None = None, seed: int = 0
) -> Silhouettes:
    """The silhouettes of the points, or of a sample of them."""
    import numpy as np

    near = g.near(metric, sample, seed)
    mass = g.mass[g.codes[near.rows]]
    several = mass > 1.0
    a = near.own / (mass if self_in_mean else np.where(several, mass - 1.0, 1.0))
    larger = np.maximum(a, near.other)
    defined = several & (larger > 0) & np.isfinite(larger)
    s = np.where(defined, np.divide(near.other - a, larger, out=np.zeros_like(a), where=defined), 0.0)
    return Silhouettes(a, near.other, s)


@point_measure(
    "Silhouette",
    range=(-1.0, 1.0),
    higher_is_better=True,
    aliases=("SC",),
    parameters={
        "metric": own_metric(),
        "self_in_mean": flag(what="include the point itself in the mean distance to its cluster"),
        "average": choice("points", "clusters", what="the mean over points, or over the clusters' means"),
        "sample": whole(None, "the number of sampled points, each compared with all points"),
        "seed": whole(0, "of the sample", low=0),
    },
    formula="mean of (b − a) / max(a, b)",
    source="Rousseeuw, 1987; scikit-learn; clusterCrit averages over clusters",
    runs="python",
    cost=COST,
)
def Silhouette(
    u: PointContext, metric: str | None, *, self_in_mean: bool, average: str, sample: int | None, seed: int
) -> Expr:
    """The mean silhouette: how much nearer points are to their own cluster than to the next one.

    s = (b − a) / max(a, b), where a is the mean distance of a point to the others of its cluster, and b the smallest
    mean distance to the points of another cluster; 0 for a single point in its cluster, and where a = b = 0.
    `self_in_mean` divides the sum of a by the size of the cluster, the point itself included, as in some texts.
    `sample` computes the silhouettes of a sample of points, each compared with all points: an unbiased estimate, whose
    standard error is `SilhouetteError`.  The sample is by a hash of the item, so it is the same everywhere.  A point of
    weight w is w points.  The metrics "squared_euclidean", "cosine" and "manhattan" take linear time, "euclidean" (the
    default of `Points`) needs all pairs.

    Weights must be whole numbers.

    Range: −1 to 1, higher is better.  Undefined for fewer than two clusters, and where every point is a cluster
    (scikit-learn raises an error there).

    Example:
        >>> import ireval_frames as ir
        >>> points = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3")
        >>> points.evaluate("Silhouette Silhouette(metric='manhattan')").summary()["value"].round(4).to_list()
        [0.6677, 0.7209]
    """
    u.whole_weights()
    of = u.metric(metric)

    def value(g: Geometry) -> float | None:
        import numpy as np

        if not g.separable:
            return None
        s = silhouettes(g, of, self_in_mean=self_in_mean, sample=sample, seed=seed).s
        rows = g.near(of, sample, seed).rows
        codes, weights = g.codes[rows], g.weights[rows]
        if average == "points":
            return float(np.average(s, weights=weights))
        sums, mass = (np.bincount(codes, weights=v, minlength=g.k) for v in (s * weights, weights))
        return float((sums[mass > 0] / mass[mass > 0]).mean())

    return u.computed(value, seed=seed if sample is not None else None, metric=of)


@point_measure(
    "SilhouetteError",
    higher_is_better=None,
    parameters={
        "sample": whole(1000, "the number of sampled points"),
        "seed": whole(0, "of the sample", low=0),
        "metric": own_metric(),
        "self_in_mean": flag(what="include the point itself in the mean distance to its cluster"),
    },
    formula="sd(s) / √m · √(1 − m/n)",
    source="Cochran, Sampling Techniques, 1977",
    runs="python",
    cost=COST,
)
def SilhouetteError(u: PointContext, sample: int, seed: int, metric: str | None, self_in_mean: bool) -> Expr:  # noqa: FBT001
    """The standard error of the silhouette of a sample of the points.

    sd(s) / √m · √(1 − m/n) for m of n points, drawn without replacement; 0 for all points.  With weights it is that
    of a ratio of means.

    Weights must be whole numbers.

    Range: 0 and more.  Undefined where Silhouette is, and for a sample of one point of several.

    Example:
        >>> import ireval_frames as ir
        >>> points = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3")
        >>> points.evaluate("SilhouetteError(sample=5) SilhouetteError(sample=9)").summary()["value"].round(4).to_list()
        [0.0452, 0.0]
    """
    u.whole_weights()
    of = u.metric(metric)

    def value(g: Geometry) -> float | None:
        import numpy as np

        if not g.separable:
            return None
        s = silhouettes(g, of, self_in_mean=self_in_mean, sample=sample, seed=seed).s
        if len(s) == len(g.codes):
            return 0.0
        weights = g.weights[g.near(of, sample, seed).rows]
        deviations = (s - np.average(s, weights=weights)) * weights / weights.mean()
        if len(s) < 2:
            return None
        return math.sqrt(float(deviations @ deviations) / (len(s) - 1) / len(s) * (1.0 - len(s) / len(g.codes)))

    return u.computed(value, seed=seed, metric=of)


@point_measure(
    "SimplifiedSilhouette",
    range=(-1.0, 1.0),
    higher_is_better=True,
    parameters={"metric": own_metric()},
    formula="mean of (b − a) / max(a, b), a and b distances to centroids",
    source="Hruschka, de Castro and Campello, 2004; MADlib simple_silhouette",
    runs="python",
    cost="n·K·D",
)
def SimplifiedSilhouette(u: PointContext, metric: str | None) -> Expr:
    """The mean simplified silhouette: how much nearer points are to their own centroid than to the next one.

    s = (b − a) / max(a, b), where a is the distance of a point to the centroid of its cluster, and b that to the
    nearest other centroid; 0 for a single point in its cluster, and where a = b = 0.  Centroids are means; for the
    metric "cosine" their direction counts.

    Range: −1 to 1, higher is better.  Undefined for fewer than two clusters, and where every point is a cluster.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("SimplifiedSilhouette")
        >>> ev.summary()["value"].round(4).item()
        0.8056
    """
    of = u.metric(metric)

    def value(g: Geometry) -> float | None:
        import numpy as np

        if not g.separable:
            return None
        a, b = g.near_centroids(of)
        larger = np.maximum(a, b)
        defined = (larger > 0) & ~g.single
        s = np.divide(b - a, larger, out=np.zeros_like(a), where=defined)
        return float(np.average(s, weights=g.weights))

    return u.computed(value)


@point_measure(
    "WemmertGancarski",
    range=(0.0, 1.0),
    higher_is_better=True,
    formula="1/n · Σ_k n_k · max(0, 1 − mean of |x − v_k| / min_{l≠k} |x − v_l|)",
    source="Wemmert and Gançarski, 2000; clusterCrit",
    runs="python",
    cost="n·K·D",
)
def WemmertGancarski(u: PointContext) -> Expr:
    """The mean over points of 1 minus their cluster's mean ratio of the distances to its centroid and to the next.

    1/n · Σ_k n_k · max(0, 1 − R_k), where R_k is the mean of |x − v_k| / min_{l≠k} |x − v_l| over the points of the
    cluster; the ratio of a point at the same distance from both is 1, also where that is 0.

    Range: 0 to 1, higher is better.  Undefined for fewer than two clusters.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("WemmertGancarski")
        >>> ev.summary()["value"].round(4).item()
        0.8056
    """

    def value(g: Geometry) -> float | None:
        import numpy as np

        if g.k < 2:
            return None
        own, other = g.near_centroids("euclidean")
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(own == other, 1.0, own / other)
        means = g.by_cluster(ratio) / g.mass
        return float((g.mass * np.maximum(0.0, 1.0 - means)).sum() / g.n)

    return u.computed(value)
