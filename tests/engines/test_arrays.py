"""Columns of arrays are read as lists, including nulls, on every engine."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir

ARRAYS = {"label": pl.Array(pl.Int64, 2), "prediction": pl.Array(pl.Int64, 2)}
CLICKS = {"doc_id": pl.Array(pl.String, 2), "click": pl.Array(pl.Int64, 2)}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_arrays_are_lists(engine: str) -> None:
    labels = pl.DataFrame({"id": [1, 2, 3, 4], "label": [[1, 2], [3, None], None, [1, 1]], "prediction": [[1, 2]] * 4})
    pages = pl.DataFrame({"serp_id": [1, 2, 3], "doc_id": [["a", "b"], ["c", None], None], "click": [[1, 0]] * 3})
    pages = pages.with_columns(pl.when(pl.col("doc_id").is_not_null()).then("click"))

    def values(table: pl.DataFrame, *, arrays: bool) -> list[Any]:
        if "label" in table.columns:
            table = table.cast(ARRAYS) if arrays else table  # type: ignore[arg-type]
            evaluation = ir.Labels(table, item="id", engine=engine).evaluate(
                "NumItems SubsetAccuracy F1(average='item')"
            )
        else:
            table = table.cast(CLICKS) if arrays else table  # type: ignore[arg-type]
            evaluation = ir.Impressions(table, engine=engine).evaluate("CTR")
        return evaluation.summary()["value"].to_list()

    for table in (labels, pages.filter(pl.col("serp_id") != 2)):
        assert values(table, arrays=True) == values(table, arrays=False)
