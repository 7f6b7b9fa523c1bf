"""Intervals of agreement: figures of other tools, jackknives by plain loops."""

from __future__ import annotations

import math
import random
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import InvalidValue, NotDefined
from tests.contract.kit.suite import ENGINES
from tests.oracles import ratings as oracle

EXAMPLE = ir.examples.ratings()
# Standard errors by irrCAC 0.4.4 where every unit has two ratings: identity, linear, quadratic weights.
THEIRS = {
    "FleissKappa": (0.13544, 0.12128, 0.10939),
    "GwetAC2": (0.12527, 0.09048, 0.06721),
    "CongerKappa": (0.13352, 0.12452, 0.11852),
    "BrennanPrediger": (0.12705, 0.09667, 0.07502),
}


@pytest.mark.parametrize("measure", THEIRS)
def test_irrcac(measure: str) -> None:
    measures = " ".join(f"{measure}(weights='{w}')" for w in ("identity", "linear", "quadratic"))
    ratings = ir.Ratings(EXAMPLE.filter(pl.col("item_id") != "u12"), level="ratio")
    actual = ratings.evaluate(measures).intervals()
    assert actual["se"].to_list() == pytest.approx(list(THEIRS[measure]), abs=6e-6)
    assert actual["df"].to_list() == [10.0] * 3


