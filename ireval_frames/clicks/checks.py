"""What a click log must not hold, and the errors that say so."""

from __future__ import annotations

from collections.abc import Iterator

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.checks import weights
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.engines.checking import Check, hold, once
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, rows_to_fix

# Positions are whole numbers that floats tell apart.
LAST = 2.0**53


def check(inputs: ClickInputs) -> None:
    """Look at the data.

    Raises:
        InvalidValue, DuplicateRows: the log holds what it must not.
    """
    with inputs.engine.errors():
        hold(inputs.engine, declared(inputs))


def declared(inputs: ClickInputs) -> Iterator[Check]:
    """What is looked at before anything is computed."""
    yield from inputs.checks
    if "weight" in inputs.columns:
        yield weights(inputs.log, "impressions")
    yield _serps(inputs)
    yield _documents(inputs)
    yield _positions(inputs)
    yield _clicks(inputs)
    yield from (_time(inputs, c) for c in ("dwell", "click_time", "page_dwell") if c in inputs.columns)
    if inputs.policy.duplicates == "error":
        yield _duplicates(inputs)


def _serps(inputs: ClickInputs) -> Check:
    theirs = inputs.found["serp_id"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del rows
        return InvalidValue(
            f"{count} rows of the log have no page: column {theirs!r} is null.",
            rows_to_fix("frame", theirs, ".is_null()"),
        )

    return Check(inputs.log, nw.col("serp_id").is_null(), error)


def _documents(inputs: ClickInputs) -> Check:
    theirs = inputs.found["doc_id"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"{count} shown results have no document, such as that at position {rows['position'][0]:g} of the page "
            f"{rows['serp_id'][0]!r}: column {theirs!r} is null.",
            f"A page that shows nothing has no position either. {rows_to_fix('frame', theirs, '.is_null()')}",
        )

    # A page that shows nothing is a row without document, position and click.
    bad = nw.col("doc_id").is_null() & (~nw.col("position").is_null() | (nw.col("click") > 0))
    return Check(inputs.raw, bad, error)


def _positions(inputs: ClickInputs) -> Check:
    theirs, first = inputs.found["position"], 1 if inputs.policy.positions == "one" else 0
    position = nw.col("position")

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        value = rows["position"][0]
        told = "null" if value is None else f"{value:g}"
        more = f" ({count} rows do)" if count > 1 else ""
        line: str = rows_to_fix("frame", theirs, ".is_null()", f" < {first}")
        if value == 0:
            line = Hint("If the first result of a page has position 0: ", Argument("policy", "positions=zero"))
        return InvalidValue(
            f"Column {theirs!r} of the impressions table holds {told}{more}; positions are whole numbers from {first}.",
            line,
        )

    wrong = position.is_null() | ~position.is_finite() | (position != position.floor())
    out = (position < first) | (position > LAST)
    return Check(inputs.raw, ~nw.col("doc_id").is_null() & (wrong | out), error)


def _clicks(inputs: ClickInputs) -> Check:
    theirs, click = inputs.found["click"], nw.col("click")

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        value = rows["click"][0]
        told = "what is no number of clicks" if value is None else f"{value:g}"
        more = f" in {count} rows" if count > 1 else ""
        return InvalidValue(
            f"Column {theirs!r} of the impressions table holds {told}{more}; a click is true or false, or how many "
            "there were.",
            rows_to_fix("frame", theirs, ".is_null()", " < 0"),
        )

    wrong = click.is_null() | ~click.is_finite() | (click < 0)
    return Check(inputs.raw, ~nw.col("doc_id").is_null() & wrong, error)


def _time(inputs: ClickInputs, column: str) -> Check:
    value = nw.col(column)

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        theirs = inputs.found.get(column, column)
        return InvalidValue(
            f"Column {theirs!r} of the log holds {rows[column][0]:g}; it is seconds, 0 or more, or null.",
            rows_to_fix("frame", theirs, ".is_nan()", ".is_infinite()", " < 0"),
        )

    return Check(inputs.log, ~value.is_null() & (~value.is_finite() | (value < 0)), error)


def _duplicates(inputs: ClickInputs) -> Check:
    several = tuple(k for k in inputs.keys if k == "run_id")

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        more = f"; {count} positions do" if count > 1 else ""
        return DuplicateRows(
            f"Position {rows['position'][0]} of the page {rows['serp_id'][0]!r} holds {rows['n'][0]} results{more}.",
            Hint(
                "Look at them: log.check(). If they are meant, as in a grid: ", Argument("policy", "duplicates=trust")
            ),
        )

    return once(inputs.impressions, (*several, "serp_id", "position"), error, ordered=True)


def one_weight(rows: pl.DataFrame, count: int) -> InvalidValue:
    """The error that the rows of a page have several weights."""
    return InvalidValue(
        f"The rows of {count} pages have several weights, such as those of the page {rows['serp_id'][0]!r}.",
        "A weight counts a page so many times: give its rows one weight, or ask for CTR and COEC, which count rows.",
    )
