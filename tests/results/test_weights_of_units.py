"""Weights that cancel inside units are told: no mean over units has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import IrevalWarning
from tests.contract.kit.suite import ENGINES

ROWS = {
    "item": [1, 2, 3, 4],
    "part": ["a", "a", "b", "b"],
    "label": ["x", "x", "y", "x"],
    "prediction": ["x", "y", "y", "y"],
}
SUBJECTS: dict[str, Callable[[list[float], str, Any], Any]] = {
    "labels": lambda w, engine, part: ir.Labels(
        pl.DataFrame({**ROWS, "weight": w}), unit=part, engine=engine
    ).evaluate("Accuracy"),
    "clusters": lambda w, engine, part: ir.Clusters(
        pl.DataFrame({**ROWS, "weight": w}), unit=part, engine=engine, cluster="prediction"
    ).evaluate("Purity"),
    "points": lambda w, engine, part: ir.Points(
        pl.DataFrame({"part": ["a"] * 2 + ["b"] * 2, "cluster": [1, 2, 1, 2], "x": [1.0, 2.0, 5.0, 6.0], "weight": w}),
        features=["x"], unit=part, engine=engine,
    ).evaluate("SSE"),
    "ratings": lambda w, engine, part: ir.Ratings(
        pl.concat([pl.DataFrame({"item_id": [1, 2, 3, 4], "part": ROWS["part"], "rater_id": r, "rating": ROWS[of],
                                 "weight": w}) for r, of in (("p", "label"), ("q", "prediction"))]),
        unit=part, engine=engine,
    ).evaluate("PercentAgreement"),
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("family", SUBJECTS)
def test_weights_that_units_share(family: str, engine: str) -> None:
    make = SUBJECTS[family]
    evaluation = make([9.0, 9.0, 1.0, 1.0], engine, "part")
    with pytest.warns(IrevalWarning, match="units have weights from 1 to 9: they change no unit's value") as warned:
        evaluation.summary()
    assert len(warned) == 1
    # It is told once, and not where there is nothing to tell: warnings are errors here.
    evaluation.per_unit()
    for weights, part in (([9.0, 1.0, 2.0, 2.0], "part"), ([3.0] * 4, "part"), ([9.0, 9.0, 1.0, 1.0], ())):
        make(weights, engine, part).summary()


@pytest.mark.parametrize("engine", ENGINES)
def test_an_item_is_a_unit(engine: str) -> None:
    """With items as units a weight of 9 and one of 1 count alike, which is told; without units they are 0.9."""
    frame = pl.DataFrame({"id": ["a", "b"], "label": ["x", "x"], "prediction": ["x", "y"], "weight": [9.0, 1.0]})
    assert ir.Labels(frame, engine=engine).evaluate("Accuracy").summary()["value"].item() == pytest.approx(0.9)
    with pytest.warns(IrevalWarning, match="counts every unit alike"):
        assert ir.Labels(frame, unit="id", engine=engine).evaluate("Accuracy").summary()["value"].item() == 0.5
    # Sums of weights, and tables of counts, have them.
    assert ir.Labels(frame, unit="id", engine=engine).evaluate("NumItems").summary()["value"].item() == 10.0
    assert ir.Labels(frame, unit="id", engine=engine).confusion()["count"].to_list() == [9.0, 1.0]
    # A weight of 0 is no item.
    none = pl.concat([frame, frame.with_columns(weight=0.0, prediction=pl.lit("z"))])
    with pytest.warns(IrevalWarning, match="from 1 to 9"):
        ir.Labels(none, unit="id", engine=engine).evaluate("Accuracy").summary()
