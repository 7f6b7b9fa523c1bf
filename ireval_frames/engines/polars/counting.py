"""Counting rows by small integer keys, in an array with a cell for every combination of their values.

Where keys are numbers of groups, classes or clusters this takes a fraction of the time of a group-by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.polars.frame import PolarsFrame

# A cell of the array costs less than a row of a group-by.
CELLS_PER_ROW = 1.0
# The number of rows per batch.
STEP = 500_000


def fits(frame: PolarsFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> bool:
    """Whether it applies: integer keys, counts and plain sums, and rows in memory."""
    if not frame.in_memory or not keys or any(a.how not in ("count", "sum") or a.order for a in aggregates):
        return False
    types = frame.types
    return all(types[k].is_integer() and types[k] not in (pl.UInt64, pl.Int128, pl.UInt128) for k in keys)


def count_cells(frame: pl.DataFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> pl.DataFrame | None:
    """A row per distinct keys; None where there are too many combinations for an array.

    Args:
        frame: the keys, and for every sum a column of its name.
        keys: integer columns; null is a value of its own.
        aggregates: counts and sums.
    """
    import numpy as np

    if frame.is_empty():
        return None
    bounds = frame.select(
        *(pl.col(k).min().alias(f"{i}low") for i, k in enumerate(keys)),
        *(pl.col(k).max().alias(f"{i}high") for i, k in enumerate(keys)),
        *(pl.col(k).null_count().alias(f"{i}nulls") for i, k in enumerate(keys)),
    ).row(0, named=True)
    code: pl.Expr | None = None
    cells, parts = 1, []
    for i, key in enumerate(keys):
        low, nulls = bounds[f"{i}low"] or 0, bounds[f"{i}nulls"] > 0
        n = (bounds[f"{i}high"] or 0) - low + 1 + nulls
        cells *= n
        if cells > CELLS_PER_ROW * frame.height:
            return None
        index = pl.col(key) if frame.schema[key] == pl.Int64 else pl.col(key).cast(pl.Int64)
        index = index - low if low else index
        index = index.fill_null(n - 1) if nulls else index
        code = index if code is None else code * n + index
        parts.append((key, low, n, nulls))
    summed = [a for a in aggregates if a.how == "sum"]

    def part(at: int) -> list[Any]:
        rows = frame.slice(at, step)
        codes = rows.select(code=code)["code"].to_numpy()
        return [
            np.bincount(codes, weights=w, minlength=cells)
            for w in (None, *(rows[a.name].cast(pl.Float64).fill_null(0.0).to_numpy() for a in summed))
        ]

    step = max(STEP, 2 * cells)
    with ThreadPoolExecutor(min(pl.thread_pool_size(), 4)) as threads:
        totals = [
            sum(parts_[1:], parts_[0]) for parts_ in zip(*threads.map(part, range(0, frame.height, step)), strict=True)
        ]
    occupied = np.flatnonzero(totals[0])
    out: dict[str, pl.Series] = {}
    codes = pl.Series(occupied, dtype=pl.Int64)
    for key, low, n, nulls in reversed(parts):
        index = codes % n
        value = index + low
        out[key] = (value.set(index == n - 1, None) if nulls else value).cast(frame.schema[key])
        codes = codes // n
    columns = {key: out[key] for key in keys}
    sums = {a.name: t for a, t in zip(summed, totals[1:], strict=True)}
    for a in aggregates:
        columns[a.name] = pl.Series(sums.get(a.name, totals[0])[occupied], dtype=pl.Float64)
    return pl.DataFrame(columns)


# Below this a group-by is as fast.
ENOUGH_ROWS = 100_000
# Codes of several keys stay below this.
LARGEST = 2**62


def keys_differ(frame: PolarsFrame, keys: Sequence[str], run: Callable[[pl.LazyFrame], pl.DataFrame]) -> bool:
    """Whether no two rows have equal keys, where that can be seen quickly; False says nothing.

    Args:
        frame: the rows.
        keys: columns.
        run: collects a plan.
    """
    if not fits(frame, keys, ()):
        return False
    return all_differ(run(frame.select(*keys).to_native().lazy()), keys)


def all_differ(rows: pl.DataFrame, keys: Sequence[str]) -> bool:
    """Whether no two rows have equal integer keys, as `keys_differ`."""
    if rows.height < ENOUGH_ROWS or any(rows.select(keys).null_count().row(0)):
        return False
    code, cells = pl.lit(0, pl.Int64), 1
    for key in keys:
        low, high = rows.select(low=pl.col(key).min().cast(pl.Int64), high=pl.col(key).max().cast(pl.Int64)).row(0)
        cells *= high - low + 1
        code = code * (high - low + 1) + (pl.col(key).cast(pl.Int64) - low)
    return cells <= LARGEST and rows.select(code.n_unique()).item() == rows.height


def single_rows(rows: pl.DataFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> pl.DataFrame | None:
    """A row per distinct keys where no two rows have equal ones, so that each is a group; else None.

    To look costs a fifth of the group-by.
    """
    if len(keys) < 2 or not all_differ(rows, keys):
        return None
    values = {
        a.name: pl.lit(1.0) if a.how == "count" else pl.col(a.name).cast(pl.Float64).fill_null(0.0) for a in aggregates
    }
    return rows.select(*keys, **values)
