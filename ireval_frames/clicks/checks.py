"""Checks of a click log, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import (
    Argument,
    Code,
    DuplicateRows,
    Hint,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    rows_to_fix,
)
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.checks import weights
from ireval_frames.ratios import indicator

# The largest integer up to which floats hold all.
MAX_INTEGER = 2.0**53
# Sums of different powers of two up to this are exact, and so are those of a few more.
BITS = 50


def check(inputs: ClickInputs) -> None:
    """Check the data.

    Raises:
        InvalidValue, DuplicateRows: the log breaks a check.
    """
    with inputs.engine.errors():
        run_checks(inputs.engine, declared(inputs))
        one_each(inputs)


def declared(inputs: ClickInputs) -> Iterator[Check]:
    """The checks of single rows; `one_each` checks pages."""
    yield from inputs.checks
    if "weight" in inputs.columns:
        yield weights(inputs.loose, "impressions", inputs.user_columns.get("weight", "weight"))
    yield _serps(inputs)
    yield _documents(inputs)
    yield _positions(inputs)
    yield _clicks(inputs)
    if inputs.policy.unshown == "error":
        yield _unshown(inputs)
    yield from (_time(inputs, c) for c in ("dwell", "click_time", "page_dwell") if c in inputs.columns)


def _serps(inputs: ClickInputs) -> Check:
    column_name = inputs.user_columns["serp_id"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del rows
        return InvalidValue(
            f"{count} rows of the log have no page id: column {column_name!r} is null.",
            rows_to_fix("frame", column_name, ".is_null()"),
        )

    return Check(inputs.loose, col("serp_id").is_null(), error)


def _documents(inputs: ClickInputs) -> Check:
    column_name = inputs.user_columns["doc_id"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        position = rows["position"][0]
        where = "a click without a position" if position is None else f"that at position {position:g}"
        return InvalidValue(
            f"{count} shown results have no document, such as {where} of the page {rows['serp_id'][0]!r}: column "
            f"{column_name!r} is null.",
            Hint(
                "A row of a page that shows nothing has no position, either. ",
                rows_to_fix("frame", column_name, ".is_null()"),
            ),
        )

    # A page that shows nothing is a row without document, position and click.
    bad = col("doc_id").is_null() & (~col("position").is_null() | (col("click") > 0))
    return Check(inputs.raw, bad, error)


def _positions(inputs: ClickInputs) -> Check:
    column_name, first = inputs.user_columns["position"], 1 if inputs.policy.positions == "one" else 0
    position, clicked = col("position"), col("click") > 0

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        value = rows["position"][0]
        held = "null" if value is None else f"{value:g}"
        more = f" ({count} rows do)" if count > 1 else ""
        line: str = rows_to_fix("frame", column_name, ".is_null()", f" < {first}")
        if value == 0:
            line = Hint("If the first result of a page has position 0: ", Argument("policy", "positions=zero"))
        return InvalidValue(
            f"Column {column_name!r} of the impressions table holds {held}{more}; positions are whole numbers from "
            f"{first}.",
            line,
        )

    # Clicks without a position are left to the next check.
    wrong = (position.is_null() & ~clicked) | ~position.is_finite() | (position != position.floor())
    out = (position < first) | (position > MAX_INTEGER)
    return Check(inputs.raw, ~col("doc_id").is_null() & (wrong | out), error)


def _unshown(inputs: ClickInputs) -> Check:
    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        return MismatchedTables(
            f"{count} clicks are on documents that their page did not show (they have no position), such as that on "
            f"{rows['doc_id'][0]!r} of the page {rows['serp_id'][0]!r}.",
            Hint("Leave them out: ", Argument("policy", "unshown=skip")),
        )

    bad = ~col("doc_id").is_null() & col("position").is_null() & (col("click") > 0)
    return Check(inputs.raw, bad, error)


def _clicks(inputs: ClickInputs) -> Check:
    column_name, click = inputs.user_columns["click"], col("click")

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        value = rows["click"][0]
        held = "no number of clicks" if value is None else f"{value:g}"
        more = f" in {count} rows" if count > 1 else ""
        return InvalidValue(
            f"Column {column_name!r} of the impressions table holds {held}{more}; a click is true or false, or the "
            "number of clicks.",
            rows_to_fix("frame", column_name, ".is_null()", " < 0", " % 1 != 0"),
        )

    wrong = no_clicks(click)
    return Check(inputs.raw, ~col("doc_id").is_null() & wrong, error)


def no_clicks(click: Expr) -> Expr:
    """Whether a number is no number of clicks; a share such as 0.2 would count as a click."""
    return click.is_null() | ~click.is_finite() | (click < 0) | (click != click.floor())


def _time(inputs: ClickInputs, column: str) -> Check:
    value = col(column)

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del count
        column_name = inputs.user_columns.get(column, column)
        return InvalidValue(
            f"Column {column_name!r} of the log holds {rows[column][0]:g}; it must be seconds, 0 or more, or null.",
            rows_to_fix("frame", column_name, ".is_nan()", ".is_infinite()", " < 0"),
        )

    return Check(inputs.loose, ~value.is_null() & (~value.is_finite() | (value < 0)), error)


def one_each(inputs: ClickInputs) -> None:
    """Refuse several results at one position of a page.

    Raises:
        DuplicateRows: a position has several.
    """
    if inputs.policy.duplicates != "error":
        return
    engine, page = inputs.engine, page_keys(inputs)
    pages = engine.group(inputs.impressions, page, place_sums(lit(1.0), col("position")))
    bad = unclear_places()
    if engine.numbers(engine.group(pages, (), [Aggregate("bad", "sum", indicator(bad))]))["bad"]:
        rows = engine.join(pages.filter(bad).select(*page), inputs.impressions, page, "inner")
        run_checks(engine, [unique_key(rows, (*page, "position"), _several, ordered=True)])


def known(inputs: ClickInputs, column: str) -> Check:
    """The check that a column is never null: users that are null would count as one user."""
    column_name = inputs.user_columns.get(column, column)

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"{count} rows of the log have no {column}, such as those of the page {rows['serp_id'][0]!r}; they would "
            "all count as one.",
            rows_to_fix("frame", column_name, ".is_null()"),
        )

    return Check(inputs.log, col(column).is_null(), error)


def page_keys(inputs: ClickInputs) -> tuple[str, ...]:
    """The columns that identify a page, whatever groups it is in."""
    return (*(k for k in inputs.keys if k == "run_id"), "serp_id")


def place_sums(shown: Expr, position: Expr) -> list[Aggregate]:
    """Sums over the results of a page that show whether each has a position of its own.

    Where the last of n results is at n, and Σ 2^(position − 1) is 2^n − 1, they are at 1, …, n, as on most pages.  Only
    the results of other pages are counted position by position.

    Args:
        shown: 1 for a result.
        position: its position, whole or not.
    """
    short = position <= BITS
    power = lit(2.0) ** when(short).then(position.cast(pl.Float64) - 1.0).otherwise(0.0)
    return [
        Aggregate("shown", "sum", shown),
        Aggregate("last", "max", position),
        Aggregate("powers", "sum", when(short).then(power).otherwise(0.0)),
    ]


def unclear_places() -> Expr:
    """By the sums of a page, whether two results may be at one position."""
    n = col("shown")
    complete = lit(2.0) ** when(n <= BITS).then(n).otherwise(0.0)
    return (col("last") != n) | (n > BITS) | (col("powers") + 1.0 != complete)


def _several(rows: pl.DataFrame, count: int) -> DuplicateRows:
    more = f"; {count} positions do" if count > 1 else ""
    return DuplicateRows(
        f"Position {rows['position'][0]} of the page {rows['serp_id'][0]!r} has {rows['n'][0]} results{more}.",
        Hint(
            "List them: log.check(). If rows are written twice, leave out the copies: ",
            Code("frame.unique()", "SELECT DISTINCT * in SQL, for example"),
            ". If they are intended, as in a grid: ",
            Argument("policy", "duplicates=trust"),
        ),
    )


def one_weight(rows: pl.DataFrame, count: int) -> InvalidValue:
    """The error that the rows of a page have several weights."""
    return InvalidValue(
        f"The rows of {count} pages have several weights, such as those of the page {rows['serp_id'][0]!r}.",
        "A weight w counts a page w times: give its rows one weight, or evaluate CTR and COEC, which count rows.",
    )


def beyond(known: int) -> Callable[[pl.DataFrame, int], InvalidParameter]:
    """The error that results were shown at positions without a number."""

    def error(rows: pl.DataFrame, count: int) -> InvalidParameter:
        del count
        return InvalidParameter(
            f"Results were shown at position {rows['position'][0]}, and numbers were given for the first {known}.",
            f'Give one for each position, or leave the others out: frame.filter(pl.col("position") <= {known})',
        )

    return error


def outside(column: str, name: str, allowed: str, line: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    """The error of a shown result whose value is not allowed.

    Args:
        column: our name of the column.
        name: its name in the table of the user.
        allowed: the allowed values.
        line: the hint.
    """

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row, more = rows.row(0, named=True), f"; {count} rows are such" if count > 1 else ""
        return InvalidValue(
            f"Column {name!r} is {row[column]} at position {row['position']} of the page {row['serp_id']!r}{more}; "
            f"allowed: {allowed}.",
            line,
        )

    return error
