"""Splits that leave out the last rows of each user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import Code, DuplicateRows, Hint, InvalidValue, SplitWarning, rows_to_fix, warn
from ireval_frames.expr import col, lit, when
from ireval_frames.splits.frames import FOLD, PLACE, Split
from ireval_frames.splits.options import MIN_TRAIN, TEST_ROWS, VALID_ROWS
from ireval_frames.splits.pairs import leave_out_of_tests, which_to_leave_out
from ireval_frames.splits.times import Times


def leave_last_out(
    frame: Any,
    time: str,
    test: int = 1,
    *,
    valid: int = 0,
    min_train: int = 1,
    leave_out: str | Sequence[str] = (),
    user: str = "user_id",
    item: str = "item_id",
    into: str = "split",
    con: Any = None,
) -> Any:
    """Mark the last rows of each user as `test`, those before as `valid`, and the others as `train`.

    Rows are ordered by time, and those of one time by the item's id, so that the split is the same on every engine.
    A user's training rows are earlier than their own test rows, but not earlier than those of other users:
    `check_split(…, time=…)` counts them, and `global_time` has none.

    Args:
        frame: any table, or the name of one with `con`.
        time: the column of times: numbers, dates and times, or text of these.
        test: how many of a user's last rows are for testing.
        valid: how many rows before these are for validation.
        min_train: how many rows a user must have left for training; all rows of others are for training.  With 0 users
            may have test rows only.
        leave_out: what is left out of test and validation rows, whose mark is then null: `cold_items` that are in no
            training row, `cold_users` likewise, `seen` items that the user has in a training row.
        user: the column of users.
        item: the column of items.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Returns:
        The frame with the new column, as `kfold` returns it.

    Raises:
        MissingColumn, InvalidParameter: a column does not exist, or a value is not allowed.
        InvalidValue: a user, an item or a time is null or NaN.
        DuplicateRows: a user has an item twice at one time, so that either row could be the last.

    Warns:
        SplitWarning: users have too few rows, or training rows of the time of the first test row; or no test or
            validation row is left.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> log = pl.DataFrame({"user_id": ["a", "a", "a"], "item_id": ["x", "y", "z"], "time": [30, 10, 20]})
        >>> ir.splits.leave_last_out(log, "time", valid=1)["split"].to_list()
        ['test', 'train', 'valid']
    """
    TEST_ROWS.check("test", test)
    VALID_ROWS.check("valid", valid)
    MIN_TRAIN.check("min_train", min_train)
    left_out = which_to_leave_out(leave_out)
    split = Split(frame, [user, item, time], [into], con)
    at = Times(split, time).key
    by_user, by_item = split.key(user), split.key(item)
    _check_rows(split, {user: by_user, item: by_item, time: at})
    # The number of each row from the user's last one, and of all rows of the user.
    numbered = split.frame.with_columns(
        **{PLACE: col(by_item).cum_count(reverse=True).over(by_user, order_by=[at, by_item]).cast(pl.Int64)},
        n=col(by_item).count().over(by_user).cast(pl.Int64),
    )
    tested = (col(PLACE) <= test) & (col("n") >= test + valid + min_train)
    validated = (col(PLACE) <= test + valid) & (col("n") >= test + valid + min_train)
    mark = when(tested).then(lit("test")).otherwise(when(validated).then(lit("valid")).otherwise(lit("train")))
    rows = numbered.with_columns(**{FOLD: mark})
    _warn_of_users(
        split, rows.select(user=col(by_user), time=col(at), mark=col(FOLD), n=col("n")), test + valid + min_train
    )
    return split.back(leave_out_of_tests(split, rows, left_out, by_user, by_item), **{FOLD: into})


def _check_rows(split: Split, keys: dict[str, str]) -> None:
    """Refuse what has no order: nulls and NaN, and rows that differ in nothing.

    Raises:
        InvalidValue, DuplicateRows: there are such rows.
    """
    engine = split.engine
    flags = {(name, "null"): col(key).is_null() for name, key in keys.items()}
    flags |= {(name, "nan"): col(key).is_nan() for name, key in keys.items() if split.frame.dtype(key).is_float()}
    sums = [Aggregate(f"n{i}", "sum", when(flag).then(1.0).otherwise(0.0)) for i, flag in enumerate(flags.values())]
    counts = split.collect(engine.group(split.frame, [], sums)).row(0)
    for (name, what), count in zip(flags, counts, strict=True):
        if count:
            raise InvalidValue(
                f"Column {name!r} is {what} in {int(count):,} rows; every row needs a user, an item and a time.",
                rows_to_fix("frame", name, f".is_{what}()"),
            )
    twice = split.frame.count_by(*keys.values()).filter(col("n") > 1)
    several = split.collect(engine.group(twice, [], [Aggregate("n", "count", lit(1.0))]))["n"][0]
    if several:
        row = split.collect(twice.sort(*keys.values()).head(1)).row(0, named=True)
        shown = ", ".join(f"{name} {row[key]!r}" for name, key in keys.items())
        listed = ", ".join(f'"{name}"' for name in keys)
        raise DuplicateRows(
            f"{int(several):,} times several rows are of one user, item and time, such as {shown}: either could be the "
            "last.",
            Hint("Keep one of each: ", Code(f"frame.unique([{listed}])", "one row of each user, item and time")),
        )


def _warn_of_users(split: Split, rows: Any, needed: int) -> None:
    """Tell how many users have too few rows, or a test row of the time of a training row."""
    trained, engine = col("mark") == "train", split.engine
    users = engine.group(
        rows.select("user", n="n", train=when(trained).then(col("time")), rest=when(~trained).then(col("time"))),
        ["user"],
        [
            Aggregate("n", "max", col("n")),
            Aggregate("last", "max", col("train")),
            Aggregate("first", "min", col("rest")),
        ],
    )
    flags = {"short": col("n") < needed, "tied": col("last") >= col("first")}
    counted = [Aggregate(name, "sum", when(flag).then(1.0).otherwise(0.0)) for name, flag in flags.items()]
    totals = split.collect(engine.group(users, [], [Aggregate("n", "count", lit(1.0)), *counted])).row(0, named=True)
    n = int(totals["n"])
    if totals["short"]:
        warn(
            f"{int(totals['short']):,} of {n:,} users have fewer than {needed} rows: all of them are for training.",
            SplitWarning,
        )
    if totals["tied"]:
        warn(
            f"{int(totals['tied']):,} of {n:,} users have training rows of the time of their first test or validation "
            "row: of these the ids of the items decide.",
            SplitWarning,
        )
