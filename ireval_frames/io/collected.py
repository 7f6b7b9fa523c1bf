"""Collecting a lazy frame of ours at once."""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.inputs.file_errors import whole
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
        source: what it reads; looked at once more if that fails.
        options: what stores are told.

    Raises:
        IrevalError: what is wrong with the file, or EngineError when Polars fails for another reason.
    """
    try:
        return frame.collect()
    except READ_ERRORS as error:
        ours = original(error)
        if ours is None:
            _look(source, options)
        raise ours or unwrap(error) or EngineError(f"Polars failed while reading: {cause(error)}.") from error


def _look(source: Source, options: Options | None) -> None:
    """Read the Parquet and Arrow files of this machine one by one; what is in stores is told by itself.

    Raises:
        FileError: one of them is damaged.
    """
    for file in files(source, options):
        if file.stored is not None:
            for path in file.stored.parquet.files if file.stored.parquet else ():
                whole(pl.scan_parquet(path, glob=False, hive_partitioning=False), path, "parquet file")
        elif kind := table_kind(file.path):
            whole(scan_native(file.path, file.name, kind), file.name, f"{kind} file")
