"""Steps in Python on the executors of Spark."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import polars as pl

from ireval_frames.engines.base import Function

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


def in_groups(rows: DataFrame, function: Function, by: Sequence[str], schema: str) -> DataFrame:
    """The results of a function for each group of `by`, with the columns and types of `schema`."""
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import StructType

    arrow = to_arrow_schema(cast(StructType, StructType.fromDDL(schema)))

    def step(table: pa.Table) -> pa.Table:
        result = function(pl.DataFrame(pl.from_arrow(table))).select(arrow.names)
        return result.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(arrow)

    with warnings.catch_warnings():
        # Spark checks the version of pandas, which steps in Arrow do not use.
        warnings.simplefilter("ignore", FutureWarning)
        results = rows.groupBy(*by).applyInArrow(step, schema)
    if by:
        return results
    # Without keys all rows are one group, even none, for which Spark does not call the step.
    of_no_rows = step(to_arrow_schema(rows.schema).empty_table())
    if not of_no_rows.num_rows:
        return results
    return rows.sparkSession.sql(
        "SELECT * FROM {results} UNION ALL SELECT * FROM {of_none} WHERE NOT EXISTS (SELECT 1 FROM {rows})",
        results=results,
        of_none=rows.sparkSession.createDataFrame(of_no_rows),
        rows=rows,
    )
