"""Sets of labels as columns of 0 and 1 are the same as lists of labels."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, IrevalError, MissingColumn, WrongType
from tests.contract.kit import ENGINES

CLASSES, DRAW = "abc", random.Random(3)
ROWS = [
    (i, [c for c in CLASSES if DRAW.random() < 0.4], [c for c in CLASSES if DRAW.random() < 0.4], i % 2, i % 3 + 1)
    for i in range(40)
]
LISTS = pl.DataFrame(ROWS, schema=["item_id", "label", "prediction", "part", "weight"], orient="row")
GOLD, FOUND = ({c: f"{side}_{c}" for c in CLASSES} for side in "yp")
FLAGS = LISTS.with_columns(
    *(pl.col("label").list.contains(c).cast(pl.Int8).alias(f"y_{c}") for c in CLASSES),
    *(pl.col("prediction").list.contains(c).alias(f"p_{c}") for c in CLASSES),
)
MEASURES = "F1(average='macro') F1(average='item') F1(average='micro') SubsetAccuracy HammingLoss NumItems NumClasses"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("by", [(), "part"])
def test_as_lists(engine: str, by: str) -> None:
    expected = ir.Labels(LISTS, by=by, engine=engine).evaluate(MEASURES).summary()
    for table, label, prediction in (
        (FLAGS, GOLD, FOUND),
        (FLAGS.drop("label", "prediction"), GOLD, FOUND),
        (FLAGS, list(GOLD.values()), list(FOUND.values())),
        (FLAGS, GOLD, "prediction"),
        (FLAGS, None, FOUND),
        (FLAGS.with_columns(pl.col(*GOLD.values()).cast(pl.Float64)), GOLD, FOUND),
    ):
        actual = ir.Labels(table, label=label, prediction=prediction, by=by, engine=engine).evaluate(MEASURES).summary()
        assert actual.drop("value").equals(expected.drop("value"))
        assert actual["value"].to_list() == pytest.approx(expected["value"].to_list(), rel=1e-12)


def test_names_files_and_numbers(tmp_path: Path) -> None:
    labels = ir.Labels(FLAGS, label=list(GOLD.values()), prediction=list(FOUND.values()))
    lists = ir.Labels(LISTS).report()
    assert labels.report()["class_id"].to_list()[:3] == ["y_a", "y_b", "y_c"]
    assert_frame_equal(labels.report().drop("class_id"), lists.drop("class_id"), rel_tol=1e-12)
    FLAGS.drop("label", "prediction").write_csv(tmp_path / "x.csv")
    assert_frame_equal(ir.Labels(tmp_path / "x.csv", label=GOLD, prediction=FOUND).report(), lists, rel_tol=1e-12)
    numbers = [dict(enumerate(side.values())) for side in (GOLD, FOUND)]
    whole = ir.Labels(FLAGS, label=numbers[0], prediction=numbers[1])
    assert whole.evaluate("Recall").per_class()["class_id"].to_list() == [0, 1, 2]
    table = ir.resampling.bootstrap(
        ir.Labels(FLAGS, label=GOLD, prediction=FOUND), "F1(average='macro')", n_resamples=20
    ).table()
    assert table["value"].item() == pytest.approx(lists.filter(class_id="macro average")["f1"].item())
    assert "Classes" in ir.report(whole.evaluate("F1(average='macro')"), tmp_path / "r.html").read_text("utf-8")


@pytest.mark.parametrize(
    "options, error, what",
    [
        ({"label": {"a": "y_a", "z": "y_z"}}, MissingColumn, r"no column 'y_z'(.|\n)*label=\{.a.: .y_a.\}"),
        ({"label": ["y_a"], "prediction": ["p_a", "p_b"]}, InvalidParameter, "1 columns and prediction= 2"),
        ({"label": {}}, InvalidParameter, "names the column of each class"),
        ({"label": ["y_a", "y_a"]}, InvalidParameter, "names the column of each class, once"),
        ({"label": [1]}, InvalidParameter, "names the column of each class"),
        ({"label": {"a": "y_a", 1: "y_b"}, "prediction": FOUND}, InvalidParameter, "of several types"),
        ({"label": {"a": "weight"}}, InvalidValue, r"'weight' of the labels table holds 2(.|\n)*> 0"),
        ({"label": {"a": "label"}}, WrongType, r"holds lists(.|\n)*label=.label."),
        ({"label": GOLD, "prediction": "part"}, WrongType, "the other side holds lists"),
    ],
)
def test_refused(options: dict[str, object], error: type[IrevalError], what: str) -> None:
    with pytest.raises(error, match=what):
        ir.Labels(FLAGS, **options).evaluate("NumClasses").summary()


def test_null_and_two_tables() -> None:
    flags = FLAGS.with_columns(pl.when(pl.col("item_id") > 3).then("y_a").alias("y_a"))
    with pytest.raises(InvalidValue, match=r"'y_a' of the labels table holds None \(4 rows(.|\n)*fill_null\(0\)"):
        ir.Labels(flags, label=GOLD, prediction=FOUND).evaluate("NumItems").summary()
    filled = flags.with_columns(pl.col("y_a").fill_null(0))
    assert ir.Labels(filled, label=GOLD, prediction=FOUND).evaluate("NumItems").summary()["value"].item() > 0
    with pytest.raises(InvalidParameter, match=r"there are two(.|\n)*join"):
        ir.Labels(FLAGS, FLAGS, label=GOLD, prediction=FOUND).evaluate("F1")
