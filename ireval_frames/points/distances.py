"""Distances between many points, block by block.

A block of squared Euclidean distances is one matrix product, |x|² + |y|² − 2x·y, of rows centred on the block.  Where
the product loses precision, as two points are near each other and far from the centre, the distance is computed from
the differences.  Only the blocks on and above the diagonal are computed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

METRICS = ("euclidean", "squared_euclidean", "cosine", "manhattan")
# The metric of the user's distances; the points are then their square array.
PRECOMPUTED = "precomputed"
# Rows and columns of a block: 512 × 512 distances stay in the processor's cache.
BLOCK = 512
# Squared distances below this share of |x|² + |y|² lose too much precision in the product.
NEAR = 1e-3
# Beyond this share of near pairs, all distances of a block are computed from differences.
CROWDED = 0.05
# Smaller cosine distances are rounding of the vectors' lengths.
COSINE_ROUNDING = 1e-30
# The number of points from which several threads are used, and the largest number of threads.
SHARED = 4 * BLOCK
THREADS = 8

C = TypeVar("C", bound="Collector")


@dataclass(frozen=True)
class Block:
    """Distances from the rows `first` to the rows `second`."""

    first: slice
    second: slice
    distances: Array

    @property
    def diagonal(self) -> bool:
        """Whether both are the same rows."""
        return self.first == self.second


class Collector(Protocol):
    """An aggregate of the distances of all pairs."""

    def add(self, block: Block) -> None:
        """Add a block on or above the diagonal."""

    def merge(self, other: Self) -> None:
        """Add those of another collector."""


def squared(x: Array, y: Array) -> Array:
    """Squared Euclidean distances; those of equal rows are exactly 0."""
    import numpy as np

    middle = (x.mean(axis=0) + y.mean(axis=0)) / 2.0
    centred, others = x - middle, y - middle
    xx, yy = np.einsum("ij,ij->i", centred, centred), np.einsum("ij,ij->i", others, others)
    left = np.concatenate([centred * -2.0, xx[:, None], np.ones((len(x), 1))], axis=1)
    right = np.concatenate([others, np.ones((len(y), 1)), yy[:, None]], axis=1)
    out: Array = left @ right.T
    # Near points have nearly equal |x|² and |y|².
    limit = 2.2 * NEAR * xx
    rows = np.nonzero(out.min(axis=1) <= limit)[0] if out.size else ()
    return _with_near_pairs(x, y, out, rows, limit) if len(rows) else out


def _with_near_pairs(x: Array, y: Array, out: Array, rows: Any, limit: Array) -> Array:
    """The distances, those of near pairs computed from differences."""
    import numpy as np

    near, columns = np.nonzero(out[rows] <= limit[rows, None])
    if len(near) > CROWDED * out.size:
        from scipy.spatial.distance import cdist

        exact: Array = cdist(x, y, "sqeuclidean")
        return exact
    near = rows[near]
    difference = x[near] - y[columns]
    out[near, columns] = np.einsum("ij,ij->i", difference, difference)
    return out


def between(x: Array, y: Array, metric: str) -> Array:
    """Distances from rows to rows; those of `cosine` are unit vectors already."""
    import numpy as np

    if metric == "manhattan":
        from scipy.spatial.distance import cdist

        out: Array = cdist(x, y, "cityblock")
        return out
    out = squared(x, y)
    if metric == "euclidean":
        np.sqrt(out, out=out)
    elif metric == "cosine":
        out *= 0.5
        if out.min(initial=1.0) < COSINE_ROUNDING:
            out[out < COSINE_ROUNDING] = 0.0
    return out


def of_rows(x: Array, first: Any, second: slice, metric: str) -> Array:
    """Distances from some rows to others, a part of the user's if these are the points."""
    return x[first][:, second] if metric == PRECOMPUTED else between(x[first], x[second], metric)


def collected(x: Array, metric: str, make: Callable[[], C], progress: Callable[[int], None]) -> C:
    """An aggregate of the distances of all pairs.

    Args:
        x: the points.
        metric: the distance.
        make: makes an empty collector.
        progress: is called with the number of computed pairs.
    """
    workers = threads(len(x))

    def part(number: int) -> C:
        collector = make()
        for block in _blocks(x, metric, range(number, -(-len(x) // BLOCK), workers)):
            collector.add(block)
            progress(block.distances.size * (1 if block.diagonal else 2))
        return collector

    if workers == 1:
        return part(0)
    with ThreadPoolExecutor(workers) as pool:
        out, *others = pool.map(part, range(workers))
    for other in others:
        out.merge(other)
    return out


def threads(points: int) -> int:
    """The number of threads."""
    return min(os.cpu_count() or 1, THREADS) if points > SHARED else 1


def one_thread_each() -> AbstractContextManager[Any]:
    """Limits matrix products to one thread: blocks are small, and our own threads share them."""
    import numpy as np  # noqa: F401 - a library that is loaded later would not be limited
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[Any] = threadpool_limits(1, "blas")
    return limits


def _blocks(x: Array, metric: str, rows: range) -> Iterator[Block]:
    for i in rows:
        first = slice(i * BLOCK, min((i + 1) * BLOCK, len(x)))
        for start in range(i * BLOCK, len(x), BLOCK):
            second = slice(start, min(start + BLOCK, len(x)))
            distances = of_rows(x, first, second, metric)
            if start == first.start:
                distances.flat[:: len(distances) + 1] = 0.0
            yield Block(first, second, distances)
