"""Classes in an order that is said: weighted kappa by the places on the scale, and results in this order."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined
from tests.contract.kit import ENGINES

SCALE = ["low", "mid", "high"]
LABELS = ["low", "mid", "high", "low", "high", "low"]
GUESSES = ["low", "low", "mid", "high", "high", "low"]
FRAME = pl.DataFrame({"label": LABELS, "prediction": GUESSES})
WEIGHTED = "Kappa(weights='linear') Kappa(weights='quadratic')"
engines = pytest.mark.parametrize("engine", ENGINES)


def kappas(label: list[Any], guess: list[Any], scale: list[Any]) -> list[float]:
    """From Cohen's definition."""
    place, n, out = {c: i for i, c in enumerate(scale)}, len(label), []
    for power in (1, 2):
        seen = sum(abs(place[a] - place[b]) ** power for a, b in zip(label, guess, strict=True)) / n
        chance = sum(abs(place[a] - place[b]) ** power for a, b in itertools.product(label, guess)) / n**2
        out.append(1 - seen / chance)
    return out


def found(table: Any, **options: Any) -> list[float]:
    return ir.Labels(table, **options).evaluate(WEIGHTED).summary()["value"].to_list()


@engines
def test_weighted_kappa_goes_by_the_scale(engine: str, tmp_path: Path) -> None:
    expected = pytest.approx(kappas(LABELS, GUESSES, SCALE), rel=1e-12)
    path = tmp_path / "x.csv"
    FRAME.write_csv(path)
    for table in (FRAME, path):
        assert found(table, categories=SCALE, engine=engine) == expected
        # By the letters high is the lowest; nobody takes that for an order.
        with pytest.raises(NotDefined, match='categories=\\["bad", "fair", "good"\\]'):
            found(table, engine=engine)
    assert found(FRAME.cast(pl.Enum(SCALE)), engine=engine) == expected
    with pytest.raises(NotDefined, match="needs the order"):
        found(FRAME.cast(pl.Categorical), engine=engine)
    # Two enums are two orders.
    two = FRAME.cast({"label": pl.Enum(SCALE), "prediction": pl.Enum(SCALE[::-1])})
    with pytest.raises(NotDefined, match="needs the order"):
        found(two, engine=engine)
    assert found(two, categories=SCALE, engine=engine) == expected
    # What does not occur has its place all the same.
    ends = FRAME.filter(pl.col("label") != "mid", pl.col("prediction") != "mid").vstack(
        pl.DataFrame({"label": ["best"], "prediction": ["high"]})
    )
    scale = [*SCALE, "best"]
    assert found(ends, categories=scale, engine=engine) == pytest.approx(
        kappas(ends["label"].to_list(), ends["prediction"].to_list(), scale), rel=1e-12
    )
    # Numbers are in their own order among those that occur, or on a scale with gaps.
    numbers = FRAME.select(pl.all().replace_strict({"low": 1, "mid": 2, "high": 9}))
    values = [numbers[c].to_list() for c in ("label", "prediction")]
    assert found(numbers, engine=engine) == expected
    assert found(numbers, categories=list(range(1, 10)), engine=engine) == pytest.approx(
        kappas(*values, list(range(1, 10))), rel=1e-12
    )


@engines
def test_results_stand_in_the_order_of_the_scale(engine: str) -> None:
    labels = ir.Labels(FRAME, categories=SCALE, engine=engine)
    assert labels.report()["class_id"].to_list()[:3] == SCALE
    assert labels.evaluate("F1").per_class()["class_id"].to_list() == SCALE
    assert labels.confusion()["label"].unique(maintain_order=True).to_list() == SCALE


@engines
def test_what_is_no_scale(engine: str) -> None:
    for categories, error, message in (
        (
            ["low", "mid"],
            InvalidValue,
            'outside of the scale, such as \'high\'.*\\s.*categories=\\["low", "mid", "high"',
        ),
        (["low"], InvalidParameter, "two categories or more"),
        ("low,mid", InvalidParameter, "two categories or more"),
        (3, InvalidParameter, "two categories or more"),
        ([*SCALE, "low"], InvalidParameter, "names 'low' twice"),
        ([1, 2, 3], InvalidParameter, "the labels are text"),
    ):
        with pytest.raises(error, match=message):
            ir.Labels(FRAME, categories=categories, engine=engine).evaluate("Accuracy").summary()  # type: ignore[arg-type]
    sets = pl.DataFrame({"item_id": [1], "label": [["a", "b"]], "prediction": [["c"]]})
    with pytest.raises(InvalidValue, match="such as 'c'"):
        ir.Labels(sets, categories=["a", "b"], engine=engine).evaluate("F1(average='macro')").summary()


def test_numbers_of_a_scale_of_text() -> None:
    with pytest.raises(InvalidParameter, match="categories names 1, but the labels are text") as error:
        found(FRAME, categories=[1, "mid"])
    assert error.value.hint == 'Write categories=["1", "mid"].'
