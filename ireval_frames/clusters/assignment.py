"""The assignment of clusters to classes that matches most items, for all units at once.

A cell that is at least as large as the largest other of its class and the largest other of its cluster together is part
of a best assignment; taking such cells away leaves others, until few are left.  What is left falls into parts that
share neither class nor cluster, and each is solved alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

# Up to so many cells of a full matrix, the dense algorithm is the faster one.
DENSE = 250_000


def assigned(keys: Sequence[str]) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A function that gives every unit's number of matched items, `matched`, from its cells."""

    def assignment(cells: pl.DataFrame) -> pl.DataFrame:
        """The best assignment of clusters to classes."""
        import numpy as np

        ids = [
            pl.struct(*keys, *of).rank("dense").cast(pl.Int64) - 1 for of in (("label",), ("cluster_id", "singleton"))
        ]
        unit = (pl.struct(keys).rank("dense").cast(pl.Int64) - 1) if keys else pl.lit(0, pl.Int64)
        numbered = cells.select(*keys, row=ids[0], column=ids[1], unit=unit, size=pl.col("size"))
        units = numbered.select(*keys, "unit").unique().sort("unit") if keys else pl.DataFrame({"unit": [0]})
        kept = numbered.filter(pl.col("size") > 0)
        arrays = [kept[name].to_numpy() for name in ("row", "column", "size")]
        matched = np.zeros(units.height)
        np.add.at(matched, kept["unit"].to_numpy(), np.where(chosen(*arrays), arrays[2], 0.0))
        return units.select(*keys, matched=pl.Series(matched, dtype=pl.Float64))

    return assignment


def chosen(rows: Any, columns: Any, sizes: Any) -> Any:
    """Which cells are in an assignment of the largest sum; no two of them share a row or a column."""
    import numpy as np

    taken = np.zeros(len(rows), dtype=bool)
    left = np.arange(len(rows))
    while len(left):
        r, c, s = rows[left], columns[left], sizes[left]
        sure = np.flatnonzero(s >= _largest_other(r, s) + _largest_other(c, s))
        # Of equal cells in one row or column the first is as good as the others.
        sure = sure[np.unique(r[sure], return_index=True)[1]]
        sure = sure[np.unique(c[sure], return_index=True)[1]]
        if not len(sure):
            break
        taken[left[sure]] = True
        left = left[~(np.isin(r, r[sure]) | np.isin(c, c[sure]))]
    for part in _parts(rows[left], columns[left]):
        among = left[part]
        taken[among[_solved(rows[among], columns[among], sizes[among])]] = True
    return taken


def _largest_other(groups: Any, sizes: Any) -> Any:
    """For each cell the largest other one of its group; 0 where there is none."""
    import numpy as np

    order = np.lexsort((-sizes, groups))
    ordered, starts = groups[order], np.flatnonzero(np.diff(groups[order], prepend=groups[order][0] - 1))
    largest, second = sizes[order][starts], np.zeros(len(starts))
    following = starts + 1
    there = (following < len(order)) & (ordered[np.minimum(following, len(order) - 1)] == ordered[starts])
    second[there] = sizes[order][following[there]]
    number = np.cumsum(np.diff(ordered, prepend=ordered[0] - 1) != 0) - 1
    out = np.empty(len(order))
    out[order] = largest[number]
    out[order[starts]] = second
    return out


def _parts(rows: Any, columns: Any) -> list[Any]:
    """The cells that hang together by rows and columns, part by part."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(rows):
        return []
    _, r = np.unique(rows, return_inverse=True)
    _, c = np.unique(columns, return_inverse=True)
    size = int(r.max()) + 1
    nodes = size + int(c.max()) + 1
    graph = coo_array((np.ones(len(r)), (r, size + c)), shape=(nodes, nodes))
    part = connected_components(graph, directed=False)[1][r]
    order = np.argsort(part, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(part[order])) + 1)


def _solved(rows: Any, columns: Any, sizes: Any) -> Any:
    """The places of the chosen cells of one part."""
    import numpy as np

    _, r = np.unique(rows, return_inverse=True)
    _, c = np.unique(columns, return_inverse=True)
    shape = (int(r.max()) + 1, int(c.max()) + 1)
    pairs = (_dense if shape[0] * shape[1] <= DENSE else _sparse)(r, c, sizes, shape)
    wanted = np.full(shape[0], -1)
    wanted[pairs[0]] = pairs[1]
    return np.flatnonzero(wanted[r] == c)


def _dense(rows: Any, columns: Any, sizes: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    full = np.zeros(shape)
    full[rows, columns] = sizes
    found: tuple[Any, Any] = linear_sum_assignment(full, maximize=True)
    return found


def _sparse(rows: Any, columns: Any, sizes: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    """Every class may also stay alone, in a column of its own, so that the cells there are hold a full matching."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    top = float(sizes.max()) + 1.0
    own = np.arange(shape[0])
    weights = np.concatenate([top - sizes, np.full(shape[0], top)])
    # The matching takes 32-bit indices only.
    places = tuple(np.concatenate(p).astype(np.int32) for p in ((rows, own), (columns, shape[1] + own)))
    graph = coo_array((weights, places), shape=(shape[0], shape[1] + shape[0])).tocsr()
    found: tuple[Any, Any] = min_weight_full_bipartite_matching(graph)
    return found
