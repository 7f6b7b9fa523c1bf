"""Ranking in Spark: by counting better rows, or by row_number; and the checks of the ranked rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames.engines.base import SHOWN, Engine, Ranking, Way
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.quoting import listed
from ireval_frames.engines.spark.statement import PythonStep
from ireval_frames.engines.spark.values import name
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.ranking import Ranked
from ireval_frames.engines.sql.statement import Step
from ireval_frames.expr import col, lit

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Shorter runs are sorted in less time than it takes to find the judged rows.
FEW_ROWS = 1_000_000
# A sort takes about as long as this number of comparisons of every row.
MOST_PER_LIST = 16
# The number of rows broadcast to every executor.
MOST_BROADCAST = 1_000_000


def _ranked_by_counting(
    rows: DataFrame, judged: DataFrame, ranking: Ranking, checkpoint: Callable[[DataFrame], DataFrame]
) -> DataFrame | None:
    """The judged rows with their `rank`; None if there are so many that sorting is faster.

    Few rows of a run are judged.  They are broadcast to the executors, which compare every row with those of its list;
    only counts are exchanged.  No row of the run is moved or sorted, and a list may be of any length.

    Args:
        rows: all rows.
        judged: a row per judgment.
        ranking: the lists and their order.
        checkpoint: stores the rows of a frame until the result has been read.
    """
    session = rows.sparkSession
    matched = checkpoint(_judged(rows, judged, ranking.on))
    nulls = [f"coalesce(bool_or({name(k)} IS NULL), FALSE)" for k in ranking.keys]
    most, total, *has_nulls = session.sql(
        f"SELECT coalesce(max(n), 0), coalesce(sum(n), 0), {', '.join(nulls)} FROM"
        f" (SELECT {', '.join(map(name, ranking.keys))}, count(*) AS n FROM {{matched}} GROUP BY ALL)",
        matched=matched,
    ).collect()[0]
    if most > MOST_PER_LIST or total > MOST_BROADCAST:
        return None
    columns = ", ".join(f"j.{name(c)}" for c in rows.columns)
    # A join on one integer that is not null is the fastest.
    same = " AND ".join(
        f"r.{name(k)} {'<=>' if n else '='} j.{name(k)}" for k, n in zip(ranking.keys, has_nulls, strict=True)
    )
    return session.sql(
        f"SELECT /*+ BROADCAST(j) */ {columns}, count(*) AS rank FROM {{rows}} AS r"
        f" JOIN {{matched}} AS j ON {same} AND {_not_behind(ranking)} GROUP BY {columns}",
        rows=rows,
        matched=matched,
    )


def _judged(rows: DataFrame, judged: DataFrame, on: Sequence[str]) -> DataFrame:
    """The judged rows; their ids, text or integers, are matched by hash first, one integer each."""
    same = " AND ".join(f"r.{name(k)} <=> j.{name(k)}" for k in on)
    keys = ", ".join(map(name, on))
    candidates = rows.sparkSession.sql(
        "SELECT * FROM {rows} AS r LEFT SEMI JOIN"
        f" (SELECT xxhash64({keys}) AS hash FROM {{judged}}) AS j ON xxhash64({keys}) = j.hash",
        rows=rows,
        judged=judged,
    )
    return rows.sparkSession.sql(
        f"SELECT * FROM {{rows}} AS r LEFT SEMI JOIN {{judged}} AS j ON {same}", rows=candidates, judged=judged
    )


def _not_behind(ranking: Ranking) -> str:
    """Whether a row is the judged one or comes before it."""
    (value, value_descends), (id_, id_descends) = ranking.order_by
    value, id_ = name(value), name(id_)
    better, first = ">" if value_descends else "<", ">=" if id_descends else "<="
    return f"(r.{value} {better} j.{value} OR (r.{value} = j.{value} AND r.{id_} {first} j.{id_}))"


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
        few = 0 < self._rows < FEW_ROWS
        ranked = None if few else _ranked_by_counting(frames[0], frames[1], self._ranking, checkpoint)
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
