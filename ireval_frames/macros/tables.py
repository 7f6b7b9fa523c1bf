"""The tables that macros read: their columns, and values that are refused where reading costs nothing extra."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.columns.exact_numbers import DIGITS, EXACT
from ireval_frames.engines.quoting import identifier, quoted, string
from ireval_frames.engines.sql.values import each_row

UNIT = "unit_id"
# Enums are ordered as declared, not as text, so that ties would be broken differently.
_ENUM = "typeof({}) LIKE 'ENUM%'"


@dataclass(frozen=True)
class Column:
    """A column of a table that a macro reads.

    Attributes:
        name: its name.
        type: its type in the plan.
        text: the SQL that reads it; by default its name.
        optional: a table may lack it.
        refused: conditions of refused values, with the end of the error.
    """

    name: str
    type: Any = pl.String
    text: str = ""
    optional: bool = False
    refused: tuple[tuple[str, str], ...] = ()

    def read(self, table: str) -> str:
        """The item of the SELECT that reads the column."""
        text = (self.text or identifier(self.name)).replace("{table}", identifier(table))
        rows = source(table, [self])
        text = text.replace("{source}", rows)
        if not self.refused:
            return f"{text} AS {identifier(self.name)}"
        label = f"Column {self.name} of the {table} table"
        whens = " ".join(
            f"WHEN {condition.replace('{source}', rows)} THEN error({string(f'{label} {message}')})"
            for condition, message in self.refused
        )
        return f"CASE {whens} ELSE {text} END AS {identifier(self.name)}"


def id_column(name: str) -> Column:
    """A column of ids, none of them null."""
    column = identifier(name)
    return Column(
        name,
        refused=(
            (f"{column} IS NULL", "is null; every row needs one."),
            (_ENUM.format(column), "is an ENUM; name a view that casts it to VARCHAR."),
        ),
    )


def id_like(name: str, table: str) -> Column:
    """A column of ids, cast to the type of the same column in another table."""
    column = identifier(name)
    text = f"cast_to_type({column}, (SELECT {column} FROM query_table({identifier(table)}) LIMIT 0))"
    changed = f"CAST({text} AS VARCHAR) <> CAST({column} AS VARCHAR)"
    return Column(name, text=text, refused=((changed, f"has ids that do not have the {table} table's type."),))


def number(name: str) -> Column:
    """A column of numbers."""
    return Column(name, pl.Float64, f"CAST({name} AS DOUBLE)")


def number_or_one(name: str) -> Column:
    """An optional column of numbers: 1 where it is missing, or all values are null."""
    none = f"(SELECT count({name}) = 0 FROM {{source}})"
    return Column(name, pl.Float64, f"CASE WHEN {none} THEN 1e0 ELSE CAST({name} AS DOUBLE) END", optional=True)


def score() -> Column:
    """Scores: numbers, also infinite ones."""
    value = "CAST(score AS DOUBLE)"
    large = f"typeof(score) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT') AND abs({value}) >= {float(EXACT)!r}"
    long = f"typeof(score) LIKE 'DECIMAL%' AND regexp_matches(CAST(score AS VARCHAR), {string(DIGITS)})"
    refused = (
        (f"{value} IS NULL OR isnan({each_row(value)})", "is null or NaN; scores must be numbers."),
        (large, "has integers beyond 2^53, which doubles do not distinguish; use ranks instead."),
        (long, "has decimals of more than 15 digits, which doubles do not distinguish; use ranks instead."),
    )
    return Column("score", pl.Float64, value, refused=refused)


def text(name: str, *, optional: bool = False) -> Column:
    """A column read as text; where it is missing, all rows have the same."""
    value = f"CAST({identifier(name)} AS VARCHAR)"
    return Column(name, text=f"coalesce({value}, '')" if optional else value, optional=optional)


def unit() -> Column:
    """The unit of a row; without the column, or where all are null, all items are one unit."""
    null_in_some = f"{UNIT} IS NULL AND (SELECT count({UNIT}) > 0 FROM {{source}})"
    refused = ((null_in_some, "is null in some rows, which would form one unit; leave them out."),)
    return Column(UNIT, text=f"CAST({UNIT} AS VARCHAR)", optional=True, refused=refused)


def run_id() -> Column:
    """The system of a row; without the column, the name of the table."""
    return Column("run_id", text="coalesce(CAST(run_id AS VARCHAR), {table})", optional=True)


def class_of(name: str, other: str = "") -> Column:
    """Classes as text, after a cast to the common type of two columns; NaN is null."""
    both = f"CASE WHEN TRUE THEN {name} ELSE {other} END" if other else name
    none = f"typeof({both}) IN ('DOUBLE', 'FLOAT') AND CAST({name} AS VARCHAR) = 'nan'"
    return Column(name, text=f"CASE WHEN {none} THEN NULL ELSE CAST({both} AS VARCHAR) END")


def select_table(table: str, columns: Sequence[Column], argument: str = "") -> str:
    """The SELECT that reads the table named by an argument, by default by the argument of the table's name."""
    items = ",\n  ".join(column.read(table) for column in columns)
    # DuckDB's error of a missing column shows this alias.
    alias = quoted(f"the {table} table")
    names = ", ".join(f"{alias}.{identifier(c.name)}" for c in columns)
    return f"SELECT\n  {items}\nFROM (SELECT {names} FROM {source(argument or table, columns)} AS {alias})"


def source(argument: str, columns: Sequence[Column]) -> str:
    """The table that an argument names; optional columns that it lacks are null."""
    table = f"query_table({identifier(argument)})"
    absent = [f"NULL AS {identifier(c.name)}" for c in columns if c.optional]
    return f"(FROM {table} UNION ALL BY NAME SELECT {', '.join(absent)} WHERE FALSE)" if absent else table


def paths(table: str, child: str, parent: str) -> dict[tuple[str, ...], str]:
    """SELECTs over a tree, from a table of each class and its parent, by their columns.

    One has every class with itself and its ancestors, the other the parent of each class, null for roots.
    """
    name, deepest = identifier(table), 1000
    read = (
        f"SELECT CAST({child} AS VARCHAR) AS node_id, CAST({parent} AS VARCHAR) AS parent_id FROM query_table({name})"
    )
    several = string(f"A class has several parents in the {table} table; give it one.")
    cycle = string(f"In the {table} table classes are their own ancestors; the root has no parent.")
    nodes = "SELECT node_id FROM edges UNION SELECT parent_id FROM edges"
    return {
        ("class_id", "node_id"): f"""\
WITH RECURSIVE edges AS ({read}), up AS (
  SELECT node_id AS class_id, node_id, 0 AS depth FROM ({nodes}) WHERE node_id IS NOT NULL
  UNION ALL
  SELECT up.class_id, edges.parent_id, CASE WHEN depth > {deepest} THEN error({cycle}) ELSE depth + 1 END
  FROM up JOIN edges USING (node_id)
  WHERE edges.parent_id IS NOT NULL
)
SELECT DISTINCT class_id, node_id FROM up""",
        ("node_id", "parent_id"): f"""\
WITH edges AS ({read})
SELECT
  node_id,
  CASE WHEN count(DISTINCT parent_id) > 1 THEN error({several}) ELSE min(parent_id) END AS parent_id
FROM ({nodes}) LEFT JOIN edges USING (node_id)
WHERE node_id IS NOT NULL
GROUP BY node_id""",
    }
