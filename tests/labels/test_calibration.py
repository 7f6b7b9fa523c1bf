"""Log loss, Brier score and calibration equal plain loops on both engines: of one class, and of several."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue
from tests.contract.kit import ENGINES
from tests.labels.suite_scores import CHANCES

engines = pytest.mark.parametrize("engine", ENGINES)


@engines
def test_two_classes_are_one(engine: str) -> None:
    """The probability of a class, and those of the class and its opposite."""
    one = (
        CHANCES.cases["weights"].frame().filter(pl.col("part") == "mixed").with_columns(item_id=pl.int_range(pl.len()))
    )
    two = one.with_columns(p_0=1 - pl.col("score"), p_1=pl.col("score")).drop("score")
    measures = "LogLoss Brier D2LogLoss D2Brier"
    single = ir.Labels(one, engine=engine).evaluate(measures).summary()["value"].to_list()
    both = (
        ir.Labels(two, probabilities={0: "p_0", 1: "p_1"}, engine=engine)
        .evaluate(measures)
        .summary()["value"]
        .to_list()
    )
    assert both == pytest.approx(single, rel=1e-12)


@engines
def test_refused(engine: str) -> None:
    table = CHANCES.cases["weights"].frame().drop("part")

    def refused(labels: pl.DataFrame, error: type[Exception], message: str, measure: str, **options) -> None:
        with pytest.raises(error, match=message):
            ir.Labels(labels, engine=engine, **options).evaluate(measure).summary()

    for measure in ("LogLoss", "ECE(kind='mass')", "MCE"):
        refused(table.with_columns(pl.col("score") + 1), InvalidValue, "takes scores as probabilities", measure)
    classes = pl.DataFrame({"item_id": [1, 2], "label": ["a", "b"], "a": [0.5, 1.5], "b": [0.5, -0.5]})
    refused(classes, InvalidValue, "2 are outside of 0 to 1", "Brier", probabilities=["a", "b"])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_the_mean_of_an_infinite_value_is_infinite(engine: str) -> None:
    evaluation = ir.Labels(CHANCES.cases["weights"].frame(), unit="part", engine=engine).evaluate("HosmerLemeshow")
    assert evaluation.summary()["value"].item() == float("inf")
