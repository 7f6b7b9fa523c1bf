"""Sample sizes, power and detectable differences: spreads by loops, numbers by SciPy and by simulation."""

from __future__ import annotations

import itertools
import math
import random
from statistics import fmean, variance
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, IrevalError, NotDefined, UnknownName
from tests.stats.sakai import X, Y, Z

SAKAI = pl.DataFrame({"query_id": range(20)} | {n: list(map(float, v)) for n, v in zip("XYZ", (X, Y, Z), strict=True)})


def t_power(delta: float, n: int, alpha: float) -> float:
    critical = scipy.stats.t.ppf(1 - alpha / 2, n - 1)
    there = scipy.stats.nct(n - 1, delta * math.sqrt(n))
    return float(there.sf(critical) + there.cdf(-critical))


def test_spreads_of_sakais_example() -> None:
    """V_E = 0.0219 and the variances of the pairs, of which it is half the mean."""
    t = ir.comparison.sample_size(SAKAI, difference=0.1).row(0, named=True)
    pairs = ir.comparison.sample_size(SAKAI, difference=0.1, per="pair")
    variances = [variance(a - b for a, b in zip(*two, strict=True)) for two in itertools.combinations([X, Y, Z], 2)]
    assert pairs["deviation"].to_list() == pytest.approx([math.sqrt(v) for v in variances])
    assert pairs.select("baseline", "system").rows() == [("X", "Y"), ("X", "Z"), ("Y", "Z")]
    assert t["deviation"] == pytest.approx(math.sqrt(fmean(variances)))
    anova = ir.comparison.sample_size(SAKAI, difference=0.1, test="anova").row(0, named=True)
    assert anova["deviation"] ** 2 == pytest.approx(0.8317 / 38, rel=1e-3)
    assert (anova["n_systems"], anova["n_pilot"], anova["measure"]) == (3, 20, "value")
    one_way = ir.comparison.sample_size(SAKAI, difference=0.1, test="one-way").row(0, named=True)
    assert one_way["deviation"] ** 2 == pytest.approx(fmean(map(variance, (X, Y, Z))))
    alone = ir.comparison.sample_size(SAKAI, difference=0.1, per="pair", baseline="Z")
    assert alone.select("baseline", "system").rows() == [("Z", "X"), ("Z", "Y")]


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_n_is_the_fewest(power: float) -> None:
    for row in ir.comparison.sample_size(SAKAI, difference=[0.05, -0.2], power=power, alpha=0.01).iter_rows(named=True):
        delta = row["difference"] / row["deviation"]
        assert t_power(delta, row["n"], 0.01) >= power > t_power(delta, row["n"] - 1, 0.01)


@pytest.mark.parametrize(
    "options, n",
    [
        # The reference's numbers.
        ({"difference": 0.2, "deviation": 1.0}, 199),
        ({"difference": 0.5, "deviation": 1.0}, 34),
        ({"difference": 0.2, "deviation": 1.0, "power": 0.9}, 265),
        ({"difference": 0.1, "deviation": 0.2, "test": "one-way", "systems": 10}, 127),
        ({"difference": 0.1, "deviation": 0.2, "test": "one-way", "systems": 2}, 64),
        ({"width": 0.1, "deviation": 0.2, "test": "interval"}, 64),
        ({"width": 0.2, "deviation": 1.0, "test": "interval"}, 387),
        # Six units are the fewest with which these tests reject at 0.05.
        ({"difference": 1.0, "deviation": 0.2, "test": "sign"}, 6),
        ({"difference": 1.0, "deviation": 0.2, "test": "wilcoxon"}, 6),
        ({"difference": 1.0, "discordant": 1.0, "test": "mcnemar"}, 6),
    ],
)
def test_numbers(options: dict[str, Any], n: int) -> None:
    assert ir.comparison.sample_size(**options)["n"].to_list() == [n]


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "anova", "one-way", "mcnemar"])
def test_the_three_agree(test: str) -> None:
    """What n units find with some power they find with that power, and no fewer units do."""
    numbers = {"test": test, "deviation": 0.3, "discordant": 0.6, "systems": 5}
    actual = ir.comparison.detectable_difference(n=[20, 200], power=[0.6, 0.9], **numbers)
    assert actual.select("n", "power").rows() == [(20, 0.6), (20, 0.9), (200, 0.6), (200, 0.9)]
    for row in actual.iter_rows(named=True):
        again = ir.comparison.power(n=row["n"], difference=row["difference"], **numbers)
        # Wilcoxon's is a share of 10,000 samples.
        assert again["power"].to_list() == pytest.approx([row["power"]], abs=1e-4 if test == "wilcoxon" else 1e-6)
        needed = ir.comparison.sample_size(difference=row["difference"] * (1 + 1e-6), power=row["power"], **numbers)[
            "n"
        ][0]
        # Of counts the power is a saw, and some larger numbers have less.
        assert 0 <= needed - row["n"] <= {"sign": 20, "mcnemar": 3, "wilcoxon": 2}.get(test, 0)


