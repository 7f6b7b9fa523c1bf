"""Tables and calls that cannot be meant, and the errors that say so with the line to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    IrevalWarning,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    WrongType,
)

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
WIDE = pl.DataFrame(
    {"item_id": [1, 2, 3], "label": ["a", "b", "c"], "a": [0.6, 0.3, 0.2], "b": [0.2, 0.3, 0.5], "c": [0.2, 0.4, 0.3]}
)
LONG = WIDE.drop("label").unpivot(index="item_id", variable_name="label", value_name="probability")
PLAIN = WIDE.select("item_id", "label")
LISTS = PLAIN.with_columns(p=WIDE.select(pl.concat_list("a", "b", "c")).to_series())
TWO = pl.DataFrame({"label": ["a", "b", "a"], "prediction": ["a", "b", "b"]})
THREE = ir.examples.labels()
NUMBERS = pl.DataFrame({"label": [0, 2, 2], "prediction": [0, 2, 0]})
SETS = pl.DataFrame({"item_id": [1], "label": [["a"]], "prediction": [["a"]]})

Call = Callable[[str], Any]


def labels(frame: Any, measures: Any, *rest: Any, **options: Any) -> Call:
    return lambda engine: ir.Labels(frame, *rest, engine=engine, **options).evaluate(measures).summary()


REFUSED: dict[str, tuple[Call, type[IrevalError], str]] = {
    "probabilities of text": (
        labels(WIDE.with_columns(a=pl.lit("x")), "TopK@1", probabilities=["a", "b"]),
        WrongType,
        "cast",
    ),
    "null probabilities": (
        labels(WIDE.with_columns(a=pl.lit(None, pl.Float64)), "TopK@1", probabilities=["a", "b"]),
        InvalidValue,
        "'a', is None",
    ),
    "probabilities that are no numbers": (
        labels(WIDE.with_columns(a=float("nan")), "HandTill", probabilities=["a", "b"]),
        InvalidValue,
        "nan",
    ),
    "lists too long": (
        labels(LISTS, "TopK@1", probabilities="p", probability_classes=["a", "b"]),
        InvalidValue,
        "a list of 3, and there are 2 classes",
    ),
    "lists too short": (
        labels(LISTS, "TopK@1", probabilities="p", probability_classes=[*"abcd"]),
        InvalidValue,
        "a list of 3, and there are 4 classes",
    ),
    "twice the same probability": (
        labels(PLAIN, "TopK@1", probabilities=pl.concat([LONG, LONG])),
        DuplicateRows,
        "has 2 probabilities of the class",
    ),
    "twice the same item": (
        labels(pl.concat([WIDE, WIDE]), "TopK@1", probabilities=["a", "b"]),
        DuplicateRows,
        "an id of its own",
    ),
    "no ids for a long table": (labels(PLAIN.drop("item_id"), "TopK@1", probabilities=LONG), MissingColumn, "item="),
    "no probabilities in a long table": (
        labels(PLAIN, "TopK@1", probabilities=LONG.drop("probability")),
        MissingColumn,
        "'probability'",
    ),
    "ids of two types": (
        labels(PLAIN.cast({"item_id": pl.String}), "TopK@1", probabilities=LONG),
        MismatchedTables,
        "so none can be equal",
    ),
    "ids of two types in two tables": (
        labels(PLAIN, "SubsetAccuracy", pl.DataFrame({"item_id": ["1"], "prediction": ["a"]})),
        MismatchedTables,
        "so none can be equal",
    ),
    "a label without a probability": (
        labels(PLAIN, "LogLoss", probabilities=LONG.filter(pl.col("item_id") > 1), policy="missing=error"),
        MismatchedTables,
        "has no probability of its class",
    ),
    "two tables for single labels": (
        labels(PLAIN, "MCC", PLAIN.rename({"label": "prediction"})),
        NotDefined,
        "join them",
    ),
    "three classes, one wanted": (
        labels(THREE, "F1"),
        MismatchedTables,
        r"there are 3 classes(.|\n)*F1\(average='macro'\)(.|\n)*per_class",
    ),
    "text, and no class named": (labels(TWO, "F1"), NotDefined, "positive="),
    "numbers of which none is 1": (labels(NUMBERS, "Precision"), MismatchedTables, r"none is 1(.|\n)*positive=2"),
    "numbers of which none is 1, by a filter": (
        labels(NUMBERS, "Lam"),
        MismatchedTables,
        r"none is 1(.|\n)*positive=2",
    ),
    "a unit that is a column of the result": (
        labels(TWO.with_columns(measure=1), "MCC", unit="measure"),
        InvalidParameter,
        "unit='measure'",
    ),
    "a column of text and numbers": (
        lambda engine: ir.Labels(pd.DataFrame({"label": ["a", 1], "prediction": ["a", "b"]}), engine=engine).evaluate(
            "MCC"
        ),
        WrongType,
        r"column label(.|\n)*astype",
    ),
    "no measure": (labels(TWO, 3), InvalidParameter, "3 is not a measure"),
    "a hierarchy that is none": (labels(TWO, "ICM", hierarchy="tree"), InvalidParameter, "hierarchy="),
}


@pytest.mark.filterwarnings("ignore:No probabilities are of")
@engines
@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, engine: str) -> None:
    call, error, message = REFUSED[case]
    with pytest.raises(error, match=message) as raised:
        call(engine)
    assert len(str(raised.value).splitlines()) == 2


def test_values_per_class_need_no_positive_class() -> None:
    for frame in (THREE, TWO, THREE.with_columns(pl.col("label", "prediction").str.len_chars())):
        actual = ir.Labels(frame).evaluate("F1 Specificity").per_class()
        expected = ir.Labels(frame).evaluate("F1(average='macro') Specificity(average='macro')").per_class()
        assert actual["value"].to_list() == expected["value"].to_list()


def test_an_average_under_its_other_name() -> None:
    assert ir.labels.F1(average="samples") == ir.labels.F1(average="item")


@engines
def test_probabilities_of_other_classes(engine: str) -> None:
    """Of no label there is a probability: the classes are spelt otherwise."""
    named = {"A": "a", "B": "b", "C": "c"}
    upper = LONG.with_columns(pl.col("label").str.to_uppercase())
    for frame, probabilities in ((WIDE, named), (PLAIN, upper)):
        evaluation = ir.Labels(frame, probabilities=probabilities, engine=engine).evaluate("LogLoss HandTill")
        with pytest.raises(MismatchedTables, match=r"labels are 'a', 'b', 'c', probabilities are of 'A', 'B', 'C'"):
            evaluation.summary()
    for frame, probabilities in ((WIDE, {"a": "a", "B": "b"}), (PLAIN, LONG.filter(pl.col("label") == "a"))):
        sums = pytest.warns(IrevalWarning, match="do not sum to 1")
        with pytest.warns(IrevalWarning, match="No probabilities are of the class"), sums:
            ir.Labels(frame, probabilities=probabilities, engine=engine).evaluate("LogLoss").summary()


@engines
def test_probabilities_that_do_not_sum_to_1(engine: str) -> None:
    """They are told of, unless they are rounded."""
    rounded = pl.DataFrame(
        {"item_id": [1, 2, 3], "label": [*"abc"], "a": [0.33, 0.2, 0.5], "b": [0.33, 0.3, 0.25], "c": [0.33, 0.5, 0.25]}
    )
    ir.Labels(rounded, probabilities=[*"abc"], engine=engine).evaluate("LogLoss Brier").summary()
    # A sigmoid of each class is no distribution.
    apart = rounded.with_columns(a=pl.Series([0.9, 0.2, 0.5]))
    labels = ir.Labels(apart, probabilities=[*"abc"], engine=engine)
    said = r"of 1 item do not sum to 1; those of the first sum to 1\.56\.  LogLoss takes them as they are"
    with pytest.warns(IrevalWarning, match=said):
        labels.evaluate("LogLoss Brier").summary()
    labels.evaluate("TopK@1 HandTill").summary()


def test_one_class_of_three_names_the_average_of_one() -> None:
    frame = pl.DataFrame({"label": list("abcabc"), "prediction": list("abccba")})
    for measure in ("F1", "F(beta=2)", "Recall"):
        evaluation = ir.Labels(frame, positive="a").evaluate(measure)
        with pytest.raises(MismatchedTables, match=r"average='binary'\) for the class 'a' against all others") as error:
            evaluation.summary()
        line = str(error.value.hint).removeprefix("Write ").partition(" for the class")[0]
        assert ir.Labels(frame, positive="a").evaluate(line).summary()["value"].item() > 0
        with pytest.raises(MismatchedTables, match=r"Write \w+\(.*average='macro'\); the values") as error:
            ir.Labels(frame).evaluate(measure).summary()


def test_items_of_one_unit_have_no_mcnemar_and_the_hint_names_the_unit() -> None:
    frame = pl.DataFrame({"item_id": range(6), "label": list("abcabc"), "prediction": list("abccba")})
    two = pl.concat([frame.with_columns(run_id=pl.lit(r)) for r in "xy"])
    with pytest.raises(InvalidValue, match='unit="item_id"'):
        ir.Labels(two).evaluate("Accuracy").compare(test="mcnemar").table()
    actual = ir.Labels(two, unit="item_id").evaluate("Accuracy").compare(test="mcnemar").table()
    assert actual["n"].to_list() == [6]
