"""Numbers for the groups of scattered rows, from 0: looked up by the hashes of their keys, and checked by the keys.

The first bits of each row's hash are looked up in a table of groups, and the keys are compared with those of that
group, which together takes a quarter of the time of a group-by of text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl

from ireval_frames.engines.polars.hashes import Hashes, first_bits

Map = Callable[[Callable[[int], Any], Iterable[int]], Iterable[Any]]

# The number of rows per batch, whose hashes fit the cache.
STEP = 1 << 16
# The number of first rows whose groups are looked up; if these are many, the groups of all rows are.
SAMPLE_ROWS = 1 << 17
# The first rows show nearly all groups if each of these has at least this number of rows among them.
ROWS_EACH = 8
# The number of bits that index the largest table.
MOST_BITS = 22


class Groups:
    """The groups of rows.

    Attributes:
        keys: a row per group, in the order of their numbers; the same for the same rows.
    """

    def __init__(self, frame: pl.DataFrame, keys: tuple[str, ...]) -> None:
        import numpy as np

        self._frame, self._rows = frame, frame.select(keys)
        self._sorted_groups: Any = None
        self.keys = self._rows[:SAMPLE_ROWS].unique(maintain_order=True)
        if self.keys.height * ROWS_EACH > SAMPLE_ROWS and frame.height > SAMPLE_ROWS:
            # Most groups have a few rows: all hashes are sorted.
            hashes = Hashes(frame).of(*keys).to_numpy()
            _, firsts, self._sorted_groups = np.unique(hashes, return_index=True, return_inverse=True)
            self.keys = self._rows[firsts]
            return
        bits = min(max(16, self.keys.height.bit_length() + 8), MOST_BITS)
        self._shift = 64 - bits
        self._table: Any = np.zeros(1 << bits, dtype=np.uint32)
        own = Hashes(self.keys).of(*keys).to_numpy()
        self._table[first_bits(own, self._shift)] = np.arange(len(own), dtype=np.uint32)

    def numbered(self, map_: Map, also: Callable[[int, Hashes], Any] = lambda *_: None) -> tuple[Any, list[Any]]:
        """The number of each row's group.

        Args:
            map_: calls a function with each of several arguments, in any order or in parallel.
            also: a function of a batch's position and hashes, whose results are returned too.
        """
        import numpy as np

        numbers = np.empty(self._frame.height, dtype=np.uint32)

        def number(begin: int) -> tuple[Any, Any]:
            hashes = Hashes(self._frame[begin : begin + STEP])
            numbers[begin : begin + STEP], wrong = self._looked_up(begin, hashes)
            return wrong, also(begin, hashes)

        batches = list(map_(number, range(0, len(numbers), STEP)))
        self._correct(numbers, np.concatenate([wrong for wrong, _ in batches]))
        return numbers, [other for _, other in batches]

    def _looked_up(self, begin: int, hashes: Hashes) -> tuple[Any, Any]:
        """The numbers of groups by the hashes of rows, and the positions of rows that are of another group."""
        import numpy as np

        if self._sorted_groups is None:
            numbers = self._table.take(first_bits(hashes.of(*self._rows.columns).to_numpy(), self._shift))
        else:
            numbers = self._sorted_groups[begin : begin + STEP].astype(np.uint32)
        at = pl.Series(numbers)
        rows = self._rows[begin : begin + STEP]
        differ = [rows[key].ne_missing(self.keys[key].gather(at)) for key in rows.columns]
        wrong = [begin + one.arg_true().to_numpy().astype(np.int64) for one in differ if one.any()]
        return numbers, np.concatenate([np.empty(0, dtype=np.int64), *wrong])

    def _correct(self, numbers: Any, wrong: Any) -> None:
        """Correct the numbers of rows of another group; new groups get the next numbers."""
        if not len(wrong):
            return
        keys = self._rows.columns
        rows = self._rows[wrong]
        new = rows.join(self.keys, on=keys, how="anti", nulls_equal=True, maintain_order="left")
        self.keys = pl.concat([self.keys, new.unique(maintain_order=True)])
        index = self.keys.with_row_index("_group")
        corrected = rows.join(index, on=keys, how="left", nulls_equal=True, maintain_order="left")
        numbers[wrong] = corrected["_group"].to_numpy()
