"""Internal criteria of clusterings as plain loops over points and pairs of points.

Coordinates and weights are fractions of integers, so sums, squared distances, scatter matrices and determinants are exact;
only roots and logarithms are floats.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

Number = Fraction | float
Maybe = Number | None
Matrix = list[list[Fraction]]
Vector = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Point:
    """A point with its cluster and how many it stands for; two of the same are two."""

    x: Vector
    cluster: Any
    weight: Fraction = Fraction(1)
    item: Any = None


def point(x: Iterable[float], cluster: Any, weight: float = 1, item: Any = None) -> Point:
    return Point(tuple(Fraction(v) for v in x), cluster, Fraction(weight), item)


def root(value: Number) -> float:
    """Of fractions of any size."""
    if isinstance(value, float):
        return math.sqrt(value)
    scale = 10**40
    return math.isqrt(value.numerator * scale * scale // value.denominator) / scale if value else 0.0


def log(value: Number) -> float:
    return math.log(value) if isinstance(value, float) else math.log(value.numerator) - math.log(value.denominator)


def squared(x: Vector, y: Vector) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))


def manhattan(x: Vector, y: Vector) -> Fraction:
    return sum((abs(a - b) for a, b in zip(x, y, strict=True)), Fraction(0))


def cosine(x: Vector, y: Vector) -> float:
    """Of a vector without direction: 1, as of orthogonal ones."""
    dot = sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))
    lengths = sum(a * a for a in x) * sum(b * b for b in y)
    if lengths == 0:
        return 1.0
    # 1 − cos = (1 − cos²) / (1 + cos), which keeps the digits of small angles.
    cos = math.copysign(root(Fraction(dot * dot) / lengths), dot)
    return float(1 - Fraction(dot * dot) / lengths) / (1.0 + cos) if cos > 0 else 1.0 - cos


DISTANCES: dict[str, Callable[[Vector, Vector], Number]] = {
    "euclidean": lambda x, y: root(squared(x, y)),
    "squared_euclidean": squared,
    "manhattan": manhattan,
    "cosine": cosine,
}


class Clustering:
    """Points by cluster."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = [p for p in points if p.weight > 0]
        self.clusters: dict[Any, list[Point]] = {}
        for p in self.points:
            self.clusters.setdefault(p.cluster, []).append(p)
        self.n = sum((p.weight for p in self.points), Fraction(0))
        self.k = len(self.clusters)
        self.size = {c: sum((p.weight for p in own), Fraction(0)) for c, own in self.clusters.items()}
        self.middle = {c: mean(own) for c, own in self.clusters.items()}
        self.centre = mean(self.points) if self.points else ()

    @property
    def separable(self) -> bool:
        return 2 <= self.k < self.n

    def scatter(self, cluster: Any) -> Fraction:
        return sum((p.weight * squared(p.x, self.middle[cluster]) for p in self.clusters[cluster]), Fraction(0))

    @property
    def within(self) -> Fraction:
        return sum((self.scatter(c) for c in self.clusters), Fraction(0))

    @property
    def between(self) -> Fraction:
        return sum((self.size[c] * squared(v, self.centre) for c, v in self.middle.items()), Fraction(0))

    def spread(self, cluster: Any) -> float:
        return float(sum(p.weight * Fraction(root(squared(p.x, self.middle[cluster]))) for p in self.clusters[cluster]) / self.size[cluster])

    def apart(self) -> list[Fraction]:
        return [squared(self.middle[a], self.middle[b]) for a, b in combinations(self.clusters, 2)]


def mean(points: Sequence[Point]) -> Vector:
    total = sum((p.weight for p in points), Fraction(0))
    return tuple(sum((p.weight * p.x[d] for p in points), Fraction(0)) / total for d in range(len(points[0].x)))


def over(above: Number, below: Number) -> Maybe:
    return None if below == 0 else above / below


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
    return sum((c.scatter(k) / (c.size[k] if scatter == "means" else 1) for k in c.clusters), Fraction(0)) / c.k if c.k else None


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
    gaps = c.apart() if separation == "centroids" else [squared(p.x, q.x) for p, q in combinations(c.points, 2) if p.cluster != q.cluster]
    return over(c.within, c.n * min(gaps))


def pbm(c: Clustering, **_: Any) -> Maybe:
    if c.k < 2 or c.within == 0:
        return None
    total = sum(float(p.weight) * root(squared(p.x, c.centre)) for p in c.points)
    own = sum(float(p.weight) * root(squared(p.x, c.middle[p.cluster])) for p in c.points)
    return (total / own / c.k * root(max(c.apart()))) ** 2


def variances(points: Sequence[Point]) -> list[Fraction]:
    middle, total = mean(points), sum((p.weight for p in points), Fraction(0))
    return [sum((p.weight * (p.x[d] - middle[d]) ** 2 for p in points), Fraction(0)) / total for d in range(len(middle))]


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


# ---- silhouettes


