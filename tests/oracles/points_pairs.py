"""Internal criteria of distances of points as plain loops: silhouettes, sums over pairs, the order of pairs."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.oracles.clustering import DISTANCES, Clustering, Maybe, Number, Point, Vector, over, root, squared

# ---- silhouettes


@functools.cache
def silhouette_of(c: Clustering, p: Point, metric: str, *, self_in_mean: bool = False) -> float:
    """Of one point."""
    size = c.size[p.cluster]
    if size <= 1:
        return 0.0
    sums = {
        k: float(sum(Fraction(DISTANCES[metric](p.x, q.x)) * q.weight for q in own if q is not p))
        for k, own in c.clusters.items()
    }
    a = sums[p.cluster] / float(size if self_in_mean else size - 1)
    b = min(sums[k] / float(c.size[k]) for k in c.clusters if k != p.cluster)
    return 0.0 if max(a, b) == 0 else (b - a) / max(a, b)


def sampled(c: Clustering, sample: int | None, seed: int) -> list[Point]:
    if sample is None or sample >= len(c.points):
        return c.points

    def place(p: Point) -> int:
        return int.from_bytes(hashlib.md5(f"{seed}:{p.item}".encode()).digest()[8:], "little") >> 1

    return sorted(c.points, key=place)[:sample]


def silhouette(
    c: Clustering,
    metric: str = "euclidean",
    self_in_mean: bool = False,  # noqa: FBT001, FBT002
    average: str = "points",
    sample: int | None = None,
    seed: int = 0,
    **_: Any,
) -> Maybe:
    if not c.separable:
        return None
    some = [(p, silhouette_of(c, p, metric, self_in_mean=self_in_mean)) for p in sampled(c, sample, seed)]
    if average == "points":
        return weighted_mean(some)
    of = [[(p, s) for p, s in some if p.cluster == k] for k in c.clusters]
    means = [weighted_mean(own) for own in of if own]
    return sum(means) / len(means)


def weighted_mean(values: Sequence[tuple[Point, float]]) -> float:
    return sum(float(p.weight) * s for p, s in values) / float(sum(p.weight for p, _ in values))


def silhouette_error(
    c: Clustering, sample: int = 1000, seed: int = 0, metric: str = "euclidean", *, self_in_mean: bool = False, **_: Any
) -> Maybe:
    if not c.separable:
        return None
    some = sampled(c, sample, seed)
    if len(some) == len(c.points):
        return 0.0
    if len(some) == 1:
        return None
    values = [(p, silhouette_of(c, p, metric, self_in_mean=self_in_mean)) for p in some]
    centre, usual = weighted_mean(values), float(sum(p.weight for p in some)) / len(some)
    variance = sum(((s - centre) * float(p.weight) / usual) ** 2 for p, s in values) / (len(some) - 1)
    return math.sqrt(variance / len(some) * (1 - len(some) / len(c.points)))


def to_middle(c: Clustering, p: Point, cluster: Any, metric: str) -> float:
    return float(DISTANCES[metric](p.x, c.middle[cluster]))


def simplified_silhouette(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    if not c.separable:
        return None
    values = []
    for p in c.points:
        a = to_middle(c, p, p.cluster, metric)
        b = min(to_middle(c, p, k, metric) for k in c.clusters if k != p.cluster)
        values.append((p, 0.0 if max(a, b) == 0 or c.size[p.cluster] <= 1 else (b - a) / max(a, b)))
    return weighted_mean(values)


def wemmert_gancarski(c: Clustering, **_: Any) -> Maybe:
    if c.k < 2:
        return None
    total = 0.0
    for k, own in c.clusters.items():
        ratios = 0.0
        for p in own:
            a, b = to_middle(c, p, k, "euclidean"), min(to_middle(c, p, j, "euclidean") for j in c.clusters if j != k)
            ratios += float(p.weight) * (1.0 if a == b else math.inf if b == 0 else a / b)
        total += float(c.size[k]) * max(0.0, 1.0 - ratios / float(c.size[k]))
    return total / float(c.n)


# ---- pairs


@dataclass
class Pairs:
    inside: Fraction = Fraction(0)
    between: Fraction = Fraction(0)
    inside_sum: float = 0.0
    between_sum: float = 0.0
    squares: float = 0.0


@functools.cache
def pairs(c: Clustering, metric: str) -> Pairs:
    """A point of weight w is w points at distance 0 of each other."""
    out = Pairs(inside=sum((p.weight * (p.weight - 1) / 2 for p in c.points), Fraction(0)))
    for p, q in combinations(c.points, 2):
        d, both = float(DISTANCES[metric](p.x, q.x)), p.weight * q.weight
        out.squares += d * d * float(both)
        if p.cluster == q.cluster:
            out.inside += both
            out.inside_sum += d * float(both)
        else:
            out.between += both
            out.between_sum += d * float(both)
    return out


def intra_distance(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    distances = pairs(c, metric)
    return distances.inside_sum / float(distances.inside) if distances.inside > 0 else None


def inter_distance(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    distances = pairs(c, metric)
    return distances.between_sum / float(distances.between) if distances.between > 0 else None


def intra_similarity(c: Clustering, **_: Any) -> Maybe:
    distance = intra_distance(c, "cosine")
    return None if distance is None else 1.0 - float(distance)


def inter_similarity(c: Clustering, **_: Any) -> Maybe:
    distance = inter_distance(c, "cosine")
    return None if distance is None else 1.0 - float(distance)


def mcclain_rao(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    inside, between = intra_distance(c, metric), inter_distance(c, metric)
    return None if inside is None or not between else float(inside) / float(between)


def point_biserial(c: Clustering, scaled: bool = True, metric: str = "euclidean", **_: Any) -> Maybe:  # noqa: FBT001, FBT002
    distances = pairs(c, metric)
    inside, between, total = (
        float(distances.inside),
        float(distances.between),
        float(distances.inside + distances.between),
    )
    if inside <= 0 or between <= 0:
        return None
    covariance = (distances.between_sum / between - distances.inside_sum / inside) * math.sqrt(inside * between) / total
    if not scaled:
        return covariance
    variance = distances.squares / total - ((distances.inside_sum + distances.between_sum) / total) ** 2
    return covariance / math.sqrt(variance) if variance > 1e-13 * distances.squares / total else None


def separations(c: Clustering, a: Any, b: Any, kind: str, metric: str) -> float:
    one, other = c.clusters[a], c.clusters[b]
    between = [(float(DISTANCES[metric](p.x, q.x)), float(p.weight * q.weight)) for p in one for q in other]
    match kind:
        case "nearest":
            return min(d for d, _ in between)
        case "farthest":
            return max(d for d, _ in between)
        case "average":
            return sum(d * w for d, w in between) / sum(w for _, w in between)
        case "centroids":
            return float(DISTANCES[metric](c.middle[a], c.middle[b]))
    own = sum(float(p.weight) * to_middle(c, p, p.cluster, metric) for p in [*one, *other])
    return own / float(c.size[a] + c.size[b])


def diameters(c: Clustering, k: Any, kind: str, metric: str) -> float:
    own = c.clusters[k]
    match kind:
        case "farthest":
            return max((float(DISTANCES[metric](p.x, q.x)) for p, q in combinations(own, 2)), default=0.0)
        case "average":
            count = c.size[k] * (c.size[k] - 1)
            sums = sum(
                2.0 * float(p.weight * q.weight) * float(DISTANCES[metric](p.x, q.x)) for p, q in combinations(own, 2)
            )
            return sums / float(count) if count > 0 else 0.0
        case "to_centroid":
            return 2.0 * sum(float(p.weight) * to_middle(c, p, k, metric) for p in own) / float(c.size[k])
    return max(to_middle(c, p, k, metric) for p in own)


def dunn(
    c: Clustering, separation: str = "nearest", diameter: str = "farthest", metric: str = "euclidean", **_: Any
) -> Maybe:
    if c.k < 2:
        return None
    above = min(separations(c, a, b, separation, metric) for a, b in combinations(c.clusters, 2))
    return over(above, max(diameters(c, k, diameter, metric) for k in c.clusters))


# ---- order of pairs


def compared(c: Clustering, metric: str) -> tuple[list[Number], list[Number]]:
    """What orders the distances, inside clusters and between them; exact where the metric allows it."""
    measure: Callable[[Vector, Vector], Number] = (
        squared if metric in ("euclidean", "squared_euclidean") else DISTANCES[metric]
    )
    inside, between = [], []
    for p, q in combinations(c.points, 2):
        (inside if p.cluster == q.cluster else between).append(measure(p.x, q.x))
    return inside, between


def counted(c: Clustering, metric: str) -> tuple[int, int, int, int]:
    """Concordant and discordant combinations, and the numbers of pairs inside and between."""
    inside, between = compared(c, metric)
    nearer = sum(i < b for i in inside for b in between)
    farther = sum(i > b for i in inside for b in between)
    return nearer, farther, len(inside), len(between)


def c_index(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    inside, between = ([float(d) if metric != "euclidean" else root(d) for d in side] for side in compared(c, metric))
    every, some = sorted(inside + between), len(inside)
    if not inside or not between or every[0] == every[-1]:
        return None
    low, high = sum(every[:some]), sum(every[len(every) - some :])
    return (sum(inside) - low) / (high - low)


def gamma(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    nearer, farther, *_counts = counted(c, metric)
    return over(Fraction(nearer - farther), nearer + farther)


def g_plus(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    _, farther, inside, between = counted(c, metric)
    total = inside + between
    return Fraction(2 * farther, total * (total - 1)) if inside and between else None


def tau(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    nearer, farther, inside, between = counted(c, metric)
    total = inside + between
    return (nearer - farther) / math.sqrt(between * inside * total * (total - 1) / 2) if inside and between else None
