"""Ranking in Spark: counting what is better, or row_number; and the checks of the ranked rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames.engines.base import SHOWN, Engine, Ranking, Way
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.quoting import listed
from ireval_frames.engines.spark import rank_by_counting
from ireval_frames.engines.spark.statement import MadeStep
from ireval_frames.engines.sql.frame import DuckDBFrame
from ireval_frames.engines.sql.ranking import Ranked
from ireval_frames.engines.sql.statement import Step
from ireval_frames.expr import col, lit

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Duplicates are looked for in partitions of about this many rows.
PARTITION = 500_000


class SparkRanked(Ranked):
    """Duplicates are counted where the rows are; only some of them leave Spark."""

    def __init__(self, engine: Engine, frame: DuckDBFrame, ranking: Ranking, partner: Frame | None) -> None:
        super().__init__(engine, frame, ranking, partner)
        self._taken: Way | None = None

    def rows(self) -> DuckDBFrame:
        """Judged rows with their rank where those are wanted alone, else all."""
        all_rows, partner, r = self._ranked(self._frame), self._partner, self._ranking
        if not isinstance(partner, DuckDBFrame) or not (r.on and r.unique) or r.depth is not None:
            self._taken = "sorted"
            return all_rows
        step = all_rows.settled()
        types = {**self._frame.settled().types, "rank": pl.Int64()}
        parents = self._frame.settled(), partner.settled()
        made = MadeStep(step.body, step.columns, types=types, of=parents, run=self._of_judged)
        return DuckDBFrame(self._frame.engine, made)

    def ways(self) -> frozenset[Way]:
        """Counted or sorted, once that was decided."""
        return frozenset([self._taken] if self._rows and self._taken else [])

    def _of_judged(self, frames: Sequence[DataFrame], keep: Callable[[DataFrame], DataFrame]) -> DataFrame | None:
        few = 0 < self._rows < rank_by_counting.FEW_ROWS
        found = None if few else rank_by_counting.ranked(frames[0], frames[1], self._ranking, keep)
        self._taken = "sorted" if found is None else "counted"
        return found

    def _sliced(self) -> list[DuckDBFrame]:
        return [self._frame]

    def _duplicates(self, rows: DuckDBFrame) -> tuple[int, pl.DataFrame | None]:
        """Hashes find candidates, and the ids decide."""
        r = self._ranking
        names = tuple(dict.fromkeys((*r.keys, r.id)))
        if not self._rows or not self._may_repeat(names, -(-self._rows // PARTITION)):
            return 0, None
        twice = rows.count_by(*names).filter(col("n") > 1)
        count = int(self._sum(twice, col("n").cast(pl.Float64)))
        return count, self._engine.collect(twice.sort(*names).head(SHOWN)) if count else None

    def _may_repeat(self, names: tuple[str, ...], parts: int) -> bool:
        """Whether a hash comes twice.

        Rows are sent to so many partitions as they are: to group them before that, which Spark does by itself, takes
        longer than all else, and finds nothing.
        """
        if any(self._frame.dtype(c).is_float() for c in names):
            # Floats of one value may differ in their bits.
            return True
        hashed = self._frame.with_text({"_hash": f"xxhash64({listed(names)})"}).select("_hash").settled()
        spread = Step((f"SELECT /*+ REPARTITION({parts}, _hash) */ * FROM ", hashed), ("_hash",))
        twice = DuckDBFrame(self._frame.engine, spread).count_by("_hash").filter(col("n") > 1)
        return self._sum(twice, lit(1.0)) > 0
