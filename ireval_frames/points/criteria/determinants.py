"""Criteria of scatter matrices: determinants and traces of products.

W is the sum of (x − v)·(x − v)ᵀ over the points, v the centroid of their cluster; B the sum over the clusters of
n·v·vᵀ, v less the mean of all points; T = W + B.  Singularity is decided independently of the features' scales.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ireval_frames.errors import InvalidValue
from ireval_frames.expr import Expr
from ireval_frames.parameters import ANY_NUMBER
from ireval_frames.points.context import PointContext
from ireval_frames.points.criteria import point_measure
from ireval_frames.points.geometry import Geometry

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array

# Singular values below this share of the largest are rounding.
SINGULAR = 1e-10
# Determinants beyond the exponential of this, or its inverse, are no floats.
LARGEST_LOG = 700.0
COST = "n·D² for each matrix."


def _triangle(rows: Array, weights: Array) -> tuple[Array, Array] | None:
    """R and c with Σ w·x·xᵀ = diag(c)·Rᵀ·R·diag(c) over the rows x; None where that is singular.

    The product itself is not computed, as it would square the condition number.
    """
    import numpy as np

    rows = rows * np.sqrt(weights)[:, None]
    lengths = np.sqrt(np.einsum("ij,ij->j", rows, rows))
    if len(rows) < rows.shape[1] or not lengths.all():
        return None
    triangle = np.asarray(np.linalg.qr(rows / lengths, mode="r"))
    values = np.linalg.svd(triangle, compute_uv=False)
    return (triangle, lengths) if values[-1] > SINGULAR * values[0] else None


def log_determinant(rows: Array, weights: Array) -> float | None:
    """The natural logarithm of the determinant of Σ w·x·xᵀ over the rows x; None where that is 0."""
    import numpy as np

    factors = _triangle(rows, weights)
    if factors is None:
        return None
    triangle, lengths = factors
    return float(2.0 * (np.log(lengths).sum() + np.log(np.abs(np.diag(triangle))).sum()))


def _exponential(log: float, measure: str, hint: str) -> float:
    """The number of that logarithm.

    Raises:
        InvalidValue: it is out of the range of floats.
    """
    if abs(log) > LARGEST_LOG:
        raise InvalidValue(f"{measure} is e^{log:.0f}, which is out of the range of floats.", hint)
    return math.exp(log)


def _log_ratio(g: Geometry) -> float | None:
    within, total = log_determinant(g.offsets, g.weights), log_determinant(g.x, g.weights)
    return None if within is None or total is None else total - within


@point_measure(
    "DetRatio",
    range=(1.0, math.inf),
    higher_is_better=True,
    formula="det T / det W",
    source="Scott and Symons, 1971; clusterCrit",
    runs="python",
    cost=COST,
)
def DetRatio(u: PointContext) -> Expr:
    """The determinant of the scatter matrix of all points over that of the scatter within clusters.

    Range: 1 and more, higher is better.  Undefined where the scatter within clusters is singular, such as of fewer
    points than dimensions.

    Raises:
        InvalidValue: the value is out of the range of floats.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("DetRatio")
        >>> ev.summary()["value"].round(4).item()
        132.2673
    """
    of = u.measure

    def value(g: Geometry) -> float | None:
        ratio = _log_ratio(g)
        return None if ratio is None else _exponential(ratio, of, "Evaluate LogDet.")

    return u.computed(value)


@point_measure(
    "LogDet",
    higher_is_better=True,
    aliases=("LogDetRatio",),
    formula="n · log(det T / det W)",
    source="Scott and Symons, 1971; clusterCrit",
    runs="python",
    cost=COST,
)
def LogDet(u: PointContext) -> Expr:
    """The number of points times the natural logarithm of DetRatio.

    Range: 0 and more, higher is better.  Undefined where DetRatio is.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("LogDet")
        >>> ev.summary()["value"].round(4).item()
        43.9634
    """

    def value(g: Geometry) -> float | None:
        ratio = _log_ratio(g)
        return None if ratio is None else g.n * ratio

    return u.computed(value)


@point_measure(
    "KsqDetW",
    higher_is_better=False,
    formula="K² · det W",
    source="Marriott, 1971; clusterCrit",
    runs="python",
    cost=COST,
)
def KsqDetW(u: PointContext) -> Expr:
    """The square of the number of clusters times the determinant of the scatter within them.

    It is 0 where that matrix is singular.  permetrics scales the matrix to 0…1 first, by default.

    Range: 0 and more, lower is better.  Undefined without points.

    Raises:
        InvalidValue: the value is out of the range of floats, such as that of 60 features in the millions.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("KsqDetW")
        >>> ev.summary()["value"].round(4).item()
        999.0
    """
    of, d = u.measure, u.d

    def value(g: Geometry) -> float | None:
        log = log_determinant(g.offsets, g.weights)
        if log is None:
            return 0.0
        log += 2.0 * math.log(g.k)
        power = round(log / (2.0 * d * math.log(10.0)))
        return _exponential(
            log, of, f"Scale the features: frame.with_columns(pl.col(…) / 1e{power}), or evaluate LogDet."
        )

    return u.computed(value)


@point_measure(
    "ScottSymons",
    range=ANY_NUMBER,
    higher_is_better=False,
    formula="Σ_k n_k · log det(W_k / n_k)",
    source="Scott and Symons, 1971; clusterCrit",
    runs="python",
    cost=COST,
)
def ScottSymons(u: PointContext) -> Expr:
    """The sum over the clusters of their size times the logarithm of the determinant of their covariance matrix.

    Range: any number, lower is better.  Undefined where the covariance of a cluster is singular, such as of fewer
    points than dimensions.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k2").evaluate("ScottSymons")
        >>> ev.summary()["value"].round(4).item()
        12.7815
    """

    def value(g: Geometry) -> float | None:
        total = 0.0
        for cluster in range(g.k):
            mass = float(g.mass[cluster])
            rows = g.rows(cluster)
            log = log_determinant(g.offsets[rows], g.weights[rows] / mass)
            if log is None:
                return None
            total += mass * log
        return total

    return u.computed(value)


@point_measure(
    "TraceWiB",
    higher_is_better=True,
    formula="tr(W⁻¹·B)",
    source="Friedman and Rubin, 1967; clusterCrit",
    runs="python",
    cost=COST,
)
def TraceWiB(u: PointContext) -> Expr:
    """The trace of the scatter between clusters relative to that within them.

    tr(W⁻¹·B).

    Range: 0 and more, higher is better.  Undefined where W is singular.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("TraceWiB")
        >>> ev.summary()["value"].round(4).item()
        26.6186
    """

    def value(g: Geometry) -> float | None:
        import numpy as np

        factors = _triangle(g.offsets, g.weights)
        if factors is None:
            return None
        triangle, lengths = factors
        places = g.centroids * np.sqrt(g.mass)[:, None] / lengths
        return float((np.linalg.solve(triangle.T, places.T) ** 2).sum())

    return u.computed(value)
