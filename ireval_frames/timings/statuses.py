"""Which requests failed, by their status."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, WrongType
from ireval_frames.expr import Expr, col

# Words of text that is no number, in lower case.
SUCCEEDED = ("ok", "success", "succeeded", "successful", "completed", "complete", "pass", "passed", "true")
FAILED = ("error", "failed", "failure", "fail", "timeout", "timed out", "exception", "cancelled", "canceled", "false")
# Status codes of HTTP.
CODE, GOOD_CODE = r"^[1-5][0-9][0-9]$", r"^[123][0-9][0-9]$"


def failures(name: str, dtype: Any, succeeded: tuple[Any, ...] | None, *, text: bool) -> tuple[Expr, Expr]:
    """Whether a request failed, and whether its status says so clearly.

    Args:
        name: the column of the status.
        dtype: its type.
        succeeded: the statuses of requests that succeeded; all others failed.  None: true, codes of HTTP below 400,
            and words such as "ok".
        text: whether the table is of text, where numbers and truth values are text too.

    Raises:
        WrongType: the column cannot be a status.
        InvalidParameter: `succeeded` names none, or others than the column can hold.
    """
    status = col(name)
    if dtype == pl.Boolean:
        if succeeded is not None:
            raise InvalidParameter(
                f"succeeded is {list(succeeded)!r}, but column {name!r} is true or false.", "Leave succeeded= out."
            )
        return ~status, ~status.is_null()
    if not (dtype.is_integer() or dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum)):
        raise WrongType(
            f"Column {name!r} of the timings table is {dtype}; a status is true or false, a whole number, or text.",
            f'Convert it: frame.with_columns(pl.col("{name}").cast(pl.{"Int64" if dtype.is_float() else "String"}))',
        )
    if succeeded is not None:
        return _not_in(status, dtype, succeeded, text=text), ~status.is_null()
    if dtype.is_integer():
        return status >= 400, (status >= 100) & (status < 600)
    word = status.cast(pl.String).str.to_lowercase()
    good, code = word.is_in(SUCCEEDED), word.str.contains(CODE)
    return ~(good | word.str.contains(GOOD_CODE)), good | word.is_in(FAILED) | code


def _not_in(status: Expr, dtype: Any, succeeded: tuple[Any, ...], *, text: bool) -> Expr:
    of_text = not dtype.is_integer()
    wrong = [s for s in succeeded if isinstance(s, bool) or isinstance(s, str) != of_text]
    if of_text and text:
        succeeded, wrong = tuple(str(s) for s in succeeded), []
    if not succeeded or wrong:
        what = (
            f"names {wrong[0]!r}, but the statuses are {'text' if of_text else 'whole numbers'}"
            if wrong
            else "is empty"
        )
        raise InvalidParameter(
            f"succeeded {what}.", Hint("Write ", Argument("succeeded", ["ok"] if of_text else [200]), ".")
        )
    return ~(status.cast(pl.String) if of_text else status).is_in(succeeded)


def unclear(name: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    """The error that a status says neither that a request succeeded nor that it failed."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        value, more = rows[name][0], f" ({count:,} rows do)" if count > 1 else ""
        example = "ok" if isinstance(value, str) else 0
        return InvalidValue(
            f"Column {name!r} of the timings table holds {'null' if value is None else repr(value)}{more}, which may "
            "be a failure or not.  Known are true and false, codes of HTTP, and words such as 'ok' and 'error'.",
            "Write whether each request succeeded in a column of true and false."
            if value is None
            else Hint("Name the statuses of success: ", Argument("succeeded", [example])),
        )

    return error
