"""How many rows of its group stand before a row, without putting the rows in order: for groups that stand together.

Few rows of a run are judged, and the rank of one of them is one more than the number of rows that are better.  All rows
of a group are compared with each wanted one in turn, which takes a nanosecond a row.  Rows of one value are told apart
by their ids in the end; they are few, or the caller is told to sort.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames.engines.base import Ranking

# So many rows are compared at once: they stay in the cache.
STEP = 1 << 17
# A sort takes as long as so many comparisons of every row.
MOST_ROUNDS = 60
# So many pairs of rows of one value are told apart by their ids, for each row; of more, sorting is faster.
MOST_TIES = 0.5


@dataclass
class Compared:
    """The values and ids of rows, and what is better; filled with the ties that are found."""

    values: Any
    """A NumPy array."""
    ids: pl.Series
    falls: bool
    descends: bool
    ties: list[tuple[Any, Any]] = field(default_factory=list)
    """Rows and the wanted rows, by their number, whose value they have."""

    def better(self, values: Any, limits: Any) -> Any:
        """Which values are better than the limits."""
        return values > limits if self.falls else values < limits

    def note(self, rows: Any, wanted: Any) -> bool:
        """Keep pairs of rows and wanted rows for the end; False if they are too many."""
        self.ties.append((rows, wanted))
        return sum(len(rows) for rows, _ in self.ties) <= MOST_TIES * len(self.values)

    def before_in_ties(self, positions: Any) -> Any:
        """The number of rows before each wanted row among those of its value."""
        import numpy as np

        rows, wanted = (np.concatenate(parts) for parts in zip(*self.ties, strict=True))
        mine, others = self.ids.gather(rows), self.ids.gather(positions[wanted])
        before = (mine > others) if self.descends else (mine < others)
        return np.bincount(wanted[before.to_numpy()], minlength=len(positions))


def compared(frame: pl.DataFrame, ranking: Ranking) -> Compared | None:
    """The rows of a frame; None if their values are no numbers, or some are missing."""
    (column, falls), (last, descends) = ranking.order_by
    values, ids = frame[column], frame[last]
    if not (values.dtype.is_integer() or values.dtype.is_float()) or values.dtype in (pl.Int128, pl.UInt128):
        return None
    if values.null_count() or ids.null_count() or (values.dtype.is_float() and values.is_nan().any()):
        return None
    return Compared(values.to_numpy(), ids, falls, descends)


def rows_before(rows: Compared, starts: Any, sizes: Any, positions: Any) -> Any | None:
    """How many rows stand before each wanted row, of groups that stand together; None if sorting is faster.

    Args:
        rows: the rows.
        starts: where the groups begin, of those that hold wanted rows at least.
        sizes: how many rows they have.
        positions: the wanted rows, ascending.
    """
    import numpy as np

    group = np.searchsorted(starts, positions, side="right") - 1
    held, wanted = np.unique(group, return_counts=True)
    starts, sizes = starts[held], sizes[held]
    if (wanted * sizes).sum() > MOST_ROUNDS * sizes.sum():
        return None
    out = np.zeros(len(positions), dtype=np.int64)
    numbers = np.cumsum(wanted) - wanted
    for low, high in _chunks(sizes):
        part = slice(low, high)
        if not _rounds(rows, starts[part], sizes[part], numbers[part], wanted[part], positions, out):
            return None
    return out + rows.before_in_ties(positions) if rows.ties else out


def _chunks(sizes: Any) -> Iterator[tuple[int, int]]:
    """Ranges of groups that have about STEP rows."""
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

    places = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(starts - places, sizes)


def _rounds(rows: Compared, starts: Any, sizes: Any, numbers: Any, wanted: Any, positions: Any, out: Any) -> bool:
    """Count for the wanted rows of some groups, one of each group at a time; False if there are many ties.

    Args:
        rows: the rows.
        starts: where the groups begin.
        sizes: how many rows they have.
        numbers: the number of each group's first wanted row.
        wanted: how many wanted rows each has.
        positions: the position of each wanted row.
        out: the counts, by the number of the wanted row.
    """
    import numpy as np

    values: Any = None
    at: Any = None
    for number in range(int(wanted.max())):
        left = wanted > number
        if values is None or sizes[left].sum() < 0.5 * sizes.sum():
            # Groups that have no more wanted rows are left out, not in every round.
            starts, sizes, numbers, wanted = starts[left], sizes[left], numbers[left], wanted[left]
            left = np.ones(len(sizes), dtype=bool)
            offsets, end = np.cumsum(sizes) - sizes, int(starts[-1] + sizes[-1])
            alone = end - int(starts[0]) == int(sizes.sum())
            at = slice(int(starts[0]), end) if alone else _within(starts, sizes)
            values = rows.values[at]
        mine = numbers + np.minimum(number, wanted - 1)
        limits = np.repeat(rows.values[positions[mine]], sizes)
        counts = np.add.reduceat(rows.better(values, limits), offsets, dtype=np.int64)
        out[mine[left]] = counts[left]
        same = values == limits
        if np.count_nonzero(same) == len(sizes):
            continue
        found = np.flatnonzero(same)
        groups = np.searchsorted(offsets, found, side="right") - 1
        places = found + int(starts[0]) if isinstance(at, slice) else at[found]
        others = left[groups] & (places != positions[mine[groups]])
        if not rows.note(places[others], mine[groups[others]]):
            return False
    return True
