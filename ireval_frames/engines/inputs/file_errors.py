"""Which of the files that were read is at fault: looked for once an engine has failed, and never before."""

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

# What Polars and DuckDB say of a file that is not there.
_GONE = ("No such file", "No files found")
# What Polars' plans say of the files that they read, and what it says when a thread of it gives up.
_SCANNED = re.compile(r"\bSCAN \[(.+?)(?:, \.\.\. \d+ other \w+)?\]")
_PANIC = "JoinError::Panic"
# What an engine was given to read, and how.
Given = tuple[Any, Read]


def blame_file(error: IrevalError, given: Sequence[Given]) -> IrevalError:
    """The error of an engine, or that of the file which is the reason for it.

    Args:
        error: what the engine says; where it knows what to do, or is no engine's, it stays.
        given: what the engine was given to read.
    """
    if type(error) is not EngineError or error.hint:
        return error
    try:
        for path, read in given:
            look(path, read)
    except IrevalError as found:
        return found
    if _PANIC in error.what:
        return EngineError(
            "Polars gave up while it read a table.",
            "A file may be cut off, or may have changed while it was read. Read each to its end: pl.read_parquet(path)",
        )
    if any(words in error.what for words in _GONE):
        return FileError(
            f"{listed([str(path) for path, _ in given])}: a file is gone that was there before. {error.what}",
            "Read it anew.",
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


def look(path: Any, read: Read) -> None:
    """Read all that is named, file by file.

    Raises:
        IrevalError: what is wrong with the first that cannot be read.
    """
    if isinstance(path, weakref.ref):
        # A plan that the caller made; it may be gone, and it names files only for people to read.
        plan = path()
        for file in _SCANNED.findall(plan.explain(optimized=False)) if plan is not None else ():
            if Path(file).suffix.lower() in (".parquet", ".pq"):
                whole(pl.scan_parquet(file, glob=False, hive_partitioning=False), file, "parquet file")
        return
    tables = read.tables(path)
    if tables is None:
        whole(read(path), str(path), "file")
        return
    for file in (file for table in tables for file in table.source.files):
        whole(pl.scan_parquet(file, glob=False, hive_partitioning=False), file, "parquet file")


def whole(rows: pl.LazyFrame, name: str, kind: str) -> None:
    """Read all rows.

    Raises:
        FileError: they cannot be read.
    """
    try:
        rows.sink_batches(lambda _: None)
    except FAILURES as error:
        raise damaged(name, kind, error) from error


def damaged(name: str, kind: str, error: BaseException) -> FileError:
    """The error that a file cannot be read to its end."""
    # What Polars says when a thread of it gives up is of no use.
    panics = isinstance(error, pl.exceptions.PanicException)
    lines = str(error).splitlines() or [type(error).__name__]
    why = "it ends too early, or holds what cannot be decoded" if panics else lines[0][:200]
    return FileError(
        f"{name} is a damaged {kind}: {why}.",
        "It was cut off or changed while it was written or read: write it again, or take it out.",
    )
