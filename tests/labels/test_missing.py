"""Items that only one of two tables has: as the policy says."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, InvalidValue, MismatchedTables

LABELS = pl.DataFrame({"item_id": [1, 1, 2, 3], "label": ["a", "b", "a", "b"]})
GUESSES = pl.DataFrame({"item_id": [1, 2, 4], "prediction": ["a", "a", "b"]})
engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


@engines
@pytest.mark.parametrize("policy, recall, precision", [("missing=empty", 2 / 4, 2 / 3), ("missing=skip", 2 / 3, 1.0)])
def test_missing_items(policy: str, recall: float, precision: float, engine: str) -> None:
    actual = (
        ir.Labels(LABELS, GUESSES, policy=policy, engine=engine)
        .evaluate("Recall(average='micro') Precision(average='micro') NumItems")
        .summary()
    )
    assert actual["value"].to_list() == pytest.approx([recall, precision, 4.0 if policy == "missing=empty" else 2.0])


@engines
def test_missing_items_are_an_error_on_request(engine: str) -> None:
    with pytest.raises(MismatchedTables, match=r"lacks the item [34]"):
        ir.Labels(LABELS, GUESSES, policy="missing=error", engine=engine).evaluate("SubsetAccuracy").summary()
    same = GUESSES.filter(pl.col("item_id") < 3)
    some = LABELS.filter(pl.col("item_id") < 3)
    assert (
        ir.Labels(some, same, policy="missing=error", engine=engine)
        .evaluate("SubsetAccuracy")
        .summary()["value"]
        .item()
        == 0.5
    )


@engines
def test_weights_of_the_labels_table(engine: str) -> None:
    labels = LABELS.filter(pl.col("item_id") < 3).with_columns(
        weight=pl.when(pl.col("item_id") == 1).then(3.0).otherwise(1.0)
    )
    guesses = GUESSES.filter(pl.col("item_id") < 3)
    actual = (
        ir.Labels(labels, guesses, engine=engine).evaluate("SubsetAccuracy Recall(average='micro')").summary()["value"]
    )
    assert actual.to_list() == pytest.approx([1 / 4, 4 / 7])
    with pytest.raises(InvalidValue, match="weight"):
        ir.Labels(labels, GUESSES, engine=engine).evaluate("SubsetAccuracy").summary()
    differing = labels.with_columns(weight=pl.int_range(pl.len()).cast(pl.Float64))
    with pytest.raises(DuplicateRows, match="item 1"):
        ir.Labels(differing, guesses, engine=engine).evaluate("SubsetAccuracy").summary()
