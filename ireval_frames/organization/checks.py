"""Checks of the tables of documents, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames.conventions.items import OrganizationPolicy
from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, MismatchedTables, rows_to_fix
from ireval_frames.expr import col
from ireval_frames.items.checks import exact
from ireval_frames.organization.inputs import OrganizationInputs
from ireval_frames.organization.tables import OrganizationTables


def checks(tables: OrganizationTables, policy: OrganizationPolicy) -> list[Callable[[], None]]:
    """The checks in the order in which they run, with the first result."""
    return [lambda: run_checks(tables.plan.engine, declared(tables.inputs, policy)), tables.plan.check]


def declared(inputs: OrganizationInputs, policy: OrganizationPolicy) -> Iterator[Check]:
    """The checks of the inputs, which run before those of the plan."""
    yield from inputs.checks
    yield from _unique_items(inputs)
    if "priority" in inputs.tasks:
        yield from _numbers(inputs)
    if policy.missing == "error":
        yield Check(inputs.items, inputs.incomplete(), _incomplete)


def _unique_items(inputs: OrganizationInputs) -> Iterator[Check]:
    """A document has one row in each table; overlapping, one grade and score in all of its rows."""
    if not inputs.one:
        for side in ("gold", "system"):
            yield Check(inputs.rows, col(f"in_{side}") > 1.0, _twice(inputs, side, f"in_{side}"))
    elif "item_id" in inputs.user_columns:
        yield unique_key(inputs.rows, (*inputs.keys, "item_id"), _twice(inputs, "gold", "n"))


def _twice(inputs: OrganizationInputs, table: str, number: str) -> Callable[[pl.DataFrame, int], DuplicateRows]:
    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        item, n, more = rows["item_id"][0], rows[number][0], f" (and {count - 1} more items)" if count > 1 else ""
        if inputs.overlapping:
            return DuplicateRows(
                f"The item {item!r} has several grades, scores or ranks in the {table} table{more}.",
                "Give it one in all of its rows.",
            )
        hint = Hint("Give every item one row.")
        if "relatedness" in inputs.tasks:
            hint = Hint(
                "Give every item one row, or declare that classes or clusters overlap: ", Argument("overlapping")
            )
        return DuplicateRows(f"The item {item!r} has {n:.0f} rows in the {table} table{more}.", hint)

    return error


def _numbers(inputs: OrganizationInputs) -> Iterator[Check]:
    """Grades, scores and ranks are not NaN, and integers are exact as floats."""
    gold = inputs.frame.lazy()
    sides = [(inputs.user_columns["relevance"], gold, inputs.from_file)]
    if inputs.orders is not None:
        system = gold if inputs.one else inputs.other.lazy()
        sides.append((inputs.system_columns[inputs.orders], system, inputs.system_file))
    for column, frame, text in sides:
        dtype = frame.collect_schema()[column]
        if dtype.is_float():
            yield Check(frame, col(column).is_nan(), _nan(column))
        yield from exact(frame, column, text=text)


def _nan(column: str) -> Callable[[pl.DataFrame, int], InvalidValue]:
    return lambda _, count: InvalidValue(
        f"Column {column!r} holds NaN in {count} rows.",
        Hint("Null means not retrieved, or not judged. ", rows_to_fix("frame", column, ".is_nan()")),
    )


def _incomplete(rows: pl.DataFrame, count: int) -> MismatchedTables:
    name = f" (such as {rows['item_id'][0]!r})" if "item_id" in rows.columns else ""
    return MismatchedTables(
        f"{count} items are missing on the gold's or the system's side{name}.",
        Hint(
            "Choose how they count: ", Argument("policy", "missing=replab"), ", or ", Argument("policy", "missing=skip")
        ),
    )
