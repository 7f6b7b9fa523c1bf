"""Ranking on Polars where the rows of a group stand anywhere.

Of few wanted rows the better ones are counted (`polars_better`), and nothing is moved but numbers; else the groups are
brought together first.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl

from ireval_frames.engines import polars_better
from ireval_frames.engines.base import Ranking
from ireval_frames.engines.polars_hashes import Hashes
from ireval_frames.engines.polars_ranked import Ranked, check, ranked_rows

# The largest table of groups by the first bits of their hash.
MOST_BITS = 22


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
    index = frame.lazy().select(ranking.keys).unique().with_row_index("_group").collect()
    keys = frame.select(ranking.keys)
    group = keys.join(index, on=ranking.keys, how="left", nulls_equal=True, maintain_order="left")["_group"]
    return frame[group.arg_sort()]


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
    hashes = Hashes(frame)
    with ThreadPoolExecutor(max_workers=1) as pool:
        # Most of these steps keep only one core busy.
        sought = hashes.of(*ranking.on)
        found = pool.submit(lambda: sought.is_in(wanted).arg_true())
        pool.submit(lambda: rows.rising)
        duplicates = pool.submit(_duplicates, frame, hashes.of(*ranking.keys, ranking.id), ranking)
        groups = frame.lazy().group_by(ranking.keys).agg(pl.len().cast(pl.Int64).alias("n")).collect()
        names = Hashes(groups).of(*ranking.keys)
        if names.n_unique() < groups.height:
            # Two groups of one hash cannot be told apart by it.
            return None
        positions, group = found.result(), numbered(hashes.of(*ranking.keys), names)
        before = polars_better.scattered(rows, group, groups["n"].to_numpy(), positions.to_numpy().astype(np.int64))
        if before is None:
            return None
        return ranked_rows(frame[positions], pl.Series(before + 1), groups, duplicates.result(), ranking, "counted")


def numbered(hashes: pl.Series, names: pl.Series) -> Any:
    """The place of each hash among the names, all of which differ.

    The first bits of nearly all names tell them apart, and a look at a table takes a third of the time of a join.
    """
    import numpy as np

    bits = min(max(16, names.len().bit_length() + 8), MOST_BITS)
    shift, own = np.uint64(64 - bits), names.to_numpy()
    slots, times = np.unique(own >> shift, return_counts=True)
    table = np.full(1 << bits, names.len(), dtype=np.uint64)
    table[own >> shift] = np.arange(len(own), dtype=np.uint64)
    table[slots[times > 1]] = names.len()
    out = table[hashes.to_numpy() >> shift]
    unclear = np.flatnonzero(out == names.len())
    if len(unclear):
        numbers = pl.int_range(names.len(), dtype=pl.UInt64, eager=True)
        out[unclear] = hashes.gather(unclear).replace_strict(names, numbers, return_dtype=pl.UInt64).to_numpy()
    return out


def _duplicates(frame: pl.DataFrame, hashes: pl.Series, ranking: Ranking) -> pl.DataFrame:
    """Rows whose id stands twice in their group: hashes that stand twice find candidates, and the ids decide."""
    if not ranking.unique:
        return frame.clear()
    ordered = hashes.sort(multithreaded=False)
    twice = ordered.slice(1).filter(ordered.slice(1) == ordered.slice(0, max(0, ordered.len() - 1)))
    if twice.is_empty():
        return frame.clear()
    suspects = frame.filter(hashes.is_in(twice.unique().implode()))
    return suspects.filter(pl.struct(*ranking.keys, ranking.id).is_duplicated())
