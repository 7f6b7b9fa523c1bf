"""Distances of grades equal plain loops on both engines."""

from __future__ import annotations

import itertools
import random

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from tests.oracles import labels as oracle
from tests.oracles.labels_items import item

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
BOTH = ("MAE", "MacroMAE")


def grades(seed: int, n: int) -> list[tuple[int | None, int | None, float]]:
    rng = random.Random(seed)
    return [
        (rng.choice((0, 1, 2, 5, None)), rng.choice((0, 1, 2, 5, None)), rng.choice((0.0, 0.1, 1.0, 3.5)))
        for _ in range(n)
    ]


@engines
def test_equals_the_oracle(engine: str) -> None:
    cases = {f"{seed} {n}": grades(seed, n) for seed in range(4) for n in (1, 3, 30)}
    rows = [(name, *row) for name, of in cases.items() for row in of]
    frame = pl.DataFrame(
        rows, schema={"part": pl.String, "label": pl.Int64, "prediction": pl.Int64, "weight": pl.Float64}, orient="row"
    )
    for table in (frame, frame.cast({"label": pl.Float64})):
        actual = ir.Labels(table, unit="part", engine=engine).evaluate(list(BOTH)).per_unit()
        for row in actual.iter_rows(named=True):
            items = tuple(item((a,), (b,), w) for a, b, w in cases[row["part"]])
            expected = oracle.value(row["measure"], items)
            assert row["value"] == (None if expected is None else pytest.approx(expected, rel=1e-12)), row


@engines
@pytest.mark.parametrize(
    "counts, value",
    [((5, 1, 4, 5, 50, 5, 7, 8, 15), 0.7117023174151088), ((7, 1, 2, 12, 45, 3, 4, 8, 18), 0.7596200661509974)],
)
def test_published_closeness(counts: tuple[int, ...], value: float, engine: str) -> None:
    """Of two confusion matrices of one accuracy, by github.com/hovinh/closeness-evaluation-measure, notebooks/demo."""
    classes = ["negative", "neutral", "positive"]
    cells = [(a, b, n) for (a, b), n in zip(itertools.product(classes, classes), counts, strict=True)]
    frame = pl.DataFrame(cells, schema=["label", "prediction", "count"], orient="row")
    labels = ir.Labels(frame, weight="count", categories=classes, engine=engine)
    assert labels.evaluate("CEM_ORD").summary()["value"].item() == pytest.approx(value, abs=1e-14)
    assert labels.evaluate("Accuracy").summary()["value"].item() == 0.7


def test_closeness_of_items_without_a_prediction() -> None:
    """They have a proximity of 0; items without a label are left out."""
    frame = pl.DataFrame({"label": [1, 2, 2, 3, None], "prediction": [1, 2, None, 3, 2]})
    # 3 + 2 + 0 + 3 of 3 + 2 + 2 + 3 bits.
    assert ir.Labels(frame).evaluate("CEM_ORD").summary()["value"].item() == pytest.approx(0.8)


def test_text_has_no_distance() -> None:
    with pytest.raises(NotDefined, match="replace_strict"):
        ir.Labels(ir.examples.labels()).evaluate("MAE")
