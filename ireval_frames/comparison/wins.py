"""In how many units a system is above another one, or equal to it: of few pairs or of millions."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from ireval_frames.stats.rounding import rounding
from ireval_frames.stats.sample import Array, Integers

# Bytes of comparisons that a thread holds at once: they stay in its cache.
BLOCK = 1 << 20
# Counts below it are exact in 32 bits of floating point.
MAX_EXACT_COUNT = 1 << 24


def wins_and_ties(values: Array, pairs: Integers, tolerance: float | None, threads: int) -> tuple[Integers, Integers]:
    """The units in which each pair's system has more than its baseline, and those in which both have as much.

    Args:
        values: units × systems; NaN is no value.
        pairs: two columns of it per pair: the baseline and the system.
        tolerance: largest difference that counts as a tie, besides rounding; None for rounding alone.
        threads: how many share the work.
    """
    wins, ties = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64)
    with ThreadPoolExecutor(threads) as pool:
        codes = _codes(values, pool, threads) if tolerance is None else values
    known = _ties(codes, pairs) if tolerance is None else None
    rows = _padded(codes)
    order = np.argsort(pairs[:, 0], kind="stable")
    bounds = [*np.flatnonzero(np.diff(pairs[order, 0], prepend=-1)), len(order)]

    def counted(bound: tuple[int, int]) -> None:
        places = order[bound[0] : bound[1]]
        baseline = rows[pairs[places[0], 0]]
        # Nothing is above the largest code, or above NaN, or equal to it.
        mine = np.where(baseline < 0, np.iinfo(rows.dtype).max, baseline) if tolerance is None else baseline
        for part in parts(places, rows.itemsize * len(mine)):
            others = _gather(rows, pairs[part, 1])
            if tolerance is None:
                wins[part] = _rows(others > mine)
                if known is None:
                    ties[part] = _rows(others == mine)
            else:
                # Of padding, and of what is missing, no difference is above or within anything.
                width = tolerance + rounding(others, np.broadcast_to(mine, others.shape))
                wins[part] = _rows(others - mine > width)
                ties[part] = _rows(np.abs(others - mine) <= width)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(counted, pairwise(bounds)))
    return wins, ties if known is None else known


def _ties(codes: np.ndarray, pairs: Integers) -> Integers | None:
    """The ties of each pair, where pairs are many and units have few places that several systems share; else none.

    They are one product of matrices: a column per such place, 1 for the systems there.
    """
    units, systems = codes.shape
    if len(pairs) * 4 < systems**2 or units >= MAX_EXACT_COUNT:
        return None
    # The last place of a unit is of those without a value.
    cells = (np.where(codes < 0, systems, codes) + np.arange(units)[:, np.newaxis] * (systems + 1)).ravel()
    shared = np.bincount(cells, minlength=units * (systems + 1)) > 1
    shared[systems :: systems + 1] = False
    if np.count_nonzero(shared) > 2 * units:
        return None
    columns = (np.cumsum(shared) - 1)[cells]
    on = np.flatnonzero(shared[cells])
    flags = np.zeros((systems, int(np.count_nonzero(shared))), dtype=np.float32)
    flags[on % systems, columns[on]] = 1.0
    counted: Integers = (flags @ flags.T)[pairs[:, 0], pairs[:, 1]].astype(np.int64)
    return counted


def _codes(values: Array, pool: ThreadPoolExecutor, threads: int) -> np.ndarray:
    """Values by their place in their unit, those within their rounding in one place; −1 is no value."""
    parts = np.array_split(values, threads) if values.size > BLOCK else [values]
    return np.concatenate(list(pool.map(_codes_within, parts)))


def _codes_within(values: Array) -> np.ndarray:
    order = np.argsort(values, axis=1)
    ascending = np.take_along_axis(values, order, axis=1)
    # NaN sorts last, and no gap to it exceeds a threshold.
    before = np.concatenate([ascending[:, :1], ascending[:, :-1]], axis=1)
    steps = ascending - before > rounding(ascending, before)
    places = np.cumsum(steps, axis=1, dtype=np.int16 if values.shape[1] < 2**15 else np.int32)
    places[np.isnan(ascending)] = -1
    out = np.empty_like(places)
    np.put_along_axis(out, order, places, axis=1)
    return out


def _gather(rows: np.ndarray, places: Integers) -> np.ndarray:
    """Some of the rows; neighbours are not copied."""
    first, last = int(places[0]), int(places[-1])
    if last - first + 1 == len(places) and (np.diff(places) == 1).all():
        return rows[first : last + 1]
    return rows[places]


def _rows(flags: np.ndarray) -> Integers:
    """How many are true in each row, which is as long as some words of 64 bits."""
    words = np.packbits(flags.reshape(-1)).view(np.uint64).reshape(len(flags), -1)
    counted: Integers = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    return counted


def _padded(values: np.ndarray) -> np.ndarray:
    """A row per system, lengthened by what is no value until flags of it fill words of 64 bits."""
    units, systems = values.shape
    missing = -1 if values.dtype.kind == "i" else np.nan
    out = np.full((systems, max(1, -(-units // 64)) * 64), missing, dtype=values.dtype)
    out[:, :units] = values.T
    return out


def parts(places: np.ndarray, bytes_each: int, block: int = BLOCK) -> Iterator[np.ndarray]:
    """The places in parts that fill no more than a block."""
    step = max(1, block // max(1, bytes_each))
    for start in range(0, len(places), step):
        yield places[start : start + step]
