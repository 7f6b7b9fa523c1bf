"""Internal criteria of scatter and centroids as plain loops."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.oracles.clustering import Clustering, Maybe, Point, Vector, log, mean, over, root, squared

# ---- scatter


def num_points(c: Clustering, **_: Any) -> Maybe:
    return c.n


def num_clusters(c: Clustering, **_: Any) -> Maybe:
    return Fraction(c.k)


def sse(c: Clustering, **_: Any) -> Maybe:
    return c.within


def r_squared(c: Clustering, **_: Any) -> Maybe:
    return over(c.between, sum((p.weight * squared(p.x, c.centre) for p in c.points), Fraction(0)))


def calinski_harabasz(c: Clustering, **_: Any) -> Maybe:
    if not c.separable:
        return None
    return Fraction(1) if c.within == 0 else (c.between / (c.k - 1)) / (c.within / (c.n - c.k))


def log_ss(c: Clustering, **_: Any) -> Maybe:
    return None if 0 in (c.within, c.between) else log(c.between / c.within)


def ball_hall(c: Clustering, scatter: str = "means", **_: Any) -> Maybe:
    return (
        sum((c.scatter(k) / (c.size[k] if scatter == "means" else 1) for k in c.clusters), Fraction(0)) / c.k
        if c.k
        else None
    )


def banfeld_raftery(c: Clustering, **_: Any) -> Maybe:
    if not c.k or any(c.scatter(k) == 0 for k in c.clusters):
        return None
    return sum(float(c.size[k]) * log(c.scatter(k) / c.size[k]) for k in c.clusters)


def by_dimension(c: Clustering) -> list[tuple[Fraction, Fraction]]:
    """Between and total scatter of each dimension."""
    out = []
    for d in range(len(c.centre)):
        between = sum((c.size[k] * (v[d] - c.centre[d]) ** 2 for k, v in c.middle.items()), Fraction(0))
        out.append((between, sum((p.weight * (p.x[d] - c.centre[d]) ** 2 for p in c.points), Fraction(0))))
    return out


def ratkowsky_lance(c: Clustering, **_: Any) -> Maybe:
    parts = by_dimension(c)
    if not c.k or any(total == 0 for _, total in parts):
        return None
    return root(sum((b / t for b, t in parts), Fraction(0)) / len(parts) / c.k)


# ---- centroids


def davies_bouldin(c: Clustering, **_: Any) -> Maybe:
    if not c.separable:
        return None
    worst = []
    for a in c.clusters:
        ratios = [0.0]
        for b in c.clusters:
            distance = root(squared(c.middle[a], c.middle[b]))
            if a != b and distance > 0:
                ratios.append((c.spread(a) + c.spread(b)) / distance)
        worst.append(max(ratios))
    return sum(worst) / c.k


def xie_beni(c: Clustering, separation: str = "centroids", **_: Any) -> Maybe:
    if c.k < 2:
        return None
    gaps = (
        c.apart()
        if separation == "centroids"
        else [squared(p.x, q.x) for p, q in combinations(c.points, 2) if p.cluster != q.cluster]
    )
    return over(c.within, c.n * min(gaps))


def pbm(c: Clustering, **_: Any) -> Maybe:
    if c.k < 2 or c.within == 0:
        return None
    total = sum(float(p.weight) * root(squared(p.x, c.centre)) for p in c.points)
    own = sum(float(p.weight) * root(squared(p.x, c.middle[p.cluster])) for p in c.points)
    return (total / own / c.k * root(max(c.apart()))) ** 2


def variances(points: Sequence[Point]) -> list[Fraction]:
    middle, total = mean(points), sum((p.weight for p in points), Fraction(0))
    return [
        sum((p.weight * (p.x[d] - middle[d]) ** 2 for p in points), Fraction(0)) / total for d in range(len(middle))
    ]


def length(values: Iterable[Fraction]) -> float:
    return root(sum((v * v for v in values), Fraction(0)))


def sd_scattering(c: Clustering, **_: Any) -> Maybe:
    if not c.k or not any(variances(c.points)):
        return None
    return sum(length(variances(own)) for own in c.clusters.values()) / c.k / length(variances(c.points))


def sd_distance(c: Clustering, **_: Any) -> Maybe:
    if c.k < 2 or min(c.apart()) == 0:
        return None
    distances = [root(a) for a in c.apart()]
    inverse = sum(1.0 / sum(root(squared(c.middle[a], c.middle[b])) for b in c.clusters) for a in c.clusters)
    return max(distances) / min(distances) * inverse


def sd(c: Clustering, alpha: float = 1.0, **_: Any) -> Maybe:
    scattering, distance = sd_scattering(c), sd_distance(c)
    return None if scattering is None or distance is None else alpha * float(scattering) + float(distance)


def s_dbw(c: Clustering, **_: Any) -> Maybe:
    scattering = sd_scattering(c)
    if c.k < 2 or scattering is None:
        return None
    radius = math.sqrt(sum(length(variances(own)) for own in c.clusters.values())) / c.k * (1 + 1e-12)
    ratios = []
    for a, b in combinations(c.clusters, 2):
        both = [*c.clusters[a], *c.clusters[b]]

        def density(place: Vector, both: list[Point] = both) -> Fraction:
            return sum((p.weight for p in both if root(squared(p.x, place)) <= radius), Fraction(0))

        middle = tuple((v + w) / 2 for v, w in zip(c.middle[a], c.middle[b], strict=True))
        most = max(density(c.middle[a]), density(c.middle[b]))
        if most == 0:
            return None
        ratios.append(float(density(middle) / most))
    return float(scattering) + sum(ratios) / len(ratios)
