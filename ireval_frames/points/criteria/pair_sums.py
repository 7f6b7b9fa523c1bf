"""Criteria of sums over pairs of points: mean distances inside clusters and between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ireval_frames.expr import Expr
from ireval_frames.parameters import ANY_NUMBER, flag
from ireval_frames.points.context import PointContext
from ireval_frames.points.criteria import own_metric, point_measure
from ireval_frames.points.criteria.silhouettes import COST
from ireval_frames.points.geometry import Geometry

# Distances with a smaller ratio of variance and mean square are equal.
EQUAL = 1e-13


@dataclass(frozen=True)
class Pairs:
    """Numbers of pairs of points, and the sums of their distances: inside clusters, and between them."""

    inside: float
    between: float
    inside_sum: float
    between_sum: float

    @property
    def total(self) -> float:
        """The number of all pairs."""
        return self.inside + self.between

    @property
    def inside_mean(self) -> float | None:
        """The mean distance inside clusters."""
        return self.inside_sum / self.inside if self.inside > 0 else None

    @property
    def between_mean(self) -> float | None:
        """The mean distance between clusters."""
        return self.between_sum / self.between if self.between > 0 else None


def pairs(g: Geometry, metric: str) -> Pairs:
    """Of all pairs; a point of weight w is w points."""
    near = g.near(metric)
    inside = float((g.mass * (g.mass - 1.0)).sum()) / 2.0
    between = float((g.mass * (g.n - g.mass)).sum()) / 2.0
    return Pairs(inside, between, float(near.own @ g.weights) / 2.0, float(near.rest @ g.weights) / 2.0)


@point_measure(
    "IntraDistance",
    higher_is_better=False,
    parameters={"metric": own_metric()},
    formula="mean distance of two points of one cluster",
    source="Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008",
    runs="python",
    cost=COST,
)
def IntraDistance(u: PointContext, metric: str | None) -> Expr:
    """The mean distance of two points of one cluster.

    Over all such pairs; `Points.similarities()` has it by cluster.

    Weights must be whole numbers.

    Range: 0 and more, lower is better.  Undefined where no cluster has two points.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("IntraDistance")
        >>> ev.summary()["value"].round(4).item()
        2.5899
    """
    u.whole_weights()
    of = u.metric(metric)
    return u.computed(lambda g: pairs(g, of).inside_mean, metric=of)


@point_measure(
    "InterDistance",
    higher_is_better=True,
    parameters={"metric": own_metric()},
    formula="mean distance of two points of different clusters",
    source="Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008",
    runs="python",
    cost=COST,
)
def InterDistance(u: PointContext, metric: str | None) -> Expr:
    """The mean distance of two points of different clusters.

    Over all such pairs; `Points.similarities()` has it by pair of clusters.

    Range: 0 and more, higher is better.  Undefined for fewer than two clusters.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("InterDistance")
        >>> ev.summary()["value"].round(4).item()
        9.2549
    """
    of = u.metric(metric)
    return u.computed(lambda g: pairs(g, of).between_mean, metric=of)


@point_measure(
    "IntraSimilarity",
    range=(-1.0, 1.0),
    higher_is_better=True,
    formula="mean cosine of two points of one cluster",
    source="Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008",
    runs="python",
    cost="n·K·D",
)
def IntraSimilarity(u: PointContext) -> Expr:
    """The mean cosine of two points of one cluster.

    Over all such pairs; `Points.similarities(metric="cosine")` has it by cluster.

    Weights must be whole numbers.

    Range: −1 to 1, higher is better.  Undefined where no cluster has two points.

    Example:
        >>> import ireval_frames as ir
        >>> points = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3")
        >>> points.evaluate("IntraSimilarity InterSimilarity").summary()["value"].round(4).to_list()
        [0.9076, 0.8505]
    """
    u.whole_weights()
    return u.computed(lambda g: _similarity(pairs(g, "cosine").inside_mean))


@point_measure(
    "InterSimilarity",
    range=(-1.0, 1.0),
    higher_is_better=False,
    formula="mean cosine of two points of different clusters",
    source="Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008",
    runs="python",
    cost="n·K·D",
)
def InterSimilarity(u: PointContext) -> Expr:
    """The mean cosine of two points of different clusters.

    Over all such pairs; `Points.similarities(metric="cosine")` has it by pair of clusters.

    Range: −1 to 1, lower is better.  Undefined for fewer than two clusters.

    Example:
        >>> import ireval_frames as ir
        >>> points = ir.Points(ir.examples.points(), ["x", "y"], cluster="k2")
        >>> points.evaluate("InterSimilarity").summary()["value"].round(4).to_list()
        [0.867]
    """
    return u.computed(lambda g: _similarity(pairs(g, "cosine").between_mean))


def _similarity(distance: float | None) -> float | None:
    return None if distance is None else 1.0 - distance


@point_measure(
    "McClainRao",
    higher_is_better=False,
    parameters={"metric": own_metric()},
    formula="(mean distance inside clusters) / (mean distance between clusters)",
    source="McClain and Rao, 1975; clusterCrit",
    runs="python",
    cost=COST,
)
def McClainRao(u: PointContext, metric: str | None) -> Expr:
    """The ratio of the mean distance of two points of one cluster and of different clusters.

    Weights must be whole numbers.

    Range: 0 and more, lower is better.  Undefined where no cluster has two points, for fewer than two clusters, and
    where all points of different clusters are equal.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("McClainRao")
        >>> ev.summary()["value"].round(4).item()
        0.2798
    """
    u.whole_weights()
    of = u.metric(metric)

    def value(g: Geometry) -> float | None:
        p = pairs(g, of)
        inside, between = p.inside_mean, p.between_mean
        return None if inside is None or not between else inside / between

    return u.computed(value, metric=of)


@point_measure(
    "PointBiserial",
    range=ANY_NUMBER,
    higher_is_better=True,
    parameters={
        "scaled": flag(
            default=True, what="divide by the standard deviation of the distances, which makes it a correlation"
        )
    },
    formula="(d_between − d_inside) · √(N_W·N_B) / (N_T·σ)",
    source="Milligan, 1981; NbClust; clusterCrit leaves out σ and turns the sign",
    runs="python",
    cost="All pairs: n²·D, in blocks of bounded memory.",
)
def PointBiserial(u: PointContext, scaled: bool) -> Expr:  # noqa: FBT001
    """The correlation, over pairs of points, of their distance and of being in different clusters.

    (d_B − d_W)·√(N_W·N_B) / (N_T·σ), where d_B and d_W are the mean distances of the N_B pairs between and the N_W
    pairs inside clusters, N_T = N_W + N_B, and σ is the standard deviation of all N_T distances, over their number.
    `scaled=False` leaves out σ; that is clusterCrit's index with the other sign.

    Weights must be whole numbers.

    Range: −1 to 1 (any number if not scaled), higher is better.  Undefined where no cluster has two points, for fewer
    than two clusters, and where all distances are equal.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("PointBiserial")
        >>> ev.summary()["value"].round(4).item()
        0.8711
    """
    u.whole_weights()
    of = u.metric(None)

    def value(g: Geometry) -> float | None:
        p = pairs(g, of)
        inside, between = p.inside_mean, p.between_mean
        if inside is None or between is None:
            return None
        covariance = (between - inside) * math.sqrt(p.inside * p.between) / p.total
        if not scaled:
            return covariance
        mean = (p.inside_sum + p.between_sum) / p.total
        square = g.squares(of) / p.total
        variance = square - mean * mean
        return covariance / math.sqrt(variance) if variance > EQUAL * square else None

    return u.computed(value, metric=of)
