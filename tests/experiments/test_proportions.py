"""Proportions on their boundaries: none, all, one unit, two units; intervals against published ones and likelihoods."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.experiments import Proportion, two_proportions
from ireval_frames.stats.proportions.score_tests import TwoProportions

Counts = tuple[int, int, int, int]
# None, all, one of many, half; one unit, two, three, and sides of different sizes.
BOUNDARIES: list[Counts] = [
    (x0, n0, x1, n1)
    for n0, n1 in ((1, 1), (2, 2), (3, 3), (30, 30), (1, 40), (40, 7))
    for x0, x1 in itertools.product(*(sorted({0, 1, n // 2, n}) for n in (n0, n1)))
]


def table(groups: list[Counts]) -> pl.DataFrame:
    rows = [
        (g, v, int(i < x))
        for g, (x0, n0, x1, n1) in enumerate(groups)
        for v, x, n in (("a", x0, n0), ("b", x1, n1))
        for i in range(n)
    ]
    return pl.DataFrame(rows, schema=["g", "variant", "y"], orient="row")


def experiment(groups: list[Counts]) -> ir.Experiment:
    return ir.Experiment(table(groups), unit=None, baseline="a")


def likelihood(x: int, n: int, p: float) -> float:
    if not 0 < p < 1:
        return 0.0 if x == n * p else -math.inf
    return x * math.log(p) + (n - x) * math.log(1 - p)


def most_likely(of: Counts, other: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """p₀ and p₁ = other(p₀) of the largest likelihood, by golden sections."""
    x0, n0, x1, n1 = of
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(120):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if likelihood(x0, n0, left) + likelihood(x1, n1, other(left)) >= likelihood(x0, n0, right) + likelihood(
            x1, n1, other(right)
        ):
            high = right
        else:
            low = left
    p = (low + high) / 2
    return p, other(p)


@pytest.mark.parametrize("method, expected", [
    # Newcombe, Statistics in Medicine 1998, table II: methods 10, 5 (Mee) and 6 (Miettinen and Nurminen).
    ("newcombe", [(0.0524, 0.3339), (-0.0381, 0.1926)]),
    ("score", [(0.0533, 0.3377), (-0.0313, 0.1926)]),
    ("miettinen-nurminen", [(0.0528, 0.3382), (-0.0326, 0.1933)]),
])  # fmt: skip
def test_published_intervals(method: str, expected: list[tuple[float, float]]) -> None:
    cases: list[Counts] = [(48, 80, 56, 70), (0, 29, 5, 56)]
    for of, ends in zip(cases, expected, strict=True):
        row = two_proportions(*of, method=method).row(0, named=True)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(ends, abs=6e-5)
        (actual,) = experiment([of]).analyze([Proportion("y", interval=method)]).table().iter_rows(named=True)
        assert (actual["ci_low"], actual["ci_high"], actual["interval"]) == (row["ci_low"], row["ci_high"], method)


def test_score_statistics_are_those_of_the_likelihood() -> None:
    for of in [(3, 10, 7, 12), (0, 9, 4, 7), (0, 6, 0, 8), (5, 5, 9, 9), (0, 3, 3, 3), (1, 1, 0, 1)]:
        x0, n0, x1, n1 = of
        d, both = x1 / n1 - x0 / n0, TwoProportions.of(*of)
        for null in (-0.6, -0.1, 0.05, 0.4):
            p0, p1 = most_likely(of, lambda p, null=null: p + null, max(0.0, -null), min(1.0, 1.0 - null))
            se = math.sqrt(p0 * (1 - p0) / n0 + p1 * (1 - p1) / n1)
            assert both.z(null) == pytest.approx((d - null) / se, rel=1e-5, abs=1e-6), (of, null)
        for null in (0.2, 0.9, 3.0):
            p0, p1 = most_likely(of, lambda p, null=null: p * null, 0.0, min(1.0, 1.0 / null))
            se = math.sqrt(null**2 * p0 * (1 - p0) / n0 + p1 * (1 - p1) / n1)
            if x0 + x1:
                assert both.z(null, "ratio") == pytest.approx((x1 / n1 - null * x0 / n0) / se, rel=1e-5, abs=1e-6)
            p0, p1 = most_likely(of, lambda p, null=null: null * p / (1 - p + null * p), 0.0, 1.0)
            if 0 < x0 + x1 < n0 + n1:
                spread = 1 / (n0 * p0 * (1 - p0)) + 1 / (n1 * p1 * (1 - p1))
                z = (x1 - n1 * p1) * math.sqrt(spread)
                assert both.z(null, "odds-ratio") == pytest.approx(z, rel=1e-5, abs=1e-5), (of, null)


def test_every_boundary_has_a_test_and_an_interval_that_agree() -> None:
    analysis = experiment(BOUNDARIES)
    for metric in (Proportion("y"), Proportion("y", interval="score")):
        for row in analysis.analyze([metric], by="g", correction="none").table().iter_rows(named=True):
            of = BOUNDARIES[row["g"]]
            assert row["test"] == "score"
            assert -1 <= row["ci_low"] <= row["difference"] <= row["ci_high"] <= 1
            assert row["ci_high"] > row["ci_low"], of
            z = TwoProportions.of(*of).z(0.0)
            assert row["statistic"] == z
            assert row["p_value"] == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-9)
            if metric.interval == "score":
                assert (row["p_value"] < 0.05) == (row["ci_low"] > 0 or row["ci_high"] < 0), of
            lo, hi = row["relative_low"], row["relative_high"]
            assert lo <= (row["relative"] if row["relative"] is not None else hi) <= hi
    (none,) = experiment([(0, 30, 0, 30)]).analyze("Proportion(y)").table().iter_rows(named=True)
    assert (none["ci_low"], none["ci_high"]) == pytest.approx((-0.1135, 0.1135), abs=5e-5)
    (apart,) = experiment([(0, 30, 30, 30)]).analyze("Proportion(y)").table().iter_rows(named=True)
    assert apart["p_value"] == pytest.approx(9.4857e-15, rel=1e-4)
    assert apart["verdict"] == "better"
    # What looks and sequences are made of varies, too.
    for how in ({"looks": [0.5]}, {"sequential": 100}):
        for row in analysis.analyze("Proportion(y)", by="g", **how).table().iter_rows(named=True):  # type: ignore[arg-type]
            assert row["ci_high"] > row["ci_low"]
            assert row["p_value"] is not None


def test_whether_it_is_not_worse_is_decided_everywhere() -> None:
    decided = dict.fromkeys((True, False), 0)
    for relative, falling in itertools.product((False, True), repeat=2):
        metric = Proportion("y", lower_is_better=falling)
        actual = experiment(BOUNDARIES).noninferiority(
            [metric], margin=0.1, relative=relative, by="g", correction="none"
        )
        for row in actual.iter_rows(named=True):
            assert row["not_worse"] is not None
            assert row["p_value"] is not None
            sign = -1 if falling else 1
            # As a difference, a share of a baseline of 0 is no margin.
            assert (row["bound"] is None) == (relative and row["value_baseline"] == 0)
            inside = 0.0 if row["bound"] is None else sign * row["bound"] + row["margin"]
            assert row["not_worse"] == (inside > 0) or abs(inside) < 1e-12, row
            decided[row["not_worse"]] += 1
    assert min(decided.values()) > 20
    for n, message in ((20, False), (40, True)):
        (row,) = experiment([(0, n, 0, n)]).noninferiority("Proportion(y)", margin=0.1).iter_rows(named=True)
        # At p₀ = 0.1 and p₁ = 0: z = 0.1 / √(0.1 · 0.9 / n).
        assert row["statistic"] == pytest.approx(0.1 / math.sqrt(0.09 / n))
        assert row["not_worse"] is message
    (row,) = experiment([(40, 40, 40, 40)]).noninferiority("Proportion(y)", margin=1.5).iter_rows(named=True)
    assert row["not_worse"]


def test_a_relative_bound_says_what_the_test_says() -> None:
    draws = pl.DataFrame({"g": range(60)}).join(pl.DataFrame({"variant": ["a", "b"] * 12}), how="cross")
    rows = draws.with_row_index("i").with_columns(
        y=5.0 + ((pl.col("i") * 7919) % 101) / 25 + 0.3 * (pl.col("variant") == "b")
    )
    actual = ir.Experiment(rows, unit=None, baseline="a").noninferiority(
        "Mean(y)", margin=0.08, relative=True, by="g", correction="none"
    )
    assert actual["not_worse"].n_unique() == 2
    assert (actual["not_worse"] == (actual["bound"] >= -actual["margin"])).all()


def test_strata_are_boundaries_too() -> None:
    rows = pl.concat([table([(0, 20, 0, 20)]), table([(0, 10, 0, 10)])]).with_columns(
        stratum=pl.Series(["x"] * 40 + ["y"] * 20)
    )
    wide = ir.Experiment(rows, unit=None).analyze("Proportion(y)", strata="stratum").table().row(0, named=True)
    reach = math.hypot(*(w * 1.96**2 / (n + 1.96**2) for w, n in ((2 / 3, 20), (1 / 3, 10))))
    assert (wide["ci_low"], wide["ci_high"]) == pytest.approx((-reach, reach), rel=1e-4)
    rows = rows.with_columns(y=pl.when((pl.col("variant") == "b") & (pl.col("stratum") == "x")).then(1).otherwise("y"))
    apart = ir.Experiment(rows, unit=None).analyze("Proportion(y)", strata="stratum").table().row(0, named=True)
    assert apart["difference"] == pytest.approx(2 / 3)
    # All of the variance is that of 20 of 40 in one stratum.
    assert apart["statistic"] == pytest.approx(math.sqrt(40))
    adjusted = rows.with_columns(y=pl.lit(0), before=pl.int_range(pl.len()))
    (same,) = ir.Experiment(adjusted, unit=None).analyze("Proportion(y, before=before)").table().iter_rows(named=True)
    assert same["ci_high"] == pytest.approx(1.96**2 / (30 + 1.96**2), rel=1e-4)


@pytest.mark.parametrize("wrong", [(3, 2, 1, 4), (0, 0, 1, 4), (-1, 4, 0, 4), (True, 4, 0, 4)])
def test_no_proportions(wrong: Counts) -> None:
    with pytest.raises(ir.errors.InvalidParameter, match="whole numbers from 0"):
        two_proportions(*wrong)
    with pytest.raises(ir.errors.UnknownName, match="newcombe"):
        Proportion("y", interval="newcomb")


def test_few_hits_of_very_many_units_have_all_their_digits() -> None:
    """Of n units the difference times n has an interval that n hardly changes, as counts that are Poisson have."""
    for x0, x1 in ((0, 0), (0, 5), (1, 3), (100, 150)):
        ends = []
        for n in (10**8, 10**9, 10**12):
            for hits in ((x0, x1), (n - x1, n - x0)):
                row = ir.experiments.two_proportions(hits[0], n, hits[1], n).row(0, named=True)
                ends.append([row["ci_low"] * n, row["ci_high"] * n])
                if x1 - x0:
                    assert (row["ci_low"] > 0) == (row["p_value"] < 0.05)
        for actual in ends[1:]:
            assert actual == pytest.approx(ends[-2], rel=2e-4)
        # Of Poisson counts z = (x₁ − x₀ − δ) / √(μ₀ + μ₁), at the most likely means that differ by δ.
        for delta, z in zip(ends[-2], (1.959964, -1.959964), strict=True):
            smaller, larger = (x0, x1) if delta > 0 else (x1, x0)
            b = 2 * abs(delta) - smaller - larger
            mean = (-b + (b * b + 8 * smaller * abs(delta)) ** 0.5) / 4
            assert (x1 - x0 - delta) / (2 * mean + abs(delta)) ** 0.5 == pytest.approx(z, rel=1e-4)
