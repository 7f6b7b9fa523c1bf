"""Checks of a split: values in several folds, empty folds, uneven classes, training rows later than test rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import col, lit
from ireval_frames.splits.frames import Split
from ireval_frames.splits.leaks import known, late_rows, late_rows_of_users, parts
from ireval_frames.splits.times import Times

SCHEMA = {
    "check": pl.String,
    "column": pl.String,
    "fold": pl.String,
    "value": pl.String,
    "n": pl.Int64,
    "share": pl.Float64,
    "ok": pl.Boolean,
}


def check_split(
    frame: Any,
    *,
    disjoint: str | Sequence[str] = (),
    label: str | None = None,
    time: str | None = None,
    user: str | None = None,
    item: str | None = None,
    window: str | None = None,
    column: str = "fold",
    con: Any = None,
) -> pl.DataFrame:
    """Look for leaks and uneven folds.

    Args:
        frame: a table with a fold (or split) column, or the name of one with `con`.
        disjoint: columns whose values must not occur in two folds: ids, groups, texts that may be duplicates.
        label: the column of classes whose shares are shown.
        time: the column of times.  The parts are then looked at in their order: train, valid, test, or numbers.
        user: the column of users, likewise.
        item: the column of items, likewise.
        window: the column of windows (`sliding_windows`), each of which is checked by itself.
        column: the fold column.
        con: a DuckDB connection or a Spark session.

    Returns:
        [window] check column fold value n share ok.  `ok` is true where there is nothing to look at.

        - `rows`: the number of rows of a fold, `ok` if there are any (numbers below the largest that no row has are
          listed, too).
        - `leak`: the number of values of a column that occur in several folds; `value` is one of them.
        - `class`: the number of rows of a class in a fold and their share of the fold, `ok` if there are any.
        - `time`: how many rows of earlier parts are not earlier than the first row of this part, whose time is `value`,
          and their share of the earlier parts.  A model trained on them knows the future.
        - `user_time` (with `time` and `user`): how many users of this part have a row in an earlier part that is not
          earlier than their own first one in this part.
        - `cold`: how many users, or items, of this part are in no earlier part, and their share.
        - `seen` (with `user` and `item`): how many pairs of user and item of this part are in an earlier part.

    Raises:
        MissingColumn: a column does not exist.
        InvalidValue: the parts have no order, which checks by time, user and item need.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"user": ["a", "a", "b"], "fold": [0, 1, 1]})
        >>> failed = ir.splits.check_split(frame, disjoint="user").filter(~pl.col("ok"))
        >>> failed.select("check", "column", "value", "n").row(0)
        ('leak', 'user', 'a', 1)
        >>> log = pl.DataFrame({"user": ["a", "a", "b", "b"], "day": [1, 5, 6, 9], "item": ["x", "y", "x", "y"]})
        >>> log = ir.splits.leave_last_out(log, "day", user="user", item="item")
        >>> ir.splits.check_split(log, time="day", column="split").filter(~pl.col("ok")).select("check", "n").rows()
        [('time', 1)]
    """
    columns = columns_named(disjoint, "disjoint")
    others = [c for c in (label, time, user, item, window) if c]
    split = Split(frame, [column, *columns, *others], [], con)
    times = Times(split, time) if time else None
    if window is None:
        return _checks(split, column, columns, label, times, user, item)
    all_rows, key, checks = split.frame, split.key(window), []
    windows = split.collect(all_rows.select(key).unique().sort(key))[key]
    for one in windows:
        split.frame = all_rows.filter(col(key).is_null() if one is None else col(key) == lit(one))
        of_one = _checks(split, column, columns, label, times, user, item)
        checks.append(of_one.select(pl.lit(one, dtype=windows.dtype).alias(window), pl.all()))
    return pl.concat(checks) if checks else _checks(split, column, columns, label, times, user, item)


def _checks(
    split: Split,
    column: str,
    disjoint: Sequence[str],
    label: str | None,
    times: Times | None,
    user: str | None,
    item: str | None,
) -> pl.DataFrame:
    """The checks of the rows that the split has now."""
    rows = split.frame.with_columns(fold=col(split.key(column)))
    sizes = split.collect(rows.count_by("fold")).sort("fold")
    checks = [_rows(sizes)]
    checks += [_leaks(split, rows, one) for one in disjoint]
    if label:
        checks.append(_classes(split, rows, sizes, label))
    if times or user or item:
        placed, names = parts(split, column)
        if times:
            checks.append(_with_schema(late_rows(split, placed, names, times), "time"))
        if times and user:
            checks.append(_with_schema(late_rows_of_users(split, placed, names, times, user), "user_time"))
        checks += [_with_schema(known(split, placed, names, (one,)), "cold") for one in (user, item) if one]
        if user and item:
            checks.append(_with_schema(known(split, placed, names, (user, item)), "seen"))
    return pl.concat(checks)


def _rows(sizes: pl.DataFrame) -> pl.DataFrame:
    folds = sizes
    if folds.schema["fold"].is_integer():
        last = max((f for f in folds["fold"] if f is not None), default=-1)
        numbers = pl.DataFrame({"fold": range(last + 1)}, schema={"fold": folds.schema["fold"]})
        folds = numbers.join(folds, on="fold", how="full", coalesce=True).sort("fold")
    total = sizes["n"].sum()
    n = pl.col("n").fill_null(0).cast(pl.Int64)
    return _with_schema(folds.select(fold="fold", n=n, share=n / total, ok=n > 0), "rows")


def _leaks(split: Split, rows: Frame, column: str) -> pl.DataFrame:
    values = rows.select("fold", value=col(split.key(column))).unique()
    leaks = split.collect(values.count_by("value").filter(col("n") > 1)).sort("value")
    value = str(leaks["value"][0]) if leaks.height else None
    return _with_schema(
        pl.DataFrame({"column": [column], "value": [value], "n": [leaks.height], "ok": [leaks.height == 0]}), "leak"
    )


def _classes(split: Split, rows: Frame, sizes: pl.DataFrame, label: str) -> pl.DataFrame:
    counts = split.collect(rows.select("fold", value=col(split.key(label))).count_by("fold", "value"))
    cells = sizes.select("fold").join(counts.select("value").unique(), how="cross")
    classes = (
        cells.join(counts, on=["fold", "value"], how="left", nulls_equal=True)
        .with_columns(pl.col("n").fill_null(0).cast(pl.Int64))
        .sort("fold", "value")
    )
    share = pl.col("n") / pl.col("n").sum().over("fold")
    return _with_schema(classes.with_columns(column=pl.lit(label), share=share, ok=pl.col("n") > 0), "class")


def _with_schema(frame: pl.DataFrame, check: str) -> pl.DataFrame:
    rows = frame.with_columns(check=pl.lit(check))
    return rows.select((pl.col(c) if c in rows.columns else pl.lit(None)).cast(t).alias(c) for c, t in SCHEMA.items())
