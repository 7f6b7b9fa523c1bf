"""Counting rows by integer keys in an array equals a group-by, or is left to one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.polars import counting
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.engines.polars.frame import PolarsFrame
from ireval_frames.expr import col, lit

AGGREGATES = [Aggregate("n", "count", lit(1.0)), Aggregate("w", "sum", col("weight"))]


def frame(rows: int, dtype: pl.DataType | type[pl.DataType], *, nulls: bool) -> pl.DataFrame:
    rng = np.random.default_rng(rows)
    low = 0 if dtype in (pl.UInt8, pl.UInt32) else -3
    table = pl.DataFrame({"a": rng.integers(low, 12, rows), "b": rng.integers(5, 9, rows), "weight": rng.random(rows)})
    table = table.with_columns(pl.col("a").cast(dtype), pl.col("b").cast(dtype))
    return table.with_columns(pl.when(pl.int_range(rows) % 7 != 0).then(pl.col("a", "weight"))) if nulls else table


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Int8, pl.UInt8, pl.UInt32])
@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize("rows", [300, 1_200_000])
def test_equals_a_group_by(rows: int, dtype: pl.DataType, nulls: bool) -> None:  # noqa: FBT001
    table = frame(rows, dtype, nulls=nulls)
    assert counting.fits(PolarsFrame(table), ("a", "b"), AGGREGATES)
    actual = PolarsEngine().group(PolarsFrame(table), ("a", "b"), AGGREGATES).to_native().collect().sort("a", "b")
    expected = table.group_by("a", "b").agg(n=pl.len().cast(pl.Float64), w=pl.col("weight").sum()).sort("a", "b")
    assert actual.schema == expected.schema
    assert actual.drop("w").equals(expected.drop("w"))
    assert actual["w"].to_list() == pytest.approx(expected["w"].to_list(), rel=1e-12)


def test_too_many_combinations_are_left_to_a_group_by() -> None:
    table = pl.DataFrame({"a": [0, 10**15, 0], "b": [1, 1, 1], "weight": [1.0, 2.0, 4.0]})
    assert counting.count_cells(table.rename({"weight": "w"}), ("a", "b"), AGGREGATES) is None
    actual = PolarsEngine().group(PolarsFrame(table), ("a", "b"), AGGREGATES).to_native().collect().sort("a")
    assert actual.rows() == [(0, 1, 2.0, 5.0), (10**15, 1, 1.0, 2.0)]


@pytest.mark.parametrize("alike", [0, 1])
def test_rows_of_keys_that_all_differ_are_their_own_groups(alike: int) -> None:
    """And where two are equal after all, they are grouped."""
    n = counting.ENOUGH_ROWS
    user = pl.int_range(n, eager=True)
    table = pl.select(
        a=pl.lit(user * 1000), b=pl.lit((user * 7919) % 100_003), weight=pl.lit(user % 5).cast(pl.Float64)
    )
    table = pl.concat([table, table.head(alike)]).with_columns(pl.when(pl.col("weight") > 0).then("weight"))
    single = counting.single_rows(table.rename({"weight": "w"}), ("a", "b"), AGGREGATES)
    assert (single is None) == bool(alike)
    actual = PolarsEngine().group(PolarsFrame(table), ("a", "b"), AGGREGATES).to_native().collect().sort("a")
    expected = table.group_by("a", "b").agg(n=pl.len().cast(pl.Float64), w=pl.col("weight").sum()).sort("a")
    assert actual.equals(expected)


def test_what_does_not_fit(tmp_path: Path) -> None:
    table = frame(100, pl.Int64, nulls=False)
    table.write_parquet(tmp_path / "t.parquet")
    assert not counting.fits(PolarsFrame(pl.scan_parquet(tmp_path / "t.parquet")), ("a",), AGGREGATES)
    assert not counting.fits(PolarsFrame(table.with_columns(pl.col("a").cast(pl.String))), ("a",), AGGREGATES)
    assert not counting.fits(PolarsFrame(table), ("a",), [Aggregate("m", "max", col("b"))])
    assert not counting.fits(PolarsFrame(table), (), AGGREGATES)
