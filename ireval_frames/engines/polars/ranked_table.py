"""A ranked table on Polars: one pass over the rows, at its first use."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.base import Aggregate, Engine, Ranking, Way
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.polars.deferred import compute_once, deferred
from ireval_frames.engines.polars.frame import PolarsFrame
from ireval_frames.engines.polars.hashes import HashSums
from ireval_frames.engines.polars.ranking import batches_in_order, ranked_rows, small_inputs

# Below this number of rows a plan ranks them itself.
FEW_ROWS = 10_000


class RankedTable:
    """The result of the ranking pass, computed on first use and shared by its readers."""

    def __init__(self, frame: PolarsFrame, ranking: Ranking, partner: Frame | None, engine: Engine) -> None:
        self._frame, self._ranking, self._partner, self._engine = frame, ranking, partner, engine
        self._lock = threading.Lock()
        self._result: ranked_rows.Ranked | None = None

    @property
    def _few(self) -> pl.DataFrame | None:
        """The rows, if they are few and in memory."""
        rows = self._frame.rows
        return rows if isinstance(rows, pl.DataFrame) and rows.height < FEW_ROWS else None

    def rows(self) -> Frame:
        """The requested rows with their rank; after the pass they are there, before it deferred."""
        if self._few is not None:
            ranked = small_inputs.rows(self._few.lazy(), self._ranking, self._requested)
            return PolarsFrame(ranked, (*self._frame.columns, "rank"))
        if self._result is not None:
            return PolarsFrame(self._result.rows.lazy())
        return deferred(lambda: self._pass().rows, {**self._frame.types, "rank": pl.Int64})

    def groups(self) -> Frame:
        """A row per group."""
        keys = self._ranking.keys
        if self._few is not None:
            return PolarsFrame(small_inputs.groups(self._few.lazy(), self._ranking), (*keys, "n"))
        if self._result is not None:
            return PolarsFrame(self._result.groups.lazy())
        types = self._frame.types
        return deferred(lambda: self._pass().groups, {k: types[k] for k in keys} | {"n": pl.Int64})

    def grouped(self, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """Of many rows the pass groups each batch as it comes, and retains no ranked row."""
        if self._few is not None or self._result is not None:
            self.check()
            return self._engine.group(self.rows(), keys, aggregates)
        empty = PolarsFrame(pl.DataFrame(schema={**self._frame.types, "rank": pl.Int64})).lazy()
        types = self._engine.group(empty, keys, aggregates).to_native().collect_schema()

        @compute_once
        def result() -> pl.DataFrame:
            with self._engine.errors():
                grouping = keys, aggregates, self._engine.in_order
                return batches_in_order.rank(self._frame.rows, self._ranking, None, grouping=grouping).rows

        return deferred(result, types)

    def check(self) -> None:
        """The pass checks as it goes."""
        few = self._few
        if few is None:
            self._pass()
        else:
            with self._engine.errors():
                small_inputs.check(few, self._ranking)

    def sums(self, columns: Sequence[str], by: Sequence[str]) -> pl.DataFrame | None:
        """Runs the pass if needed and returns its hash sums."""
        summed = HashSums.all(columns, by)
        if self._few is not None or self._result is not None or {*columns} != {*self._frame.columns}:
            return None
        if not {*by} <= {*self._ranking.keys}:
            return None
        sums = self._pass(summed).sums
        return None if sums is None else summed.combine(sums)

    def ways(self) -> frozenset[Way]:
        """Few rows are sorted by the plan itself."""
        if self._few is not None:
            return frozenset(["sorted"])
        return frozenset() if self._result is None else self._result.ways

    @property
    def _requested(self) -> pl.LazyFrame | None:
        if self._partner is None or not self._ranking.on:
            return None
        requested: pl.LazyFrame = self._partner.select(*self._ranking.on).to_native()
        return requested

    def _pass(self, summed: HashSums | None = None) -> ranked_rows.Ranked:
        with self._lock:
            if self._result is None:
                requested = self._requested
                partner = None if requested is None else self._engine.collect(PolarsFrame(requested))
                with self._engine.errors():
                    self._result = batches_in_order.rank(self._frame.rows, self._ranking, partner, summed)
            return self._result
