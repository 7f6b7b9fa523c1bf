"""What a table of timings must not hold, and the errors that say so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, ReadingWarning, rows_to_fix, warn
from ireval_frames.expr import col
from ireval_frames.items.checks import weights
from ireval_frames.timings.inputs import TimingInputs
from ireval_frames.timings.tables import TimingTables


def checks(tables: TimingTables) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    inputs = tables.inputs
    return [lambda: run_checks(tables.plan.engine, declared(tables)), tables.plan.check, lambda: warn_of_unit(inputs)]


def warn_of_unit(inputs: TimingInputs) -> None:
    """Warn where numbers are taken for seconds, and the name of their column says that they are others."""
    name = inputs.user_columns["seconds"]
    unit = re.search(r"_(ms|us|ns)$", name.lower())
    if unit and inputs.measured.time_unit == "s" and inputs.frame.dtype(name) != pl.Duration and not inputs.drawn:
        warn(
            f"Column {name!r} of the timings table is taken for seconds, and its name says {unit[1]}; if it holds "
            "these, name the unit of times (time_unit).",
            ReadingWarning,
        )


def declared(tables: TimingTables) -> Iterator[Check]:
    """The checks of the inputs."""
    inputs = tables.inputs
    yield from inputs.checks
    if "weight" in inputs.user_columns:
        yield weights(inputs.items, "timings", inputs.user_columns["weight"])
        yield Check(inputs.items, col("weight") != col("weight").floor(), _fraction(inputs))
    name, value = inputs.user_columns["seconds"], col("seconds")
    fix = rows_to_fix("frame", name, ".is_null()", ".is_nan()", ".is_infinite()", " < 0")
    bad = ~value.is_null() & (~value.is_finite() | (value < 0.0))
    yield Check(
        inputs.items,
        bad,
        lambda rows, _: InvalidValue(
            f"Column {name!r} of the timings table holds {rows['seconds'][0]:g} seconds, "
            "not a finite number of at least 0.",
            fix,
        ),
    )
    recorded = inputs.policy.failures == "recorded"
    nothing = value.is_null() if recorded else value.is_null() & (col("failed") == 0.0)
    yield Check(inputs.items, nothing, _without_seconds(inputs, recorded=recorded))
    if tables.has("delay"):
        late = col("delay").is_null() | (col("delay") + value.fill_null(0.0) < 0.0)
        yield Check(inputs.items, late, _before_schedule)
    if tables.has("repetition") and tables.has("item_id"):
        yield unique_key(inputs.items, (*tables.keys, "item_id", "repetition"), _twice)


def _fraction(inputs: TimingInputs) -> Callable[[pl.DataFrame, int], InvalidValue]:
    name = inputs.user_columns["weight"]
    return lambda rows, _: InvalidValue(
        f"Column {name!r} of the timings table holds {rows['weight'][0]:g}; a row is a whole number of requests.",
        "Write whole numbers, or leave the column out.",
    )


def _without_seconds(inputs: TimingInputs, *, recorded: bool) -> Callable[[pl.DataFrame, int], InvalidValue]:
    name = inputs.user_columns["seconds"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del rows
        requests = "A request has" if count == 1 else f"{count:,} requests have"
        if recorded:
            return InvalidValue(
                f"{requests} no seconds: column {name!r} of the timings table is null, and failures=recorded reads it.",
                Hint("Count failures as infinite: ", Argument("policy", "failures=infinite"), "."),
            )
        status = "" if "status" in inputs.user_columns else ", and no column says that they failed"
        return InvalidValue(
            f"{requests} no seconds: column {name!r} of the timings table is null{status}.",
            Hint("If they failed, name the column that says so: ", Argument("status", "their_name"), "; else ")
            + str(rows_to_fix("frame", name, ".is_null()"))
            if not status
            else Hint("Name the column that says whether they did: ", Argument("status", "their_name")),
        )

    return error


def _before_schedule(rows: pl.DataFrame, count: int) -> InvalidValue:
    delay = rows["delay"][0]
    if delay is None:
        return InvalidValue(
            f"{count:,} requests have no start, or no scheduled start, so there is no time between them.",
            Hint("Count from when they were sent: ", Argument("policy", "since=sent"), "."),
        )
    return InvalidValue(
        f"A request was answered {-delay - (rows['seconds'][0] or 0):g} seconds before its scheduled start"
        + (f" ({count:,} requests were answered before theirs)." if count > 1 else "."),
        Hint("Name the right columns, or count from when they were sent: ", Argument("policy", "since=sent"), "."),
    )


def _twice(rows: pl.DataFrame, count: int) -> DuplicateRows:
    more = f" ({count:,} are)" if count > 1 else ""
    return DuplicateRows(
        f"The repetition {rows['repetition'][0]!r} of the query {rows['item_id'][0]!r} is in {rows['n'][0]} rows of "
        f"the timings table{more}.",
        "Give each repetition one row, or name the systems in a column run_id.",
    )
