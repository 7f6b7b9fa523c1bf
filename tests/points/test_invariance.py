"""The order of rows, names of clusters and items, the origin, and copies instead of weights change no value."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES, assert_same, by_measure, values
from tests.points.cases import FEATURES, SHAPES
from tests.points.suite import CASES, POINTS, points

engines = pytest.mark.parametrize("engine", ENGINES)
CASE = CASES["text"]


@engines
def test_origin(engine: str) -> None:
    """Distances are the same a million further on, to all digits that the coordinates have there."""
    frame = CASE.frame().filter(~pl.col("part").str.contains("far|outlier|tiny|apart"))
    # Sixteenths stay what they are.
    near = frame.with_columns((pl.col(f) * 16).round() / 16 for f in FEATURES)
    far = near.with_columns(pl.col(f) + 1e6 for f in FEATURES)
    measures = [m for m in POINTS.first_variants("text") if not m.name.endswith("Similarity")]
    actual, expected = (by_measure(values(points(CASE, engine, f).evaluate(measures))) for f in (far, near))
    for name in expected:
        assert_same(actual[name], expected[name], 1e-11)


@pytest.mark.parametrize("engine", ENGINES)
def test_scale(engine: str) -> None:
    """Measures without a unit stay when everything is a thousand times as large."""
    without_unit = (
        "Silhouette SimplifiedSilhouette DaviesBouldin CalinskiHarabasz Dunn XieBeni McClainRao "
        "PointBiserial DetRatio SDbw RSquared LogSS"
    )
    frame = CASE.frame()
    large = frame.with_columns(pl.col(f) * 1024 for f in FEATURES)
    actual, expected = (by_measure(values(points(CASE, engine, f).evaluate(without_unit))) for f in (large, frame))
    for name in expected:
        assert_same(actual[name], expected[name], 1e-9 if name == "DetRatio" else 1e-12)


def test_every_shape_is_there() -> None:
    assert len(CASE.groups) == len(SHAPES)
    assert isinstance(points(CASE), ir.Points)
