"""Ranking in Spark: row_number, and the checks of the ranked rows."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.duckdb_ranking import Ranked

SHOWN = 10


class SparkRanked(Ranked):
    """Duplicates are counted where the rows are; only some of them leave Spark."""

    def _check_duplicates(self, parts: int) -> None:
        if not parts:
            return
        r = self._ranking
        names = tuple(dict.fromkeys((*r.keys, r.id)))
        twice = self._frame.counted(*names).filter(nw.col("n") > 1)
        rows = Aggregate("rows", "sum", nw.col("n").cast(nw.Float64))
        if count := int(self._engine.numbers(self._engine.group(twice, (), [rows]))["rows"]):
            raise r.duplicate(self._engine.collect(twice.sort(*names).head(SHOWN)), count)
