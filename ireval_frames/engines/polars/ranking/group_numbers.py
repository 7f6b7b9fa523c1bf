"""Numbers for the groups of scattered rows, from 0: found by the hashes of their keys, decided by the keys themselves.

A table of the first bits of the hashes is looked up for each row, and the keys are compared with those of the group
that is found there, which together take a quarter of the time of a group-by of text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl

from ireval_frames.engines.polars.hashes import Hashes, first_bits

Mapped = Callable[[Callable[[int], Any], Iterable[int]], Iterable[Any]]

# So many rows are looked at at once: their hashes stay in the cache.
STEP = 1 << 16
# The groups of so many rows are looked up for all; where they are many, the groups of all rows.
LOOKED_AT = 1 << 17
# Each group has so many of the first rows at least, if it is to be expected that they show nearly all groups.
ROWS_EACH = 8
# The largest table of groups by the first bits of their hash.
MOST_BITS = 22


class Groups:
    """The groups of rows.

    Attributes:
        keys: a row per group, at the place of its number; the same for the same rows.
    """

    def __init__(self, frame: pl.DataFrame, keys: tuple[str, ...]) -> None:
        import numpy as np

        self._frame, self._rows = frame, frame.select(keys)
        self._many: Any = None
        self.keys = self._rows[:LOOKED_AT].unique(maintain_order=True)
        if self.keys.height * ROWS_EACH > LOOKED_AT and frame.height > LOOKED_AT:
            # Most groups are those of a few rows: all hashes are put in order.
            hashes = Hashes(frame).of(*keys).to_numpy()
            _, firsts, self._many = np.unique(hashes, return_index=True, return_inverse=True)
            self.keys = self._rows[firsts]
            return
        bits = min(max(16, self.keys.height.bit_length() + 8), MOST_BITS)
        self._shift = 64 - bits
        self._table: Any = np.zeros(1 << bits, dtype=np.uint32)
        own = Hashes(self.keys).of(*keys).to_numpy()
        self._table[first_bits(own, self._shift)] = np.arange(len(own), dtype=np.uint32)

    def numbered(self, mapped: Mapped, beside: Callable[[int, Hashes], Any] = lambda *_: None) -> tuple[Any, list[Any]]:
        """The number of each row's group.

        Args:
            mapped: calls a function with each of several arguments, in any order or side by side.
            beside: what else is found of the rows that begin at a position, whose hashes it gets.
        """
        import numpy as np

        numbers = np.empty(self._frame.height, dtype=np.uint32)

        def look(begin: int) -> tuple[Any, Any]:
            hashes = Hashes(self._frame[begin : begin + STEP])
            numbers[begin : begin + STEP], wrong = self._guessed(begin, hashes)
            return wrong, beside(begin, hashes)

        found = list(mapped(look, range(0, len(numbers), STEP)))
        self._correct(numbers, np.concatenate([wrong for wrong, _ in found]))
        return numbers, [other for _, other in found]

    def _guessed(self, begin: int, hashes: Hashes) -> tuple[Any, Any]:
        """The numbers that the hashes of rows tell, and the positions of rows that are of another group."""
        import numpy as np

        if self._many is None:
            numbers = self._table.take(first_bits(hashes.of(*self._rows.columns).to_numpy(), self._shift))
        else:
            numbers = self._many[begin : begin + STEP].astype(np.uint32)
        at = pl.Series(numbers)
        rows = self._rows[begin : begin + STEP]
        differ = [rows[key].ne_missing(self.keys[key].gather(at)) for key in rows.columns]
        wrong = [begin + one.arg_true().to_numpy().astype(np.int64) for one in differ if one.any()]
        return numbers, np.concatenate([np.empty(0, dtype=np.int64), *wrong])

    def _correct(self, numbers: Any, wrong: Any) -> None:
        """Set the numbers of rows for which another group was found; groups that are new get the next numbers."""
        if not len(wrong):
            return
        keys = self._rows.columns
        rows = self._rows[wrong]
        new = rows.join(self.keys, on=keys, how="anti", nulls_equal=True, maintain_order="left")
        self.keys = pl.concat([self.keys, new.unique(maintain_order=True)])
        index = self.keys.with_row_index("_group")
        found = rows.join(index, on=keys, how="left", nulls_equal=True, maintain_order="left")
        numbers[wrong] = found["_group"].to_numpy()
