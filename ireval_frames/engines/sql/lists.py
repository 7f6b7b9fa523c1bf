"""Lists as rows, in the words of DuckDB and of Spark, which takes one list apart in a SELECT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ireval_frames.engines.quoting import identifier


def duckdb_each(values: str) -> str:
    """A row for each value of a list, or of an array; null for those that are null or empty."""
    return f"unnest(CASE WHEN len({values}) > 0 THEN {values}[:] ELSE [NULL] END)"


def spark_each(values: str) -> str:
    """The same in Spark's words."""
    return f"explode_outer({values})"


def duckdb_places(columns: Sequence[str], number: str) -> list[Mapping[str, str]]:
    """The columns of each SELECT that makes rows of the places of several lists, and numbers them."""
    places = f"range(1, len({identifier(columns[0])}) + 1)"
    return [{c: duckdb_each(identifier(c)) for c in columns} | {number: duckdb_each(places)}]


def spark_places(columns: Sequence[str], number: str) -> list[Mapping[str, str]]:
    """The same in Spark's words: a list of structs, then their fields."""
    first = identifier(columns[0])
    fields = "".join(f", 'v{i}', get({identifier(c)}, i)" for i, c in enumerate(columns))
    made = f"transform(sequence(0, size({first}) - 1), i -> named_struct('n', CAST(i + 1 AS BIGINT){fields}))"
    # A sequence down from 0 would not be empty.
    structs = {number: spark_each(f"CASE WHEN size({first}) > 0 THEN {made} END")}
    place = identifier(number)
    return [structs, {c: f"({place}).v{i}" for i, c in enumerate(columns)} | {number: f"({place}).n"}]
