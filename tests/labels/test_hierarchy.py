"""The information contrast model equals its recursive definition."""

from __future__ import annotations

import math
import random

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined
from tests.oracles.hierarchy import information_contrast

TREE = {"poodle": "dog", "collie": "dog", "dog": "pet", "cat": "pet", "pet": "animal", "cow": "animal"}
CLASSES = [*TREE, "animal"]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("sets", [False, True])
def test_equals_the_recursive_definition(engine: str, *, sets: bool) -> None:
    rng, worlds, tables = random.Random(3), {}, []
    of = pl.List(pl.String) if sets else pl.String
    for n in (1, 4, 12, 30):
        label = [rng.sample(CLASSES, rng.randint(0, 3) if sets else 1) for _ in range(n)]
        guess = [has if rng.random() < 0.3 else rng.sample(CLASSES, rng.randint(0, 3) if sets else 1) for has in label]
        label[0] = ["poodle"]
        weights = [rng.choice((0.1, 1.0, 2.5)) if n > 4 else 1.0 for _ in range(n)]
        worlds[n] = list(zip(label, guess, weights, strict=True))
        columns = {
            name: pl.Series(side if sets else [s[0] for s in side], dtype=of)
            for name, side in (("label", label), ("prediction", guess))
        }
        tables.append(pl.DataFrame({"item_id": range(n), "weight": weights} | columns).with_columns(part=n))
    found = ir.Labels(pl.concat(tables), unit="part", hierarchy=TREE, engine=engine).evaluate("ICM ICMNorm").per_unit()
    for n, items in worlds.items():
        contrast, normalized = information_contrast(items, TREE)
        values = found.filter(part=n)["value"].to_list()
        assert values[0] == pytest.approx(contrast, rel=1e-9, abs=1e-9)
        assert values[1] == (None if math.isnan(normalized) else pytest.approx(normalized, rel=1e-9, abs=1e-9))


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


def test_errors() -> None:
    frame = pl.DataFrame({"label": ["poodle", "zebra"], "prediction": ["cat", "cat"]})
    with pytest.raises(InvalidValue, match="'zebra'"):
        ir.Labels(frame, hierarchy=TREE).evaluate("ICM").summary()
    with pytest.raises(NotDefined, match="hierarchy="):
        ir.Labels(frame).evaluate("ICM")
    with pytest.raises(InvalidParameter, match="their own ancestors"):
        ir.Labels(frame, hierarchy={"a": "b", "b": "a"}).evaluate("ICM")
    with pytest.raises(InvalidParameter, match="labels are text"):
        ir.Labels(frame, hierarchy={1: 2}).evaluate("ICM")
