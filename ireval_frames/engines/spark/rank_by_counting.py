"""The ranks of judged rows, by counting the rows before each in its list, without sorting the lists.

Few rows of a run are judged.  They are broadcast to the executors, which compare every row with those of its list; only
counts are exchanged.  No row of the run is moved or sorted, and a list may be of any length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ireval_frames.engines.base import Ranking
from ireval_frames.engines.spark.values import name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Shorter runs are sorted in less time than it takes to find the judged rows.
FEW_ROWS = 1_000_000
# A sort takes about as long as this number of comparisons of every row.
MOST_PER_LIST = 16
# The number of rows broadcast to every executor.
MOST_BROADCAST = 1_000_000


def ranked(
    rows: DataFrame, judged: DataFrame, ranking: Ranking, checkpoint: Callable[[DataFrame], DataFrame]
) -> DataFrame | None:
    """The judged rows with their `rank`; None if there are so many that sorting is faster.

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
