"""Criteria of centroids: their distances relative to the distances of points to them."""

from __future__ import annotations

from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import choice, number
from ireval_frames.points.context import PointContext
from ireval_frames.points.criteria import point_measure
from ireval_frames.points.geometry import Geometry


@point_measure(
    "DaviesBouldin",
    higher_is_better=False,
    aliases=("DB", "DBI"),
    formula="1/K · Σ_k max_{l≠k} (s_k + s_l) / |v_k − v_l|",
    source="Davies and Bouldin, 1979; scikit-learn",
)
def DaviesBouldin(u: PointContext) -> Expr:
    """The mean over the clusters of their worst ratio of the spread of two clusters to the distance of their centroids.

    DB = 1/K · Σ_k max_{l≠k} (s_k + s_l) / |v_k − v_l|, where s_k is the mean Euclidean distance of the points of a
    cluster to its centroid.  Pairs whose centroids coincide are left out, as in scikit-learn, which gives 0 if all do;
    here centroids coincide if their distance is rounding, whatever the scale of the features.

    Range: 0 and more, lower is better.  Undefined for fewer than two clusters, and where every point is a cluster
    (scikit-learn raises an error there).

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("DaviesBouldin")
        >>> ev.summary()["value"].round(4).item()
        0.3917
    """
    both = col("spread") + col("other_spread")
    square, clusters = u.squared_centroid_distance, u.tables.clusters
    distance = when(square > 0).then(square).otherwise(1.0).sqrt()
    worst = u.pairs.max(when(square > 0).then(both / distance).otherwise(0.0), into=clusters)
    return u.separable(u.ratio(clusters.sum(worst), u.k))


@point_measure(
    "XieBeni",
    higher_is_better=False,
    aliases=("XB", "RayTuri"),
    parameters={"separation": choice("centroids", "points", what="the smallest distance: of centroids, or of points")},
    formula="WSS / (n · min_{k≠l} |v_k − v_l|²)",
    source="Xie and Beni, 1991; Ray and Turi, 1999; permetrics",
    runs=lambda arguments: "python" if arguments["separation"] == "points" else "relational",
    cost="The points' separation needs all pairs: n²·D.",
)
def XieBeni(u: PointContext, separation: str) -> Expr:
    """The mean squared distance of the points to their centroids over the smallest squared distance of two centroids.

    XB = WSS / (n · min_{k≠l} |v_k − v_l|²); of clusters that do not overlap it is Ray and Turi's index, too.
    `separation="points"` takes the smallest squared distance of two points of different clusters, as clusterCrit does,
    from all pairs, in blocks, in Python.

    Range: 0 and more, lower is better.  Undefined for fewer than two clusters, and where the smallest distance is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("XieBeni")
        >>> ev.summary()["value"].round(4).item()
        0.0401
    """
    if separation == "points":

        def nearest(g: Geometry) -> float | None:
            return g.extremes("euclidean").separation ** 2 if g.k > 1 else None

        return u.ratio(u.wss, u.n * u.computed(nearest))
    return u.ratio(u.wss, u.n * u.pairs.min(u.squared_centroid_distance))


@point_measure(
    "PBM",
    higher_is_better=True,
    formula="(1/K · E_T/E_W · max_{k≠l} |v_k − v_l|)²",
    source="Pakhira, Bandyopadhyay and Maulik, 2004; clusterCrit",
)
def PBM(u: PointContext) -> Expr:
    """The squared product of the ratio of distances to mean and centroids, the largest centroid distance, and 1/K.

    PBM = (1/K · E_T/E_W · max_{k≠l} |v_k − v_l|)², where E_T sums the distances of the points to the mean of all, and
    E_W those to their centroids.

    Range: 0 and more, higher is better.  Undefined for fewer than two clusters, and where E_W is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("PBM").summary()["value"].round(4).item()
        165.2127
    """
    tables = u.tables
    total = tables.centred.sum(tables.weigh(tables.from_mean.sqrt()))
    within = u.clusters.sum(u.spread * u.size)
    ratio = u.ratio(total, u.k * within)
    return ratio * ratio * u.pairs.max(u.squared_centroid_distance)


