"""Types, numbers and other values in SQL text."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from ireval_frames.engines.quoting import identifier, string
from ireval_frames.errors import NotDefined

_TYPES = {
    "Float64": "DOUBLE",
    "Float32": "FLOAT",
    "Int64": "BIGINT",
    "Int32": "INTEGER",
    "Int16": "SMALLINT",
    "Int8": "TINYINT",
    "Int128": "HUGEINT",
    "UInt64": "UBIGINT",
    "UInt32": "UINTEGER",
    "UInt16": "USMALLINT",
    "UInt8": "UTINYINT",
    "UInt128": "UHUGEINT",
    "String": "VARCHAR",
    "Categorical": "VARCHAR",
    "Boolean": "BOOLEAN",
    "Date": "DATE",
    "Time": "TIME",
    "Duration": "INTERVAL",
    "Binary": "BLOB",
    "Unknown": "VARCHAR",
    "Null": "VARCHAR",
}


ValueKind = Literal["float", "integer", "other"]


def other_kind() -> ValueKind:
    """Neither floats nor whole numbers."""
    return "other"


@dataclass(frozen=True)
class Text:
    """SQL text of an expression.

    Attributes:
        sql: the text.
        binds: how strongly its outermost operator binds.
        value: the number, of a literal.
        kind: the kind of its values; a call may query the engine, so it is made only where it matters.
    """

    sql: str
    binds: int
    value: Any = None
    kind: Callable[[], ValueKind] = field(default=other_kind, compare=False)

    def within(self, binds: int) -> str:
        """The text as an operand of an operator that binds this strongly."""
        return self.sql if self.binds >= binds else f"({self.sql})"


ATOM, UNARY, TIMES, PLUS, COMPARED, NOT, AND, OR = 100, 60, 50, 40, 30, 25, 20, 10


def number(value: float) -> str:
    """A double as SQL: with an exponent, since digits alone would be a decimal of few places."""
    if math.isnan(value) or math.isinf(value):
        return f"CAST('{value}' AS DOUBLE)"
    text = repr(float(value))
    return text if "e" in text else f"{text.removesuffix('.0')}e0"


def each_row(value: str) -> str:
    """A number that DuckDB tests in each row.

    For a column of Parquet it would conclude from the smallest and the largest value, which are never NaN, that none is
    NaN.
    """
    return f"CASE WHEN {value} IS NOT NULL THEN {value} END"


def type_name(dtype: Any) -> str:
    """The DuckDB type of a Polars type."""
    if isinstance(dtype, pl.Enum):
        return f"ENUM({', '.join(string(c) for c in dtype.categories)})"
    if isinstance(dtype, pl.Struct):
        return f"STRUCT({', '.join(f'{identifier(f.name)} {type_name(f.dtype)}' for f in dtype.fields)})"
    if isinstance(dtype, pl.Array):
        return f"{type_name(dtype.inner)}[{dtype.size}]"
    if isinstance(dtype, pl.List):
        return f"{type_name(dtype.inner)}[]"
    if isinstance(dtype, pl.Decimal):
        return f"DECIMAL({dtype.precision}, {dtype.scale})"
    if isinstance(dtype, pl.Datetime):
        return "TIMESTAMPTZ" if dtype.time_zone else "TIMESTAMP"
    name = dtype.__name__ if isinstance(dtype, type) else type(dtype).__name__
    if name not in _TYPES:
        raise NotDefined(f"DuckDB has no type {name}.", "Convert the column to text, numbers or dates.")
    return _TYPES[name]


def null_of(dtype: Any) -> str:
    """A null of a type; of no type where DuckDB does not have it."""
    try:
        return f"CAST(NULL AS {type_name(dtype)})"
    except NotDefined:
        return "NULL"


def literal(value: Any) -> Text:
    """A value as SQL."""
    if value is None:
        return Text("NULL", ATOM)
    if isinstance(value, bool):
        return Text("TRUE" if value else "FALSE", ATOM)
    if isinstance(value, float):
        return Text(number(value), ATOM if value >= 0 else UNARY, value)
    if isinstance(value, int):
        return Text(str(value), ATOM if value >= 0 else UNARY, value)
    if isinstance(value, str):
        return Text(string(value), ATOM)
    # Dates and times are text with a cast.
    return Text(f"CAST({string(str(value))} AS {type_name(pl.Series([value]).dtype)})", ATOM)