def test_pingouin() -> None:
    """Intervals of ICC, two digits, and its F test."""
    measures = " ".join(f"ICC(form='{f}')" for f in ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k"))
    actual = ir.Ratings(EXAMPLE, level="interval").evaluate(measures).intervals()
    low, high = (actual[c].round(2).to_list() for c in ("ci_low", "ci_high"))
    assert low == pytest.approx([0.39, 0.40, 0.41, 0.72, 0.73, 0.73], abs=0.011)
    assert high == pytest.approx([0.92, 0.92, 0.92, 0.98, 0.98, 0.98], abs=0.011)
    assert actual["p_value"].to_list() == pytest.approx([7e-6, 8e-6, 8e-6] * 2, abs=1e-6)


def test_items_of_one_mean_have_no_interval() -> None:
    ratings = {"item_id": [1, 1, 2, 2, 3, 3], "rater_id": [*"ababab"], "rating": [1.0, 2.0, 2.0, 1.0, 1.0, 2.0]}
    actual = ir.Ratings(pl.DataFrame(ratings), level="interval").evaluate("ICC(form='1,1') ICC(form='1,k')").intervals()
    assert actual["value"].to_list() == [-1.0, None]
    assert actual["status"].to_list() == ["undefined"] * 2


def _many(seed: int, n: int, topics: int = 0) -> pl.DataFrame:
    rng, rows = random.Random(seed), []
    for i in range(n):
        truth = rng.choice((1, 2, 4))
        raters = [rater for rater in "abcd" if rng.random() < 0.8]
        source = [truth if rng.random() < 0.7 else rng.choice((1, 2, 4)) for _ in raters]
        rows += [(i, *row, i % topics if topics else 0) for row in zip(raters, source, strict=True)]
    return pl.DataFrame(rows, schema=["item_id", "rater_id", "rating", "topic"], orient="row")


def _units(frame: pl.DataFrame) -> list[dict[str, Any]]:
    units: dict[int, dict[str, Any]] = {}
    for unit, rater, rating, *_ in frame.iter_rows():
        units.setdefault(unit, {})[rater] = rating
    return list(units.values())


ALL = [
    "PercentAgreement(weights='linear')", "FleissKappa", "ScottPi(weights='quadratic')", "BrennanPrediger", "GwetAC1",
    "GwetAC2(weights='ratio')", "CongerKappa(weights='radical')", "CohenKappa", "CohenKappa(weights='linear')",
    *(f"KrippendorffAlpha(level='{x}')" for x in ("nominal", "ordinal", "interval", "ratio")),
    *(f"KrippendorffAlpha(distance='{x}')" for x in ("linear", "bipolar")),
]  # fmt: skip


def test_standard_errors_are_those_of_the_jackknife() -> None:
    """Values without each unit in turn, by the oracles: what the delta method is the limit of."""
    frame = _many(3, 36)
    units, actual = _units(frame), ir.Ratings(frame, level="ratio").evaluate(ALL).intervals()
    for name, se in actual.select("measure", "se").rows():
        measure = catalog.parse(name, "ratings")
        out = [
            oracle.value(measure.name, oracle.Group(units[:i] + units[i + 1 :], "ratio"), **measure.arguments())
            for i in range(len(units))
        ]
        n = len(out)
        expected = math.sqrt((n - 1) / n * sum((x - sum(out) / n) ** 2 for x in out))
        assert se == pytest.approx(expected, rel=0.08), name


def test_units_may_be_drawn_with_what_they_belong_to() -> None:
    frame = _many(4, 90, topics=15)
    whole = ir.Ratings(frame, level="ratio").evaluate(ALL)
    actual = whole.intervals(cluster="topic")
    assert actual["n_resampled"].to_list() == [15] * len(ALL)
    units = {t: _units(part) for (t,), part in frame.partition_by("topic", as_dict=True).items()}
    for name, se in actual.select("measure", "se").rows()[::4]:
        measure = catalog.parse(name, "ratings")
        out = [
            oracle.value(
                measure.name,
                oracle.Group([u for s in units if s != t for u in units[s]], "ratio"),
                **measure.arguments(),
            )
            for t in units
        ]
        expected = math.sqrt(14 / 15 * sum((x - sum(out) / 15) ** 2 for x in out))
        assert se == pytest.approx(expected, rel=0.12), name
    mixed = frame.with_columns(topic=pl.int_range(pl.len()))
    with pytest.raises(InvalidValue, match="different values of topic"):
        ir.Ratings(mixed).evaluate("FleissKappa").intervals(cluster="topic")


def test_resampled_intervals_and_weights() -> None:
    frame = _many(5, 60)
    evaluation = ir.Ratings(frame, level="ordinal").evaluate("KrippendorffAlpha GwetAC1 KendallW")
    with pytest.raises(NotDefined, match="no analytic interval"):
        evaluation.intervals()
    drawn = evaluation.intervals("percentile", n_resamples=300)
    assert drawn["status"].to_list() == ["ok"] * 3
    plain = ir.Ratings(frame, level="ordinal").evaluate("KrippendorffAlpha GwetAC1").intervals()
    assert drawn["se"].to_list()[:2] == pytest.approx(plain["se"].to_list(), rel=0.2)
    twice = ir.Ratings(frame.with_columns(weight=2.0), level="ordinal").evaluate("GwetAC1").intervals()
    assert twice["se"].item() * math.sqrt(2) == pytest.approx(plain["se"][1], rel=0.01)


@pytest.mark.parametrize("engine", ENGINES)
def test_groups_and_what_has_no_interval(engine: str) -> None:
    frame = pl.concat([_many(6, 30).with_columns(part=pl.lit(p)) for p in ("x", "y")])
    single = frame.filter(pl.col("part") == "x").head(2).with_columns(part=pl.lit("z"))
    alike = frame.filter(pl.col("part") == "x").with_columns(part=pl.lit("w"), rating=pl.lit(2, pl.Int64))
    evaluation = ir.Ratings(pl.concat([frame, single, alike]), unit="part", engine=engine).evaluate(
        "PercentAgreement GwetAC1"
    )
    actual = evaluation.intervals()
    assert actual["part"].to_list() == [p for p in "wxyz" for _ in range(2)]
    assert actual["status"].to_list() == [
        "degenerate",
        "undefined",
        "ok",
        "ok",
        "ok",
        "ok",
        "one_unit",
        actual["status"][-1],
    ]
    assert actual.filter(part="x")["se"].to_list() == pytest.approx(actual.filter(part="y")["se"].to_list(), abs=1e-12)