@point_measure(
    "SDScattering",
    higher_is_better=False,
    aliases=("SDScat", "Scat"),
    formula="1/K · Σ_k |σ²_k| / |σ²|",
    source="Halkidi, Vazirgiannis and Batistakis, 2000; clusterCrit",
)
def SDScattering(u: PointContext) -> Expr:
    """The mean length of the clusters' vectors of variances relative to that of all points.

    Variances are those of the dimensions, sums of squares over the number of points.  It is the first part of SD and
    of S_Dbw.

    Range: 0 and more, lower is better.  Undefined where all points are equal.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("SDScattering")
        >>> ev.summary()["value"].round(4).item()
        0.0784
    """
    return scattering(u)


@point_measure(
    "SDDistance",
    higher_is_better=False,
    aliases=("SDDis",),
    formula="(D_max / D_min) · Σ_k 1 / Σ_l |v_k − v_l|",
    source="Halkidi, Vazirgiannis and Batistakis, 2000; clusterCrit",
)
def SDDistance(u: PointContext) -> Expr:
    """The unevenness of the centroids: the ratio of largest and smallest distance, times a sum of inverse distances.

    (D_max / D_min) · Σ_k 1 / Σ_l |v_k − v_l|.  It is the second part of SD.

    Range: 0 and more, lower is better.  Undefined for fewer than two clusters, and where two centroids coincide.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("SDDistance")
        >>> ev.summary()["value"].round(4).item()
        0.2336
    """
    return unevenness(u)


@point_measure(
    "SD",
    higher_is_better=False,
    parameters={
        "alpha": number(1.0, "the weight of the scattering; its authors take SDDistance of the largest K", low=0.0)
    },
    formula="α·SDScattering + SDDistance",
    source="Halkidi, Vazirgiannis and Batistakis, 2000; clusterCrit",
)
def SD(u: PointContext, alpha: float) -> Expr:
    """The weighted sum of scattering and unevenness.

    SD = α·SDScattering + SDDistance.  Its authors take for α the SDDistance of the clustering with the most clusters
    among those compared.

    Range: 0 and more, lower is better.  Undefined where one of the parts is.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("SD(alpha=0.5)")
        >>> ev.summary()["value"].round(4).item()
        0.2728
    """
    return alpha * scattering(u) + unevenness(u)


def scattering(u: PointContext) -> Expr:
    """The mean length of the clusters' variances over the length of all points' variances."""
    tables, totals = u.tables, []
    squares = []
    for v, offset in zip(tables.centroid_gaps, tables.offsets, strict=True):
        within = tables.summed(offset * offset)
        variance = u.clusters.column(within / u.size, "variance")
        squares.append(variance * variance)
        total = tables.units.column(u.clusters.sum(within) + u.clusters.sum(u.size * v * v), "total")
        totals.append(total * total)
    length = u.clusters.column(u.added(squares), "of_variances").sqrt()
    total_length = tables.units.column(u.added(totals), "of_variances").sqrt()
    return u.ratio(u.clusters.sum(length) * u.n, u.k * total_length)


def unevenness(u: PointContext) -> Expr:
    """The largest over the smallest distance of centroids, times the sum of inverse sums of distances."""
    distance = u.pairs.column(u.squared_centroid_distance.sqrt(), "distance")
    sums = u.pairs.sum(distance, into=u.tables.clusters)
    inverse = u.tables.clusters.sum(when(sums > 0).then(1.0 / when(sums > 0).then(sums).otherwise(1.0)).otherwise(0.0))
    return u.ratio(u.pairs.max(distance) * inverse, u.pairs.min(distance))
