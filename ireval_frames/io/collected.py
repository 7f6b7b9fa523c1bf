"""Collecting a lazy frame of ours at once."""

from __future__ import annotations

import polars as pl

from ireval_frames.errors import EngineError
from ireval_frames.io.failures import READ_ERRORS, cause, unwrap


def collected(frame: pl.LazyFrame) -> pl.DataFrame:
    """The frame in memory.

    Raises:
        IrevalError: what is wrong with the file, or EngineError when Polars fails for another reason.
    """
    try:
        return frame.collect()
    except READ_ERRORS as error:
        raise unwrap(error) or EngineError(f"Polars failed while reading: {cause(error)}.") from error
