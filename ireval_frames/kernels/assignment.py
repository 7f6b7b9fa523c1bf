"""One-to-one assignments of the largest sum, such as of clusters to classes, for all units at once.

A cell that is at least as large as the sum of the largest other cell of its row and the largest other of its column
belongs to an optimal assignment.  Such cells are assigned until none is left; the rest falls into components without
common rows or columns, which are solved one by one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole: TypeAlias = NDArray[np.int64]
    Array: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]

# Up to this number of cells the dense algorithm is faster.
DENSE = 250_000


def assignment_step(
    keys: Sequence[str], rows: Sequence[str], columns: Sequence[str], size: str
) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A function from cells to the largest sum of sizes of each unit, `matched`; equal arguments give equal functions.

    Args:
        keys: the columns of a unit.
        rows: the columns that name the row of a cell, within its unit.
        columns: those that name its column.
        size: the column that is summed.
    """
    step = functools.partial(assignment, keys=tuple(keys), rows=tuple(rows), columns=tuple(columns), size=size)
    functools.update_wrapper(step, assignment)
    return step


def assignment(
    cells: pl.DataFrame, keys: Sequence[str], rows: Sequence[str], columns: Sequence[str], size: str
) -> pl.DataFrame:
    """The optimal assignment, one to one."""
    import numpy as np

    ids = [pl.struct(*keys, *of).rank("dense").cast(pl.Int64) - 1 for of in (rows, columns)]
    unit = (pl.struct(keys).rank("dense").cast(pl.Int64) - 1) if keys else pl.lit(0, pl.Int64)
    numbered = cells.select(*keys, row=ids[0], column=ids[1], unit=unit, size=pl.col(size))
    units = numbered.select(*keys, "unit").unique().sort("unit") if keys else pl.DataFrame({"unit": [0]})
    nonempty = numbered.filter(pl.col("size") > 0)
    arrays = [nonempty[name].to_numpy() for name in ("row", "column", "size")]
    matched = np.zeros(units.height)
    np.add.at(matched, nonempty["unit"].to_numpy(), np.where(optimal(*arrays), arrays[2], 0.0))
    return units.select(*keys, matched=pl.Series(matched, dtype=pl.Float64))


def optimal(rows: Whole, columns: Whole, sizes: Array) -> Flags:
    """Which cells belong to an assignment of the largest sum; no two of them share a row or a column."""
    import numpy as np

    assigned = np.zeros(len(rows), dtype=bool)
    left = np.arange(len(rows))
    while len(left):
        r, c, s = rows[left], columns[left], sizes[left]
        sure = np.flatnonzero(s >= _largest_other(r, s) + _largest_other(c, s))
        # Of equal cells in one row or column any will do.
        sure = sure[np.unique(r[sure], return_index=True)[1]]
        sure = sure[np.unique(c[sure], return_index=True)[1]]
        if not len(sure):
            break
        assigned[left[sure]] = True
        left = left[~(np.isin(r, r[sure]) | np.isin(c, c[sure]))]
    for part in _components(rows[left], columns[left]):
        cells = left[part]
        assigned[cells[_solve(rows[cells], columns[cells], sizes[cells])]] = True
    return assigned


def _largest_other(groups: Whole, sizes: Array) -> Array:
    """For each cell the largest other cell of its group, or 0."""
    import numpy as np

    order = np.lexsort((-sizes, groups))
    ordered, starts = groups[order], np.flatnonzero(np.diff(groups[order], prepend=groups[order][0] - 1))
    largest, second = sizes[order][starts], np.zeros(len(starts))
    following = starts + 1
    exists = (following < len(order)) & (ordered[np.minimum(following, len(order) - 1)] == ordered[starts])
    second[exists] = sizes[order][following[exists]]
    number = np.cumsum(np.diff(ordered, prepend=ordered[0] - 1) != 0) - 1
    out = np.empty(len(order))
    out[order] = largest[number]
    out[order[starts]] = second
    return out


def _components(rows: Whole, columns: Whole) -> list[Whole]:
    """The cells of each component that is connected by rows and columns."""
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
    component = connected_components(graph, directed=False)[1][r]
    order = np.argsort(component, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(component[order])) + 1)


def _solve(rows: Whole, columns: Whole, sizes: Array) -> Whole:
    """The indices of the assigned cells of one component."""
    import numpy as np

    _, r = np.unique(rows, return_inverse=True)
    _, c = np.unique(columns, return_inverse=True)
    shape = (int(r.max()) + 1, int(c.max()) + 1)
    pairs = (_dense if shape[0] * shape[1] <= DENSE else _sparse)(r, c, sizes, shape)
    column_of = np.full(shape[0], -1)
    column_of[pairs[0]] = pairs[1]
    return np.flatnonzero(column_of[r] == c)


def _dense(rows: Whole, columns: Whole, sizes: Array, shape: tuple[int, int]) -> tuple[Whole, Whole]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    full = np.zeros(shape)
    full[rows, columns] = sizes
    pairs: tuple[Whole, Whole] = linear_sum_assignment(full, maximize=True)
    return pairs


def _sparse(rows: Whole, columns: Whole, sizes: Array, shape: tuple[int, int]) -> tuple[Whole, Whole]:
    """The assignment of sparse cells; each row has a further column of its own, so that a full matching exists."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    top = float(sizes.max()) + 1.0
    own = np.arange(shape[0])
    weights = np.concatenate([top - sizes, np.full(shape[0], top)])
    # The matching takes 32-bit indices only.
    places = tuple(np.concatenate(p).astype(np.int32) for p in ((rows, own), (columns, shape[1] + own)))
    graph = coo_array((weights, places), shape=(shape[0], shape[1] + shape[0])).tocsr()
    pairs: tuple[Whole, Whole] = min_weight_full_bipartite_matching(graph)
    return pairs
