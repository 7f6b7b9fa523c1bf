"""The checks of tables of links, and their errors."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import polars as pl

from ireval_frames.documents.checks import some_occur
from ireval_frames.documents.inputs import SIDES
from ireval_frames.documents.positions import misplaced, no_position, shown
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidParameter, InvalidValue, rows_to_fix
from ireval_frames.expr import Expr, col, lit
from ireval_frames.links.inputs import JUDGMENTS, POSITIONS, UNKNOWN
from ireval_frames.links.tables import LinkTables


def row_checks(tables: LinkTables) -> Iterator[Check]:
    """What is checked in the rows."""
    inputs = tables.inputs
    for side in () if inputs.drawn else SIDES:
        frame = inputs.rows[side]
        if inputs.positions:
            yield Check(frame, _misplaced(inputs.positions), functools.partial(_misplaced_error, tables, side))
        if tables.policy.duplicates == "error":
            # Rows of the gold are in no run.
            keys = (*(k for k in tables.keys if k in frame.columns), *inputs.present)
            yield unique_key(frame, keys, functools.partial(_twice, tables, side), ordered=True)
    if not inputs.drawn:
        for column, values in inputs.selected.items():
            error = functools.partial(_none_selected, tables, column, values)
            yield some_occur(inputs, col(column).is_in(values), error)
    if "judgment" in inputs.columns["gold"] and not inputs.drawn:
        yield Check(inputs.rows["gold"], col("judgment") == UNKNOWN, functools.partial(_unknown_judgment, tables))


def _misplaced(positions: tuple[str, ...]) -> Expr:
    """Whether a row's span ends before it starts, or a position is null or no whole number that floats distinguish."""
    out = lit(False)  # noqa: FBT003 - a literal
    for column in positions:
        out = out | col(column).is_null() | no_position(column)
    return out | (col("end") < col("start")) if positions == POSITIONS else out


def _misplaced_error(tables: LinkTables, side: str, rows: pl.DataFrame, count: int) -> InvalidValue:
    row = rows.row(0, named=True)
    names = {c: tables.inputs.user_name(side, c) for c in tables.inputs.positions}
    for column, name in names.items():
        if row[column] is None:
            return InvalidValue(
                f"Column {name!r} of the {side} table holds null ({count} rows); positions are whole numbers.",
                rows_to_fix(side, name, ".is_null()"),
            )
        if error := misplaced(side, name, row[column], count):
            return error
    return InvalidValue(
        f"A span of the {side} table ends before it starts ({count} rows): {names['start']!r} is {row['start']:g} and "
        f"{names['end']!r} is {row['end']:g}.",
        rows_to_fix(side, names["end"], f' < pl.col("{names["start"]}")'),
    )


def _unknown_judgment(tables: LinkTables, rows: pl.DataFrame, count: int) -> InvalidValue:
    del rows
    name = tables.inputs.user_name("gold", "judgment")
    words = ", ".join(f"{word} ({', '.join(codes[1:])})" for word, codes in JUDGMENTS.items())
    return InvalidValue(
        f"Column {name!r} of the gold table holds something else than a judgment in {count} rows.",
        f"Judgments are {words}; null is correct.",
    )


def _none_selected(tables: LinkTables, column: str, values: tuple[Any, ...]) -> InvalidParameter:
    name = tables.inputs.user_name("gold", column)
    return InvalidParameter(
        f"where selects links whose {name!r} is {' or '.join(map(repr, values)) or 'one of none'}, and no link has it.",
        f'Look at the values: gold["{name}"].unique()',
    )


def _twice(tables: LinkTables, side: str, rows: pl.DataFrame, count: int) -> DuplicateRows:
    row = rows.row(0, named=True)
    what = ", ".join(f"{tables.inputs.user_name(side, c)} {shown(row[c])}" for c in tables.inputs.present)
    return DuplicateRows(
        f"A link of document {row['item_id']!r} is in {row['n']} rows of the {side} table ({count} links are in "
        f"several): {what}.",
        Hint("Count equal ones once: ", Argument("policy", "duplicates=distinct"), "."),
    )
