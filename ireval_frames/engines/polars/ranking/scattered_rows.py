"""Ranking on Polars where the rows of a group are scattered.

Groups get numbers (`group_numbers`).  For few requested rows per group the better ones are counted (`bisection`), and
nothing is moved; where a group has many, or all rows are requested, the groups are gathered first.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl

from ireval_frames.engines.base import Ranking
from ireval_frames.engines.polars.hashes import Hashes, HashFilter, halves_differ
from ireval_frames.engines.polars.ranking import rank_by_counting
from ireval_frames.engines.polars.ranking.bisection import Bisection
from ireval_frames.engines.polars.ranking.group_numbers import STEP, Groups
from ireval_frames.engines.polars.ranking.ranked_rows import Ranked, check, ranked_rows

WORKERS = 2


def parts(source: pl.DataFrame | pl.LazyFrame, ranking: Ranking, size: int) -> Iterator[pl.DataFrame]:
    """Complete groups, in frames of about `size` rows, which bounds the memory."""
    lazy = source.lazy()
    rows = source.height if isinstance(source, pl.DataFrame) else lazy.select(pl.len()).collect().item()
    n = max(1, -(-rows // size))
    for part in range(n):
        selected = lazy if n == 1 else lazy.filter(pl.struct(ranking.keys).hash(seed=7) % n == part)
        frame = selected.collect()
        if frame.height:
            yield frame


def gathered(frame: pl.DataFrame, ranking: Ranking) -> pl.DataFrame:
    """The rows, grouped."""
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        numbers, _ = Groups(frame, ranking.keys).numbered(pool.map)
    return frame[pl.Series(numbers).arg_sort()]


def ranked(frame: pl.DataFrame, ranking: Ranking, requested: pl.Series) -> Ranked | None:
    """The rows whose hash is requested; None where their groups must be gathered.

    Raises:
        IrevalError: the error of the first rule that a row breaks.
    """
    check(frame, ranking)
    rows = rank_by_counting.compared(frame, ranking)
    if rows is None:
        return None
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        # Most of these steps use one core only.
        hashes, groups, numbers, positions = _scan(frame, ranking, HashFilter(requested.to_numpy()), pool)
        halves = halves_differ(hashes, pool)
        bisection = Bisection(rows, numbers, groups.height, positions)
        counts = bisection.count(pool.map) if bisection.fits else None
        unique = all(half.result() for half in halves)
    if counts is None:
        return None
    before, sizes = counts
    groups = groups.with_columns(pl.Series("n", sizes, dtype=pl.Int64))
    duplicates = frame.clear() if unique else _duplicates(frame.filter(hashes.is_duplicated()), ranking)
    return ranked_rows(frame[positions], pl.Series(before + 1), groups, duplicates, ranking, "counted")


def _scan(
    frame: pl.DataFrame, ranking: Ranking, requested: HashFilter, pool: ThreadPoolExecutor
) -> tuple[pl.Series, pl.DataFrame, Any, Any]:
    """Each row's hash if ids must be unique, the groups, each row's number, and the positions of requested rows."""
    import numpy as np

    ids = np.empty(frame.height if ranking.unique else 0, dtype=np.uint64)

    def scan(begin: int, hashes: Hashes) -> Any:
        if ranking.unique:
            ids[begin : begin + STEP] = hashes.of(*ranking.keys, ranking.id).to_numpy()
        return begin + requested.positions(hashes.of(*ranking.on).to_numpy())

    groups = Groups(frame, ranking.keys)
    numbers, positions = groups.numbered(pool.map, scan)
    return pl.Series(ids), groups.keys, numbers, np.concatenate(positions)


def _duplicates(suspects: pl.DataFrame, ranking: Ranking) -> pl.DataFrame:
    """Rows whose id occurs twice in their group."""
    return suspects.filter(pl.struct(*ranking.keys, ranking.id).is_duplicated())
