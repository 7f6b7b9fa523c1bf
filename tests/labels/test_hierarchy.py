"""The information contrast model equals its recursive definition."""

from __future__ import annotations

import math

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue
from tests.labels.suite_scores import PETS, TREE, pets
from tests.oracles.hierarchy import information_contrast


def test_perfect_predictions() -> None:
    frame = pl.DataFrame({"label": ["poodle", "cat", "cow", "collie"]}).with_columns(prediction="label")
    contrast, normalized = ir.Labels(frame, hierarchy=TREE).evaluate("ICM ICMNorm").summary()["value"]
    # Each label is one of four: two bits.
    assert (contrast, normalized) == (pytest.approx(2.0), pytest.approx(1.0))


def test_nearer_mistakes_cost_less() -> None:
    truth = ["poodle", "collie", "cat", "cow", "cow", "cat"]
    near = pl.DataFrame({"label": truth, "prediction": ["collie", *truth[1:]]})
    far = pl.DataFrame({"label": truth, "prediction": ["cow", *truth[1:]]})
    values = [ir.Labels(f, hierarchy=TREE).evaluate("ICMNorm").summary()["value"].item() for f in (near, far)]
    assert 1 > values[0] > values[1]


@pytest.mark.parametrize("sets", [False, True])
def test_without_a_hierarchy(sets: bool) -> None:  # noqa: FBT001
    """Classes then have nothing in common."""
    items = pets(sets=sets)
    actual = ir.Labels(items.frame(), unit="part").evaluate("ICM ICMNorm").per_unit()
    for part, measure, value in actual.iter_rows():
        expected = information_contrast(items.units[part], dict.fromkeys(PETS))[("ICM", "ICMNorm").index(measure)]
        assert value == (None if math.isnan(expected) else pytest.approx(expected, abs=1e-9))


def test_errors() -> None:
    frame = pl.DataFrame({"label": ["poodle", "zebra"], "prediction": ["cat", "cat"]})
    with pytest.raises(InvalidValue, match="'zebra'"):
        ir.Labels(frame, hierarchy=TREE).evaluate("ICM").summary()
    with pytest.raises(InvalidParameter, match="their own ancestors"):
        ir.Labels(frame, hierarchy={"a": "b", "b": "a"}).evaluate("ICM")
    with pytest.raises(InvalidParameter, match="labels are text"):
        ir.Labels(frame, hierarchy={1: 2}).evaluate("ICM")
