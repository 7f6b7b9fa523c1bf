"""How many rows of its list stand before a judged row, counted without putting the lists in order.

Few rows of a run are judged.  The executors get them all, compare every row with those of its list, and only counts go
from one executor to another: no row of the run is moved or sorted, and a list may be of any length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ireval_frames.engines.base import Ranking
from ireval_frames.engines.spark.values import name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Shorter runs are sorted before the judged rows would be found.
FEW_ROWS = 1_000_000
# A sort takes about as long as so many comparisons of every row.
MOST_IN_LIST = 16
# What every executor gets.
MOST_SENT = 1_000_000


def ranked(
    rows: DataFrame, judged: DataFrame, ranking: Ranking, keep: Callable[[DataFrame], DataFrame]
) -> DataFrame | None:
    """The judged rows with their `rank`; None if they are too many, so that sorting is faster.

    Args:
        rows: all rows.
        judged: a row per judgment.
        ranking: the lists and their order.
        keep: keeps the rows of a frame until the result has been read.
    """
    session = rows.sparkSession
    wanted = keep(_judged(rows, judged, ranking.on))
    nulls = [f"coalesce(bool_or({name(k)} IS NULL), FALSE)" for k in ranking.keys]
    most, together, *missing = session.sql(
        f"SELECT coalesce(max(n), 0), coalesce(sum(n), 0), {', '.join(nulls)} FROM"
        f" (SELECT {', '.join(map(name, ranking.keys))}, count(*) AS n FROM {{wanted}} GROUP BY ALL)",
        wanted=wanted,
    ).collect()[0]
    if most > MOST_IN_LIST or together > MOST_SENT:
        return None
    columns = ", ".join(f"j.{name(c)}" for c in rows.columns)
    # One number as the key of a join is looked up faster than several, or than one that may be null.
    same = " AND ".join(
        f"r.{name(k)} {'<=>' if n else '='} j.{name(k)}" for k, n in zip(ranking.keys, missing, strict=True)
    )
    return session.sql(
        f"SELECT /*+ BROADCAST(j) */ {columns}, count(*) AS rank FROM {{rows}} AS r"
        f" JOIN {{wanted}} AS j ON {same} AND {_not_behind(ranking)} GROUP BY {columns}",
        rows=rows,
        wanted=wanted,
    )


def _judged(rows: DataFrame, judged: DataFrame, on: Sequence[str]) -> DataFrame:
    """The judged rows: hashes of their ids, text or integers, are looked for first, which are one number each."""
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
    """Whether a row is the judged one or stands before it."""
    (value, falls), (last, descends) = ranking.order_by
    value, last = name(value), name(last)
    better, first = ">" if falls else "<", ">=" if descends else "<="
    return f"(r.{value} {better} j.{value} OR (r.{value} = j.{value} AND r.{last} {first} j.{last}))"
