"""Ranking on Polars where the rows of a group stand anywhere.

Groups get numbers (`group_numbers`).  Of few wanted rows the better ones are counted (`bisection`), and nothing is
moved; where a group has many, or all rows are wanted, the groups are brought together first.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl

from ireval_frames.engines.base import Ranking
from ireval_frames.engines.polars.hashes import Hashes, Sieve, halves_differ
from ireval_frames.engines.polars.ranking import rank_by_counting
from ireval_frames.engines.polars.ranking.bisection import Limits
from ireval_frames.engines.polars.ranking.group_numbers import STEP, Groups
from ireval_frames.engines.polars.ranking.ranked_rows import Ranked, check, ranked_rows

WORKERS = 2


def parts(source: pl.DataFrame | pl.LazyFrame, ranking: Ranking, size: int) -> Iterator[pl.DataFrame]:
    """Whole groups, in frames of about so many rows, which bounds the memory."""
    lazy = source.lazy()
    rows = source.height if isinstance(source, pl.DataFrame) else lazy.select(pl.len()).collect().item()
    n = max(1, -(-rows // size))
    for part in range(n):
        picked = lazy if n == 1 else lazy.filter(pl.struct(ranking.keys).hash(seed=7) % n == part)
        frame = picked.collect()
        if frame.height:
            yield frame


def gathered(frame: pl.DataFrame, ranking: Ranking) -> pl.DataFrame:
    """The rows, those of a group together."""
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        numbers, _ = Groups(frame, ranking.keys).numbered(pool.map)
    return frame[pl.Series(numbers).arg_sort()]


def ranked(frame: pl.DataFrame, ranking: Ranking, wanted: pl.Series) -> Ranked | None:
    """The rows whose hash is wanted; None where their groups must be brought together.

    Raises:
        IrevalError: the error of the first rule that a row breaks.
    """
    check(frame, ranking)
    rows = rank_by_counting.compared(frame, ranking)
    if rows is None:
        return None
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        # Most of these steps keep only one core busy.
        hashes, groups, numbers, positions = _looked_at(frame, ranking, Sieve(wanted.to_numpy()), pool)
        halves = halves_differ(hashes, pool)
        limits = Limits(rows, numbers, groups.height, positions)
        found = limits.counted(pool.map) if limits.fits else None
        different = all(half.result() for half in halves)
    if found is None:
        return None
    before, sizes = found
    groups = groups.with_columns(pl.Series("n", sizes, dtype=pl.Int64))
    duplicates = frame.clear() if different else _duplicates(frame.filter(hashes.is_duplicated()), ranking)
    return ranked_rows(frame[positions], pl.Series(before + 1), groups, duplicates, ranking, "counted")


def _looked_at(
    frame: pl.DataFrame, ranking: Ranking, wanted: Sieve, pool: ThreadPoolExecutor
) -> tuple[pl.Series, pl.DataFrame, Any, Any]:
    """Each row's hash where ids must differ, the groups, the number of each row's, and where the wanted rows stand."""
    import numpy as np

    ids = np.empty(frame.height if ranking.unique else 0, dtype=np.uint64)

    def look(begin: int, hashes: Hashes) -> Any:
        if ranking.unique:
            ids[begin : begin + STEP] = hashes.of(*ranking.keys, ranking.id).to_numpy()
        return begin + wanted.positions(hashes.of(*ranking.on).to_numpy())

    groups = Groups(frame, ranking.keys)
    numbers, positions = groups.numbered(pool.map, look)
    return pl.Series(ids), groups.keys, numbers, np.concatenate(positions)


def _duplicates(suspects: pl.DataFrame, ranking: Ranking) -> pl.DataFrame:
    """Rows whose id stands twice in their group."""
    return suspects.filter(pl.struct(*ranking.keys, ranking.id).is_duplicated())
