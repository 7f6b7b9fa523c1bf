"""`ireval splits`: folds and holdouts as a column of the table."""

from __future__ import annotations

from typing import Annotated, Any

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option, command, group
from ireval_frames.cli.options.common import OutputFile, OutputFormat, refuse_trec, split_names
from ireval_frames.cli.output.running import working
from ireval_frames.cli.output.tables import Format, deliver_table, format_of
from ireval_frames.splits.options import FoldOptions, HoldoutOptions

EXAMPLES = """\b
Examples:
  ireval splits kfold items.csv 5 -o folds.csv
  ireval splits kfold items.parquet 10 --stratify label --group user --exact -o folds.parquet
  ireval splits holdout items.csv 0.2 --valid 0.1 -o marked.csv
  ireval splits by-time log.parquet day 4 -o folds.parquet
  ireval splits leave-last-out events.csv time 1 --valid 1 -o marked.csv
  ireval splits global-time events.csv time 7d --leave-out cold_users,cold_items -o parts.csv
  ireval splits sliding-windows events.csv time 5d 3 --train 1w -o windows.csv
  ireval splits check folds.csv --disjoint user --label label
  ireval splits check windows.csv --fold split --window window --time time --user user_id --item item_id

\b
The fold is computed from a hash of the id: it is the same on every machine and in every order of the rows.
Times are numbers, or dates and times in ISO 8601; lengths of time are 12h, 7d or 4w.
The table with its new column is written as CSV, or in the format that -o's name or --format tells.
"""
File = Annotated[str, Argument(metavar="FILE", help="The table: CSV, TSV, JSON lines, Parquet, Arrow.")]
K = Annotated[int, Argument(metavar="[K]", help="The number of folds.")]
Time = Annotated[str, Argument(metavar="COLUMN", help="The column of times.")]
User = Annotated[str, Option("--user", metavar="COLUMN", help="The column of users.")]
Item = Annotated[str, Option("--item", metavar="COLUMN", help="The column of items.")]
LeaveOut = Annotated[
    list[str] | None,
    Option(
        "--leave-out", metavar="NAMES", help="Test rows to leave out: cold_users, cold_items, seen; their mark is null."
    ),
]
Into = Annotated[str, Option("--into", metavar="COLUMN", help="The new column.")]


def _write(split: Any, shape: Format | None, output: str | None) -> None:
    """Write a table, as CSV by default."""
    frame: pl.DataFrame = split.collect() if isinstance(split, pl.LazyFrame) else split
    kind = refuse_trec(format_of(shape, output))
    plain = shape is None and kind is Format.table
    deliver_table(frame, Format.csv if plain else kind, output)


@command()
def kfold(
    table: File,
    k: K = 5,
    format: OutputFormat = None,
    output: OutputFile = None,
    *,
    options: FoldOptions,
) -> None:
    """Assign every row the fold in which it is tested."""
    from ireval_frames.splits import kfold as make

    with working("splitting"):
        _write(make(io.scan_table(table), **{**options.arguments(), "k": k}), format, output)


@command()
def holdout(
    table: File,
    test: Annotated[float, Argument(metavar="[TEST]", help="The share of test rows.")] = 0.2,
    format: OutputFormat = None,
    output: OutputFile = None,
    *,
    options: HoldoutOptions,
) -> None:
    """Mark rows as train, valid and test."""
    from ireval_frames.splits import holdout as make

    with working("splitting"):
        _write(make(io.scan_table(table), **{**options.arguments(), "test": test}), format, output)


