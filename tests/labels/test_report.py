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
    assert rows == [*(["-1", "10", "9"] if text else ["-1", "9", "10"]), "micro average", "macro average", "weighted average"]


@engines
def test_sets_of_labels(engine: str) -> None:
    """As scikit-learn's report of a table of indicators says, with its zeros."""
    metrics = pytest.importorskip("sklearn.metrics")
    truth, guess = ([[int(c in s) for c in "abc"] for s in SETS[side]] for side in ("label", "prediction"))
    wanted = metrics.classification_report(truth, guess, output_dict=True, zero_division=0, target_names=["a", "b", "c"])
    names = {"micro avg": "micro average", "macro avg": "macro average", "weighted avg": "weighted average", "samples avg": "item average"}
    found = ir.Labels(SETS, engine=engine, policy="undefined=0").report()
    assert found["class_id"].to_list() == ["a", "b", "c", *names.values()]
    for name, row in wanted.items():
        values = found.filter(class_id=names.get(name, name)).row(0)[1:]
        assert values == pytest.approx([row[k] for k in ("precision", "recall", "f1-score", "support")])
    assert ir.Labels(SETS, engine=engine).report().filter(class_id="b")["precision"].to_list() == [None]


def test_sets_in_groups_and_units() -> None:
    both = pl.concat([SETS.with_columns(part=pl.lit(p)) for p in "xy"])
    alone = ir.Labels(SETS).report()
    for options in ({"by": "part"}, {"unit": "part"}):
        found = ir.Labels(both, **options).report()
        assert found.filter(part="x").drop("part").equals(alone)
        assert found.columns == ["part", *alone.columns]


@engines
def test_undefined_classes_are_counted(engine: str) -> None:
    evaluation = ir.Labels(SETS, engine=engine, policy="undefined=0").evaluate("Precision(average='macro') Recall(average='weighted') F1")
    assert evaluation.undefined().rows() == [("Precision(average='macro')", 3, 1), ("Recall(average='weighted')", 3, 1), ("F1", 3, 0)]
    grouped = pl.DataFrame({"g": ["x", "x", "y"], "label": ["a", "b", "a"], "prediction": ["a", "a", "a"]})
    found = ir.Labels(grouped, by="g", engine=engine).evaluate("Precision").undefined()
    assert found.rows() == [("x", "Precision", 2, 1), ("y", "Precision", 1, 0)]
