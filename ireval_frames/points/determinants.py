"""Criteria of scatter matrices: determinants and traces of products.

W is the sum of (x − v)·(x − v)ᵀ over the points, v the centroid of their cluster; B the sum over the clusters of n·v·vᵀ, v
less the mean of all points; T = W + B.  A matrix counts as singular where its correlation matrix is, up to rounding, so the
features' scales do not matter.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import narwhals.stable.v2 as nw

from ireval_frames.points.context import Unit
from ireval_frames.points.declared import point_measure
from ireval_frames.points.geometry import Geometry

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array

# Eigenvalues of a correlation matrix below this are rounding.
SINGULAR = 1e-11
COST = "n·D² for the matrices, D³ for each determinant."


def _correlation(matrix: Array) -> tuple[Array, Array] | None:
    """A scatter matrix as the correlation matrix and the roots of the diagonal; None where it is singular."""
    import numpy as np

    diagonal = np.diag(matrix)
    if not len(diagonal) or (diagonal <= 0).any():
        return None
    root = np.sqrt(diagonal)
    correlation = matrix / root[:, None] / root
    return (correlation, root) if np.linalg.eigvalsh(correlation)[0] > SINGULAR else None


def log_determinant(matrix: Array) -> float | None:
    """The natural logarithm of the determinant; None where that is 0."""
    import numpy as np

    found = _correlation(matrix)
    if found is None:
        return None
    correlation, root = found
    return float(2.0 * np.log(root).sum() + np.linalg.slogdet(correlation)[1])


def _log_ratio(g: Geometry) -> float | None:
    within, total = log_determinant(g.within), log_determinant(g.within + g.between_clusters)
    return None if within is None or total is None else total - within


@point_measure("DetRatio", low=1.0, higher_is_better=True, formula="det T / det W", source="Scott and Symons, 1971; clusterCrit", sequential=COST)
def DetRatio(u: Unit) -> nw.Expr:
    """The determinant of the scatter matrix of all points over that of the scatter within clusters.

    Range: 1 and more, higher is better.  Undefined where the scatter within clusters is singular, such as of fewer points
    than dimensions.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("DetRatio").summary()["value"].round(4).item()
        125.8655
    """

    def value(g: Geometry) -> float | None:
        ratio = _log_ratio(g)
        return None if ratio is None else math.exp(ratio)

    return u.computed(value)


@point_measure(
    "LogDet", higher_is_better=True, aliases=("LogDetRatio",), formula="n · log(det T / det W)", source="Scott and Symons, 1971; clusterCrit", sequential=COST
)
def LogDet(u: Unit) -> nw.Expr:
    """The number of points times the natural logarithm of DetRatio.

    Range: 0 and more, higher is better.  Undefined where DetRatio is.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("LogDet").summary()["value"].round(4).item()
        43.5181
    """

    def value(g: Geometry) -> float | None:
        ratio = _log_ratio(g)
        return None if ratio is None else g.n * ratio

    return u.computed(value)


@point_measure("KsqDetW", higher_is_better=False, formula="K² · det W", source="Marriott, 1971; clusterCrit", sequential=COST)
def KsqDetW(u: Unit) -> nw.Expr:
    """The square of the number of clusters times the determinant of the scatter within them.

    It is 0 where that matrix is singular.  permetrics scales the matrix to 0…1 first, by default.

    Range: 0 and more, lower is better.  Undefined without points.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("KsqDetW").summary()["value"].round(4).item()
        1008.0
    """

    def value(g: Geometry) -> float | None:
        log = log_determinant(g.within)
        return 0.0 if log is None else g.k**2 * math.exp(log)

    return u.computed(value)


@point_measure(
    "ScottSymons",
    low=-math.inf,
    higher_is_better=False,
    formula="Σ_k n_k · log det(W_k / n_k)",
    source="Scott and Symons, 1971; clusterCrit",
    sequential=COST,
)
def ScottSymons(u: Unit) -> nw.Expr:
    """The sum over the clusters of their size times the logarithm of the determinant of their covariance matrix.

    Range: any number, lower is better.  Undefined where the covariance of a cluster is singular, such as of fewer points than
    dimensions.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k2").evaluate("ScottSymons").summary()["value"].round(4).item()
        20.8378
    """

    def value(g: Geometry) -> float | None:
        total = 0.0
        for cluster in range(g.k):
            mass = float(g.mass[cluster])
            log = log_determinant(g.scatter(cluster) / mass)
            if log is None:
                return None
            total += mass * log
        return total

    return u.computed(value)


@point_measure("TraceWiB", higher_is_better=True, formula="tr(W⁻¹·B)", source="Friedman and Rubin, 1967; clusterCrit", sequential=COST)
def TraceWiB(u: Unit) -> nw.Expr:
    """The trace of the scatter between clusters, measured by that within them.

    tr(W⁻¹·B).

    Range: 0 and more, higher is better.  Undefined where W is singular.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Points(ir.examples.points(), ["x", "y"], cluster="k3").evaluate("TraceWiB").summary()["value"].round(4).item()
        24.6429
    """

    def value(g: Geometry) -> float | None:
        import numpy as np

        found = _correlation(g.within)
        if found is None:
            return None
        correlation, root = found
        return float(np.trace(np.linalg.solve(correlation, g.between_clusters / root[:, None] / root)))

    return u.computed(value)
