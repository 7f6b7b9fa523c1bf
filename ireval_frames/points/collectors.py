"""Aggregates of the distances of all pairs: sums by point and cluster, squares, extremes by pair of clusters.

Points are sorted by cluster, so the clusters of a block's rows are segments.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array, Block

# Up to this number of clusters in a block, sums are a matrix product.
FEW = 16
# The mean size from which clusters are reduced one by one.
LONG = 1000


class Segments:
    """Points sorted by cluster.

    Attributes:
        codes: the number of each point's cluster, sorted.
        weights: the points' weights.
        starts: the first point of each cluster.
        size: the number of clusters.
        even: whether all weights are 1.
    """

    def __init__(self, codes: Any, weights: Array) -> None:
        import numpy as np

        self.codes, self.weights = codes, weights
        self.size = int(codes[-1]) + 1 if len(codes) else 0
        self.starts = np.searchsorted(codes, np.arange(self.size))
        self.even = bool((weights == 1.0).all())

    def of(self, rows: slice) -> tuple[slice, Any]:
        """The clusters of some rows, and the first row of each."""
        import numpy as np

        clusters = slice(int(self.codes[rows.start]), int(self.codes[rows.stop - 1]) + 1)
        return clusters, np.maximum(self.starts[clusters] - rows.start, 0)

    def reduced(self, ufunc: Any, values: Array) -> Array:
        """A reduction over the points of each cluster; long ones one by one, which is several times faster."""
        import numpy as np

        if len(values) < LONG * self.size:
            short: Array = ufunc.reduceat(values, self.starts, axis=0)
            return short
        ends = (*self.starts, len(values))
        return np.stack([ufunc.reduce(values[a:b], axis=0) for a, b in itertools.pairwise(ends)])

    def summed(self, values: Array, rows: slice) -> tuple[slice, Array]:
        """Weighted sums over the rows `rows`, which are the columns of `values`, by cluster."""
        import numpy as np

        clusters, starts = self.of(rows)
        weights = self.weights[rows]
        if len(starts) > FEW:
            return clusters, np.add.reduceat(values if self.even else values * weights, starts, axis=1)
        spread = np.zeros((len(weights), len(starts)))
        spread[np.arange(len(weights)), self.codes[rows] - clusters.start] = weights
        return clusters, values @ spread


class Sums:
    """Σ w·d from each point to the points of each cluster: `sums`, a row per point, a column per cluster."""

    def __init__(self, segments: Segments) -> None:
        import numpy as np

        self._segments = segments
        self.sums: Array = np.zeros((len(segments.codes), segments.size))

    def add(self, block: Block) -> None:
        """Add the distances of a block, in both directions."""
        clusters, values = self._segments.summed(block.distances, block.second)
        self.sums[block.first, clusters] += values
        if not block.diagonal:
            clusters, values = self._segments.summed(block.distances.T, block.first)
            self.sums[block.second, clusters] += values

    def merge(self, other: Sums) -> None:
        """Add those of another collector."""
        self.sums += other.sums


class Squares:
    """Σ w·w·d² over all pairs of points, each once."""

    def __init__(self, segments: Segments) -> None:
        self._weights, self._even = segments.weights, segments.even
        self.total = 0.0

    def add(self, block: Block) -> None:
        """Add a block; one on the diagonal has each pair twice."""
        import numpy as np

        d = block.distances
        if not self._even:
            root = np.sqrt(self._weights)
            d = d * root[block.first, None] * root[block.second]
        self.total += float(np.vdot(d, d)) * (0.5 if block.diagonal else 1.0)

    def merge(self, other: Squares) -> None:
        """Add those of another collector."""
        self.total += other.total


class Extremes:
    """The smallest distance between points of different clusters, and the largest between points of one.

    Args:
        segments: the points.
        pairs: store `high`, the largest distance between the points of each pair of clusters, too.
    """

    def __init__(self, segments: Segments, *, pairs: bool) -> None:
        import numpy as np

        self._segments = segments
        self.separation, self.diameter = float("inf"), 0.0
        self.high: Array | None = np.full((segments.size, segments.size), -np.inf) if pairs else None

    def add(self, block: Block) -> None:
        """Add a block: reduced by segments of columns, then of rows."""
        import numpy as np

        (rows, row_starts), (columns, column_starts) = self._segments.of(block.first), self._segments.of(block.second)
        low = np.minimum.reduceat(np.minimum.reduceat(block.distances, column_starts, axis=1), row_starts, axis=0)
        high = np.maximum.reduceat(np.maximum.reduceat(block.distances, column_starts, axis=1), row_starts, axis=0)
        same = np.arange(rows.start, rows.stop)[:, None] == np.arange(columns.start, columns.stop)
        self.separation = min(self.separation, float(low[~same].min(initial=np.inf)))
        self.diameter = max(self.diameter, float(high[same].max(initial=0.0)))
        if self.high is not None:
            self.high[rows, columns] = np.maximum(self.high[rows, columns], high)
            self.high[columns, rows] = np.maximum(self.high[columns, rows], high.T)

    def merge(self, other: Extremes) -> None:
        """Add those of another collector."""
        import numpy as np

        self.separation, self.diameter = min(self.separation, other.separation), max(self.diameter, other.diameter)
        if self.high is not None and other.high is not None:
            self.high = np.maximum(self.high, other.high)
