"""Ranking on Polars where the rows of a group stand anywhere.

Groups get numbers (`polars_numbered`).  Of few wanted rows the better ones are counted (`polars_limits`, and
`polars_better` where a group has many), and nothing is moved but numbers; else the groups are brought together first.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl

from ireval_frames.engines import polars_better
from ireval_frames.engines.base import Ranking
from ireval_frames.engines.polars_hashes import Hashes, Sieve
from ireval_frames.engines.polars_limits import Limits
from ireval_frames.engines.polars_numbered import STEP, Groups
from ireval_frames.engines.polars_ranked import Ranked, check, ranked_rows

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
    import numpy as np

    groups = Groups(frame, ranking.keys)
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        numbers, _ = groups.numbered(pool.map)
    # NumPy puts numbers of 16 bits in order without comparing them.
    few = groups.keys.height <= 1 << 16
    order = pl.Series(np.argsort(numbers.astype(np.uint16), kind="stable")) if few else pl.Series(numbers).arg_sort()
    return frame[order.cast(pl.UInt32)]


def ranked(frame: pl.DataFrame, ranking: Ranking, wanted: pl.Series) -> Ranked | None:
    """The rows whose hash is wanted; None where their groups must be brought together.

    Raises:
        IrevalError: the error of the first rule that a row breaks.
    """
    import numpy as np

    check(frame, ranking)
    rows = polars_better.compared(frame, ranking)
    if rows is None:
        return None
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        # Most of these steps keep only one core busy.
        told, groups, numbers, positions = _looked_at(frame, ranking, Sieve(wanted.to_numpy()), pool)
        duplicates = pool.submit(_duplicates, frame, told, ranking)
        limits = Limits(rows, numbers, groups.height, positions)
        if limits.fits:
            found = limits.counted(pool.map)
        else:
            sizes = np.bincount(numbers, minlength=groups.height)
            before = polars_better.scattered(rows, numbers.astype(np.uint64), sizes, positions)
            found = None if before is None else (before, sizes)
        if found is None:
            return None
        counted = groups.with_columns(pl.Series("n", found[1], dtype=pl.Int64))
        return ranked_rows(frame[positions], pl.Series(found[0] + 1), counted, duplicates.result(), ranking, "counted")


def _looked_at(
    frame: pl.DataFrame, ranking: Ranking, wanted: Sieve, pool: ThreadPoolExecutor
) -> tuple[Any, pl.DataFrame, Any, Any]:
    """Half of each row's hash, the groups, the number of each row's, and the positions of the wanted rows."""
    import numpy as np

    told = np.empty(frame.height if ranking.unique else 0, dtype=np.uint32)

    def look(begin: int, hashes: Hashes) -> Any:
        if ranking.unique:
            whole = hashes.of(*ranking.keys, ranking.id).to_numpy()
            told[begin : begin + len(whole)] = whole >> np.uint64(32)
        return begin + wanted.positions(hashes.of(*ranking.on).to_numpy())

    groups = Groups(frame, ranking.keys)
    numbers, positions = groups.numbered(pool.map, look)
    return told, groups.keys, numbers, np.concatenate(positions)


def _duplicates(frame: pl.DataFrame, told: Any, ranking: Ranking) -> pl.DataFrame:
    """Rows whose id stands twice in their group: halves of hashes that stand twice find candidates, the ids decide."""
    import numpy as np

    if not ranking.unique:
        return frame.clear()
    # NumPy sorts numbers of 32 bits twice as fast as those of 64.
    ordered = np.sort(told)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(twice):
        return frame.clear()
    sieve = Sieve(twice)
    found = [begin + sieve.positions(told[begin : begin + STEP]) for begin in range(0, len(told), STEP)]
    suspects = frame[np.concatenate(found)]
    suspects = suspects.filter(Hashes(suspects).of(*ranking.keys, ranking.id).is_duplicated())
    return suspects.filter(pl.struct(*ranking.keys, ranking.id).is_duplicated())
