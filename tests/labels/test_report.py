"""The classification report, values per class, and how many of them are undefined."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
SETS = pl.DataFrame({"item_id": [1, 2, 3], "label": [["a", "b"], ["b"], []], "prediction": [["a"], ["a", "c"], ["c"]]})
GRADES = pl.DataFrame({"label": [10, 9, -1], "prediction": [9, 9, -1]})


@engines
@pytest.mark.parametrize("text", [False, True])
def test_classes_stand_in_their_order(engine: str, *, text: bool) -> None:
    frame = GRADES.cast(pl.String) if text else GRADES
    rows = ir.Labels(frame, engine=engine).report()["class_id"].to_list()
    assert rows == [
        *(["-1", "10", "9"] if text else ["-1", "9", "10"]),
        "micro average",
        "macro average",
        "weighted average",
    ]


@engines
def test_sets_of_labels(engine: str) -> None:
    found = ir.Labels(SETS, engine=engine).report()
    assert found["class_id"].to_list() == [
        "a",
        "b",
        "c",
        *(f"{a} average" for a in ("micro", "macro", "weighted", "item")),
    ]
    assert found.filter(class_id="b").row(0) == ("b", None, 0.0, 0.0, 2.0)
    assert found.filter(class_id="item average").row(0)[1:] == pytest.approx((1 / 3, 1 / 4, 2 / 9, 3.0))


def test_sets_in_groups_and_units() -> None:
    both = pl.concat([SETS.with_columns(part=pl.lit(p)) for p in "xy"])
    alone = ir.Labels(SETS).report()
    for options in ({"by": "part"}, {"unit": "part"}):
        found = ir.Labels(both, **options).report()
        assert found.filter(part="x").drop("part").equals(alone)
        assert found.columns == ["part", *alone.columns]


@engines
def test_undefined_classes_are_counted(engine: str) -> None:
    evaluation = ir.Labels(SETS, engine=engine, policy="undefined=0").evaluate(
        "Precision(average='macro') Recall(average='weighted') F1"
    )
    assert evaluation.undefined().rows() == [
        ("Precision(average='macro')", 3, 1),
        ("Recall(average='weighted')", 3, 1),
        ("F1", 3, 0),
    ]
    grouped = pl.DataFrame({"g": ["x", "x", "y"], "label": ["a", "b", "a"], "prediction": ["a", "a", "a"]})
    found = ir.Labels(grouped, by="g", engine=engine).evaluate("Precision").undefined()
    assert found.rows() == [("x", "Precision", 2, 1), ("y", "Precision", 1, 0)]
