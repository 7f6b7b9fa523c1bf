"""Items without a label, in every shape of the tables: counted without classes, left out, or refused."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import MismatchedTables
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
GOLD = pl.DataFrame({"item_id": [1, 2, 3], "label": ["a", None, "b"]})
SYSTEM = pl.DataFrame({"item_id": [1, 2, 3], "prediction": ["a", "a", "a"]})
CHANCES = pl.DataFrame({"item_id": [1, 2, 3], "a": [0.9, 0.95, 0.2], "b": [0.1, 0.05, 0.8]})
LONG = CHANCES.unpivot(index="item_id", variable_name="label", value_name="probability")


def lists(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    return frame.with_columns(pl.when(pl.col(column).is_not_null()).then(pl.concat_list(column)))


def nulls(frame: pl.DataFrame) -> pl.DataFrame:
    """Lists that hold a null where there is no label."""
    return frame.with_columns(pl.concat_list("label"))


# By name: the tables and options, which items are without a label, and a measure of those with one.
SHAPES: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "single labels": ((GOLD.join(SYSTEM, on="item_id"),), {}, "Accuracy"),
    "lists": ((lists(lists(GOLD, "label").join(SYSTEM, on="item_id"), "prediction"),), {}, "SubsetAccuracy"),
    "lists of nulls": ((nulls(lists(GOLD.join(SYSTEM, on="item_id"), "prediction")),), {}, "SubsetAccuracy"),
    "arrays": (
        (lists(lists(GOLD, "label").join(SYSTEM, on="item_id"), "prediction").cast({"label": pl.Array(pl.String, 1)}),),
        {},
        "SubsetAccuracy",
    ),
    "lists of NaN": (
        (
            pl.DataFrame(
                {"item_id": [1, 2, 3], "label": [[1.0], [float("nan"), None], [2.0]], "prediction": [[1.0]] * 3}
            ),
        ),
        {},
        "SubsetAccuracy",
    ),
    "two tables": ((GOLD, SYSTEM), {}, "SubsetAccuracy"),
    "scores": ((GOLD.join(CHANCES, on="item_id"),), {"score": "a", "positive": "a"}, "ROCAUC"),
    "probabilities": ((GOLD.join(CHANCES, on="item_id"),), {"probabilities": ["a", "b"]}, "ROCAUC(average='macro')"),
    "probabilities of lists": (
        (lists(GOLD, "label").join(CHANCES, on="item_id"),),
        {"probabilities": ["a", "b"]},
        "ROCAUC(average='macro')",
    ),
    "a table of probabilities": ((GOLD,), {"probabilities": LONG}, "ROCAUC(average='macro')"),
    "ranked classes": ((GOLD.join(CHANCES, on="item_id"),), {"probabilities": ["a", "b"]}, "LRAP"),
}
# What the other two items have.
WANTED = {"Accuracy": 0.5, "SubsetAccuracy": 0.5, "ROCAUC": 1.0, "ROCAUC(average='macro')": 1.0, "LRAP": 1.0}
shapes = pytest.mark.parametrize("shape", SHAPES)


@engines
@shapes
def test_left_out(shape: str, engine: str) -> None:
    tables, options, measure = SHAPES[shape]
    labels = ir.Labels(*tables, **options, engine=engine, policy="unlabelled=skip")
    assert labels.evaluate(f"{measure} NumItems").summary()["value"].to_list() == [WANTED[measure], 2.0]
    rest = [t.filter(pl.col("item_id") != 2) for t in tables]
    subject = ir.Labels(*rest, **options, engine=engine)
    assert labels.evaluate(measure).per_unit(counts=True).equals(subject.evaluate(measure).per_unit(counts=True))


@engines
@shapes
@pytest.mark.parametrize("policy", ["unlabelled=error", "scikit-learn"])
def test_refused(shape: str, engine: str, policy: str) -> None:
    tables, options, measure = SHAPES[shape]
    with pytest.raises(MismatchedTables, match=r"1 items? ha(s|ve) no label(.|\n)*unlabelled=skip"):
        ir.Labels(*tables, **options, engine=engine, policy=policy).evaluate(measure).summary()
    rest = [t.filter(pl.col("item_id") != 2) for t in tables]
    if "table of" not in shape:
        actual = ir.Labels(*rest, **options, engine=engine, policy=policy).evaluate(measure).summary()
        assert actual["value"].item() == WANTED[measure]


@engines
@shapes
def test_counted(shape: str, engine: str) -> None:
    tables, options, measure = SHAPES[shape]
    evaluation = ir.Labels(*tables, **options, engine=engine).evaluate(f"{measure} NumItems")
    assert evaluation.summary()["value"].to_list()[1] == 3.0
    assert "unlabelled = empty  [1 items]" in evaluation.explain(counts=True)


@engines
def test_an_empty_list_is_a_label(engine: str) -> None:
    """The empty set says that the item has no class; null says nothing."""
    frame = pl.DataFrame({"item_id": [1, 2], "label": [["a"], []], "prediction": [["a"], []]})
    for policy in ("unlabelled=skip", "unlabelled=error", "unlabelled=empty"):
        actual = ir.Labels(frame, engine=engine, policy=policy).evaluate("SubsetAccuracy NumItems").summary()["value"]
        assert actual.to_list() == [1.0, 2.0]


@engines
def test_items_that_only_the_predictions_have_are_missing(engine: str) -> None:
    """They are no row without a label: what happens to them is `missing`."""
    more = pl.concat([SYSTEM, pl.DataFrame({"item_id": [4], "prediction": ["b"]})])
    for missing, expected in (("empty", 3.0), ("skip", 2.0)):
        actual = ir.Labels(GOLD, more, engine=engine, policy=f"unlabelled=skip,missing={missing}").evaluate("NumItems")
        assert actual.summary()["value"].item() == expected


@engines
def test_one_label_is_enough(engine: str) -> None:
    """Of several rows of an item one without a class does not matter."""
    gold = pl.concat([GOLD, pl.DataFrame({"item_id": [1, 2], "label": [None, "b"]}, schema=GOLD.schema)])
    actual = ir.Labels(gold, SYSTEM, engine=engine, policy="unlabelled=skip").evaluate(
        "NumItems Recall(average='micro')"
    )
    assert actual.summary()["value"].to_list() == [3.0, pytest.approx(1 / 3)]


@engines
def test_several_classifiers(engine: str) -> None:
    """Every run is held against the same labels."""
    runs = pl.concat([SYSTEM.with_columns(run_id=pl.lit(r)) for r in "xy"])
    actual = ir.Labels(GOLD, runs, engine=engine, policy="unlabelled=skip").evaluate("SubsetAccuracy NumItems")
    assert actual.wide().rows() == [("x", 0.5, 2.0), ("y", 0.5, 2.0)]
