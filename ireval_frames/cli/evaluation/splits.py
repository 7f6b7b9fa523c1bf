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
  ireval splits check folds.csv --disjoint user --label label

\b
The fold is computed from a hash of the id: it is the same on every machine and in every order of the rows.
The table with its new column is written as CSV, or in the format that -o's name or --format tells.
"""
File = Annotated[str, Argument(metavar="FILE", help="The table: CSV, TSV, JSON lines, Parquet, Arrow.")]
K = Annotated[int, Argument(metavar="[K]", help="The number of folds.")]
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
    time: Annotated[str, Argument(metavar="COLUMN", help="The column of times.")],
    k: K = 5,
    into: Into = "fold",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Cut the rows, in the order of time, into blocks."""
    from ireval_frames.splits import by_time as make

    with working("splitting"):
        _write(make(io.scan_table(table), time, k, into=into), format, output)


@command()
def check(
    table: File,
    column: Annotated[str, Option("--fold", metavar="COLUMN", help="The column of folds.")] = "fold",
    disjoint: Annotated[
        list[str] | None,
        Option("--disjoint", metavar="COLUMNS", help="Columns whose values must not occur in two folds."),
    ] = None,
    label: Annotated[str | None, Option("--label", metavar="COLUMN", help="The column of classes.")] = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Look for leaks and uneven folds."""
    from ireval_frames.splits import check_split

    with working("checking"):
        checks = check_split(io.scan_table(table), disjoint=split_names(disjoint), label=label, column=column)
    deliver_table(checks, refuse_trec(format_of(format, output)), output)


splits = group(
    "splits", "Mark folds and holdouts in a column.", EXAMPLES, [kfold, holdout, leave_one_out, by_time, check]
)
