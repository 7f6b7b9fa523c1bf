"""An item of weight 2 is two items; one of weight 0 is none; all weights of 1 are no weights."""

from __future__ import annotations

import polars as pl

from tests.contract.kit import Frames, Suite, assert_same, main_cases, parametrize


def weighted(suite: Suite) -> list[str]:
    """The cases with weights."""
    return [w for w in main_cases(suite) if suite.weight in _frame(suite, w).columns]


def _frame(suite: Suite, case: str) -> pl.DataFrame:
    return suite.frames(case)[suite.grouped]


@parametrize("case", weighted, property="weights")
def test_a_weight_is_a_number_of_items(suite: Suite, case: str, engine: str) -> None:
    """Whole weights, and as many copies."""
    whole = (pl.col(suite.weight) * 2).floor().clip(0, 5)
    if suite.singletons:
        whole = pl.when(pl.col(suite.singletons).is_null()).then(1.0).otherwise(whole).alias(suite.weight)

    def rounded(frames: Frames) -> Frames:
        return frames | {suite.grouped: frames[suite.grouped].with_columns(whole).filter(pl.col(suite.weight) > 0)}

    def copied(frames: Frames) -> Frames:
        made = rounded(frames)[suite.grouped].with_row_index("_row")
        rows = made.select(pl.col("_row").repeat_by(suite.weight).explode(empty_as_null=False)).drop_nulls()
        made = rows.join(made, on="_row", maintain_order="left").drop("_row", suite.weight)
        if suite.item in made.columns:
            made = made.with_columns(pl.int_range(pl.len()).cast(made[suite.item].dtype).alias(suite.item))
        assert made.height > frames[suite.grouped].height
        return frames | {suite.grouped: made}

    some = [m for m in suite.first_variants(case) if m.name not in suite.counts_rows]
    expected, found = (suite.compute(case, some, engine, change) for change in (rounded, copied))
    for m in some:
        assert_same(found[str(m)], expected[str(m)], suite.tolerance_of(m), "copies")


@parametrize("case", weighted, property="weights")
def test_weights_of_one_are_none(suite: Suite, case: str, engine: str) -> None:
    def ones(frames: Frames) -> Frames:
        return frames | {suite.grouped: frames[suite.grouped].with_columns(pl.lit(1.0).alias(suite.weight))}

    def none(frames: Frames) -> Frames:
        return frames | {suite.grouped: frames[suite.grouped].drop(suite.weight)}

    some = suite.first_variants(case)
    expected, found = (suite.compute(case, some, engine, change) for change in (none, ones))
    for m in some:
        assert_same(found[str(m)], expected[str(m)], suite.tolerance_of(m), "weights of 1")
