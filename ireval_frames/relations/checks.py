"""The checks of tables of relations, and their errors."""

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
from ireval_frames.relations.inputs import POSITIONS
from ireval_frames.relations.tables import RelationTables

ARGUMENTS = ("head", "tail")


def row_checks(tables: RelationTables) -> Iterator[Check]:
    """What is checked in the rows."""
    inputs = tables.inputs
    if isinstance(inputs.undirected, tuple) and inputs.undirected and "label" in inputs.present and not inputs.drawn:
        error = functools.partial(_none_undirected, inputs.undirected)
        yield some_occur(inputs, col("label").is_in(inputs.undirected), error)
    for side in () if inputs.drawn else SIDES:
        frame = inputs.rows[side]
        yield Check(frame, _misplaced(tables), functools.partial(_misplaced_error, tables, side))
        yield Check(frame, _unnamed(tables), functools.partial(_unnamed_error, tables, side))
        for column, (lacks, what) in tables.incomplete.items():
            yield Check(frame, lacks, functools.partial(_incomplete_error, tables, side, column, what))
        if tables.policy.duplicates == "error":
            # Rows of the gold are in no run.
            keys = (*(k for k in tables.keys if k in frame.columns), *inputs.present)
            yield unique_key(frame, keys, functools.partial(_twice, tables, side), ordered=True)


def _any(conditions: list[Expr]) -> Expr:
    out = lit(False)  # noqa: FBT003 - a literal
    for condition in conditions:
        out = out | condition.fill_null(False)  # noqa: FBT003 - of conditions
    return out


def _misplaced(tables: RelationTables) -> Expr:
    """Whether a row has half a span, one that ends before it starts, or a position that is no whole number."""
    present, conditions = tables.inputs.present, []
    for argument in ARGUMENTS:
        start, end = f"{argument}_start", f"{argument}_end"
        conditions += [no_position(c) for c in (start, end, f"{argument}_token") if c in present]
        if start in present and end in present:
            conditions += [col(end) < col(start), col(start).is_null() != col(end).is_null()]
    return _any(conditions)


def _misplaced_error(tables: RelationTables, side: str, rows: pl.DataFrame, count: int) -> InvalidValue:
    row = rows.row(0, named=True)
    for argument in ARGUMENTS:
        start, end = (row.get(f"{argument}_{part}") for part in ("start", "end"))
        names = [tables.inputs.user_name(side, f"{argument}_{part}") for part in ("start", "end")]
        if start is not None and end is not None and end < start:
            return InvalidValue(
                f"A span of the {side} table ends before it starts ({count} rows): {names[0]!r} is {start:g} and "
                f"{names[1]!r} is {end:g}.",
                rows_to_fix(side, names[1], f' < pl.col("{names[0]}")'),
            )
        if (start is None) != (end is None):
            known, missing = names if end is None else names[::-1]
            return InvalidValue(
                f"A span of the {side} table has {known!r} and no {missing!r} ({count} rows).",
                rows_to_fix(side, missing, ".is_null()"),
            )
    errors = (
        misplaced(side, tables.inputs.user_name(side, c), row[c], count)
        for c in tables.inputs.present
        if isinstance(row[c], float) and c in POSITIONS
    )
    return next(error for error in errors if error)


def _unnamed(tables: RelationTables) -> Expr:
    """Whether a relation has no label, or an argument no type."""
    present, conditions = tables.inputs.present, []
    is_relation = [~col(c).is_null() for c in ("tail_start", "tail_id") if c in present]
    if "label" in present and is_relation:
        conditions.append(_any(is_relation) & col("label").is_null())
    if tables.policy.untyped == "error":
        for argument in ARGUMENTS:
            start, kind = f"{argument}_start", f"{argument}_type"
            if start in present and kind in present:
                conditions.append(~col(start).is_null() & col(kind).is_null())
    return _any(conditions)


def _unnamed_error(tables: RelationTables, side: str, rows: pl.DataFrame, count: int) -> InvalidValue:
    row, many = rows.row(0, named=True), f"{count} rows" if count > 1 else "a row"
    for argument in ARGUMENTS:
        kind = f"{argument}_type"
        if tables.policy.untyped == "error" and row.get(f"{argument}_start") is not None and row.get(kind, 0) is None:
            name = tables.inputs.user_name(side, kind)
            return InvalidValue(
                f"Column {name!r} of the {side} table is null in {many}: an argument has no type.",
                Hint("Null as a type like any other: ", Argument("policy", "untyped=equal"), "."),
            )
    name = tables.inputs.user_name(side, "label")
    return InvalidValue(
        f"Column {name!r} of the {side} table is null in {many}: a relation has no label.",
        rows_to_fix(side, name, ".is_null()"),
    )


def _incomplete_error(
    tables: RelationTables, side: str, column: str, what: str, rows: pl.DataFrame, count: int
) -> InvalidValue:
    del rows
    name, many = tables.inputs.user_name(side, column), f"{count} rows" if count > 1 else "a row"
    return InvalidValue(
        f"Column {name!r} of the {side} table is null in {many}: {what}.", rows_to_fix(side, name, ".is_null()")
    )


def _none_undirected(labels: tuple[Any, ...]) -> InvalidParameter:
    return InvalidParameter(
        f"undirected names {' and '.join(map(repr, labels))}, and no relation has such a label.",
        Hint("Look at the labels: ", Argument("report", written="report()"), "."),
    )


def _twice(tables: RelationTables, side: str, rows: pl.DataFrame, count: int) -> DuplicateRows:
    row = rows.row(0, named=True)
    what = ", ".join(f"{tables.inputs.user_name(side, c)} {shown(row[c])}" for c in tables.inputs.present)
    return DuplicateRows(
        f"A relation of document {row['item_id']!r} is in {row['n']} rows of the {side} table ({count} relations are "
        f"in several): {what}.",
        Hint("Count equal ones once: ", Argument("policy", "duplicates=distinct"), "."),
    )