def test_power_of_anova_by_simulation() -> None:
    """Two systems apart, the others amid, on the same units."""
    rng = np.random.default_rng(2)
    values = rng.normal(size=(6_000, 25, 4)) + 3 * rng.normal(size=(6_000, 25, 1)) + np.array([-0.4, 0, 0, 0.4])
    means = values.mean(axis=1, keepdims=True)
    between = 25 * np.square(means - values.mean(axis=(1, 2), keepdims=True)).sum(axis=(1, 2)) / 3
    rest = values - means - values.mean(axis=2, keepdims=True) + values.mean(axis=(1, 2), keepdims=True)
    rejected = between / (np.square(rest).sum(axis=(1, 2)) / 72) >= scipy.stats.f.ppf(0.95, 3, 72)
    actual = ir.comparison.power(test="anova", difference=0.8, deviation=1.0, systems=4, n=25)["power"][0]
    assert actual == pytest.approx(rejected.mean(), abs=0.02)


def test_the_pilots_units_are_the_default() -> None:
    actual = ir.comparison.power(SAKAI, difference=[0.05, 0.1])
    assert actual.select("difference", "n").rows() == [(0.05, 20), (0.1, 20)]
    deviation = actual["deviation"][0]
    assert actual["power"].to_list() == pytest.approx([t_power(d / deviation, 20, 0.05) for d in (0.05, 0.1)])
    per_pair = ir.comparison.detectable_difference(SAKAI, per="pair")
    assert per_pair["n"].to_list() == [20] * 3
    assert per_pair["difference"].is_sorted() == per_pair["deviation"].is_sorted()


def test_pilots_of_evaluations_and_groups() -> None:
    rng = random.Random(1)
    rows = [
        {"lang": g, "run_id": s, "query_id": q, "measure": m, "value": rng.random()}
        for g in ("de", "en")
        for s in "abc"
        for q in range(12)
        for m in ("AP", "RR")
    ]
    actual = ir.comparison.sample_size(pl.DataFrame(rows), difference=0.1, by="lang")
    assert actual.select("measure", "lang").rows() == [("AP", "de"), ("AP", "en"), ("RR", "de"), ("RR", "en")]
    qrels, run = ir.examples.ranking()
    runs = pl.concat(
        [run.with_columns(run_id=pl.lit(r), score=pl.col("score") * s) for r, s in (("a", 1.0), ("b", -1.0))]
    )
    one = ir.comparison.sample_size(ir.evaluate(qrels, runs, "AP"), difference=0.1).row(0, named=True)
    assert (one["measure"], one["n_pilot"], one["n"], one["status"]) == ("AP", 1, None, "too_few")


