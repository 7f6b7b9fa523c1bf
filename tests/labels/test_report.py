"""The classification report, values per class, and how many of them are undefined."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter

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
    actual = ir.Labels(SETS, engine=engine).report()
    assert actual["class_id"].to_list() == [
        "a",
        "b",
        "c",
        *(f"{a} average" for a in ("micro", "macro", "weighted", "item")),
    ]
    assert actual.filter(class_id="b").row(0) == ("b", None, 0.0, 0.0, 2.0)
    assert actual.filter(class_id="item average").row(0)[1:] == pytest.approx((1 / 3, 1 / 4, 2 / 9, 3.0))


def test_sets_in_groups_and_units() -> None:
    both = pl.concat([SETS.with_columns(part=pl.lit(p)) for p in "xy"])
    subject = ir.Labels(SETS).report()
    for options in ({"by": "part"}, {"unit": "part"}):
        actual = ir.Labels(both, **options).report()
        assert actual.filter(part="x").drop("part").equals(subject)
        assert actual.columns == ["part", *subject.columns]


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
    actual = ir.Labels(grouped, by="g", engine=engine).evaluate("Precision").undefined()
    assert actual.rows() == [("x", "Precision", 2, 1), ("y", "Precision", 1, 0)]


def known(values: Sequence[float | None]) -> list[float]:
    """Undefined values as a number that no measure has."""
    return [-1.0 if v is None else v for v in values]


@engines
@pytest.mark.parametrize("policy", [None, "undefined=0", "undefined=propagate"])
def test_some_classes_are_those_of_the_measures(engine: str, policy: str | None) -> None:
    rows = [("a", "b"), ("b", "b"), ("b", "c"), ("c", "a"), ("a", "a"), ("d", "b"), (None, "c")]
    single = pl.DataFrame(rows, schema=["label", "prediction"], orient="row").with_row_index("item_id")
    for table, averages in ((single, ["micro", "macro", "weighted"]), (SETS, ["micro", "macro", "weighted", "item"])):
        labels = ir.Labels(table, engine=engine, policy=policy)
        for classes in (["b", "no such", "a"], ["c"]):
            report = labels.report(classes=classes)
            assert report["class_id"].to_list() == [*classes, *(f"{a} average" for a in averages)]
            names = ("Precision", "Recall", "F1")
            measures = [f"{m}(average={a!r}, classes={classes!r})" for a in averages for m in names]
            values = labels.evaluate(measures).summary()["value"].to_list()
            actual = [v for row in report.tail(len(averages)).rows() for v in row[1:4]]
            assert known(actual) == pytest.approx(known(values), rel=1e-12)
            whole = {row[0]: row for row in labels.report().rows()}
            nothing = (0.0,) * 4 if policy == "undefined=0" else (None, None, None, 0.0)
            for row, c in zip(report.head(len(classes)).rows(), classes, strict=True):
                assert known(row[1:]) == pytest.approx(known(whole.get(c, (c, *nothing))[1:]), rel=1e-12)
            assert set(report.tail(len(averages))["support"]) == {sum(r[4] for r in report.head(len(classes)).rows())}
    occurring = ir.Labels(single, engine=engine).report(classes="labels")
    assert occurring["class_id"].to_list()[:4] == ["a", "b", "c", "d"]
    parts = pl.concat([single.with_columns(part=pl.lit(1)), single.filter(pl.col("item_id") < 2).with_columns(part=2)])
    assert ir.Labels(parts, by="part", engine=engine).report(classes=["d"]).filter(class_id="d").select(
        "part", "support"
    ).rows() == [(1, 1.0), (2, 0.0)]


def test_classes_of_a_report_that_are_none() -> None:
    labels = ir.Labels(SETS)
    for classes in (["x"], ["a", "a"], "a", [1], []):
        with pytest.raises(InvalidParameter):
            labels.report(classes=classes)
    with pytest.raises(InvalidParameter, match=r"Write classes=\[\"1\"\]"):
        labels.report(classes=[1])
