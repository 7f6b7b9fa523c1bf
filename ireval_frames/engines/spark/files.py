"""Local Parquet files, read by the session's executors."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ireval_frames.engines.inputs.parquet_files import Table
from ireval_frames.engines.spark.values import name, type_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Characters that Hadoop reads as a pattern, or as the end of a scheme.
_PATTERN = "*?[]{}\\:,"


def readable(tables: Sequence[Table]) -> bool:
    """Whether Spark reads them, and as the same values."""
    return all(table.plain and not any(c in _PATTERN for file in table.source.files for c in file) for table in tables)


def rows(session: SparkSession, tables: Sequence[Table]) -> DataFrame:
    """The rows of all tables, under our column names."""
    return functools.reduce(lambda one, other: one.union(other), [_rows(session, table) for table in tables])


def _rows(session: SparkSession, table: Table) -> DataFrame:
    from pyspark.sql import functions

    source = table.source
    # Without a schema Spark would read values in the names of folders as numbers where it can.
    schema = ", ".join(f"{name(c)} {type_name(t)}" for c, t in source.types.items())
    reader = session.read.schema(schema)
    if source.keys:
        reader = reader.option("basePath", _absolute(source.base))
    read: Any = reader.parquet(*map(_absolute, source.files))
    constants = [functions.lit(value).alias(c) for c, value in table.constants.items()]
    out: DataFrame = read.select(*constants, *(functions.col(name(t)).alias(c) for c, t in table.columns.items()))
    return out


def _absolute(path: str) -> str:
    return "file://" + os.path.abspath(path)  # noqa: PTH100 - links stay what they are
