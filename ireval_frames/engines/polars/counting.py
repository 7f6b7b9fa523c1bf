"""Counting rows by whole numbers that lie close together: an array with a place for every combination of keys.

Where keys are small integers (numbers of groups, classes, clusters) this takes a fraction of the time of a group-by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.polars.frame import PolarsFrame

# A place of the array costs less than a row of a group-by.
PLACES_PER_ROW = 1.0
# So many rows are taken at once.
STEP = 500_000


def fits(frame: PolarsFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> bool:
    """Whether it may be tried: integer keys, counts and plain sums, and rows that are in memory already."""
    if not frame.in_memory or not keys or any(a.how not in ("count", "sum") or a.order for a in aggregates):
        return False
    types = frame.types
    return all(types[k].is_integer() and types[k] not in (pl.UInt64, pl.Int128, pl.UInt128) for k in keys)


def counted(frame: pl.DataFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> pl.DataFrame | None:
    """A row per distinct keys; None where the combinations are too many for an array.

    Args:
        frame: the keys, and a column for every sum under its name.
        keys: integer columns; null is a key like others.
        aggregates: counts and sums.
    """
    import numpy as np

    if frame.is_empty():
        return None
    told = frame.select(
        *(pl.col(k).min().alias(f"{i}low") for i, k in enumerate(keys)),
        *(pl.col(k).max().alias(f"{i}high") for i, k in enumerate(keys)),
        *(pl.col(k).null_count().alias(f"{i}nulls") for i, k in enumerate(keys)),
    ).row(0, named=True)
    code: pl.Expr | None = None
    places, parts = 1, []
    for i, key in enumerate(keys):
        low, nulls = told[f"{i}low"] or 0, told[f"{i}nulls"] > 0
        n = (told[f"{i}high"] or 0) - low + 1 + nulls
        places *= n
        if places > PLACES_PER_ROW * frame.height:
            return None
        place = pl.col(key) if frame.schema[key] == pl.Int64 else pl.col(key).cast(pl.Int64)
        place = place - low if low else place
        place = place.fill_null(n - 1) if nulls else place
        code = place if code is None else code * n + place
        parts.append((key, low, n, nulls))
    summed = [a for a in aggregates if a.how == "sum"]

    def part(at: int) -> list[Any]:
        rows = frame.slice(at, step)
        codes = rows.select(code=code)["code"].to_numpy()
        return [
            np.bincount(codes, weights=w, minlength=places)
            for w in (None, *(rows[a.name].cast(pl.Float64).fill_null(0.0).to_numpy() for a in summed))
        ]

    step = max(STEP, 2 * places)
    with ThreadPoolExecutor(min(pl.thread_pool_size(), 4)) as threads:
        totals = [sum(of[1:], of[0]) for of in zip(*threads.map(part, range(0, frame.height, step)), strict=True)]
    there = np.flatnonzero(totals[0])
    out: dict[str, pl.Series] = {}
    left = pl.Series(there, dtype=pl.Int64)
    for key, low, n, nulls in reversed(parts):
        place = left % n
        value = place + low
        out[key] = (value.set(place == n - 1, None) if nulls else value).cast(frame.schema[key])
        left = left // n
    columns = {key: out[key] for key in keys}
    found = {a.name: t for a, t in zip(summed, totals[1:], strict=True)}
    for a in aggregates:
        columns[a.name] = pl.Series(found.get(a.name, totals[0])[there], dtype=pl.Float64)
    return pl.DataFrame(columns)


# Below this a group-by is as fast.
ENOUGH_ROWS = 100_000
# Codes of several keys stay below this.
LARGEST = 2**62


def differ(frame: PolarsFrame, keys: Sequence[str], run: Callable[[pl.LazyFrame], pl.DataFrame]) -> bool:
    """Whether no two rows have equal keys, where that is told quickly; False says nothing.

    Args:
        frame: the rows.
        keys: columns.
        run: collects a plan.
    """
    if not fits(frame, keys, ()):
        return False
    rows = run(frame.select(*keys).to_native().lazy())
    if rows.height < ENOUGH_ROWS or any(rows.null_count().row(0)):
        return False
    code, places = pl.lit(0, pl.Int64), 1
    for key in keys:
        low, high = rows.select(low=pl.col(key).min().cast(pl.Int64), high=pl.col(key).max().cast(pl.Int64)).row(0)
        places *= high - low + 1
        code = code * (high - low + 1) + (pl.col(key).cast(pl.Int64) - low)
    return places <= LARGEST and rows.select(code.n_unique()).item() == rows.height
