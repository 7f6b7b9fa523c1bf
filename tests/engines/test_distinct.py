"""Unique integer keys of many rows are recognised without a group-by, or left to one."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.polars.counting import ENOUGH_ROWS, keys_differ
from ireval_frames.engines.polars.frame import PolarsFrame
from ireval_frames.errors import DuplicateRows

RNG = np.random.default_rng(5)
N = ENOUGH_ROWS
UNIQUE = pl.DataFrame({"a": RNG.permutation(N) // 3 - 7, "b": np.zeros(N, np.int64)}).with_columns(
    b=pl.int_range(pl.len()).over("a") - 1
)


@pytest.mark.parametrize("frame, unique", [
    (UNIQUE, True),
    (UNIQUE.cast({"a": pl.Int32, "b": pl.Int8}), True),
    (UNIQUE.head(N - 1), False),  # too few rows
    (pl.concat([UNIQUE, UNIQUE.head(1)]), False),
    (UNIQUE.with_columns(a=pl.when(pl.col("b") > -1).then("a")), False),
    # The product of such ranges does not fit 64 bits.
    (UNIQUE.with_columns(pl.col("a") * 10**12, pl.col("b") * 10**12), False),
    (UNIQUE.cast({"a": pl.String}), False),
    (UNIQUE.cast({"a": pl.UInt64}, strict=False), False),
])  # fmt: skip
def test_unique_keys(frame: pl.DataFrame, unique: object) -> None:
    assert keys_differ(PolarsFrame(frame), ["a", "b"], lambda rows: rows.collect()) == unique
    if unique:
        assert not frame.is_duplicated().any()


def test_duplicates_in_a_large_table() -> None:
    frame = UNIQUE.select(item_id="a", rater_id="b", rating=pl.col("a") % 2)
    assert ir.Ratings(frame).evaluate("NumRatings").summary()["value"].item() == N
    with pytest.raises(DuplicateRows, match="in 2 rows"):
        ir.Ratings(pl.concat([frame, frame.tail(1)])).evaluate("NumRatings").summary()
