"""Collecting a lazy frame that reads files."""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.inputs.file_errors import read_all
from ireval_frames.engines.inputs.polars_errors import original
from ireval_frames.errors import EngineError
from ireval_frames.io.storage.failures import READ_ERRORS, cause, unwrap
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import Source, files
from ireval_frames.io.tables import scan_native, table_kind


def collected(frame: pl.LazyFrame, source: Source, options: Options | None = None) -> pl.DataFrame:
    """The frame in memory.

    Args:
        frame: what is collected.
        source: what it reads, which is checked if that fails.
        options: options of stores.

    Raises:
        IrevalError: the error of the file, or EngineError if Polars fails for another reason.
    """
    try:
        return frame.collect()
    except READ_ERRORS as error:
        if original(error) is None:
            _check(source, options)
        raise unwrap(error) or EngineError(f"Polars failed while reading: {cause(error)}.") from error


def _check(source: Source, options: Options | None) -> None:
    """Read local Parquet and Arrow files one by one; errors of stores name their files.

    Raises:
        FileError: one of them is damaged.
    """
    for file in files(source, options):
        if file.stored is not None:
            for path in file.stored.parquet.files if file.stored.parquet else ():
                read_all(pl.scan_parquet(path, glob=False, hive_partitioning=False), path, "parquet file")
        elif kind := table_kind(file.path):
            read_all(scan_native(file.path, file.name, kind), file.name, f"{kind} file")
