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
    """The results of a function of each group of `by`, with columns and types as `schema` says."""
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import StructType

    arrow = to_arrow_schema(cast(StructType, StructType.fromDDL(schema)))

    def step(table: pa.Table) -> pa.Table:
        made = function(pl.DataFrame(pl.from_arrow(table))).select(arrow.names)
        return made.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(arrow)

    with warnings.catch_warnings():
        # Spark looks at the version of pandas, of which steps in Arrow make no use.
        warnings.simplefilter("ignore", FutureWarning)
        made = rows.groupBy(*by).applyInArrow(step, schema)
    if by:
        return made
    # Without keys all rows are one group, also where there are none; Spark does not call the step for them.
    of_nothing = step(to_arrow_schema(rows.schema).empty_table())
    if not of_nothing.num_rows:
        return made
    return rows.sparkSession.sql(
        "SELECT * FROM {made} UNION ALL SELECT * FROM {nothing} WHERE NOT EXISTS (SELECT 1 FROM {rows})",
        made=made,
        nothing=rows.sparkSession.createDataFrame(of_nothing),
        rows=rows,
    )
