"""How many rows of its group stand before a row, of groups that stand anywhere: bisection of the wanted rows.

A group has few wanted rows, and their values in order are a row of a small table, which stays in the cache.  Every row
is looked up in that of its group by halving, and rows are counted by the limits that they lie between; no row moves.
That makes an evaluation of rows in random order 4.4 (text) and 3.1 times (integers) as fast as to
bring groups together.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.engines.polars.ranking import rank_by_counting
from ireval_frames.engines.polars.ranking.group_numbers import Mapped
from ireval_frames.engines.polars.ranking.rank_by_counting import Compared

# So many rows are looked up at once: they stay in the cache.
STEP = 1 << 16
# The table has so many places for each row at most.
PLACES_PER_ROW = 1.0


class Limits:
    """The values of the wanted rows, by group, from the worst to the best.

    Args:
        rows: the rows.
        group: the number of each row's group.
        groups: how many groups there are.
        positions: the wanted rows, ascending.
    """

    def __init__(self, rows: Compared, group: Any, groups: int, positions: Any) -> None:
        import numpy as np

        self._rows, self._group, self._positions = rows, group, positions
        own = group[positions].astype(np.int64)
        wanted = np.bincount(own, minlength=groups)
        self._halvings = int(wanted.max(initial=0)).bit_length()
        self._width = 1 << self._halvings
        self.fits = groups * self._width <= PLACES_PER_ROW * len(group)
        if not self.fits:
            return
        values = rows.values[positions]
        worst_first = np.unique(values, return_inverse=True)[1] * (1 if rows.falls else -1)
        order = np.lexsort((worst_first, own))
        own, values = own[order], values[order]
        # Behind the wanted rows of a group stands what no value is better than.
        self._table = np.full(groups * self._width, _unbeaten(values.dtype, falls=rows.falls), dtype=values.dtype)
        places = own * self._width + np.arange(len(own)) - (np.cumsum(wanted) - wanted)[own]
        self._table[places] = values
        self._places = np.empty(len(places), dtype=np.int64)
        self._places[order] = places

    def counted(self, mapped: Mapped) -> tuple[Any, Any] | None:
        """How many rows stand before each wanted row, and how many each group has; None if there are many ties."""
        import numpy as np

        step = max(STEP, 2 * len(self._table))
        parts = list(mapped(lambda begin: self._between(begin, begin + step), range(0, len(self._group), step)))
        counts = sum(part[0] for part in parts).reshape(-1, self._width)
        # The rows that are better than the limit before each place; those of the first place are all of the group.
        better = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
        before = better.ravel()[self._places + 1]
        if not self._note(*(np.concatenate([part[i] for part in parts]) for i in (1, 2))):
            return None
        if self._rows.ties:
            before += self._rows.before_in_ties(self._positions)
        return before, better[:, 0]

    def _between(self, begin: int, end: int) -> tuple[Any, Any, Any]:
        """How many of some rows lie at each place of the table; the rows that have the value there, and their place."""
        import numpy as np

        values = self._rows.values[begin:end]
        at = np.multiply(self._group[begin:end], self._width, dtype=np.int64)
        for halving in reversed(range(self._halvings)):
            half = 1 << halving
            better = self._rows.better(values, self._table[half - 1 :].take(at))
            at += np.multiply(better, half, dtype=np.int64)
        same = np.flatnonzero(values == self._table.take(at))
        return np.bincount(at, minlength=len(self._table)), same + begin, at[same]

    def _note(self, rows: Any, places: Any) -> bool:
        """Keep the pairs of rows and wanted rows of one value; False if they are many."""
        import numpy as np

        most = rank_by_counting.MOST_TIES * len(self._group)
        if len(rows) - len(self._positions) > most:
            return False
        times = np.bincount(places, minlength=len(self._table))
        tied = times[places] > 1
        if not tied.any():
            return True
        wanted = places[np.searchsorted(rows, self._positions)]
        if (times[wanted] - 1).sum() > most:
            return False
        alike = pl.DataFrame({"place": places[tied], "row": rows[tied]}).join(
            pl.DataFrame({"place": wanted, "wanted": np.arange(len(wanted))}), on="place"
        )
        there, number = alike["row"].to_numpy(), alike["wanted"].to_numpy()
        others = there != self._positions[number]
        return self._rows.note(there[others], number[others])


def _unbeaten(dtype: Any, *, falls: bool) -> Any:
    """What no value is better than."""
    import numpy as np

    if dtype.kind == "f":
        return np.inf if falls else -np.inf
    return np.iinfo(dtype).max if falls else np.iinfo(dtype).min
