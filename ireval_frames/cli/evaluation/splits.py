"""`ireval splits`: folds and holdouts as a column of the table."""

from __future__ import annotations

from typing import Annotated, Any

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option, command, group
from ireval_frames.cli.options.common import OutputFile, OutputFormat, no_trec, several
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import Format, chosen, deliver_table

EXAMPLES = """\b
Examples:
  ireval splits kfold items.csv 5 -o folds.csv
  ireval splits kfold items.parquet 10 --stratify label --group user --exact -o folds.parquet
  ireval splits holdout items.csv 0.2 --valid 0.1 -o marked.csv
  ireval splits by-time log.parquet day 4 -o folds.parquet
  ireval splits check folds.csv --apart user --label label

\b
The fold follows from a hash of the id: the same on every machine, in every order of the rows.
The table with its new column is written as CSV, or as -o's name or --format tells.
"""
File = Annotated[str, Argument(metavar="FILE", help="The table: CSV, TSV, JSON lines, Parquet, Arrow.")]
K = Annotated[int, Argument(metavar="[K]", help="The number of folds.")]
Ids = Annotated[str, Option("--item", metavar="COLUMN", help="The column of ids.")]
Stratify = Annotated[
    str | None, Option("--stratify", metavar="COLUMN", help="Every part gets as many of each class as can be.")
]
Group = Annotated[str | None, Option("--group", metavar="COLUMN", help="Rows of one group stay together.")]
Exact = Annotated[bool, Option("--exact", help="Parts of equal size, to within one row.")]
Seed = Annotated[int, Option("--seed", help="Another seed is another split.")]
Into = Annotated[str, Option("--into", metavar="COLUMN", help="The new column.")]


def _written(split: Any, shape: Format | None, output: str | None) -> None:
    """Write a table, as CSV unless something else is asked for."""
    frame: pl.DataFrame = split.collect() if isinstance(split, pl.LazyFrame) else split
    kind = no_trec(chosen(shape, output))
    plain = shape is None and kind is Format.table
    deliver_table(frame, Format.csv if plain else kind, output)


@command()
def kfold(
    table: File,
    k: K = 5,
    item: Ids = "item_id",
    stratify: Stratify = None,
    group: Group = None,
    exact: Exact = False,
    repeats: Annotated[int, Option("--repeats", help="Make the folds so many times over.")] = 1,
    seed: Seed = 0,
    into: Into = "fold",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Give every row the number of the fold in which it is tested."""
    from ireval_frames.splits import kfold as make

    with working("splitting"):
        rows = make(
            io.scan_table(table), k, item=item, stratify=stratify, group=group, exact=exact, repeats=repeats, seed=seed,
            into=into,
        )  # fmt: skip
        _written(rows, format, output)


@command()
def holdout(
    table: File,
    test: Annotated[float, Argument(metavar="[TEST]", help="The share of test rows.")] = 0.2,
    valid: Annotated[float, Option("--valid", help="The share of validation rows.")] = 0.0,
    item: Ids = "item_id",
    stratify: Stratify = None,
    group: Group = None,
    exact: Exact = False,
    seed: Seed = 0,
    into: Into = "split",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Mark rows as train, valid and test."""
    from ireval_frames.splits import holdout as make

    with working("splitting"):
        rows = make(
            io.scan_table(table), test, valid=valid, item=item, stratify=stratify, group=group, exact=exact, seed=seed,
            into=into,
        )  # fmt: skip
        _written(rows, format, output)


@command("leave-one-out")
def leave_one_out(
    table: File,
    item: Ids = "item_id",
    group: Group = None,
    into: Into = "fold",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Give every row, or with --group every group, a fold of its own."""
    from ireval_frames.splits import leave_one_group_out
    from ireval_frames.splits import leave_one_out as make

    with working("splitting"):
        rows = io.scan_table(table)
        found = make(rows, item=item, into=into) if group is None else leave_one_group_out(rows, group, into=into)
        _written(found, format, output)


@command("by-time")
def by_time(
    table: File,
    time: Annotated[str, Argument(metavar="COLUMN", help="The column of times.")],
    k: K = 5,
    into: Into = "fold",
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Cut the rows into blocks in the order of time."""
    from ireval_frames.splits import by_time as make

    with working("splitting"):
        _written(make(io.scan_table(table), time, k, into=into), format, output)


@command()
def check(
    table: File,
    column: Annotated[str, Option("--fold", metavar="COLUMN", help="The column of folds.")] = "fold",
    apart: Annotated[
        list[str] | None,
        Option("--apart", metavar="COLUMNS", help="Columns whose values must not stand in two folds."),
    ] = None,
    label: Annotated[str | None, Option("--label", metavar="COLUMN", help="The column of classes.")] = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Look for leaks and uneven folds."""
    from ireval_frames.splits import check_split

    with working("checking"):
        found = check_split(io.scan_table(table), apart=several(apart), label=label, column=column)
    deliver_table(found, no_trec(chosen(format, output)), output)


splits = group(
    "splits", "Mark folds and holdouts in a column.", EXAMPLES, [kfold, holdout, leave_one_out, by_time, check]
)
