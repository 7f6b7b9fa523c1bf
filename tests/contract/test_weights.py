"""An item of weight 2 counts as two items, one of weight 0 as none; weights of 1 have no effect."""

from __future__ import annotations

import polars as pl

from tests.contract.kit import Frames, Suite, assert_same, main_cases, parametrize


def weighted(suite: Suite) -> list[str]:
    """The cases with weights."""
    return [w for w in main_cases(suite) if suite.weight in _frame(suite, w).columns]


def _frame(suite: Suite, case: str) -> pl.DataFrame:
    return suite.frames(case)[suite.grouped]


@parametrize("case", weighted, property="weights")
def test_weights_count_items(suite: Suite, case: str, engine: str) -> None:
    """Integer weights, and as many copies."""
    integers = (pl.col(suite.weight) * 2).floor().clip(0, 5)
    if suite.singletons:
        integers = pl.when(pl.col(suite.singletons).is_null()).then(1.0).otherwise(integers).alias(suite.weight)

    def rounded(frames: Frames) -> Frames:
        return frames | {suite.grouped: frames[suite.grouped].with_columns(integers).filter(pl.col(suite.weight) > 0)}

    def copied(frames: Frames) -> Frames:
        table = rounded(frames)[suite.grouped].with_row_index("_row")
        rows = table.select(pl.col("_row").repeat_by(suite.weight).explode(empty_as_null=False)).drop_nulls()
        table = rows.join(table, on="_row", maintain_order="left").drop("_row", suite.weight)
        if suite.item in table.columns:
            table = table.with_columns(pl.int_range(pl.len()).cast(table[suite.item].dtype).alias(suite.item))
        assert table.height > frames[suite.grouped].height
        return frames | {suite.grouped: table}

    measures = [m for m in suite.first_variants(case) if m.name not in suite.counts_rows]
    expected, actual = (suite.compute(case, measures, engine, change) for change in (rounded, copied))
    for m in measures:
        assert_same(actual[str(m)], expected[str(m)], suite.tolerance_of(m), "copies")


@parametrize("case", weighted, property="weights")
def test_weights_of_one_have_no_effect(suite: Suite, case: str, engine: str) -> None:
    def ones(frames: Frames) -> Frames:
        return frames | {suite.grouped: frames[suite.grouped].with_columns(pl.lit(1.0).alias(suite.weight))}

    def none(frames: Frames) -> Frames:
        return frames | {suite.grouped: frames[suite.grouped].drop(suite.weight)}

    measures = suite.first_variants(case)
    expected, actual = (suite.compute(case, measures, engine, change) for change in (none, ones))
    for m in measures:
        assert_same(actual[str(m)], expected[str(m)], suite.tolerance_of(m), "weights of 1")
