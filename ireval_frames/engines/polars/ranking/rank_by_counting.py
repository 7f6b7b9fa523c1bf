"""The number of rows before a row in its group, without sorting, for contiguous groups.

Few rows of a run are judged, and the rank of one is one more than the number of better rows.  All rows of a group are
compared with each requested one in turn, which takes a nanosecond per row.  Ids break the ties at the end if these are
few; else the caller sorts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames.engines.base import Ranking

# The number of rows that are compared at once, which fits the cache.
STEP = 1 << 17
# A sort takes as long as this number of comparisons of every row.
MOST_ROUNDS = 60
# The largest number of tied pairs per row; with more, sorting is faster.
MOST_TIES = 0.5


@dataclass
class Compared:
    """The values and ids of rows, their order, and the ties that are found.

    Attributes:
        values: a NumPy array.
        ids: what breaks ties.
        value_descends: larger values come first.
        id_descends: larger ids come first.
        ties: rows, and the numbers of the requested rows with the same value.
    """

    values: Any
    ids: pl.Series
    value_descends: bool
    id_descends: bool
    ties: list[tuple[Any, Any]] = field(default_factory=list)

    def better(self, values: Any, limits: Any) -> Any:
        """Which values are better than the limits."""
        return values > limits if self.value_descends else values < limits

    def add_ties(self, rows: Any, requested: Any) -> bool:
        """Add pairs of rows and requested rows; False if they are too many."""
        self.ties.append((rows, requested))
        return sum(len(rows) for rows, _ in self.ties) <= MOST_TIES * len(self.values)

    def before_in_ties(self, positions: Any) -> Any:
        """The number of rows before each requested row among those of its value."""
        import numpy as np

        rows, requested = (np.concatenate(parts) for parts in zip(*self.ties, strict=True))
        ids, requested_ids = self.ids.gather(rows), self.ids.gather(positions[requested])
        before = (ids > requested_ids) if self.id_descends else (ids < requested_ids)
        return np.bincount(requested[before.to_numpy()], minlength=len(positions))


def compared(frame: pl.DataFrame, ranking: Ranking) -> Compared | None:
    """The rows of a frame; None if their values are not numbers, or some are missing."""
    (column, value_descends), (last, id_descends) = ranking.order_by
    values, ids = frame[column], frame[last]
    if not (values.dtype.is_integer() or values.dtype.is_float()) or values.dtype in (pl.Int128, pl.UInt128):
        return None
    if values.null_count() or ids.null_count() or (values.dtype.is_float() and values.is_nan().any()):
        return None
    return Compared(values.to_numpy(), ids, value_descends, id_descends)


def rows_before(rows: Compared, starts: Any, sizes: Any, positions: Any) -> Any | None:
    """The number of rows before each requested row, in contiguous groups; None if sorting is faster.

    Args:
        rows: the rows.
        starts: where the groups begin, at least of those with requested rows.
        sizes: their numbers of rows.
        positions: the requested rows, ascending.
    """
    import numpy as np

    group = np.searchsorted(starts, positions, side="right") - 1
    groups, requested = np.unique(group, return_counts=True)
    starts, sizes = starts[groups], sizes[groups]
    if (requested * sizes).sum() > MOST_ROUNDS * sizes.sum():
        return None
    out = np.zeros(len(positions), dtype=np.int64)
    numbers = np.cumsum(requested) - requested
    for low, high in _chunks(sizes):
        part = slice(low, high)
        if not _rounds(rows, starts[part], sizes[part], numbers[part], requested[part], positions, out):
            return None
    return out + rows.before_in_ties(positions) if rows.ties else out


def _chunks(sizes: Any) -> Iterator[tuple[int, int]]:
    """Ranges of groups with about STEP rows."""
    import numpy as np

    ends, low = np.cumsum(sizes), 0
    while low < len(sizes):
        before = int(ends[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + STEP, side="right")))
        yield low, high
        low = high


def _within(starts: Any, sizes: Any) -> Any:
    """The positions of the rows of groups."""
    import numpy as np

    offsets = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(starts - offsets, sizes)


def _rounds(rows: Compared, starts: Any, sizes: Any, numbers: Any, requested: Any, positions: Any, out: Any) -> bool:
    """Count for the requested rows of some groups, one per group at a time; False if there are many ties.

    Args:
        rows: the rows.
        starts: where the groups begin.
        sizes: their numbers of rows.
        numbers: the number of each group's first requested row.
        requested: the number of requested rows of each.
        positions: the position of each requested row.
        out: the counts, by the number of the requested row.
    """
    import numpy as np

    values: Any = None
    at: Any = None
    for number in range(int(requested.max())):
        left = requested > number
        if values is None or sizes[left].sum() < 0.5 * sizes.sum():
            # Groups without further requested rows are dropped, but not in every round.
            starts, sizes, numbers, requested = starts[left], sizes[left], numbers[left], requested[left]
            left = np.ones(len(sizes), dtype=bool)
            offsets, end = np.cumsum(sizes) - sizes, int(starts[-1] + sizes[-1])
            contiguous = end - int(starts[0]) == int(sizes.sum())
            at = slice(int(starts[0]), end) if contiguous else _within(starts, sizes)
            values = rows.values[at]
        current = numbers + np.minimum(number, requested - 1)
        limits = np.repeat(rows.values[positions[current]], sizes)
        counts = np.add.reduceat(rows.better(values, limits), offsets, dtype=np.int64)
        out[current[left]] = counts[left]
        same = values == limits
        if np.count_nonzero(same) == len(sizes):
            continue
        tied = np.flatnonzero(same)
        groups = np.searchsorted(offsets, tied, side="right") - 1
        row = tied + int(starts[0]) if isinstance(at, slice) else at[tied]
        others = left[groups] & (row != positions[current[groups]])
        if not rows.add_ties(row[others], current[groups[others]]):
            return False
    return True
