"""Parquet and Arrow files, read by Polars itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from ireval_frames.engines.polars_frame import PolarsFrame
from ireval_frames.errors import FileError, IrevalError
from ireval_frames.io.failures import READ_ERRORS, cause
from ireval_frames.schema import Schema, canonical


def scan_native(path: Path, name: str, kind: str) -> pl.LazyFrame:
    """The file as it is.

    Raises:
        FileError: it is damaged.
    """
    try:
        if kind == "parquet":
            frame = pl.scan_parquet(path, glob=False)
        elif _is_stream(path):
            # Polars cannot scan a stream of record batches.
            frame = pl.read_ipc_stream(path).lazy()
        else:
            frame = pl.scan_ipc(path, glob=False)
        frame.collect_schema()
    except READ_ERRORS as error:
        raise FileError(f"{name} is a damaged {kind} file: {cause(error)}.", "Copy or write it again.") from error
    return frame


def _is_stream(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\xff\xff\xff\xff"


def column_names(path: Path, name: str, kind: str) -> list[str]:
    """The columns of a file."""
    return scan_native(path, name, kind).collect_schema().names()


def scan_columns(path: Path, name: str, kind: str, schema: Schema, found: Mapping[str, str]) -> pl.LazyFrame:
    """The columns of a file under our names, ids as text or 64-bit integers, numbers as 64-bit floats.

    Raises:
        WrongType: a column's type cannot be meant.
        FileError: the file is damaged.
    """
    frame = PolarsFrame(scan_native(path, name, kind))
    try:
        return frame.select(*canonical(schema, frame, found)).to_native()
    except IrevalError as error:
        raise type(error)(f"{name}: {error.what}", error.hint) from None
