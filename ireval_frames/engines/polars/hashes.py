"""Hashes of rows on Polars, and what they sum to: the sums tell tables apart, and not the order of their rows."""

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
# Pieces that stay in the processor's cache, and are so few that threads seldom wait for each other.
PIECE = 1 << 18
FEW = 100_000
# A sieve has so many places for each of its hashes, in bits, and so many in all; of these the cache holds so many.
SPARSE_BITS, MOST_BITS, CACHED_BITS = 6, 24, 18


class Hashes:
    """Hashes of a frame's columns, each made once; they pick candidates and never decide."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame
        self._made: dict[str, pl.Series] = {}

    def of(self, *columns: str) -> pl.Series:
        """One number per row that is equal for equal values, whatever the order of the columns."""
        return functools.reduce(operator.xor, map(self._column, columns))

    def _column(self, name: str) -> pl.Series:
        if name not in self._made:
            self._made[name] = self._frame[name].hash(_seed(name))
        return self._made[name]


class Sieve:
    """Some hashes, found among many: tables of their first bits let nearly no other one through.

    Args:
        hashes: as a NumPy array.
    """

    def __init__(self, hashes: Any) -> None:
        import numpy as np

        self._sorted: Any = np.unique(hashes)
        bits = min(len(self._sorted).bit_length() + SPARSE_BITS, MOST_BITS)
        # Most are stopped by a table that stays in the cache.
        self._tables = [(64 - n, self._table(n)) for n in (min(bits, CACHED_BITS), bits)]

    def _table(self, bits: int) -> Any:
        import numpy as np

        table = np.zeros(1 << bits, dtype=bool)
        table[first_bits(self._sorted, 64 - bits)] = True
        return table

    def positions(self, among: Any) -> Any:
        """Where they stand among others."""
        import numpy as np

        (some, few), (more, many) = self._tables
        through = np.flatnonzero(few.take(first_bits(among, some)))
        through = through[many.take(first_bits(among[through], more))]
        if not len(through):
            return through
        sought = among[through]
        nearest = np.minimum(np.searchsorted(self._sorted, sought), len(self._sorted) - 1)
        return through[self._sorted[nearest] == sought]


def all_differ(hashes: pl.Series) -> bool:
    """Whether no hash is there twice."""
    if hashes.len() < FEW:
        # Threads cost more.
        return hashes.n_unique() == hashes.len()
    with ThreadPoolExecutor(2) as pool:
        return all(half.result() for half in halves_differ(hashes, pool))


def halves_differ(hashes: pl.Series, pool: ThreadPoolExecutor) -> list[Future[bool]]:
    """Whether no hash is there twice, for the lower half of numbers and the upper one.

    Two sorts in a thread each take three quarters of the time of `n_unique`, and half of that of NumPy's sort.
    """

    def differ(*, upper: bool) -> bool:
        half = hashes.filter(hashes >= 1 << 63 if upper else hashes < 1 << 63).sort(multithreaded=False)
        return not (half.slice(1) == half.slice(0, max(0, half.len() - 1))).any()

    return [pool.submit(differ, upper=upper) for upper in (False, True)]


def first_bits(hashes: Any, shift: int) -> Any:
    """The bits of NumPy's hashes before the last `shift`, as it takes places: signed numbers, others it converts."""
    import numpy as np

    return (hashes >> np.uint64(shift)).view(np.int64)


@dataclass(frozen=True)
class Summed:
    """What is summed: the hashes of these columns, per group of `by`."""

    columns: tuple[str, ...]
    by: tuple[str, ...] = ()

    @classmethod
    def all(cls, names: Iterable[str], by: Sequence[str]) -> Summed:
        """All columns, in the order of their names."""
        return cls(tuple(sorted(set(names) - set(by))), tuple(by))

    def lazily(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """A row per group: [by …] n_rows, and the sum of the hashes of the rows."""
        # Products of hashes: of their exclusive ors, sums would cancel out now and then.
        row = functools.reduce(operator.mul, (pl.col(c).hash(_seed(c)) for c in self.columns))
        hashes = rows.select(*self.by, row.alias(SUM))
        return hashes.group_by(*self.by).agg(*_TOLD) if self.by else hashes.select(*_TOLD)

    def of_batch(self, batch: pl.DataFrame, groups: pl.DataFrame, starts: pl.Series, hashes: Hashes) -> pl.DataFrame:
        """The same of rows whose columns are hashed for the most part.

        Groups, of which `groups` has the keys, begin at the `starts`; groups of `by` at some of them.
        """
        import numpy as np

        # A factor that all rows of a group have is multiplied once.
        differing = [c for c in self.columns if c not in groups.columns] or list(self.columns)
        first, *columns = (hashes.of(c).to_numpy() for c in differing)
        sums = pl.zeros(starts.len(), dtype=pl.UInt64, eager=True).to_numpy(writable=True)
        at = starts.to_numpy()
        rows = np.empty(min(PIECE, batch.height), dtype=np.uint64)
        for begin in range(0, batch.height, PIECE):
            end = min(begin + PIECE, batch.height)
            row = first[begin:end]
            for column in columns:
                row = np.multiply(row, column[begin:end], out=rows[: end - begin])
            low = int(np.searchsorted(at, begin, side="right")) - 1
            high = int(np.searchsorted(at, end))
            inside = np.maximum(at[low:high].astype(np.int64) - begin, 0)
            sums[low:high] += np.add.reduceat(row, inside)
        for name in (c for c in self.columns if c not in differing):
            np.multiply(sums, hashes.of(name).gather(starts).to_numpy(), out=sums)
        told = groups.select(*self.by, n_rows="n").with_columns(pl.Series(SUM, sums))
        return self.together(told)

    def together(self, parts: pl.DataFrame) -> pl.DataFrame:
        """The sums of parts of the rows as those of all."""
        return parts.group_by(*self.by).sum() if self.by else parts.sum()


_TOLD = (pl.len().cast(pl.Int64).alias("n_rows"), pl.col(SUM).sum())


def _seed(name: str) -> int:
    # Columns get different seeds, so that equal values in two of them do not cancel out.
    return zlib.crc32(name.encode())
