"""What macros read: tables by name, their columns with what they must not hold where that costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.engines.quoting import identifier, quoted, string


@dataclass(frozen=True)
class Column:
    """A column of a table that a macro reads.

    Attributes:
        name: what it is called.
        type: the type of the plan.
        text: how it is read; by default as it is.
        optional: a table may lack it.
        refused: conditions of values that are refused, with what is said.
    """

    name: str
    type: Any = pl.String
    text: str = ""
    optional: bool = False
    refused: tuple[tuple[str, str], ...] = ()

    def read(self, table: str) -> str:
        """The column as the door of a table reads it."""
        text = (self.text or identifier(self.name)).replace("{table}", identifier(table))
        rows = source(table, [self])
        text = text.replace("{source}", rows)
        if not self.refused:
            return f"{text} AS {identifier(self.name)}"
        of = f"Column {self.name} of the {table} table"
        whens = " ".join(
            f"WHEN {condition.replace('{source}', rows)} THEN error({string(f'{of} {said}')})"
            for condition, said in self.refused
        )
        return f"CASE {whens} ELSE {text} END AS {identifier(self.name)}"


def door(table: str, columns: Sequence[Column], argument: str = "") -> str:
    """The SELECT that reads a table by the name that an argument has; that of the table, if it has no other."""
    items = ",\n  ".join(column.read(table) for column in columns)
    # A column that is not there is missed by this name, and not by that of an item of the same SELECT.
    said = quoted(f"the {table} table")
    names = ", ".join(f"{said}.{identifier(c.name)}" for c in columns)
    return f"SELECT\n  {items}\nFROM (SELECT {names} FROM {source(argument or table, columns)} AS {said})"


def source(argument: str, columns: Sequence[Column]) -> str:
    """The table that an argument names; columns that it may lack are null then."""
    table = f"query_table({identifier(argument)})"
    absent = [f"NULL AS {identifier(c.name)}" for c in columns if c.optional]
    return f"(FROM {table} UNION ALL BY NAME SELECT {', '.join(absent)} WHERE FALSE)" if absent else table


def paths(table: str, child: str, parent: str) -> dict[tuple[str, ...], str]:
    """The SELECTs of the ways up a tree, which a table tells by each class and its parent.

    By their columns: every class with itself and all above it, and the parent of each, null for roots.
    """
    name, deepest = identifier(table), 1000
    read = (
        f"SELECT CAST({child} AS VARCHAR) AS node_id, CAST({parent} AS VARCHAR) AS parent_id FROM query_table({name})"
    )
    several = string(f"A class has several parents in the {table} table; give it one.")
    circle = string(f"In the {table} table classes are their own ancestors; the root has no parent.")
    nodes = "SELECT node_id FROM edges UNION SELECT parent_id FROM edges"
    return {
        ("class_id", "node_id"): f"""\
WITH RECURSIVE edges AS ({read}), up AS (
  SELECT node_id AS class_id, node_id, 0 AS depth FROM ({nodes}) WHERE node_id IS NOT NULL
  UNION ALL
  SELECT up.class_id, edges.parent_id, CASE WHEN depth > {deepest} THEN error({circle}) ELSE depth + 1 END
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
