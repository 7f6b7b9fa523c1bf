"""The points of one unit as arrays, for silhouettes, extremes of distances, and determinants.

What several measures need is computed once.  Points are sorted by cluster and centred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ireval_frames.errors import InvalidValue
from ireval_frames.kernels.progress import Progress
from ireval_frames.points import neighbours
from ireval_frames.points.collectors import Extremes, Segments, Squares
from ireval_frames.points.distances import BLOCK, PRECOMPUTED, between, collected
from ireval_frames.points.precomputed import no_coordinates

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array

# Distances of centroids below this share of the diagonal of the points' box are rounding.
ROUNDING = 1e-13
# The metrics whose sums need all pairs.
ALL_PAIRS = ("euclidean", PRECOMPUTED)
SCIPY_NAMES = {"euclidean": "euclidean", "squared_euclidean": "sqeuclidean", "manhattan": "cityblock"}


@dataclass(frozen=True)
class Near:
    """The distances of points to clusters.

    Attributes:
        rows: the numbers of the points.
        own: Σ w·d to the points of their own cluster.
        rest: Σ w·d to the points of the other clusters.
        other: the smallest mean distance to the points of another cluster; infinite if there is none.
        nearest: that cluster.
    """

    rows: Any
    own: Array
    rest: Array
    other: Array
    nearest: Any


class Geometry:
    """A unit's points.

    Args:
        x: a row per point, sorted by cluster.
        codes: the number of each point's cluster, from 0.
        weights: of the points.
        orders: for samples, a random number of each point, by seed.
        progress: the numbers of expected and of computed distances.
        distances: the user's distances, instead of coordinates.
    """

    def __init__(
        self,
        x: Array,
        codes: Any,
        weights: Array,
        orders: Mapping[int, Any],
        progress: Progress,
        distances: Array | None = None,
    ) -> None:
        self.segments, self.orders, self._progress = Segments(codes, weights), orders, progress
        self.weights, self.codes = weights, codes
        self._near: dict[Any, Near] = {}
        self._extremes: dict[tuple[str, bool], Extremes] = {}
        self._to_centroids: dict[str, tuple[Array, Array]] = {}
        self._x, self._distances = x, distances
        # Further results that several measures share.
        self.cache: dict[Any, Any] = {}

    # ---- sizes

    @property
    def k(self) -> int:
        """The number of clusters."""
        return self.segments.size

    @cached_property
    def n(self) -> float:
        """The number of points, or their weight."""
        return float(self.weights.sum())

    @cached_property
    def mass(self) -> Array:
        """The number of points of each cluster."""
        import numpy as np

        out: Array = np.add.reduceat(self.weights, self.segments.starts)
        return out

    @property
    def separable(self) -> bool:
        """Whether there are at least two clusters, and a cluster of more than one point."""
        return 2 <= self.k < max(self.n, len(self.codes))

    @cached_property
    def single(self) -> Any:
        """Whether each point is alone in its cluster; two points of weight ½ are still two."""
        import numpy as np

        one = np.bincount(self.codes, minlength=self.k) == 1
        return (one & (self.mass <= 1.0))[self.codes]

    # ---- centroids

    @property
    def _raw(self) -> Array:
        if self._distances is not None:
            raise no_coordinates("What reads the places of points")
        return self._x

    @cached_property
    def x(self) -> Array:
        """The centred points; exactly 0 if all are equal."""
        import numpy as np

        x = self._raw
        mean = x.mean(axis=0) if self.segments.even else self.weights @ x / self.n
        return x - np.clip(mean, x.min(axis=0), x.max(axis=0))

    @cached_property
    def centroids(self) -> Array:
        """A row per cluster."""
        return neighbours.centroids(self.x, self.segments)

    @cached_property
    def offsets(self) -> Array:
        """The points minus their centroids."""
        out: Array = self.x - self.centroids[self.codes]
        return out

    def rows(self, cluster: int) -> Any:
        """The numbers of a cluster's points."""
        import numpy as np

        ends = (*self.segments.starts, len(self.codes))
        return np.arange(ends[cluster], ends[cluster + 1])

    def by_cluster(self, values: Array) -> Array:
        """Weighted sums over the points of each cluster."""
        import numpy as np

        out: Array = np.add.reduceat(values * self.weights, self.segments.starts)
        return out

    # ---- distances

    def directed(self, metric: str) -> Array:
        """The centred points; unit vectors for `cosine`."""
        return self._unit_vectors if metric == "cosine" else self.x

    def paired(self, metric: str) -> Array:
        """The points for distances of pairs, from the original coordinates."""
        if metric == PRECOMPUTED and self._distances is not None:
            return self._distances
        return self._unit_vectors if metric == "cosine" else self._raw

    def _sums(self, metric: str, rows: Any) -> Iterator[neighbours.Part]:
        x = self.paired(metric) if metric in ALL_PAIRS else self.directed(metric)
        return neighbours.sums(x, self.segments, metric, rows, self._progress.done)

    @cached_property
    def _unit_vectors(self) -> Array:
        if not self._raw.any(axis=1).all():
            raise InvalidValue(
                "A point has the vector 0, which has no direction, so it has no cosine.",
                'Leave such points out: frame.filter(pl.any_horizontal(pl.col("x", "y") != 0)), or take another '
                "metric.",
            )
        return _directions(self._raw)

    def near(self, metric: str, sample: int | None = None, seed: int = 0) -> Near:
        """Distances to the clusters, of all points or of a sample."""
        key = (metric, None, 0) if sample is None or sample >= len(self.codes) else (metric, sample, seed)
        if key not in self._near:
            self._near[key] = self._compute_near(*key)
        return self._near[key]

    def _compute_near(self, metric: str, sample: int | None, seed: int) -> Near:
        import numpy as np

        rows = None if sample is None else np.sort(np.argsort(self.orders[seed], kind="stable")[:sample])
        self._expect(metric, len(self.codes) if rows is None else len(rows))
        own, rest, other = np.zeros(len(self.codes)), np.zeros(len(self.codes)), np.full(len(self.codes), np.inf)
        nearest = np.zeros(len(self.codes), dtype=np.int64)
        for part, clusters, sums in self._sums(metric, rows):
            self._update(part, clusters, sums, own, rest, other, nearest)
        selected = slice(None) if rows is None else rows
        points = np.arange(len(self.codes))
        return Near(points[selected], own[selected], rest[selected], other[selected], nearest[selected])

    def _update(
        self, part: Any, clusters: slice, sums: Array, own: Array, rest: Array, other: Array, nearest: Any
    ) -> None:
        """Update the arrays with the sums of some points to a part of the clusters."""
        import numpy as np

        codes = self.codes[part]
        inside = np.nonzero((codes >= clusters.start) & (codes < clusters.stop))[0]
        at = inside, codes[inside] - clusters.start
        own[part[inside]] = sums[at]
        means = sums / self.mass[clusters]
        means[at] = np.inf
        # A sum of its own, as a difference would lose precision.
        rest[part] += np.where(np.isinf(means), 0.0, sums).sum(axis=1)
        best = means.argmin(axis=1)
        value = means[np.arange(len(part)), best]
        better = value < other[part]
        other[part[better]], nearest[part[better]] = value[better], best[better] + clusters.start

    def extremes(self, metric: str, *, pairs: bool = False) -> Extremes:
        """The separation and the diameter, by all pairs of points."""
        if (metric, pairs) not in self._extremes:
            x = self.paired(metric)
            self._progress.expect(len(x) ** 2)
            self._extremes[metric, pairs] = collected(
                x, metric, lambda: Extremes(self.segments, pairs=pairs), self._progress.done
            )
        return self._extremes[metric, pairs]

    def squares(self, metric: str) -> float:
        """Σ w·w·d² over all pairs of points."""
        if metric == "euclidean":
            mean = self.weights @ self.x
            return float(self.n * (self.weights @ (self.x * self.x).sum(axis=1)) - mean @ mean)
        self._progress.expect(len(self.codes) ** 2)
        return collected(self.paired(metric), metric, lambda: Squares(self.segments), self._progress.done).total

    def all_distances(self, metric: str) -> Array:
        """The distances of all pairs of points, in the order of `scipy.spatial.distance.pdist`."""
        import numpy as np
        from scipy.spatial.distance import pdist

        if metric == PRECOMPUTED:
            pairs: Array = self.paired(metric)[np.triu_indices(len(self.codes), 1)]
            return pairs
        x, name = (self.directed(metric), "sqeuclidean") if metric == "cosine" else (self._raw, SCIPY_NAMES[metric])
        out: Array = pdist(x, name)
        return out * 0.5 if metric == "cosine" else out

    def cluster_sums(self, metric: str) -> Array:
        """Σ w·w·d between the points of each two clusters; inside a cluster each pair counts twice."""
        import numpy as np

        self._expect(metric, len(self.codes))
        out = np.zeros((self.k, self.k))
        for rows, clusters, sums in self._sums(metric, None):
            part = np.zeros((self.k, clusters.stop - clusters.start))
            np.add.at(part, self.codes[rows], sums * self.weights[rows, None])
            out[:, clusters] += part
        return out

    def _expect(self, metric: str, rows: int) -> None:
        """Euclidean and the user's distances are to all points, others to the clusters."""
        self._progress.expect(rows * (len(self.codes) if metric in ALL_PAIRS else self.k))

    def middles(self, metric: str) -> tuple[Array, Any]:
        """The centroids, of unit length for `cosine`, and which have no direction, as the means of opposite vectors."""
        import numpy as np

        if metric != "cosine":
            return self.centroids, np.zeros(self.k, dtype=bool)
        middle = neighbours.centroids(self._raw, self.segments)
        undirected = np.abs(middle).max(axis=1) <= ROUNDING * np.abs(self._raw).max()
        middle[undirected] = 1.0
        return _directions(middle), undirected

    def near_centroids(self, metric: str) -> tuple[Array, Array]:
        """The distance of each point to the centroid of its cluster, and to the nearest of the others."""
        import numpy as np

        if metric in self._to_centroids:
            return self._to_centroids[metric]
        x, (middle, undirected) = self.directed(metric), self.middles(metric)
        own, other = np.empty(len(x)), np.empty(len(x))
        for start in range(0, len(x), BLOCK):
            rows = slice(start, start + BLOCK)
            distances = between(x[rows], middle, metric)
            # The distance of orthogonal vectors.
            distances[:, undirected] = 1.0
            at = np.arange(len(distances)), self.codes[rows]
            own[rows] = distances[at]
            distances[at] = np.inf
            other[rows] = distances.min(axis=1)
        return self._to_centroids.setdefault(metric, (own, other))

    def smallest_centroid_distance(self, metric: str) -> float:
        """The smallest distance of two centroids, 0 if it is rounding."""
        import numpy as np

        middle, undirected = self.middles(metric)
        smallest = np.inf
        for start in range(0, self.k, BLOCK):
            distances = between(middle[start : start + BLOCK], middle, metric)
            distances[undirected[start : start + BLOCK]] = 1.0
            distances[:, undirected] = 1.0
            distances[np.arange(len(distances)), np.arange(start, start + len(distances))] = np.inf
            smallest = min(smallest, float(distances.min()))
        scale = 1.0 if metric == "cosine" else float(np.sqrt((np.ptp(self.x, axis=0) ** 2).sum()))
        negligible = ROUNDING * scale
        return smallest if smallest > (negligible**2 if metric == "squared_euclidean" else negligible) else 0.0


def _directions(x: Array) -> Array:
    """The vectors scaled to length 1, also if the square of their length over- or underflows."""
    import numpy as np

    scaled = x / np.abs(x).max(axis=1, keepdims=True)
    out: Array = scaled / np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return out
