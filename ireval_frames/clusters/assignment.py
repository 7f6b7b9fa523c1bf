"""The assignment of clusters to classes that matches most items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

# Up to so many cells of a full matrix, the dense algorithm is the faster one.
DENSE = 4_000_000


def assigned(keys: Sequence[str]) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A function that gives every unit's number of matched items, `matched`, from its cells."""

    def assignment(cells: pl.DataFrame) -> pl.DataFrame:
        """The best assignment of clusters to classes."""
        if not keys:
            return pl.DataFrame({"matched": [matched(cells)]}, schema={"matched": pl.Float64})
        units = cells.partition_by(keys, maintain_order=True)
        rows = cells.select(keys).unique(maintain_order=True)
        return rows.with_columns(matched=pl.Series([matched(u) for u in units], dtype=pl.Float64))

    return assignment


def matched(cells: pl.DataFrame) -> float:
    """The largest sum of cells of which no two share a class or a cluster."""
    cells = cells.filter(pl.col("size") > 0)
    if cells.is_empty():
        return 0.0
    rows = cells["label"].rank("dense").to_numpy() - 1
    columns = cells.select(pl.struct("cluster_id", "alone").rank("dense")).to_series().to_numpy() - 1
    sizes = cells["size"].to_numpy()
    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    return _dense(rows, columns, sizes, shape) if shape[0] * shape[1] <= DENSE else _sparse(rows, columns, sizes, shape)


def _dense(rows: Any, columns: Any, sizes: Any, shape: tuple[int, int]) -> float:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    full = np.zeros(shape)
    full[rows, columns] = sizes
    return float(full[linear_sum_assignment(full, maximize=True)].sum())


def _sparse(rows: Any, columns: Any, sizes: Any, shape: tuple[int, int]) -> float:
    """Every class may also stay alone, in a column of its own, so that a full matching exists among the cells there are."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    top = float(sizes.max()) + 1.0
    own = np.arange(shape[0])
    weights = np.concatenate([top - sizes, np.full(shape[0], top)])
    places = (np.concatenate([rows, own]), np.concatenate([columns, shape[1] + own]))
    graph = coo_array((weights, places), shape=(shape[0], shape[1] + shape[0])).tocsr()
    chosen = min_weight_full_bipartite_matching(graph)
    return float((top - np.asarray(graph[chosen]).ravel()).sum())
