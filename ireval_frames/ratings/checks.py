"""The checks of the table of ratings, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames.columns.schema import RUN_ID
from ireval_frames.engines.base import Engine
from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidValue,
    NothingInCommon,
    listed,
    nearest,
    rows_to_fix,
)
from ireval_frames.expr import col
from ireval_frames.items.checks import weights
from ireval_frames.overlap import Side, likely_cause
from ireval_frames.ratings.inputs import RatingInputs
from ireval_frames.ratings.tables import RatingTables


def checks(tables: RatingTables) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    return [
        lambda: run_checks(tables.plan.engine, declared(tables.inputs)),
        lambda: check_left_out(tables.plan.engine, tables.inputs),
        tables.plan.check,
    ]


def check_left_out(engine: Engine, inputs: RatingInputs) -> None:
    """Refuse to leave out raters who rated nothing.

    Raises:
        NothingInCommon: with the raters of the table.
    """
    if not inputs.left_out:
        return
    raters = engine.collect(inputs.all_raters.count_by("rater_id")).drop_nulls("rater_id")["rater_id"].sort()
    unknown = [name for name, value in inputs.left_out if value is None or value not in raters]
    if not unknown:
        return
    column = inputs.user_columns.get("rater_id", "rater_id")
    likely = likely_cause(Side("ratings", column, raters.to_list()), Side("names given", column, unknown))
    cause = f"; {likely[0]}" if likely else ""
    raise NothingInCommon(
        f"There is no rater {unknown[0]!r}: {listed(map(repr, raters), 3) or 'nobody'} rated{cause}.",
        nearest(str(unknown[0]), map(str, raters)) or "Name raters as the ratings do.",
    )


def declared(inputs: RatingInputs) -> Iterator[Check]:
    """The checks of the inputs."""
    rows, rating = inputs.ratings, col("rating")
    name = inputs.user_columns.get("rating", "rating")
    yield from inputs.checks
    if "weight" in inputs.user_columns:
        yield weights(inputs.items, "ratings", inputs.user_columns["weight"])
        yield unique_key(inputs.items, (*inputs.keys, "item_id"), _two_weights)
    ids = [col(c).is_null() for c in ("item_id", "rater_id") if c in rows.columns]
    yield Check(rows, ids[0] if len(ids) == 1 else ids[0] | ids[1], _no_id(inputs))
    if inputs.policy.missing == "error":
        yield Check(rows, rating.is_null(), _missing)
    if inputs.numeric and inputs.dtype.is_float():
        line = rows_to_fix("ratings", name, ".is_infinite()")
        yield Check(rows, ~rating.is_finite(), lambda bad, _: InvalidValue(f"A rating is {bad['rating'][0]}.", line))
    if inputs.level == "ratio":
        line = Hint("Shift them, or write ", Argument("level", "interval"), ".")
        yield Check(
            rows,
            rating < 0,
            lambda bad, _: InvalidValue(f"A rating is {bad['rating'][0]}; on a ratio scale none is below 0.", line),
        )
    if inputs.categories is not None:
        yield Check(rows, ~rating.is_null() & ~rating.is_in(list(inputs.categories)), _outside(inputs))
    if inputs.policy.duplicates == "error" and inputs.has_raters:
        yield unique_key(rows, (*inputs.keys, "item_id", "rater_id"), _twice(inputs))


def _no_id(inputs: RatingInputs) -> Callable[[pl.DataFrame, int], InvalidValue]:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        which, ours = ("item", "item_id") if rows["item_id"].null_count() else ("rater", "rater_id")
        return InvalidValue(
            f"{count} ratings have no {which}: its column is null.",
            rows_to_fix("ratings", inputs.user_columns.get(ours, ours), ".is_null()"),
        )

    return error


def _missing(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"{count} rows have no rating, such as that of the item {rows['item_id'][0]!r}.",
        Hint("Leave them out: ", Argument("policy", "missing=skip")),
    )


def _two_weights(rows: pl.DataFrame, count: int) -> InvalidValue:
    more = f"; {count} items do" if count > 1 else ""
    return InvalidValue(
        f"The rows of the item {rows['item_id'][0]!r} have different weights{more}; a weight is that of an item.",
        "Give all rows of an item one weight.",
    )


def _twice(inputs: RatingInputs) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    system = next((c for c in (RUN_ID.name, *RUN_ID.aliases) if c in inputs.frame.columns), None)

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        more = f"; {count} such pairs" if count > 1 else ""
        both = ("Keep one of them, or let both count: ", Argument("policy", "duplicates=trust"))
        return DuplicateRows(
            f"The rater {rows['rater_id'][0]!r} rates the item {rows['item_id'][0]!r} in {rows['n'][0]} rows{more}.",
            Hint(*both)
            if system is None or system in inputs.by_names.values()
            else Hint("If these are items of several systems: ", Argument("by", system), ". ", *both),
        )

    return error


def _outside(inputs: RatingInputs) -> Callable[[pl.DataFrame, int], InvalidValue]:
    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"{count} ratings are outside of the scale, such as {rows['rating'][0]!r}; the scale is "
            f"{listed(inputs.categories or ())}.",
            Hint("Name all categories: ", Argument("categories", [*(inputs.categories or ()), rows["rating"][0]])),
        )

    return error
