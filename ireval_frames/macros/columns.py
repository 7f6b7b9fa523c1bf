"""The columns of the tables that macros read."""

from __future__ import annotations

import polars as pl

from ireval_frames.columns.exact_numbers import DIGITS, EXACT
from ireval_frames.engines.quoting import identifier, string
from ireval_frames.engines.sql.values import seen
from ireval_frames.macros.tables import Column

UNIT = "unit_id"
# Enums are ordered as they are declared, text by its letters: ties would be broken in another way.
_ENUM = "typeof({}) LIKE 'ENUM%'"


def id_column(name: str) -> Column:
    """A column of ids, none of them null."""
    said = identifier(name)
    return Column(
        name,
        refused=(
            (f"{said} IS NULL", "is null; every row needs one."),
            (_ENUM.format(said), "is an ENUM; name a view that casts it to VARCHAR."),
        ),
    )


def id_like(name: str, table: str) -> Column:
    """A column of ids in the type that they have in another table, where each is written in one way."""
    said = identifier(name)
    text = f"cast_to_type({said}, (SELECT {said} FROM query_table({identifier(table)}) LIMIT 0))"
    lost = f"CAST({text} AS VARCHAR) <> CAST({said} AS VARCHAR)"
    return Column(name, text=text, refused=((lost, f"has ids that are none of the {table} table's type."),))


def number(name: str) -> Column:
    """A column of numbers."""
    return Column(name, pl.Float64, f"CAST({name} AS DOUBLE)")


def number_or_one(name: str) -> Column:
    """A column of numbers that a table may lack: 1 if it does, or all are null."""
    none = f"(SELECT count({name}) = 0 FROM {{source}})"
    return Column(name, pl.Float64, f"CASE WHEN {none} THEN 1e0 ELSE CAST({name} AS DOUBLE) END", optional=True)


def score() -> Column:
    """Scores, which are numbers or infinite."""
    value = "CAST(score AS DOUBLE)"
    whole = f"typeof(score) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT') AND abs({value}) >= {float(EXACT)!r}"
    long = f"typeof(score) LIKE 'DECIMAL%' AND regexp_matches(CAST(score AS VARCHAR), {string(DIGITS)})"
    refused = (
        (f"{value} IS NULL OR isnan({seen(value)})", "is null or NaN; scores must be numbers."),
        (whole, "has whole numbers beyond 2^53, which floats do not tell apart; put ranks in their place."),
        (long, "has decimals of more than 15 digits, which floats do not tell apart; put ranks in their place."),
    )
    return Column("score", pl.Float64, value, refused=refused)


def text(name: str, *, optional: bool = False) -> Column:
    """A column read as text; all rows have the same where there is none."""
    value = f"CAST({identifier(name)} AS VARCHAR)"
    return Column(name, text=f"coalesce({value}, '')" if optional else value, optional=optional)


def unit() -> Column:
    """The unit of a row; all items are one where there is none, in any row."""
    some = f"{UNIT} IS NULL AND (SELECT count({UNIT}) > 0 FROM {{source}})"
    refused = ((some, "is null in some rows, which would be one unit together; leave them out."),)
    return Column(UNIT, text=f"CAST({UNIT} AS VARCHAR)", optional=True, refused=refused)


def run_id() -> Column:
    """The system of a row: that of the table where there is none."""
    return Column("run_id", text="coalesce(CAST(run_id AS VARCHAR), {table})", optional=True)


def class_of(name: str, other: str = "") -> Column:
    """Classes as text, as they are written in the type in which both sides can be compared; NaN is none."""
    both = f"CASE WHEN TRUE THEN {name} ELSE {other} END" if other else name
    none = f"typeof({both}) IN ('DOUBLE', 'FLOAT') AND CAST({name} AS VARCHAR) = 'nan'"
    return Column(name, text=f"CASE WHEN {none} THEN NULL ELSE CAST({both} AS VARCHAR) END")
