"""Polars' errors and panics as ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import polars as pl

from ireval_frames.errors import EngineError, Hint, InvalidValue, IrevalError, rows_to_fix

Result = TypeVar("Result")
# Polars' message for text that is no number: the column, and some of the values.
_TEXT = re.compile(r"conversion from `str` to `\w+` failed in column '(.*?)' for .*?: \[(.*?)\]", re.DOTALL)
FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def run(action: Callable[[], Result]) -> Result:
    """Run a Polars plan; its panics and engine errors become ours.

    Raises:
        EngineError: Polars failed; the message names the cause.
    """
    try:
        return action()
    except FAILURES as error:
        raise engine_error(error) from error


def engine_error(error: BaseException) -> IrevalError:
    """Our own error that Polars wrapped, or one that names the cause."""
    text = _TEXT.match(str(error))
    if text:
        return InvalidValue(
            f"Column {text[1]!r} has text where numbers are expected: {text[2]}.",
            Hint(
                "Name a column of numbers. ", rows_to_fix("frame", text[1], ".cast(pl.Float64, strict=False).is_null()")
            ),
        )
    return original(error) or EngineError(
        f"Polars could not run the plan: {(str(error).splitlines() or [type(error).__name__])[0]}"
    )


def original(error: BaseException) -> IrevalError | None:
    """Our own error inside one that Polars wrapped around it."""
    inner: BaseException | None = error
    while inner is not None:
        if isinstance(inner, IrevalError):
            return inner
        inner = inner.__cause__ or inner.__context__
    return None