def test_pilots_of_items() -> None:
    frame = pl.DataFrame({"query_id": range(8), "a": [0, 1] * 4, "b": [1, 1, 0, 1, 0, 1, 0, 0], "c": [0] * 8})
    pairs = ir.comparison.sample_size(frame, difference=0.2, test="mcnemar", per="pair")
    assert pairs["discordant"].to_list() == [0.25, 0.5, 0.5]
    assert pairs["n"].to_list() == [
        ir.comparison.sample_size(difference=0.2, test="mcnemar", discordant=d)["n"][0] for d in (0.25, 0.5, 0.5)
    ]
    together = ir.comparison.sample_size(frame, difference=[0.2, 0.9], test="mcnemar")
    assert together["discordant"].to_list() == pytest.approx([1.25 / 3] * 2)
    assert together["status"].to_list() == ["ok", "impossible"]
    assert together["n"][1] is None
    few = ir.comparison.detectable_difference(discordant=0.1, n=10, test="mcnemar")
    assert few.select("difference", "status").rows() == [(None, "impossible")]


def test_pilots_without_spread() -> None:
    frame = pl.DataFrame({"query_id": [1, 2, 3], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.4], "c": [0.1, 0.2, None]})
    pairs = ir.comparison.sample_size(frame, difference=0.1, per="pair")
    assert pairs["status"].to_list() == ["no_variance"] * 3
    assert ir.comparison.sample_size(frame, difference=0.1).select("n", "status").rows() == [(None, "no_variance")]
    one = ir.comparison.power(frame.head(1), difference=0.1)
    assert one.select("power", "status").rows() == [(None, "too_few")]


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"difference": 0.1}, InvalidParameter, "Neither a pilot nor deviation is given"),
        ({"difference": 0.1, "test": "anova", "deviation": 1.0}, InvalidParameter, "nor systems"),
        ({"difference": 0.1, "test": "mcnemar"}, InvalidParameter, "nor discordant"),
        ({"deviation": 0.1}, InvalidParameter, "No difference was specified"),
        ({"deviation": 0.1, "test": "interval"}, InvalidParameter, "No width was specified"),
        ({"difference": 0, "deviation": 0.1}, InvalidParameter, "difference is 0"),
        ({"difference": 0.1, "deviation": -1}, InvalidParameter, "deviation is -1"),
        ({"difference": 0.1, "deviation": 1, "power": 80}, InvalidParameter, "power is 80"),
        ({"difference": 0.1, "deviation": 1, "alpha": 5}, InvalidParameter, "alpha is 5"),
        ({"difference": 0.1, "deviation": 1, "test": "welch"}, UnknownName, "welch"),
        ({"difference": 0.1, "deviation": 1, "alternative": "more"}, UnknownName, "more"),
        ({"difference": 0.1, "deviation": 1, "test": "sign", "distribution": "cauchy"}, UnknownName, "cauchy"),
        ({"difference": 0.1, "deviation": 1, "per": "system"}, UnknownName, "system"),
        ({"difference": 0.1, "deviation": 1, "pilot": SAKAI}, InvalidParameter, "and a pilot that tells it"),
        ({"difference": 0.1, "pilot": SAKAI, "baseline": "X"}, InvalidParameter, "baseline is of pairs"),
        ({"difference": 0.1, "pilot": SAKAI, "test": "mcnemar"}, InvalidParameter, "not all 0 or 1"),
        ({"difference": 0.1, "pilot": SAKAI, "test": "anova", "per": "pair"}, NotDefined, "not of pairs"),
        (
            {"difference": 0.1, "deviation": 1, "systems": 3, "test": "anova", "alternative": "less"},
            NotDefined,
            "no one-sided",
        ),
    ],
)
def test_errors(options: dict[str, Any], error: type[IrevalError], message: str) -> None:
    with pytest.raises(error, match=message):
        ir.comparison.sample_size(**options)


def test_units_that_are_no_number() -> None:
    with pytest.raises(InvalidParameter, match=r"n is 1\.5"):
        ir.comparison.power(difference=0.1, deviation=0.2, n=1.5)
    with pytest.raises(InvalidParameter, match="n is None"):
        ir.comparison.detectable_difference(deviation=0.2)
    with pytest.raises(NotDefined, match="no power"):
        ir.comparison.power(difference=0.1, deviation=0.2, n=10, test="interval")
