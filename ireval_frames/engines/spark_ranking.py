"""Ranking in Spark: row_number, and the checks of the ranked rows."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.duckdb_frame import DuckDBFrame
from ireval_frames.engines.duckdb_ranking import Ranked

SHOWN = 10


class SparkRanked(Ranked):
    """Duplicates are counted where the rows are; only some of them leave Spark."""

    def _sliced(self) -> list[DuckDBFrame]:
        return [self._frame]

    def _check_duplicates(self, rows: DuckDBFrame) -> None:
        r = self._ranking
        names = tuple(dict.fromkeys((*r.keys, r.id)))
        twice = rows.counted(*names).filter(nw.col("n") > 1)
        total = Aggregate("rows", "sum", nw.col("n").cast(nw.Float64))
        if count := int(self._engine.numbers(self._engine.group(twice, (), [total]))["rows"]):
            raise r.duplicate(self._engine.collect(twice.sort(*names).head(SHOWN)), count)
