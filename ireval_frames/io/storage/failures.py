"""Errors of other libraries as ours."""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.inputs.polars_errors import FAILURES, original
from ireval_frames.errors import FileError, IrevalError

# A panic is a BaseException, so `except Exception` lets it pass.
ENGINE_ERRORS: tuple[type[BaseException], ...] = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
READ_ERRORS: tuple[type[BaseException], ...] = FAILURES


def cause(error: BaseException) -> str:
    """The first line of an error's message, shortened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    return text if len(text) <= 200 else text[:197] + "..."


def unwrap(error: BaseException) -> IrevalError | None:
    """Our error inside an error raised while a lazy frame was collected, if there is one.

    Text files raise ours directly.  Parquet and Arrow files are read by Polars itself; when one turns out to be damaged
    in the middle, Polars' error becomes a FileError.

    Args:
        error: what `collect`, `collect_batches` or a sink raised.

    Returns:
        The error to raise instead, or None when the error has nothing to do with reading files.

    Example:
        >>> from ireval_frames.errors import FileError
        >>> str(unwrap(FileError("run.txt is empty.")))
        'run.txt is empty.'
        >>> unwrap(KeyError("x")) is None
        True
    """
    if (ours := original(error)) is not None:
        return ours
    text = str(error).lower()
    if isinstance(error, READ_ERRORS) and any(
        word in text for word in ("parquet", "ipc", "arrow", "thrift", "outofspec")
    ):
        return FileError(
            f"A file cannot be read: {cause(error)}.", "It is damaged, or was truncated while it was written."
        )
    return None
