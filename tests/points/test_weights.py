"""Weights that are fractions, or many; features of any scale that floats can square."""

from __future__ import annotations

import functools
import math
import random
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidValue
from tests.contract.kit import ENGINES
from tests.points.suite import UNWEIGHTED, VARIANTS

engines = pytest.mark.parametrize("engine", ENGINES)
# They count points or pairs of points, and so take whole weights.
COUNTING = {
    "CalinskiHarabasz", "Silhouette", "SilhouetteError", "IntraDistance", "IntraSimilarity", "McClainRao",
    "PointBiserial",
}  # fmt: skip
MEASURES = [m for m in VARIANTS if m.name not in UNWEIGHTED]
# How values grow with the weights, and with the features.
LIKE_WEIGHTS = {"NumPoints", "SSE", "LogDet", "BanfeldRaftery", "ScottSymons"}
OF_FEATURES = {"SSE": 2, "BallHall": 2, "PBM": 2, "IntraDistance": 1, "InterDistance": 1, "SDDistance": -1}


def counts(measure: Measure) -> bool:
    return measure.name in COUNTING or "diameter='average'" in str(measure)


def table(seed: int = 1, *, weights: tuple[int, ...] = (1, 2, 3, 5)) -> pl.DataFrame:
    rng = random.Random(seed)
    rows = [(rng.gauss(3.0 * (i % 3), 1.0), rng.gauss(i % 2, 1.0), i % 3, rng.choice(weights)) for i in range(30)]
    return pl.DataFrame(
        rows, schema={"x": pl.Float64, "y": pl.Float64, "c": pl.Int64, "weight": pl.Float64}, orient="row"
    )


def values(frame: pl.DataFrame, measures: Any, engine: str, **options: Any) -> dict[str, float | None]:
    frame = frame.with_row_index("item_id")
    rows = ir.Points(frame, ["x", "y"], cluster="c", engine=engine, **options).evaluate(measures).summary()
    return dict(rows.select("measure", "value").iter_rows())


@engines
@pytest.mark.parametrize("measure", [m for m in MEASURES if counts(m)], ids=str)
def test_what_counts_points_takes_whole_weights(measure: Measure, engine: str) -> None:
    frame = table().with_columns(pl.col("weight") / 2)
    with pytest.raises(
        InvalidValue, match=rf"{measure.name}.* counts points, and the weight \d\.5 is not a whole number"
    ):
        values(frame, measure, engine)
    assert "whole" in measure.definition.page


@engines
def test_frames_take_whole_weights(engine: str) -> None:
    points = ir.Points(
        table().with_row_index("item_id").with_columns(weight=0.5), ["x", "y"], cluster="c", engine=engine
    )
    for result in (points.silhouettes, points.similarities):
        with pytest.raises(InvalidValue, match="not a whole number"):
            result()


@functools.cache
def of_whole_weights(engine: str) -> dict[str, float | None]:
    return values(table(), [m for m in MEASURES if not counts(m)], engine)


@engines
@pytest.mark.parametrize("factor", [0.5, 0.01, 2.0**-60, 1e25])
def test_all_others_are_shares_of_any_weights(factor: float, engine: str) -> None:
    others = [m for m in MEASURES if not counts(m)]
    assert len(others) > 20
    expected = of_whole_weights(engine)
    actual = values(table().with_columns(pl.col("weight") * factor), others, engine)
    for m in others:
        value = expected[str(m)]
        assert value is not None
        if m.name == "KsqDetW":
            value *= factor**2
        if m.name == "BallHall" and "sums" in str(m):
            value *= factor
        assert actual[str(m)] == pytest.approx(value * (factor if m.name in LIKE_WEIGHTS else 1.0), rel=1e-9), m


@engines
def test_every_point_a_cluster_of_half_weight(engine: str) -> None:
    """Whether each is alone does not depend on the scale of the weights."""
    frame = pl.DataFrame({"x": [0.0, 1.0, 5.0, 7.0], "y": 0.0, "c": [1, 1, 2, 3], "weight": 1.0})
    names = "DaviesBouldin SimplifiedSilhouette"
    expected = values(frame, names, engine)
    assert None not in expected.values()
    assert values(frame.with_columns(weight=0.25), names, engine) == pytest.approx(expected)
    single = frame.with_columns(c=pl.int_range(4))
    assert set(values(single.with_columns(weight=0.25), names, engine).values()) == {None}


