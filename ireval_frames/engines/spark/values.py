"""Types and values in Spark's SQL, and frames of this process in the types that Spark takes."""

from __future__ import annotations

import re
from typing import Any

import polars as pl

from ireval_frames.engines.quoting import quoted
from ireval_frames.engines.sql.values import ATOM, Text, literal
from ireval_frames.errors import NotDefined, WrongType

# Spark has signed integers only: unsigned ones become wider.
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
    "Null": "STRING",
}
_POLARS = {
    "DoubleType": pl.Float64(),
    "FloatType": pl.Float32(),
    "LongType": pl.Int64(),
    "IntegerType": pl.Int32(),
    "ShortType": pl.Int16(),
    "ByteType": pl.Int8(),
    "StringType": pl.String(),
    "VarcharType": pl.String(),
    "CharType": pl.String(),
    "BooleanType": pl.Boolean(),
    "DateType": pl.Date(),
    "TimestampNTZType": pl.Datetime("us"),
    "BinaryType": pl.Binary(),
}
_ACCEPTED: dict[Any, Any] = {
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
MOST = 2**63 - 1
_BACKTICKS = re.compile(r"`((?:[^`]|``)*)`")
# Characters that Spark's parser may read as an escape, depending on settings.
_SPECIAL = re.compile(r"['\\{}\x00-\x1f]")


def types_of(frame: Any) -> dict[str, Any]:
    """The types of a frame's columns; those that Polars does not have are unknown."""
    return {field.name: _polars(field.dataType, frame) for field in frame.schema}


def _polars(dtype: Any, frame: Any) -> Any:
    kind = type(dtype).__name__
    if kind == "TimestampType":
        return pl.Datetime("us", frame.sparkSession.conf.get("spark.sql.session.timeZone"))
    if kind == "DecimalType":
        return pl.Decimal(dtype.precision, dtype.scale)
    if kind == "ArrayType":
        return pl.List(_polars(dtype.elementType, frame))
    if kind == "StructType":
        return pl.Struct({field.name: _polars(field.dataType, frame) for field in dtype})
    return _POLARS.get(kind, pl.Unknown())


def standard(name: str) -> str:
    """A table's name with the quotes of standard SQL."""
    return _BACKTICKS.sub(lambda match: quoted(match[1].replace("``", "`")), name)


def type_name(dtype: Any) -> str:
    """The Spark type of a Polars type."""
    if isinstance(dtype, pl.Struct):
        return f"STRUCT<{', '.join(f'{name(f.name)}: {type_name(f.dtype)}' for f in dtype.fields)}>"
    if isinstance(dtype, (pl.List, pl.Array)):
        return f"ARRAY<{type_name(dtype.inner)}>"
    if isinstance(dtype, pl.Decimal):
        return f"DECIMAL({dtype.precision}, {dtype.scale})"
    if isinstance(dtype, pl.Datetime):
        return "TIMESTAMP" if dtype.time_zone else "TIMESTAMP_NTZ"
    kind = dtype.__name__ if isinstance(dtype, type) else type(dtype).__name__
    if kind not in _TYPES:
        raise NotDefined(f"Spark has no type {kind}.", "Convert the column to text, numbers or dates.")
    return _TYPES[kind]


def name(column: str) -> str:
    """A name in Spark's quotes."""
    return "`" + column.replace("`", "``") + "`"


def string(value: str) -> str:
    """A text as a literal that is the same under all settings."""
    return f"CAST(X'{value.encode().hex()}' AS STRING)" if _SPECIAL.search(value) else f"'{value}'"


def value(of: Any) -> Text:
    """A value as a literal."""
    if isinstance(of, str):
        return Text(string(of), ATOM)
    if of is None or isinstance(of, (bool, int, float)):
        return literal(of)
    dtype = pl.Series([of]).dtype
    return Text(f"CAST({string(str(of))} AS {type_name(dtype)})", ATOM)


def with_spark_types(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame in the types that Spark takes from Arrow.

    Raises:
        WrongType: a time is finer than Spark's microseconds.
    """
    out = frame.with_columns(
        pl.col(c).cast(_accepted_column(frame[c])) for c, t in frame.schema.items() if _accepted(t) != t
    )
    for column, dtype in frame.schema.items():
        if isinstance(dtype, pl.Datetime | pl.Duration) and (out[column].cast(dtype) != frame[column]).any():
            raise WrongType(
                f"Column {column!r} is {dtype}, and Spark's times have microseconds: some of its values are finer.",
                f'Cut them, or make them text: frame.with_columns(pl.col("{column}").cast(pl.String))',
            )
    return out


def create_frame(session: Any, rows: pl.DataFrame) -> Any:
    """A frame of a session; times without a zone stay so, whatever the session's zone."""
    from pyspark.sql.pandas.types import from_arrow_schema

    arrow = rows.to_arrow(compat_level=pl.CompatLevel.oldest())
    return session.createDataFrame(arrow, from_arrow_schema(arrow.schema, prefer_timestamp_ntz=True))


def _accepted_column(column: pl.Series) -> Any:
    """The type that Spark takes; unsigned 64-bit integers that fit become signed ones."""
    fits = column.dtype == pl.UInt64 and not (column > MOST).any()
    return pl.Int64 if fits else _accepted(column.dtype)


def by_bytes(frame: Any) -> Any:
    """A frame of Spark whose text is compared by its bytes, whatever collation its columns have."""
    types = {field.name: _without_collation(field.dataType.simpleString()) for field in frame.schema.fields}
    collated = {c: to for c, (was, to) in types.items() if was != to}
    if not collated:
        return frame
    quoted = {c: name(c) for c in frame.columns}
    selected = [f"CAST({quoted[c]} AS {collated[c]}) AS {quoted[c]}" if c in collated else quoted[c] for c in quoted]
    return frame.selectExpr(*selected)


def _without_collation(dtype: str) -> tuple[str, str]:
    """A type's name, and without collations."""
    return dtype, re.sub(r"(?i)\bstring collate \w+", "string", dtype)


def _accepted(dtype: Any) -> Any:
    if isinstance(dtype, pl.Array | pl.List):
        return pl.List(_accepted(dtype.inner))
    if isinstance(dtype, pl.Struct):
        return pl.Struct({f.name: _accepted(f.dtype) for f in dtype.fields})
    if isinstance(dtype, pl.Datetime):
        return pl.Datetime("us", dtype.time_zone)
    if isinstance(dtype, pl.Duration):
        return pl.Duration("us")
    return _ACCEPTED.get(dtype.base_type(), dtype)
