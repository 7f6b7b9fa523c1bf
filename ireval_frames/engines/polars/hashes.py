"""Hashes of rows on Polars, and their sums, which differ between tables but do not depend on the order of rows."""

from __future__ import annotations

import functools
import operator
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import polars as pl

# The column of sums, modulo 2^64, beside `n_rows`.
SUM = "ireval_hash"
# Chunks that fit the processor's cache, and are so few that threads seldom wait for each other.
CHUNK = 1 << 18
FEW = 100_000
# A filter's table has 2^SPARSE_BITS cells per hash, and 2^MOST_BITS in all; the cache holds 2^CACHED_BITS.
SPARSE_BITS, MOST_BITS, CACHED_BITS = 6, 24, 18


class Hashes:
    """Hashes of a frame's columns, each computed once; they give candidates and never decide."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame
        self._columns: dict[str, pl.Series] = {}

    def of(self, *columns: str) -> pl.Series:
        """One number per row, equal for equal values, whatever the order of the columns."""
        return functools.reduce(operator.xor, map(self._column, columns))

    def _column(self, name: str) -> pl.Series:
        if name not in self._columns:
            self._columns[name] = self._frame[name].hash(_seed(name))
        return self._columns[name]


class HashFilter:
    """Finds some hashes among many: tables of their first bits reject nearly all others.

    Args:
        hashes: as a NumPy array.
    """

    def __init__(self, hashes: Any) -> None:
        import numpy as np

        self._sorted: Any = np.unique(hashes)
        bits = min(len(self._sorted).bit_length() + SPARSE_BITS, MOST_BITS)
        # The first table, which fits the cache, rejects most.
        self._tables = [(64 - n, self._table(n)) for n in (min(bits, CACHED_BITS), bits)]

    def _table(self, bits: int) -> Any:
        import numpy as np

        table = np.zeros(1 << bits, dtype=bool)
        table[first_bits(self._sorted, 64 - bits)] = True
        return table

    def positions(self, among: Any) -> Any:
        """Their positions among others."""
        import numpy as np

        (shift, small), (large_shift, large) = self._tables
        candidates = np.flatnonzero(small.take(first_bits(among, shift)))
        candidates = candidates[large.take(first_bits(among[candidates], large_shift))]
        if not len(candidates):
            return candidates
        hashes = among[candidates]
        nearest = np.minimum(np.searchsorted(self._sorted, hashes), len(self._sorted) - 1)
        return candidates[self._sorted[nearest] == hashes]


def all_differ(hashes: pl.Series) -> bool:
    """Whether no hash occurs twice."""
    if hashes.len() < FEW:
        # Threads would take longer.
        return hashes.n_unique() == hashes.len()
    with ThreadPoolExecutor(2) as pool:
        return all(half.result() for half in halves_differ(hashes, pool))


def halves_differ(hashes: pl.Series, pool: ThreadPoolExecutor) -> list[Future[bool]]:
    """Whether no hash occurs twice, for the lower half of the numbers and the upper one.

    Two sorts in a thread each take three quarters of the time of `n_unique`, and half of that of NumPy's sort.
    """

    def differ(*, upper: bool) -> bool:
        half = hashes.filter(hashes >= 1 << 63 if upper else hashes < 1 << 63).sort(multithreaded=False)
        return not (half.slice(1) == half.slice(0, max(0, half.len() - 1))).any()

    return [pool.submit(differ, upper=upper) for upper in (False, True)]


def first_bits(hashes: Any, shift: int) -> Any:
    """The bits of hashes before the last `shift`, as the signed integers that NumPy indexes with."""
    import numpy as np

    return (hashes >> np.uint64(shift)).view(np.int64)


@dataclass(frozen=True)
class HashSums:
    """Sums of the hashes of these columns, per group of `by`."""

    columns: tuple[str, ...]
    by: tuple[str, ...] = ()

    @classmethod
    def all(cls, names: Iterable[str], by: Sequence[str]) -> HashSums:
        """All columns, in the order of their names."""
        return cls(tuple(sorted(set(names) - set(by))), tuple(by))

    def of_rows(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """A row per group: [by …] n_rows, and the sum of the hashes of the rows."""
        # Products of hashes: sums of XORs would cancel out now and then.
        row = functools.reduce(operator.mul, (pl.col(c).hash(_seed(c)) for c in self.columns))
        hashes = rows.select(*self.by, row.alias(SUM))
        return hashes.group_by(*self.by).agg(*_SUMS) if self.by else hashes.select(*_SUMS)

    def of_batch(self, batch: pl.DataFrame, groups: pl.DataFrame, starts: pl.Series, hashes: Hashes) -> pl.DataFrame:
        """The same for a batch whose columns are already hashed for the most part.

        Groups, of which `groups` has the keys, begin at the `starts`; groups of `by` at some of them.
        """
        import numpy as np

        # A factor that is constant within a group is multiplied once.
        differing = [c for c in self.columns if c not in groups.columns] or list(self.columns)
        first, *columns = (hashes.of(c).to_numpy() for c in differing)
        sums = pl.zeros(starts.len(), dtype=pl.UInt64, eager=True).to_numpy(writable=True)
        at = starts.to_numpy()
        rows = np.empty(min(CHUNK, batch.height), dtype=np.uint64)
        for begin in range(0, batch.height, CHUNK):
            end = min(begin + CHUNK, batch.height)
            row = first[begin:end]
            for column in columns:
                row = np.multiply(row, column[begin:end], out=rows[: end - begin])
            low = int(np.searchsorted(at, begin, side="right")) - 1
            high = int(np.searchsorted(at, end))
            inside = np.maximum(at[low:high].astype(np.int64) - begin, 0)
            sums[low:high] += np.add.reduceat(row, inside)
        for name in (c for c in self.columns if c not in differing):
            np.multiply(sums, hashes.of(name).gather(starts).to_numpy(), out=sums)
        return self.combine(groups.select(*self.by, n_rows="n").with_columns(pl.Series(SUM, sums)))

    def combine(self, parts: pl.DataFrame) -> pl.DataFrame:
        """The sums of all rows from those of parts."""
        return parts.group_by(*self.by).sum() if self.by else parts.sum()


_SUMS = (pl.len().cast(pl.Int64).alias("n_rows"), pl.col(SUM).sum())


def _seed(name: str) -> int:
    # Columns have different seeds, so that equal values in two of them do not cancel out.
    return zlib.crc32(name.encode())
