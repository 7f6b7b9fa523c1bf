"""Values at the edge of what tables hold: classes twice in a list, NaN and signed zeros among classes and groups."""

from __future__ import annotations

import math

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue, MismatchedTables
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
OF_SETS = (
    "LRAP CoverageError RankingLoss ROCAUC(average='macro') ROCAUC(average='micro') AveragePrecision(average='item')"
)


@engines
def test_a_class_twice_in_a_list(engine: str) -> None:
    """It is a set."""
    once = pl.DataFrame({"item_id": [1, 2], "label": [["a", "c"], ["b"]], "prediction": [["a"], ["b"]]})
    once = once.with_columns(a=pl.Series([0.5, 0.2]), b=pl.Series([0.6, 0.8]), c=pl.Series([0.4, 0.9]))
    twice = once.with_columns(label=pl.Series([["a", "c", "a"], ["b"]]), prediction=pl.Series([["a"], ["b", "b"]]))
    for measures, options in (
        ("SubsetAccuracy F1(average='micro') F1(average='item') HammingLoss NumClasses Support(average='micro')", {}),
        (OF_SETS, {"probabilities": [*"abc"]}),
    ):
        one, two = (
            ir.Labels(f, engine=engine, **options).evaluate(measures).summary()["value"].to_list()
            for f in (once, twice)
        )
        assert one == two


@engines
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
def test_nan_is_no_class(dtype, engine: str) -> None:
    """It says as little as null, in every shape."""
    null = pl.DataFrame({"item_id": [1, 2, 3, 4], "label": [1, 0, None, 1], "prediction": [None, 0, 1, 1]})
    null = null.cast({"label": dtype, "prediction": dtype})
    nan = null.with_columns(pl.col("label", "prediction").fill_null(math.nan))
    scores = [f.with_columns(score=pl.Series([0.1, 0.4, 0.2, 0.3])) for f in (null, nan)]
    lists = [f.with_columns(pl.concat_list("label"), pl.concat_list("prediction")) for f in (null, nan)]
    two = [(f.select("item_id", "label"), f.select("item_id", "prediction")) for f in (null, nan)]
    of_one = "Accuracy NumClasses NumItems MAE Kappa(weights='linear') F1(average='macro')"
    of_sets = "SubsetAccuracy NumClasses F1(average='item')"
    for policy in ("unlabelled=empty", "unlabelled=skip"):
        for one, other, measures in (
            ((null,), (nan,), of_one),
            ((scores[0],), (scores[1],), "ROCAUC Brier NumItems"),
            ((lists[0],), (lists[1],), of_sets),
            (*two, of_sets),
        ):
            actual, expected = (
                ir.Labels(*tables, engine=engine, policy=policy).evaluate(measures).summary() for tables in (other, one)
            )
            # A list of a null is a set without classes, and so is one of NaN.
            assert actual.equals(expected)
            assert actual["value"].null_count() == 0
    with pytest.raises(MismatchedTables, match="1 items have no label"):
        ir.Labels(nan, engine=engine, policy="unlabelled=error").evaluate("Accuracy").summary()


@engines
@pytest.mark.parametrize("measure", ["MAE", "MacroMAE"])
def test_distances_need_finite_classes(measure: str, engine: str) -> None:
    frame = pl.DataFrame({"label": [math.inf, 1.0], "prediction": [math.inf, 2.0]})
    with pytest.raises(InvalidValue, match="inf"):
        ir.Labels(frame, engine=engine).evaluate(measure).summary()
    assert ir.Labels(frame, engine=engine).evaluate("Accuracy Kappa(weights='linear')").summary()["value"][0] == 0.5


@engines
def test_zeros_have_no_sign(engine: str) -> None:
    zeros = pl.DataFrame({"item_id": [1, 2, 3], "label": [0.0, -0.0, 1.0], "prediction": [-0.0, 0.0, -0.0]})
    labels = ir.Labels(zeros, engine=engine)
    assert labels.evaluate("Accuracy NumClasses").summary()["value"].to_list() == [pytest.approx(2 / 3), 2.0]
    assert str(labels.confusion().rows()) == "[(0.0, 0.0, 2.0), (1.0, 0.0, 1.0)]"
    assert str(labels.evaluate("F1").per_class()["class_id"].to_list()) == "[0.0, 1.0]"
    lists = zeros.with_columns(pl.concat_list("label"), pl.concat_list("prediction"))
    two = zeros.select("item_id", "label"), zeros.select("item_id", "prediction")
    for tables in ((lists,), two):
        actual = ir.Labels(*tables, engine=engine).evaluate("SubsetAccuracy NumClasses").summary()["value"].to_list()
        assert actual == [pytest.approx(2 / 3), 2.0]


@engines
@pytest.mark.parametrize("how", ["by", "unit"])
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
def test_groups_of_signed_zeros_and_nan(how: str, dtype, engine: str) -> None:
    frame = pl.DataFrame(
        {
            "g": pl.Series([-0.0, 0.0, math.nan, -math.nan, None, math.inf], dtype=dtype),
            "label": [1, 0, 1, 0, 1, 0],
            "prediction": [1, 1, 0, 1, 0, 1],
            "score": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        }
    )
    # What is null or NaN is a group, and no unit.
    labels = ir.Labels(frame, engine=engine, policy="units=drop-null", **{how: "g"})
    expected = [(0.0, 2.0), (math.inf, 1.0)]
    expected = [(None, 1.0), *expected, (math.nan, 2.0)] if how == "by" else expected
    actual = labels.evaluate("Accuracy NumItems").per_unit()
    assert str(actual.filter(measure="NumItems").select("g", "value").rows()) == str(expected)
    groups = str([g for g, _ in expected])
    assert str(labels.curve("roc")["g"].unique(maintain_order=True).to_list()) == groups
    assert str(labels.report()["g"].unique(maintain_order=True).to_list()) == groups
