"""DuckDB's types of columns as Polars', and the collations of text, which is compared by its bytes on every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.quoting import identifier, string

_TYPES = {
    "hugeint": pl.Int128(),
    "bigint": pl.Int64(),
    "integer": pl.Int32(),
    "smallint": pl.Int16(),
    "tinyint": pl.Int8(),
    "uhugeint": pl.UInt128(),
    "ubigint": pl.UInt64(),
    "uinteger": pl.UInt32(),
    "usmallint": pl.UInt16(),
    "utinyint": pl.UInt8(),
    "double": pl.Float64(),
    "float": pl.Float32(),
    "varchar": pl.String(),
    "date": pl.Date(),
    "timestamp_s": pl.Datetime("ms"),
    "timestamp_ms": pl.Datetime("ms"),
    "timestamp": pl.Datetime("us"),
    "timestamp_ns": pl.Datetime("ns"),
    "boolean": pl.Boolean(),
    "interval": pl.Duration("us"),
    "time": pl.Time(),
    "blob": pl.Binary(),
}


def types_of(relation: Any) -> dict[str, Any]:
    """The types of a relation's columns; those that Polars does not have, such as UUIDs, are unknown."""
    return {name: _polars(dtype, relation) for name, dtype in zip(relation.columns, relation.types, strict=True)}


def _polars(dtype: Any, relation: Any) -> Any:
    if dtype.id in _TYPES:
        return _TYPES[dtype.id]
    if dtype.id == "timestamp with time zone":
        return pl.Datetime("us", _time_zone(relation))
    if dtype.id not in ("array", "decimal", "enum", "list", "struct"):
        return pl.Unknown()
    children = dtype.children
    if dtype.id == "struct":
        return pl.Struct({name: _polars(child, relation) for name, child in children})
    first = children[0][1]
    if dtype.id == "enum":
        return pl.Enum(first)
    if dtype.id == "decimal":
        return pl.Decimal(first, children[1][1])
    inner = _polars(first, relation)
    return pl.List(inner) if dtype.id == "list" else pl.Array(inner, children[1][1])


def _time_zone(relation: Any) -> str:
    """The time zone of the relation's connection; an aggregate has a row even of no rows."""
    setting = relation.limit(0).aggregate("current_setting('TimeZone') AS zone, count(*) AS n")
    return str(setting.fetchall()[0][0])


def restore_types(rows: pl.DataFrame, types: Mapping[str, Any]) -> pl.DataFrame:
    """The rows, with enums, categories and times in the types that are known of their columns.

    Args:
        rows: a result, with text for the first two, and times in the engine's zone.
        types: the types of columns.
    """
    for column, of in rows.schema.items():
        known = types.get(column)
        text = of == pl.String and isinstance(known, pl.Enum | pl.Categorical)
        time = isinstance(of, pl.Datetime) and isinstance(known, pl.Datetime)
        if known is not None and (text or time) and known != of:
            rows = rows.with_columns(pl.col(column).cast(known))
    return rows


# As bytes the first differs from all others; a collation that ignores case, accents or composition equates it with one.
_LETTER, _VARIANTS = "ä", ("Ä", "a", "a\u0308")


def by_bytes(column: str) -> str:
    """The column, compared by its bytes."""
    return f'{identifier(column)} COLLATE "binary"'


def collation_query(columns: Sequence[str], source: str) -> str:
    """The query for whether each column of text has a collation other than by bytes; no row is read."""
    return f"SELECT {', '.join(map(_has_collation, columns))} FROM ({source}) WHERE FALSE"


def _has_collation(column: str) -> str:
    """Compares a literal that takes its collation from the column."""
    letter = f"CASE WHEN FALSE THEN any_value({identifier(column)}) ELSE {string(_LETTER)} END"
    return f"{letter} IN ({', '.join(map(string, _VARIANTS))})"
