"""Columns and files of rankings: runs of any format, and tables of items in an order."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import DOC_ID, QUERY_ID, RANK, RUN_ID, SCORE, Column, Schema, resolve
from ireval_frames.columns.user_names import ColumnNames
from ireval_frames.engines.inputs.parquet_files import Table
from ireval_frames.errors import IrevalError
from ireval_frames.io import sql as sql_files
from ireval_frames.io.reading import is_local
from ireval_frames.io.storage.places import ending, is_remote, plain
from ireval_frames.io.storage.source import FOLDERS

# Runs of queries, and rankings of any other items, such as systems by a measure.
RUNS = Schema("runs", (RUN_ID, QUERY_ID, DOC_ID, SCORE, RANK), ("run_id", "query_id", "doc_id"))
ITEM = Column(
    "item",
    "id",
    ("item_id", *(n for n in (DOC_ID.name, *DOC_ID.aliases) if n != "item_id"), "system", "system_id", "run_id", "run"),
)
RANKING = Column("ranking", "id", ("measure", "run_id", "run", "ranker", "rater_id"), required=False)
VALUE = Column("score", "number", (*SCORE.aliases, "value"), required=False)
ITEMS = Schema(
    "rankings",
    (ITEM, RANKING, Column("query_id", "id", QUERY_ID.aliases, required=False), VALUE, RANK),
    ("ranking", "query_id", "item"),
)
KINDS = {"runs": (RUNS, ITEMS), "against": (RUNS, ITEMS)}

TABULAR = {".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather", ".ipc"}


def scan(path: Any, columns: ColumnNames) -> pl.LazyFrame:
    """A run from its file, or items with all columns of their table."""
    return io.scan_table(path) if is_of_items(path, columns) else io.scan_run(path, columns=columns)


def text(path: Any, columns: ColumnNames) -> tuple[str, Mapping[str, Any]]:
    """The SELECT that reads a file as `scan` does, and its columns."""
    types = scan(path, columns).collect_schema()
    if is_of_items(path, columns):
        return sql_files.any_table(path, types)
    return sql_files.select(io.describe(path, "run", columns=columns), "run"), types


def tables(path: Any, columns: ColumnNames) -> Sequence[Table] | None:
    """The files that engines can read themselves."""
    if not is_local(path):
        return None
    if is_of_items(path, columns):
        return sql_files.any_tables(path)
    return sql_files.tables(io.describe(path, "run", columns=columns), "run")


def is_of_items(path: Any, columns: ColumnNames) -> bool:
    """Whether it is the path of a table of items: one without queries or documents."""
    if not isinstance(path, str | os.PathLike) or not _may_be_a_table(path):
        return False
    try:
        names = io.scan_table(path).collect_schema().names()
        # A file without a header has no column of that name.
        return not of_runs(names, columns) and "item" in resolve(ITEMS, names, columns)
    except IrevalError:
        return False


def _may_be_a_table(path: str | os.PathLike[str]) -> bool:
    """Whether it may be a table with named columns: a file with such an extension, or a folder, also remote."""
    if is_remote(path):
        return ending(os.fspath(path)) in (*TABULAR, *FOLDERS)
    file = Path(plain(path)).expanduser()
    return file.is_dir() or (bool(TABULAR & {s.lower() for s in file.suffixes}) and file.is_file())


def of_runs(names: Sequence[str], columns: Mapping[str, str]) -> bool:
    """Whether a table of these columns holds rankings of documents for queries; `columns` are the user's names."""
    folded = {n.lower() for n in names}
    return all(
        columns.get(c.name) in names or any(a in folded for a in (c.name, *c.aliases)) for c in (QUERY_ID, DOC_ID)
    )
