"""What an engine's ranking of a table offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import polars as pl

from ireval_frames.engines.base import Aggregate, Way
from ireval_frames.engines.frame import Frame


class RankedRows(Protocol):
    """A ranked table, computed once on first use."""

    def rows(self) -> Frame:
        """The requested rows with their `rank`."""

    def groups(self) -> Frame:
        """A row per group with its number of rows `n`."""

    def grouped(self, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """A row per distinct keys of the requested rows, with counts, sums, minima and maxima of their columns.

        It needs the memory of its own rows, not that of the ranked ones, where the engine ranks in parts.  The rows are
        checked now, or as they are ranked.
        """

    def check(self) -> None:
        """Raise the error of the first rule that a row breaks."""

    def ways(self) -> frozenset[Way]:
        """How the ranks were computed; empty before that."""

    def sums(self, columns: Sequence[str], by: Sequence[str]) -> pl.DataFrame | None:
        """[by …] n_rows, and the sum of the hashes of all rows, if the ranking pass can compute it; runs that pass.

        None where the ranks are there already, or are computed otherwise.

        Args:
            columns: those of the rows.
            by: some of the keys, for a sum per group.
        """