@command("leave-one-out")
def leave_one_out(
    table: File,
    item: Annotated[str, Option("--item", metavar="COLUMN", help="The column of ids.")] = "item_id",
    group: Annotated[str | None, Option("--group", metavar="COLUMN", help="The column of groups.")] = None,
    into: Into = "fold",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Assign every row, or with --group every group, a fold of its own."""
    from ireval_frames.splits import leave_one_group_out
    from ireval_frames.splits import leave_one_out as make

    with working("splitting"):
        rows = io.scan_table(table)
        split = make(rows, item=item, into=into) if group is None else leave_one_group_out(rows, group, into=into)
        _write(split, format, output)


@command("by-time")
def by_time(
    table: File,
    time: Time,
    k: K = 5,
    into: Into = "fold",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Cut the rows, in the order of time, into blocks."""
    from ireval_frames.splits import by_time as make

    with working("splitting"):
        _write(make(io.scan_table(table), time, k, into=into), format, output)


@command("leave-last-out")
def leave_last_out(
    table: File,
    time: Time,
    test: Annotated[int, Argument(metavar="[TEST]", help="How many of a user's last rows are for testing.")] = 1,
    valid: Annotated[int, Option("--valid", metavar="ROWS", help="How many rows before these are for validation.")] = 0,
    min_train: Annotated[
        int, Option("--min-train", metavar="ROWS", help="How many rows a user must have left for training.")
    ] = 1,
    leave_out: LeaveOut = None,
    user: User = "user_id",
    item: Item = "item_id",
    into: Into = "split",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Mark the last rows of each user as test rows."""
    from ireval_frames.splits import leave_last_out as make

    with working("splitting"):
        names: dict[str, Any] = {"leave_out": split_names(leave_out), "user": user, "item": item, "into": into}
        _write(make(io.scan_table(table), time, test, valid=valid, min_train=min_train, **names), format, output)


@command("global-time")
def global_time(
    table: File,
    time: Time,
    test: Annotated[
        str, Argument(metavar="[TEST]", help="A share of the rows, 7d before the last, or a time.")
    ] = "0.2",
    valid: Annotated[str | None, Option("--valid", metavar="TIME", help="The same for validation rows.")] = None,
    leave_out: LeaveOut = None,
    user: User = "user_id",
    item: Item = "item_id",
    into: Into = "split",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Mark rows from a moment on as test rows."""
    from ireval_frames.splits import global_time as make

    with working("splitting"):
        names: dict[str, Any] = {"leave_out": split_names(leave_out), "user": user, "item": item, "into": into}
        _write(make(io.scan_table(table), time, _number(test), valid=_number(valid), **names), format, output)


@command("sliding-windows")
def sliding_windows(
    table: File,
    time: Time,
    test: Annotated[str, Argument(metavar="[TEST]", help="How long a window tests, such as 7d.")] = "7d",
    k: Annotated[int, Argument(metavar="[K]", help="The number of windows.")] = 3,
    train: Annotated[str | None, Option("--train", metavar="LENGTH", help="How long training reaches back.")] = None,
    step: Annotated[str | None, Option("--step", metavar="LENGTH", help="From a window to the next.")] = None,
    gap: Annotated[
        str | None, Option("--gap", metavar="LENGTH", help="The time between training and test rows.")
    ] = None,
    leave_out: LeaveOut = None,
    user: User = "user_id",
    item: Item = "item_id",
    window: Annotated[str, Option("--window", metavar="COLUMN", help="The new column of windows.")] = "window",
    into: Into = "split",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Repeat the rows per window of time, each with its training and test rows."""
    from ireval_frames.splits import sliding_windows as make

    with working("splitting"):
        lengths: dict[str, Any] = {"train": _number(train), "step": _number(step), "gap": _number(gap)}
        names: dict[str, Any] = {
            "leave_out": split_names(leave_out),
            "user": user,
            "item": item,
            "window": window,
            "into": into,
        }
        _write(make(io.scan_table(table), time, _number(test), k, **lengths, **names), format, output)


def _number(text: str | None) -> float | int | str | None:
    """A number where the text is one."""
    for kind in (int, float):
        try:
            return kind(text) if text is not None else None
        except ValueError:
            continue
    return text


@command()
def check(
    table: File,
    column: Annotated[str, Option("--fold", metavar="COLUMN", help="The column of folds.")] = "fold",
    disjoint: Annotated[
        list[str] | None,
        Option("--disjoint", metavar="COLUMNS", help="Columns whose values must not occur in two folds."),
    ] = None,
    label: Annotated[str | None, Option("--label", metavar="COLUMN", help="The column of classes.")] = None,
    time: Annotated[str | None, Option("--time", metavar="COLUMN", help="The column of times.")] = None,
    user: Annotated[str | None, Option("--user", metavar="COLUMN", help="The column of users.")] = None,
    item: Annotated[str | None, Option("--item", metavar="COLUMN", help="The column of items.")] = None,
    window: Annotated[str | None, Option("--window", metavar="COLUMN", help="The column of windows.")] = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Look for leaks and uneven folds."""
    from ireval_frames.splits import check_split

    with working("checking"):
        columns: dict[str, Any] = {
            "label": label,
            "time": time,
            "user": user,
            "item": item,
            "window": window,
            "column": column,
        }
        checks = check_split(io.scan_table(table), disjoint=split_names(disjoint), **columns)
    deliver_table(checks, refuse_trec(format_of(format, output)), output)


splits = group(
    "splits",
    "Mark folds and holdouts in a column.",
    EXAMPLES,
    [kfold, holdout, leave_one_out, by_time, leave_last_out, global_time, sliding_windows, check],
)
