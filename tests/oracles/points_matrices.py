"""Internal criteria of scatter matrices in exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.clustering import Clustering, Matrix, Maybe, Point, Vector, log, over

# ---- determinants


def scatter_matrix(points: Sequence[Point], middle: Vector) -> Matrix:
    size = range(len(middle))
    return [
        [sum((p.weight * (p.x[i] - middle[i]) * (p.x[j] - middle[j]) for p in points), Fraction(0)) for j in size]
        for i in size
    ]


def plus(a: Matrix, b: Matrix) -> Matrix:
    return [[v + w for v, w in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def within_matrix(c: Clustering) -> Matrix:
    matrices = [scatter_matrix(own, c.middle[k]) for k, own in c.clusters.items()]
    out = matrices[0]
    for matrix in matrices[1:]:
        out = plus(out, matrix)
    return out


def determinant(matrix: Matrix) -> Fraction:
    """By elimination."""
    rows, out = [list(r) for r in matrix], Fraction(1)
    for i in range(len(rows)):
        pivot = next((r for r in range(i, len(rows)) if rows[r][i] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            rows[i], rows[pivot], out = rows[pivot], rows[i], -out
        out *= rows[i][i]
        for r in range(i + 1, len(rows)):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return out


def det_ratio(c: Clustering, **_: Any) -> Maybe:
    if not c.k:
        return None
    return over(determinant(scatter_matrix(c.points, c.centre)), determinant(within_matrix(c)))


def log_det(c: Clustering, **_: Any) -> Maybe:
    ratio = det_ratio(c)
    return None if ratio is None else float(c.n) * log(ratio)


def ksq_det_w(c: Clustering, **_: Any) -> Maybe:
    return c.k**2 * determinant(within_matrix(c)) if c.k else None


def scott_symons(c: Clustering, **_: Any) -> Maybe:
    total = 0.0
    for k, own in c.clusters.items():
        det = determinant([[v / c.size[k] for v in row] for row in scatter_matrix(own, c.middle[k])])
        if det == 0:
            return None
        total += float(c.size[k]) * log(det)
    return total if c.k else None


def trace_wib(c: Clustering, **_: Any) -> Maybe:
    """Cramer's rule: an entry of the solution is a ratio of determinants."""
    if not c.k:
        return None
    within = within_matrix(c)
    below = determinant(within)
    if below == 0:
        return None
    total = scatter_matrix(c.points, c.centre)
    between = [[t - w for t, w in zip(r, s, strict=True)] for r, s in zip(total, within, strict=True)]
    out = Fraction(0)
    for i in range(len(within)):
        replaced = [[between[r][i] if j == i else within[r][j] for j in range(len(within))] for r in range(len(within))]
        out += determinant(replaced) / below
    return out
