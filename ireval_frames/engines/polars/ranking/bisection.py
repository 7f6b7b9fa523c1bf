"""The number of rows before a row in its group, for rows in random order: by bisection of the requested rows.

A group has few requested rows, and their sorted values are a row of a small table, which fits the cache.  Bisection
finds where each of the other rows lies among those of its group, and counts are summed per interval; no row is moved.
An evaluation of rows in random order is 4.4 (text) and 3.1 times (integers) as fast as with groups gathered first.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.engines.polars.ranking import rank_by_counting
from ireval_frames.engines.polars.ranking.group_numbers import Map
from ireval_frames.engines.polars.ranking.rank_by_counting import Compared

# The number of rows per batch, which fits the cache.
STEP = 1 << 16
# The largest size of the table, in cells for each row.
CELLS_PER_ROW = 1.0


class Bisection:
    """The values of the requested rows by group, from the worst to the best.

    Args:
        rows: the rows.
        group: the number of each row's group.
        groups: the number of groups.
        positions: the requested rows, ascending.
    """

    def __init__(self, rows: Compared, group: Any, groups: int, positions: Any) -> None:
        import numpy as np

        self._rows, self._group, self._positions = rows, group, positions
        own = group[positions].astype(np.int64)
        requested = np.bincount(own, minlength=groups)
        self._halvings = int(requested.max(initial=0)).bit_length()
        self._width = 1 << self._halvings
        self.fits = groups * self._width <= CELLS_PER_ROW * len(group)
        if not self.fits:
            return
        values = rows.values[positions]
        worst_first = np.unique(values, return_inverse=True)[1] * (1 if rows.value_descends else -1)
        order = np.lexsort((worst_first, own))
        own, values = own[order], values[order]
        # After the requested rows of a group comes a value that none is better than.
        self._table = np.full(
            groups * self._width, _best_possible(values.dtype, value_descends=rows.value_descends), dtype=values.dtype
        )
        cells = own * self._width + np.arange(len(own)) - (np.cumsum(requested) - requested)[own]
        self._table[cells] = values
        self._cells = np.empty(len(cells), dtype=np.int64)
        self._cells[order] = cells

    def count(self, map_: Map) -> tuple[Any, Any] | None:
        """The number of rows before each requested row, and the size of each group; None if there are many ties."""
        import numpy as np

        step = max(STEP, 2 * len(self._table))
        parts = list(map_(lambda begin: self._bisect(begin, begin + step), range(0, len(self._group), step)))
        counts = sum(part[0] for part in parts).reshape(-1, self._width)
        # The rows that are better than the value before each cell; for the first cell all of the group.
        better = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
        before = better.ravel()[self._cells + 1]
        if not self._add_ties(*(np.concatenate([part[i] for part in parts]) for i in (1, 2))):
            return None
        if self._rows.ties:
            before += self._rows.before_in_ties(self._positions)
        return before, better[:, 0]

    def _bisect(self, begin: int, end: int) -> tuple[Any, Any, Any]:
        """For some rows, their number in each cell; the rows whose value is that of their cell, and the cell."""
        import numpy as np

        values = self._rows.values[begin:end]
        at = np.multiply(self._group[begin:end], self._width, dtype=np.int64)
        for halving in reversed(range(self._halvings)):
            half = 1 << halving
            better = self._rows.better(values, self._table[half - 1 :].take(at))
            at += np.multiply(better, half, dtype=np.int64)
        same = np.flatnonzero(values == self._table.take(at))
        return np.bincount(at, minlength=len(self._table)), same + begin, at[same]

    def _add_ties(self, rows: Any, cells: Any) -> bool:
        """Add the pairs of rows and requested rows with equal values; False if they are many."""
        import numpy as np

        most = rank_by_counting.MOST_TIES * len(self._group)
        if len(rows) - len(self._positions) > most:
            return False
        counts = np.bincount(cells, minlength=len(self._table))
        tied = counts[cells] > 1
        if not tied.any():
            return True
        requested = cells[np.searchsorted(rows, self._positions)]
        if (counts[requested] - 1).sum() > most:
            return False
        pairs = pl.DataFrame({"cell": cells[tied], "row": rows[tied]}).join(
            pl.DataFrame({"cell": requested, "requested": np.arange(len(requested))}), on="cell"
        )
        row, number = pairs["row"].to_numpy(), pairs["requested"].to_numpy()
        others = row != self._positions[number]
        return self._rows.add_ties(row[others], number[others])


def _best_possible(dtype: Any, *, value_descends: bool) -> Any:
    """The value that no other one is better than."""
    import numpy as np

    if dtype.kind == "f":
        return np.inf if value_descends else -np.inf
    return np.iinfo(dtype).max if value_descends else np.iinfo(dtype).min
