"""Files of rankings: runs of any format, and tables of items in an order."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.errors import IrevalError
from ireval_frames.io import sql as sql_files
from ireval_frames.schema import ColumnNames, resolve
from ireval_frames.similarity.schemas import ITEMS, of_runs

TABULAR = {".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather", ".ipc"}


def scan(path: Any, columns: ColumnNames) -> pl.LazyFrame:
    """A run from its file, or items with all columns that their table has."""
    return io.scan_table(path) if is_of_items(path, columns) else io.scan_run(path, columns=columns)


def text(path: Any, columns: ColumnNames) -> tuple[str, Mapping[str, Any]]:
    """The SELECT that reads a file as `scan` does, and its columns."""
    types = scan(path, columns).collect_schema()
    if is_of_items(path, columns):
        return sql_files.any_table(path, types)
    return sql_files.select(io.describe(path, "run", columns=columns), "run"), types


def is_of_items(path: Any, columns: ColumnNames) -> bool:
    """Whether it is the path of a table of items, which is no run: it lacks queries or documents."""
    if not isinstance(path, str | os.PathLike):
        return False
    file = Path(path).expanduser()
    if not TABULAR & {s.lower() for s in file.suffixes} or not file.is_file():
        return False
    try:
        names = io.scan_table(file).collect_schema().names()
        # A file without a header has no column of that name.
        return not of_runs(names, columns) and "item" in resolve(ITEMS, names, columns)
    except IrevalError:
        return False
