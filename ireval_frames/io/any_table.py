"""Tables whose columns the caller names: nothing is renamed, and text stays text."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl

from ireval_frames.errors import FileError
from ireval_frames.io.tables import scan_native

_KINDS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}


def scan_table(path: str | os.PathLike[str]) -> pl.LazyFrame:
    """A CSV, TSV, JSON lines, Parquet or Arrow file with all its columns; those of CSV and TSV are text.

    Raises:
        FileError: the file cannot be read.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise FileError(f"{file} cannot be opened: it is no file.", "Check the path.")
    kind = _KINDS.get(file.suffix.lower())
    if kind:
        return scan_native(file, file.name, kind)
    if any(s.lower() in (".jsonl", ".ndjson") for s in file.suffixes):
        return pl.scan_ndjson(file, infer_schema_length=None)
    tabs = any(s.lower() == ".tsv" for s in file.suffixes)
    found = pl.scan_csv(file, separator="\t" if tabs else ",", infer_schema_length=0)
    try:
        found.collect_schema()
    except pl.exceptions.NoDataError:
        raise FileError(f"{file} is empty.", "Its first line names the columns.") from None
    except (pl.exceptions.ComputeError, UnicodeDecodeError) as error:
        raise FileError(
            f"{file} cannot be read: {str(error).splitlines()[0]}.", "Write it as UTF-8, with a first line that names the columns."
        ) from None
    return found
