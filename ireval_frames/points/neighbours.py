"""Mean distances from points to clusters, without all pairs where the metric allows it.

```
squared Euclidean   mean over c in k of |x − c|² = |x − v_k|² + (mean of |c − v_k|² over c in k), with v_k the centroid
cosine              half of that, of unit vectors
Manhattan           per dimension, from running sums of the sorted coordinates: Σ|x − c| = x·(2r − n_k) + S − 2·S_r
Euclidean           all pairs, in blocks, as are the user's distances
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from ireval_frames.points.collectors import Segments, Sums
from ireval_frames.points.distances import BLOCK, COSINE_ROUNDING, collected, of_rows, squared, threads

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array

# The largest number of sums by point and cluster that are computed at once.
CELLS = 4_000_000
# Up to this number of sums, each thread computes all of them from one half of the distances.
SYMMETRIC = 10_000_000
# The number of points per part of these sums.
ROWS = 8192
# Running sums have rounding of this share of the coordinates' range.
ROUNDING = 1e-14

Part = tuple[Any, slice, "Array"]
"""Some points by number, some clusters, and the weighted sums of the distances from those to the points of these."""


def sums(x: Array, segments: Segments, metric: str, rows: Any, progress: Callable[[int], None]) -> Iterator[Part]:
    """Σ w·d from points to the points of each cluster.

    Args:
        x: all points, sorted by cluster; unit vectors for `cosine`, or the user's distances.
        segments: their clusters.
        metric: the distance.
        rows: the numbers of the requested points; None for all.
        progress: is called with the number of computed distances.
    """
    import numpy as np

    points = np.arange(len(x)) if rows is None else rows
    if metric in ("squared_euclidean", "cosine"):
        yield from _by_centroids(x, segments, 0.5 if metric == "cosine" else 1.0, points, progress)
    elif metric == "manhattan":
        yield from _by_running_sums(x, segments, points, progress)
    elif rows is None and len(x) * segments.size <= SYMMETRIC:
        total = collected(x, metric, lambda: Sums(segments), progress).sums
        for start in range(0, len(x), ROWS):
            yield points[start : start + ROWS], slice(0, segments.size), total[start : start + ROWS]
    else:
        yield from _by_pairs(x, segments, metric, points, progress)


def centroids(x: Array, segments: Segments) -> Array:
    """The weighted means of the clusters; exact for equal points."""
    import numpy as np

    mass = np.add.reduceat(segments.weights, segments.starts)
    total = segments.reduced(np.add, x if segments.even else x * segments.weights[:, None])
    means: Array = np.clip(total / mass[:, None], segments.reduced(np.minimum, x), segments.reduced(np.maximum, x))
    return means


def from_centroids(x: Array, middle: Array, segments: Segments) -> Array:
    """The squared distance of each point to the centroid of its cluster."""
    import numpy as np

    out = np.empty(len(x))
    for start in range(0, len(x), ROWS):
        rows = slice(start, start + ROWS)
        offset = x[rows] - middle[segments.codes[rows]]
        out[rows] = np.einsum("ij,ij->i", offset, offset)
    return out


def _parts(points: Any, segments: Segments) -> Iterator[Any]:
    step = max(BLOCK, CELLS // max(segments.size, 1))
    for start in range(0, len(points), step):
        yield points[start : start + step]


def _by_centroids(
    x: Array, segments: Segments, factor: float, points: Any, progress: Callable[[int], None]
) -> Iterator[Part]:
    import numpy as np

    middle = centroids(x, segments)
    within = np.add.reduceat(segments.weights * from_centroids(x, middle, segments), segments.starts)
    mass = np.add.reduceat(segments.weights, segments.starts)
    for rows in _parts(points, segments):
        out = np.empty((len(rows), segments.size))
        for start in range(0, len(rows), BLOCK):
            out[start : start + BLOCK] = squared(x[rows[start : start + BLOCK]], middle)
        progress(out.size)
        out = factor * (out * mass + within)
        if factor < 1.0:
            out[out < COSINE_ROUNDING * mass] = 0.0
        yield rows, slice(0, segments.size), out


def _by_pairs(
    x: Array, segments: Segments, metric: str, points: Any, progress: Callable[[int], None]
) -> Iterator[Part]:
    """The distances of the requested points to all points."""
    import numpy as np

    workers = threads(len(x))
    for rows in _parts(points, segments):
        out = np.zeros((len(rows), segments.size))

        def block(start: int, rows: Any = rows, out: Array = out) -> None:
            first = rows[start : start + BLOCK]
            for other in range(0, len(x), BLOCK):
                second = slice(other, min(other + BLOCK, len(x)))
                distances = of_rows(x, first, second, metric)
                distances[first[:, None] == np.arange(second.start, second.stop)] = 0.0
                clusters, values = segments.summed(distances, second)
                out[start : start + BLOCK, clusters] += values
                progress(distances.size)

        if workers == 1:
            for start in range(0, len(rows), BLOCK):
                block(start)
        else:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(block, range(0, len(rows), BLOCK)))
        yield rows, slice(0, segments.size), out


def _by_running_sums(x: Array, segments: Segments, points: Any, progress: Callable[[int], None]) -> Iterator[Part]:
    """A part of the clusters at a time, dimension by dimension."""
    import numpy as np

    mass = np.add.reduceat(segments.weights, segments.starts)
    orders = [np.argsort(column, kind="stable").astype(np.int32) for column in x.T]
    scale = float(np.ptp(x, axis=0).sum())
    step = max(1, CELLS // len(x))
    for first in range(0, segments.size, step):
        clusters = np.arange(first, min(first + step, segments.size))
        total = np.zeros((len(x), len(clusters)))
        for column, order in zip(x.T, orders, strict=True):
            values = np.ascontiguousarray(column)[order][:, None]
            below = np.where(segments.codes[order][:, None] == clusters, segments.weights[order][:, None], 0.0)
            summed = below * values
            np.cumsum(below, axis=0, out=below)
            np.cumsum(summed, axis=0, out=summed)
            total_sum = summed[-1].copy()
            # x·(2r − n) + S − 2·S_r
            summed *= -2.0
            summed += total_sum
            below *= 2.0
            below -= mass[clusters]
            below *= values
            summed += below
            total[order] += summed
        total[total <= ROUNDING * scale * mass[clusters]] = 0.0
        progress(len(points) * len(clusters))
        yield points, slice(first, first + len(clusters)), total[points]