@engines
def test_few_points_beside_many(engine: str) -> None:
    """Of two places with a billion points each and one of another cluster."""
    frame = pl.DataFrame({"x": [0.0, 1.0, 0.25], "y": 0.0, "c": [1, 1, 2], "weight": [1e9, 1e9, 1.0]})
    for metric, between in (("manhattan", 0.5), ("euclidean", 0.5), ("squared_euclidean", (0.0625 + 0.5625) / 2)):
        actual = values(frame, "InterDistance IntraDistance McClainRao", engine, metric=metric)
        inside = 1e9 * 1e9 / (2e9 * (2e9 - 1) / 2)
        assert actual["InterDistance"] == pytest.approx(between, rel=1e-12)
        assert actual["IntraDistance"] == pytest.approx(inside, rel=1e-12)
        assert actual["McClainRao"] == pytest.approx(inside / between, rel=1e-12)


SCALED = [m for m in VARIANTS if m.name not in ("SD", "KsqDetW", "BanfeldRaftery", "ScottSymons")]


@functools.cache
def of_features(factor: float, engine: str) -> dict[str, float | None]:
    return values(table(2).drop("weight").with_columns(pl.col("x", "y") * factor), SCALED, engine)


@engines
@pytest.mark.parametrize("factor", [1e45, 1e-45, 2.0**100, 2.0**-100])
def test_features_of_any_scale(factor: float, engine: str) -> None:
    expected, actual = of_features(1.0, engine), of_features(factor, engine)
    for m in SCALED:
        value = expected[str(m)]
        assert value is not None
        power = float(OF_FEATURES.get(m.name, 0)) * (2 if "'squared_euclidean'" in str(m) else 1)
        power = 0.0 if "cosine" in str(m) else power
        if m.name == "PointBiserial" and "scaled" in str(m):
            power = 1.0
        assert actual[str(m)] == pytest.approx(value * factor**power, rel=1e-9), m


@engines
@pytest.mark.parametrize("factor", [1e200, 1e100, 1e-100, 1e-200])
def test_features_that_floats_cannot_square_are_refused(factor: float, engine: str) -> None:
    frame = table().with_columns(pl.col("x", "y") * factor)
    for measure in ("Silhouette", "DaviesBouldin", "SDScattering", "SDbw", "NumPoints"):
        with pytest.raises(InvalidValue, match="squares") as caught:
            values(frame, measure, engine)
        assert 'frame.with_columns(pl.col("x", "y") / 1e' in str(caught.value)
    with pytest.raises(InvalidValue, match="squares"):
        ir.Points(frame.with_row_index("item_id"), ["x", "y"], cluster="c", engine=engine).silhouettes()


@engines
def test_one_small_feature_is_none_and_one_small_group_is(engine: str) -> None:
    """Beside another feature it adds nothing; a group in which all is small is refused."""
    frame = table().with_columns(pl.col("y") * 1e-200)
    assert values(frame, "SSE", engine) == pytest.approx(values(table().with_columns(y=0.0), "SSE", engine))
    grouped = table().with_columns(x=pl.when(pl.col("c") > 0).then("x").otherwise(pl.col("x") * 1e-200), y=0.0)
    with pytest.raises(InvalidValue, match="squares"):
        values(grouped, "SSE", engine, unit="c")
    assert values(grouped.with_columns(x=pl.when(pl.col("c") > 0).then("x").otherwise(7.0)), "SSE", engine, unit="c")


@engines
@pytest.mark.parametrize("weight", [1e160, 1e-170])
def test_weights_out_of_range_are_refused(weight: float, engine: str) -> None:
    with pytest.raises(InvalidValue, match="weight") as caught:
        values(table().with_columns(weight=weight), "SSE", engine)
    assert 'pl.col("weight") / ' in str(caught.value)


@engines
def test_determinants_out_of_range_are_refused(engine: str) -> None:
    rng = random.Random(4)
    n = 60
    names = [f"f{i}" for i in range(n)]
    frame = pl.DataFrame({name: [rng.gauss(0, 1) for _ in range(4 * n)] for name in names}).with_columns(
        c=pl.int_range(4 * n) % 2
    )
    for factor, sign in ((1e6, 1), (1e-6, -1)):
        scaled = frame.with_columns(pl.col(names) * factor)
        points = ir.Points(scaled, names, cluster="c", engine=engine)
        with pytest.raises(InvalidValue, match=r"KsqDetW is e\^(-?\d+)") as caught:
            points.evaluate("KsqDetW").summary()
        assert "pl.col" in str(caught.value)
        log = float(str(caught.value).split("e^")[1].split(",")[0].split(" ")[0])
        unscaled = ir.Points(frame, names, cluster="c", engine=engine).evaluate("KsqDetW").summary()["value"].item()
        assert log == pytest.approx(math.log(unscaled) + sign * 2 * n * math.log(1e6), abs=1)
        assert points.evaluate("LogDet ScottSymons").summary()["value"].null_count() == 0
