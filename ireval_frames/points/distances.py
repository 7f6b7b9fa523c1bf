"""Distances between many points, a block at a time.

A block of squared Euclidean distances is one matrix product, |x|² + |y|² − 2x·y, of rows moved to the middle of the
block; where the product leaves few digits, because two points are near each other and far from that middle, the
distance is computed from the differences.  Only the blocks on and above the diagonal are made.
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
# Of distances that were handed in; what stands for the points then is the square array of these.
PRECOMPUTED = "precomputed"
# Rows and columns of a block: 512 × 512 distances stay in the processor's cache.
BLOCK = 512
# Squared distances below this share of |x|² + |y|² lose too many digits in the product.
NEAR = 1e-3
# Beyond this share of near pairs, all distances of a block are computed from differences.
CROWDED = 0.05
# Cosine distances below this are rounding of the vectors' lengths.
TURNED = 1e-30
# Points from which on several threads share the work, and how many of these there are at most.
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
    """What is made of the distances of all pairs."""

    def add(self, block: Block) -> None:
        """Take a block; those below the diagonal stay out."""

    def merge(self, other: Self) -> None:
        """Take what another one has collected."""


def squared(x: Array, y: Array) -> Array:
    """Squared Euclidean distances; those of equal rows are exactly 0."""
    import numpy as np

    middle = (x.mean(axis=0) + y.mean(axis=0)) / 2.0
    moved, others = x - middle, y - middle
    xx, yy = np.einsum("ij,ij->i", moved, moved), np.einsum("ij,ij->i", others, others)
    left = np.concatenate([moved * -2.0, xx[:, None], np.ones((len(x), 1))], axis=1)
    right = np.concatenate([others, np.ones((len(y), 1)), yy[:, None]], axis=1)
    out: Array = left @ right.T
    # Where they are near, |y|² is nearly |x|².  Rows in the very middle are near to their likes.
    limit = 2.2 * NEAR * xx
    rows = np.nonzero(out.min(axis=1) <= limit)[0] if out.size else ()
    return _mended(x, y, out, rows, limit) if len(rows) else out


def _mended(x: Array, y: Array, out: Array, rows: Any, limit: Array) -> Array:
    """With the distances of near pairs computed from differences."""
    import numpy as np

    near, columns = np.nonzero(out[rows] <= limit[rows, None])
    if len(near) > CROWDED * out.size:
        from scipy.spatial.distance import cdist

        whole: Array = cdist(x, y, "sqeuclidean")
        return whole
    near = rows[near]
    apart = x[near] - y[columns]
    out[near, columns] = np.einsum("ij,ij->i", apart, apart)
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
        if out.min(initial=1.0) < TURNED:
            out[out < TURNED] = 0.0
    return out


def of_rows(x: Array, first: Any, second: slice, metric: str) -> Array:
    """Distances from some rows to others, which are a part of those that were handed in."""
    return x[first][:, second] if metric == PRECOMPUTED else between(x[first], x[second], metric)


def collected(x: Array, metric: str, make: Callable[[], C], told: Callable[[int], None]) -> C:
    """What a collector makes of the distances of all pairs.

    Args:
        x: the points.
        metric: the distance.
        make: makes an empty collector.
        told: is called with the number of pairs that were done.
    """
    workers = threads(len(x))

    def part(number: int) -> C:
        collector = make()
        for block in _blocks(x, metric, range(number, -(-len(x) // BLOCK), workers)):
            collector.add(block)
            told(block.distances.size * (1 if block.diagonal else 2))
        return collector

    if workers == 1:
        return part(0)
    with ThreadPoolExecutor(workers) as pool:
        out, *others = pool.map(part, range(workers))
    for other in others:
        out.merge(other)
    return out


def threads(points: int) -> int:
    """How many threads share the work; beside those of matrix products they would be too many."""
    return min(os.cpu_count() or 1, THREADS) if points > SHARED else 1


def one_thread_each() -> AbstractContextManager[Any]:
    """Matrix products in one thread: blocks are small, and threads of ours share them."""
    import numpy as np  # noqa: F401 - a library that is loaded later would not be limited
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[Any] = threadpool_limits(1, "blas")
    return limits


def _blocks(x: Array, metric: str, rows: range) -> Iterator[Block]:
    for i in rows:
        first = slice(i * BLOCK, min((i + 1) * BLOCK, len(x)))
        for start in range(i * BLOCK, len(x), BLOCK):
            second = slice(start, min(start + BLOCK, len(x)))
            made = of_rows(x, first, second, metric)
            if start == first.start:
                made.flat[:: len(made) + 1] = 0.0
            yield Block(first, second, made)
