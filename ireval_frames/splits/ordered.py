"""Folds in time: train on the past, test on what comes next."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.expr import col, lit
from ireval_frames.splits.frames import FOLD, Split
from ireval_frames.splits.options import GAP, N_BLOCKS
from ireval_frames.splits.times import Times


def by_time(frame: Any, time: str, k: int = 5, *, into: str = "fold", con: Any = None) -> Any:
    """Cut the rows, in the order of time, into k + 1 blocks; all but the first are the folds 0 to k−1.

    Rows of one time stay in one block; rows without a time come first.  The first block is never tested: its fold is
    −1.  Text that holds numbers, or dates and times in ISO 8601, is read as such; other text is ordered as text, with a
    warning.

    Args:
        frame: any table, or the name of one with `con`.
        time: the column to order by.
        k: the number of folds.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.by_time(pl.DataFrame({"day": [1, 2, 3, 4, 5, 6]}), "day", 2)["fold"].to_list()
        [-1, -1, 0, 0, 1, 1]
    """
    N_BLOCKS.check("k", k)
    split = Split(frame, [time], [into], con)
    key = Times(split, time).key
    times = split.frame.count_by(key).with_columns(n=col("n").cast(pl.Float64))
    before = col("n").cum_sum().over(order_by=key) - col("n")
    placed = times.with_columns(before=before, total=col("n").sum())
    block = (col("before") * float(k + 1) / col("total")).floor().cast(pl.Int64) - 1
    rows = split.engine.join(split.frame, placed.select(key, block.alias(FOLD)), [key], "left")
    return split.back(rows, **{FOLD: into})


def rows_to_train(
    frame: Any, fold: int, *, time: str | None = None, gap: int = 0, column: str = "fold", con: Any = None
) -> Any:
    """The rows to train on when a fold is tested.

    Without `time` these are the rows of all other folds; with it, those of earlier folds, without the last `gap`.

    Args:
        frame: a table with a fold column, or the name of one with `con`.
        fold: the fold that is tested.
        time: the column that `by_time` ordered by.
        gap: how many of the last rows before the fold to leave out; rows of one time are left out together.
        column: the fold column.
        con: a DuckDB connection or a Spark session.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = ir.splits.by_time(pl.DataFrame({"day": [1, 2, 3, 4, 5, 6]}), "day", 2)
        >>> ir.splits.rows_to_train(frame, 1, time="day", gap=1)["day"].to_list()
        [1, 2, 3]
    """
    GAP.check("gap", gap)
    split = Split(frame, [column, *([time] if time else [])], [], con)
    if time is None:
        if gap:
            raise InvalidParameter(
                f"gap is {gap}, but the order of the rows is not known.",
                Hint("Name the column of times: ", Argument("time", "their_name")),
            )
        return split.back(split.frame.filter(col(split.key(column)) != fold))
    if not gap:
        return split.back(split.frame.filter(col(split.key(column)) < fold))
    key = Times(split, time).key
    earlier = split.frame.filter(col(split.key(column)) < fold)
    times = split.collect(earlier.count_by(key)).sort(key, descending=True)
    before = times.filter(pl.col("n").cum_sum() - pl.col("n") >= gap)
    if before.is_empty():
        return split.back(earlier.filter(lit(value=False)))
    return split.back(earlier.filter(col(key) <= lit(before[key][0])))


def rows_to_test(frame: Any, fold: int, *, column: str = "fold", con: Any = None) -> Any:
    """The rows of a fold.

    Args:
        frame: a table with a fold column, or the name of one with `con`.
        fold: the fold.
        column: the fold column.
        con: a DuckDB connection or a Spark session.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> ir.splits.rows_to_test(pl.DataFrame({"fold": [0, 1, 0]}), 0).height
        2
    """
    split = Split(frame, [column], [], con)
    return split.back(split.frame.filter(col(split.key(column)) == fold))
