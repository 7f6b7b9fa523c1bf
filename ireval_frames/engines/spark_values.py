"""Types and values in Spark's words, and tables of this process as Spark takes them."""

from __future__ import annotations

import re
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines.sql_names import quoted
from ireval_frames.engines.sql_values import ATOM, Text, literal
from ireval_frames.errors import NotDefined

# Spark's integers have signs: those without one become wider.
_TYPES = {
    "Float64": "DOUBLE",
    "Float32": "FLOAT",
    "Int64": "BIGINT",
    "Int32": "INT",
    "Int16": "SMALLINT",
    "Int8": "TINYINT",
    "Int128": "DECIMAL(38, 0)",
    "UInt64": "DECIMAL(20, 0)",
    "UInt32": "BIGINT",
    "UInt16": "INT",
    "UInt8": "SMALLINT",
    "UInt128": "DECIMAL(38, 0)",
    "String": "STRING",
    "Categorical": "STRING",
    "Enum": "STRING",
    "Boolean": "BOOLEAN",
    "Date": "DATE",
    "Time": "TIME(6)",
    "Binary": "BINARY",
    "Unknown": "STRING",
}
_HANDED: dict[Any, Any] = {
    pl.UInt8: pl.Int16,
    pl.UInt16: pl.Int32,
    pl.UInt32: pl.Int64,
    pl.UInt64: pl.Decimal(20, 0),
    pl.Int128: pl.Decimal(38, 0),
    pl.UInt128: pl.Decimal(38, 0),
    pl.Float16: pl.Float32,
    pl.Categorical: pl.String,
    pl.Enum: pl.String,
    pl.Null: pl.String,
}
# What Spark's parser may read otherwise than it stands there, which depends on settings.
_BACKTICKS = re.compile(r"`((?:[^`]|``)*)`")
_SPECIAL = re.compile(r"['\\{}\x00-\x1f]")


def types_of(frame: Any) -> dict[str, Any]:
    """The Narwhals types of a frame's columns."""
    schema = nw.from_native(frame).collect_schema()
    return {c: schema[c] for c in frame.columns}


def standard(name: str) -> str:
    """A table's name with the quotes of standard SQL."""
    return _BACKTICKS.sub(lambda found: quoted(found[1].replace("``", "`")), name)


def type_name(dtype: Any) -> str:
    """A Narwhals type in Spark's words."""
    if isinstance(dtype, nw.Struct):
        return f"STRUCT<{', '.join(f'{name(f.name)}: {type_name(f.dtype)}' for f in dtype.fields)}>"
    if isinstance(dtype, (nw.List, nw.Array)):
        return f"ARRAY<{type_name(dtype.inner)}>"
    if isinstance(dtype, nw.Decimal):
        return f"DECIMAL({dtype.precision}, {dtype.scale})" if hasattr(dtype, "precision") else "DECIMAL(38, 9)"
    if isinstance(dtype, nw.Datetime):
        return "TIMESTAMP" if dtype.time_zone else "TIMESTAMP_NTZ"
    kind = dtype.__name__ if isinstance(dtype, type) else type(dtype).__name__
    if kind not in _TYPES:
        raise NotDefined(f"Spark has no type {kind}.", "Convert the column to text, numbers or dates.")
    return _TYPES[kind]


def name(column: str) -> str:
    """A name in Spark's quotes."""
    return "`" + column.replace("`", "``") + "`"


def string(value: str) -> str:
    """A text as a literal that no setting reads otherwise."""
    return f"CAST(X'{value.encode().hex()}' AS STRING)" if _SPECIAL.search(value) else f"'{value}'"


def value(of: Any) -> Text:
    """A value as a literal."""
    if isinstance(of, str):
        return Text(string(of), ATOM)
    if of is None or isinstance(of, (bool, int, float)):
        return literal(of)
    dtype = nw.from_native(pl.Series([of]), series_only=True).dtype
    return Text(f"CAST({string(str(of))} AS {type_name(dtype)})", ATOM)


def handed(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame in the types that Spark takes from Arrow."""
    return frame.with_columns(pl.col(c).cast(_handed(t)) for c, t in frame.schema.items() if _handed(t) != t)


def _handed(dtype: Any) -> Any:
    if isinstance(dtype, pl.Array):
        return pl.List(_handed(dtype.inner))
    if isinstance(dtype, pl.List):
        return pl.List(_handed(dtype.inner))
    if isinstance(dtype, pl.Struct):
        return pl.Struct({f.name: _handed(f.dtype) for f in dtype.fields})
    if isinstance(dtype, pl.Datetime):
        return pl.Datetime("us", dtype.time_zone)
    if isinstance(dtype, pl.Duration):
        return pl.Duration("us")
    return _HANDED.get(dtype.base_type(), dtype)
