"""Ranking in Spark: by counting better rows, or by row_number; and the checks of the ranked rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames.engines.base import SHOWN, Engine, Ranking, Way
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.quoting import listed
from ireval_frames.engines.spark import rank_by_counting
from ireval_frames.engines.spark.statement import PythonStep
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.ranking import Ranked
from ireval_frames.engines.sql.statement import Step
from ireval_frames.expr import col, lit

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Duplicates are looked for in partitions of about this many rows.
PARTITION = 500_000


class SparkRanked(Ranked):
    """Duplicates are counted in Spark, and only those that an error shows are collected."""

    def __init__(self, engine: Engine, frame: SQLFrame, ranking: Ranking, partner: Frame | None) -> None:
        super().__init__(engine, frame, ranking, partner)
        self._way: Way | None = None

    def rows(self) -> SQLFrame:
        """Judged rows with their rank where those are enough, else all."""
        all_rows, partner, r = self._ranked(self._frame), self._partner, self._ranking
        if not isinstance(partner, SQLFrame) or not (r.on and r.unique) or r.depth is not None:
            self._way = "sorted"
            return all_rows
        step = all_rows.as_step()
        types = {**self._frame.as_step().types, "rank": pl.Int64()}
        parents = self._frame.as_step(), partner.as_step()
        ranked = PythonStep(step.body, step.columns, types=types, of=parents, run=self._of_judged)
        return SQLFrame(self._frame.engine, ranked)

    def ways(self) -> frozenset[Way]:
        """Counted or sorted, once that is decided."""
        return frozenset([self._way] if self._rows and self._way else [])

    def _of_judged(self, frames: Sequence[DataFrame], checkpoint: Callable[[DataFrame], DataFrame]) -> DataFrame | None:
        few = 0 < self._rows < rank_by_counting.FEW_ROWS
        ranked = None if few else rank_by_counting.ranked(frames[0], frames[1], self._ranking, checkpoint)
        self._way = "sorted" if ranked is None else "counted"
        return ranked

    def _sliced(self) -> list[SQLFrame]:
        return [self._frame]

    def _duplicates(self, rows: SQLFrame) -> tuple[int, pl.DataFrame | None]:
        """Hashes give candidates, and the ids decide."""
        r = self._ranking
        names = tuple(dict.fromkeys((*r.keys, r.id)))
        if not self._rows or not self._may_repeat(names, -(-self._rows // PARTITION)):
            return 0, None
        repeated = rows.count_by(*names).filter(col("n") > 1)
        count = int(self._sum(repeated, col("n").cast(pl.Float64)))
        return count, self._engine.collect(repeated.sort(*names).head(SHOWN)) if count else None

    def _may_repeat(self, names: tuple[str, ...], parts: int) -> bool:
        """Whether a hash occurs twice.

        Rows are repartitioned without grouping them first, which Spark would do by itself: it would take longer than
        all else, since hardly any row has a duplicate.
        """
        if any(self._frame.dtype(c).is_float() for c in names):
            # Equal floats may differ in their bits.
            return True
        hashed = self._frame.with_text({"_hash": f"xxhash64({listed(names)})"}).select("_hash").as_step()
        spread = Step((f"SELECT /*+ REPARTITION({parts}, _hash) */ * FROM ", hashed), ("_hash",))
        repeated = SQLFrame(self._frame.engine, spread).count_by("_hash").filter(col("n") > 1)
        return self._sum(repeated, lit(1.0)) > 0
