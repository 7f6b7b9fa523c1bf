"""Which file caused the error of an engine; the files are checked only after it has failed."""

from __future__ import annotations

import re
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.engines.inputs.frames import Read, polars_frame
from ireval_frames.engines.inputs.polars_errors import FAILURES
from ireval_frames.errors import EngineError, FileError, IrevalError, listed

# What Polars and DuckDB say of a missing file.
_GONE = ("No such file", "No files found")
# How Polars' plans list the files that they read, and what it says when one of its threads panics.
_SCANNED = re.compile(r"\bSCAN \[(.+?)(?:, \.\.\. \d+ other \w+)?\]")
_PANIC = "JoinError::Panic"
# A path that an engine reads, and how.
ReadPath = tuple[Any, Read]


def blame_file(error: IrevalError, sources: Sequence[ReadPath]) -> IrevalError:
    """The error of an engine, or that of the file which caused it.

    Args:
        error: the engine's error; one with a hint, or of another kind, is returned as it is.
        sources: the paths that the engine reads.
    """
    if type(error) is not EngineError or error.hint:
        return error
    try:
        for path, read in sources:
            check(path, read)
    except IrevalError as cause:
        return cause
    if _PANIC in error.what:
        return EngineError(
            "Polars panicked while it read a table.",
            "A file may be truncated, or may have changed meanwhile. Read each to its end: pl.read_parquet(path)",
        )
    if any(words in error.what for words in _GONE):
        return FileError(
            f"{listed([str(path) for path, _ in sources])}: a file has been removed since it was opened. {error.what}",
            "Open it again.",
        )
    return error


def in_memory(rows: pl.LazyFrame, path: Any, name: str, read: Read) -> pl.DataFrame:
    """The rows of a path, collected.

    Raises:
        IrevalError: what is wrong with its files.
    """
    try:
        return polars_frame(rows, name, read)
    except EngineError as error:
        raise blame_file(error, [(path, read)]) from error


def check(path: Any, read: Read) -> None:
    """Read the files of a path one by one.

    Raises:
        IrevalError: the error of the first that cannot be read.
    """
    if isinstance(path, weakref.ref):
        # The caller's plan, if it still exists; only its text names its files.
        plan = path()
        for file in _SCANNED.findall(plan.explain(optimized=False)) if plan is not None else ():
            if Path(file).suffix.lower() in (".parquet", ".pq"):
                read_all(pl.scan_parquet(file, glob=False, hive_partitioning=False), file, "parquet file")
        return
    tables = read.tables(path)
    if tables is None:
        read_all(read(path), str(path), "file")
        return
    for file in (file for table in tables for file in table.source.files):
        read_all(pl.scan_parquet(file, glob=False, hive_partitioning=False), file, "parquet file")


def read_all(rows: pl.LazyFrame, name: str, kind: str) -> None:
    """Read all rows.

    Raises:
        FileError: they cannot be read.
    """
    try:
        rows.sink_batches(lambda _: None)
    except FAILURES as error:
        raise damaged(name, kind, error) from error


def damaged(name: str, kind: str, error: BaseException) -> FileError:
    """The error for a file that cannot be read to its end."""
    # Polars' message of a panic is of no use.
    panics = isinstance(error, pl.exceptions.PanicException)
    lines = str(error).splitlines() or [type(error).__name__]
    why = "it is truncated, or cannot be decoded" if panics else lines[0][:200]
    return FileError(
        f"{name} is a damaged {kind}: {why}.",
        "It was truncated or changed while it was written or read: write it again, or remove it.",
    )
