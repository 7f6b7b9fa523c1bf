"""Classes without a value are left out of averages, and counted."""

from __future__ import annotations

import math
import warnings

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import IrevalWarning, MismatchedTables
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
FRAME = pl.DataFrame({"label": [*"aabb"], "prediction": [*"acbd"]})


@engines
def test_the_mean_over_the_classes_that_have_a_value(engine: str) -> None:
    """Nothing is labelled c or d: scikit-learn counts their recall 0."""
    labels = ir.Labels(FRAME, engine=engine)
    measures = "Recall(average='macro')"
    assert labels.evaluate(measures).summary().select("value", "n_undefined").row(0) == (0.5, 0)
    assert labels.evaluate(measures, policy="scikit-learn").summary()["value"].item() == 0.25
    assert labels.evaluate(measures).undefined().row(0) == (measures, 4, 2)


@engines
def test_explained(engine: str) -> None:
    ev = ir.Labels(FRAME, engine=engine).evaluate("Recall(average='macro') Precision(average='weighted') Accuracy MCC")
    (line,) = [row for row in ev.explain(counts=True).splitlines() if row.startswith("  undefined = ")]
    assert (
        "[classes without a value: 2 of 4 of Recall(average='macro'), 0 of 4 of Precision(average='weighted')]" in line
    )
    assert "classes without" not in ev.explain()
    plain = ir.Labels(FRAME, engine=engine).evaluate("Accuracy")
    assert "classes without" not in plain.explain(counts=True)


@engines
def test_classes_without_probabilities_are_warned_of(engine: str) -> None:
    """Of a class that is spelt otherwise nothing was said, and most items were left out."""
    frame = pl.DataFrame(
        {"item_id": range(4), "label": [*"aabc"], "A": [0.9, 0.8, 0.3, 0.4], "b": [0.1, 0.2, 0.7, 0.6]}
    )
    spelt = ir.Labels(frame, probabilities=["A", "b"], engine=engine)
    with pytest.warns(IrevalWarning, match=r"class 'a', 'c', the label of 3 of 4 items: measures .* leave these out"):
        value = spelt.evaluate("LogLoss").summary()["value"].item()
    assert value == pytest.approx(-math.log(0.7))
    two = ir.Labels(frame.head(3), probabilities={"a": "A", "b": "b"}, engine=engine)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        two.evaluate("LogLoss").summary()
        ir.Labels(frame, probabilities=["A", "b"], policy="missing=skip", engine=engine).evaluate("LogLoss").summary()
    with pytest.raises(MismatchedTables, match="has no probability of its class"):
        ir.Labels(frame, probabilities=["A", "b"], policy="missing=error", engine=engine).evaluate("LogLoss").summary()


@engines
def test_explained_for_probabilities(engine: str) -> None:
    frame = pl.DataFrame({"item_id": [1, 2], "label": ["a", "b"], "a": [0.9, 0.2], "b": [0.1, 0.5], "c": [0.0, 0.3]})
    ev = ir.Labels(frame, probabilities=[*"abc"], engine=engine).evaluate("ROCAUC(average='macro') LogLoss")
    assert "[classes without a value: 1 of 3 of ROCAUC(average='macro')]" in ev.explain(counts=True)


@engines
def test_explained_for_units_and_sets(engine: str) -> None:
    frame = pl.DataFrame({"part": [1, 2], "item_id": [1, 2], "label": [["a"], ["b"]], "prediction": [["a"], ["c"]]})
    ev = ir.Labels(frame, unit="part", engine=engine).evaluate("F1(average='macro') Recall(average='macro')")
    assert "0 of 3 of F1(average='macro'), 1 of 3 of Recall(average='macro')" in ev.explain(counts=True)


@engines
def test_only_the_classes_of_the_average_are_counted(engine: str) -> None:
    """Of c and d nothing is labelled; e does not occur."""
    labels = ir.Labels(FRAME, engine=engine)
    for classes, expected in ((["a", "c", "e"], (2, 1)), (["a", "b"], (2, 0)), ("labels", (2, 0)), (None, (4, 2))):
        ev = labels.evaluate(ir.labels.Recall(average="macro", classes=classes))
        assert ev.undefined().row(0)[1:] == expected
        assert f"without a value: {expected[1]} of {expected[0]} of Recall" in ev.explain(counts=True)
