"""Criteria of scatter: the distances of points to centroids, and of centroids to the mean of all points.

WSS is the sum of the squared distances of the points to the centroids of their clusters, BSS that of the centroids to
the mean of all points, weighted by their numbers of points, and TSS = WSS + BSS.
"""

from __future__ import annotations

from ireval_frames.expr import Expr, when
from ireval_frames.parameters import ANY_NUMBER, choice
from ireval_frames.points.context import PointContext
from ireval_frames.points.criteria import point_measure
from ireval_frames.ratios import ratio


@point_measure("NumPoints", higher_is_better=None, formula="n", source="a count", aliases=("N",), aggregation="sum")
def NumPoints(u: PointContext) -> Expr:
    """The number of points.

    With weights their sum; noise that is ignored does not count.

    Range: 0 and more.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("NumPoints").summary()["value"].item()
        9.0
    """
    return u.n


@point_measure("NumClusters", higher_is_better=None, formula="K", source="a count", aliases=("K",))
def NumClusters(u: PointContext) -> Expr:
    """The number of clusters.

    Range: 0 and more.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("NumClusters").summary()["value"].item()
        3.0
    """
    return u.k


@point_measure(
    "SSE",
    higher_is_better=False,
    aliases=("Inertia", "WSS", "WGSS", "TraceW", "Distortion"),
    formula="Σ_i |x_i − v_k(i)|²",
    source="MacQueen, 1967; inertia_ of scikit-learn's KMeans; Trace_W of clusterCrit",
)
def SSE(u: PointContext) -> Expr:
    """The sum of the squared distances of the points to the centroids of their clusters.

    It is the trace of the within-cluster scatter matrix.  Some texts call it a sum of distances.  Over several
    clusterings of the same points it is the curve of the elbow method.

    Range: 0 and more, lower is better; it decreases with every split of a cluster.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster=["k2", "k3"]).evaluate("SSE")
        >>> ev.summary()["value"].round(4).to_list()
        [95.2, 22.0]
    """
    return u.wss


@point_measure(
    "RSquared",
    range=(0.0, 1.0),
    higher_is_better=True,
    aliases=("R2",),
    formula="BSS / TSS",
    source="Sharma, 1996; permetrics",
)
def RSquared(u: PointContext) -> Expr:
    """The share of the scatter that is between the clusters.

    R² = BSS / TSS.

    Range: 0 to 1, higher is better.  Undefined where all points are equal.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("RSquared")
        >>> ev.summary()["value"].round(4).item()
        0.9174
    """
    return u.ratio(u.bss, u.tss)


@point_measure(
    "CalinskiHarabasz",
    higher_is_better=True,
    aliases=("CH", "VarianceRatio"),
    formula="(BSS/(K−1)) / (WSS/(n−K))",
    source="Calinski and Harabasz, 1974; scikit-learn",
)
def CalinskiHarabasz(u: PointContext) -> Expr:
    """The ratio of the scatter between and within clusters, each by its degrees of freedom.

    CH = (BSS / (K − 1)) / (WSS / (n − K)) with squared distances.  Where WSS is 0 it is 1, as in scikit-learn.

    Weights must be whole numbers.

    Range: 0 and more, higher is better.  Undefined for fewer than two clusters, and where every point is a cluster
    (scikit-learn raises an error there).

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("CalinskiHarabasz")
        >>> ev.summary()["value"].round(4).item()
        33.303
    """
    u.whole_weights()
    value = u.ratio(u.bss * (u.n - u.k), u.wss * (u.k - 1.0))
    return u.separable(when(u.wss > 0).then(value).otherwise(1.0))


@point_measure(
    "LogSS",
    range=ANY_NUMBER,
    higher_is_better=True,
    aliases=("Hartigan",),
    formula="log(BSS / WSS)",
    source="Hartigan, 1975; Log_SS_Ratio of clusterCrit, hartigan of cclust",
)
def LogSS(u: PointContext) -> Expr:
    """The natural logarithm of the scatter between the clusters over that within them.

    LogSS = log(BSS / WSS).  What permetrics calls Hartigan is another index.

    Range: any number, higher is better.  Undefined where either is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("LogSS")
        >>> ev.summary()["value"].round(4).item()
        2.407
    """
    return u.log(u.ratio(u.bss, u.wss))


@point_measure(
    "BallHall",
    higher_is_better=False,
    parameters={
        "scatter": choice("means", "sums", what="of each cluster: the mean of the squared distances, or their sum")
    },
    formula="1/K · Σ_k 1/n_k · Σ_i∈k |x_i − v_k|²",
    source="Ball and Hall, 1965; clusterCrit; NbClust and permetrics take sums",
)
def BallHall(u: PointContext, scatter: str) -> Expr:
    """The mean over the clusters of the mean squared distance of their points to the centroid.

    `scatter="sums"` is WSS / K, as in NbClust and permetrics.

    Range: 0 and more, lower is better.  Undefined without clusters.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("BallHall")
        >>> ev.summary()["value"].round(4).item()
        2.3333
    """
    return u.ratio(u.wss if scatter == "sums" else u.clusters.sum(u.scatter / u.size), u.k)


@point_measure(
    "BanfeldRaftery",
    range=ANY_NUMBER,
    higher_is_better=False,
    formula="Σ_k n_k · log(WSS_k / n_k)",
    source="Banfield and Raftery, 1993; clusterCrit, permetrics",
    aliases=("BanfieldRaftery",),
)
def BanfeldRaftery(u: PointContext) -> Expr:
    """The sum over the clusters of their size times the logarithm of their mean squared distance to the centroid.

    Range: any number, lower is better.  Undefined where the points of a cluster are all equal, such as a single one.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("BanfeldRaftery")
        >>> ev.summary()["value"].round(4).item()
        6.9315
    """
    mean = u.clusters.column(u.scatter / u.size, "mean_scatter")
    terms = u.clusters.sum(when(mean > 0).then(u.size * when(mean > 0).then(mean).otherwise(1.0).log()).otherwise(0.0))
    flat = u.clusters.sum(when(mean > 0).then(0.0).otherwise(1.0))
    return when((flat == 0) & (u.k > 0)).then(terms)


@point_measure(
    "RatkowskyLance",
    range=(0.0, 1.0),
    higher_is_better=True,
    formula="√(mean over dimensions of BSS_d / TSS_d) / √K",
    source="Ratkowsky and Lance, 1978; clusterCrit",
)
def RatkowskyLance(u: PointContext) -> Expr:
    """The root of the mean share of a dimension's scatter that lies between clusters, over the root of their number.

    √(1/D · Σ_d BSS_d / TSS_d) / √K, as in clusterCrit; NbClust takes the mean of the roots.

    Range: 0 to 1, higher is better.  Undefined where the points are equal in a dimension.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("RatkowskyLance")
        >>> ev.summary()["value"].round(4).item()
        0.5481
    """
    tables = u.tables
    shares, flat = [], []
    for gap, offset in zip(tables.centroid_gaps, tables.offsets, strict=True):
        within, between = u.clusters.sum(tables.summed(offset * offset)), u.clusters.sum(u.size * gap * gap)
        total = tables.units.column(within + between, "total")
        shares.append(when(total > 0).then(ratio(between, total)).otherwise(0.0))
        flat.append(when(total > 0).then(0.0).otherwise(1.0))
    share, none = u.added(shares) / float(u.d), u.added(flat)
    return when((none == 0) & (u.k > 0)).then((share / when(u.k > 0).then(u.k).otherwise(1.0)).sqrt())