def silhouette_of(c: Clustering, p: Point, metric: str, *, self_in_mean: bool = False) -> float:
    """Of one point."""
    size = c.size[p.cluster]
    if size <= 1:
        return 0.0
    sums = {k: float(sum(Fraction(DISTANCES[metric](p.x, q.x)) * q.weight for q in own if q is not p)) for k, own in c.clusters.items()}
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


def silhouette_error(c: Clustering, sample: int = 1000, seed: int = 0, metric: str = "euclidean", self_in_mean: bool = False, **_: Any) -> Maybe:  # noqa: FBT001, FBT002
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
    found = pairs(c, metric)
    return found.inside_sum / float(found.inside) if found.inside > 0 else None


def inter_distance(c: Clustering, metric: str = "euclidean", **_: Any) -> Maybe:
    found = pairs(c, metric)
    return found.between_sum / float(found.between) if found.between > 0 else None


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
    found = pairs(c, metric)
    inside, between, total = float(found.inside), float(found.between), float(found.inside + found.between)
    if inside <= 0 or between <= 0:
        return None
    covariance = (found.between_sum / between - found.inside_sum / inside) * math.sqrt(inside * between) / total
    if not scaled:
        return covariance
    variance = found.squares / total - ((found.inside_sum + found.between_sum) / total) ** 2
    return covariance / math.sqrt(variance) if variance > 1e-13 * found.squares / total else None


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
            sums = sum(2.0 * float(p.weight * q.weight) * float(DISTANCES[metric](p.x, q.x)) for p, q in combinations(own, 2))
            return sums / float(count) if count > 0 else 0.0
        case "to_centroid":
            return 2.0 * sum(float(p.weight) * to_middle(c, p, k, metric) for p in own) / float(c.size[k])
    return max(to_middle(c, p, k, metric) for p in own)


def dunn(c: Clustering, separation: str = "nearest", diameter: str = "farthest", metric: str = "euclidean", **_: Any) -> Maybe:
    if c.k < 2:
        return None
    above = min(separations(c, a, b, separation, metric) for a, b in combinations(c.clusters, 2))
    return over(above, max(diameters(c, k, diameter, metric) for k in c.clusters))


# ---- order of pairs


def compared(c: Clustering, metric: str) -> tuple[list[Number], list[Number]]:
    """What orders the distances, inside clusters and between them; exact where the metric allows it."""
    measure: Callable[[Vector, Vector], Number] = squared if metric in ("euclidean", "squared_euclidean") else DISTANCES[metric]
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


# ---- determinants


def scatter_matrix(points: Sequence[Point], middle: Vector) -> Matrix:
    size = range(len(middle))
    return [[sum((p.weight * (p.x[i] - middle[i]) * (p.x[j] - middle[j]) for p in points), Fraction(0)) for j in size] for i in size]


def plus(a: Matrix, b: Matrix) -> Matrix:
    return [[v + w for v, w in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def within_matrix(c: Clustering) -> Matrix:
    made = [scatter_matrix(own, c.middle[k]) for k, own in c.clusters.items()]
    out = made[0]
    for matrix in made[1:]:
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
        found = determinant([[v / c.size[k] for v in row] for row in scatter_matrix(own, c.middle[k])])
        if found == 0:
            return None
        total += float(c.size[k]) * log(found)
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


ORACLES: dict[str, Callable[..., Maybe]] = {
    "NumPoints": num_points,
    "NumClusters": num_clusters,
    "SSE": sse,
    "RSquared": r_squared,
    "CalinskiHarabasz": calinski_harabasz,
    "LogSS": log_ss,
    "BallHall": ball_hall,
    "BanfeldRaftery": banfeld_raftery,
    "RatkowskyLance": ratkowsky_lance,
    "DaviesBouldin": davies_bouldin,
    "XieBeni": xie_beni,
    "PBM": pbm,
    "SDScattering": sd_scattering,
    "SDDistance": sd_distance,
    "SD": sd,
    "SDbw": s_dbw,
    "Silhouette": silhouette,
    "SilhouetteError": silhouette_error,
    "SimplifiedSilhouette": simplified_silhouette,
    "WemmertGancarski": wemmert_gancarski,
    "IntraDistance": intra_distance,
    "InterDistance": inter_distance,
    "IntraSimilarity": intra_similarity,
    "InterSimilarity": inter_similarity,
    "McClainRao": mcclain_rao,
    "PointBiserial": point_biserial,
    "Dunn": dunn,
    "CIndex": c_index,
    "Gamma": gamma,
    "GPlus": g_plus,
    "Tau": tau,
    "DetRatio": det_ratio,
    "LogDet": log_det,
    "KsqDetW": ksq_det_w,
    "ScottSymons": scott_symons,
    "TraceWiB": trace_wib,
}


def value(name: str, points: Sequence[Point], metric: str = "euclidean", **parameters: Any) -> float | None:
    """The measure of that name; `metric` is that of the points, unless the measure has its own."""
    given = {"metric": metric} | {k: v for k, v in parameters.items() if v is not None}
    found = ORACLES[name](Clustering(points), **given)
    return None if found is None else float(found)
