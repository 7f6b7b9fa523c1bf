"""Signed ranks by SciPy and by counting all signs; Hodges' and Lehmann's estimate by making all means."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from ireval_frames.errors import InvalidParameter, UnknownName
from ireval_frames.stats.ranks.hodges_lehmann import differences_of_two, means_of_two
from ireval_frames.stats.ranks.signed_ranks import lower_order, rank_sum_distribution, shares_of_positive_sums
from ireval_frames.stats.ranks.wilcoxon import wilcoxon
from ireval_frames.stats.rounding import differences
from ireval_frames.stats.sample import Alternative, Array, Options, Sample
from tests.stats.sakai import XY, every_pair, of

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
TENTHS = st.lists(st.integers(-4, 4), min_size=2, max_size=8).filter(any)


def counted(d: Sequence[int], zeros: str, alternative: str) -> float:
    """The p-value over all signs, by a loop."""
    sizes = [abs(x) for x in d if x or zeros != "wilcox"]
    ranks = [sum(s < abs(x) for s in sizes) + (sum(s == abs(x) for s in sizes) + 1) / 2 for x in d if x]
    observed = sum(r for r, x in zip(ranks, [x for x in d if x], strict=True) if x > 0)
    sums = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s) for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    less, more = sum(s <= observed for s in sums) / len(sums), sum(s >= observed for s in sums) / len(sums)
    return {"two-sided": min(1.0, 2 * min(less, more)), "greater": more, "less": less}[alternative]


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@settings(max_examples=40)
@given(d=TENTHS)
def test_exact_counts_all_signs(zeros: str, d: list[int]) -> None:
    # 0.1 + 0.2 and 0.3 are one number here.
    baseline = [0.1 * i for i in range(len(d))]
    sample = of(baseline, [b + x / 10 for b, x in zip(baseline, d, strict=True)])
    for alternative in ALTERNATIVES:
        actual = wilcoxon(sample, Options(alternative=alternative, more={"zeros": zeros}))
        assert actual.p_value[0] == pytest.approx(counted(d, zeros, alternative), rel=1e-12)
        assert actual.method[0] == "exact"


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("continuity", [False, True])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_asymptotic_equals_scipy(zeros: str, continuity: object, alternative: Alternative) -> None:
    values = np.random.default_rng(1).integers(0, 8, (70, 5)).astype(float)
    values[3, 1] = values[5, 2] = np.nan
    sample = Sample(values, every_pair(5))
    actual = wilcoxon(sample, Options(alternative=alternative, more={"zeros": zeros, "continuity": continuity}))
    for i in range(sample.n_pairs):
        expected = scipy.stats.wilcoxon(
            sample.differences(i),
            zero_method=zeros,
            correction=continuity,
            alternative=alternative,
            method="asymptotic",
        )
        assert actual.p_value[i] == pytest.approx(expected.pvalue, rel=1e-12)


def test_exact_equals_scipy_without_ties() -> None:
    values = np.random.default_rng(2).random((40, 6))
    sample = Sample(values, every_pair(6))
    actual = wilcoxon(sample, Options(alternative="greater"))
    expected = [scipy.stats.wilcoxon(sample.differences(i), alternative="greater") for i in range(sample.n_pairs)]
    np.testing.assert_allclose(actual.p_value, [e.pvalue for e in expected], rtol=1e-10)
    np.testing.assert_array_equal(actual.statistic, [e.statistic for e in expected])


@pytest.mark.parametrize(
    "zeros, method, p",
    [
        ("wilcox", "exact", 0.0403442),
        ("wilcox", "asymptotic", 0.0372293),
        ("pratt", "exact", 0.0713501),
        ("pratt", "asymptotic", 0.0653007),
    ],
)
def test_sakai(zeros: str, method: str, p: float) -> None:
    actual = wilcoxon(XY, Options(more={"zeros": zeros, "method": method}))
    assert actual.p_value[0] == pytest.approx(p, abs=5e-8)
    if zeros == "wilcox":
        assert actual.statistic[0] == 96


def all_means(d: Array) -> list[float]:
    return sorted((d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i, len(d)))


@pytest.mark.parametrize("digits", [16, 2, 1, 0])
@pytest.mark.parametrize("n", [1, 2, 7, 90])
def test_means_of_two_are_all_made(digits: int, n: int) -> None:
    rng = np.random.default_rng(n)
    rows = np.round(rng.standard_t(1, (4, n)), digits)
    rows[1:, n // 2] = np.nan if n > 1 else 5.0
    rows[2] += 1e7
    fixed = [r[~np.isnan(r)] for r in rows]
    sorted_means = [all_means(d) for d in fixed]
    orders = np.array([[1, (len(s) + 1) // 3 + 1, len(s)] for s in sorted_means])
    orders = np.minimum(orders, orders[:, -1:])
    expected = [[s[k - 1] for k in o] for s, o in zip(sorted_means, orders, strict=True)]
    np.testing.assert_allclose(means_of_two(rows, orders), expected, rtol=1e-13)
    other = np.round(rng.normal(size=(4, 30)), digits)
    apart = [sorted((d[:, None] - o).ravel()) for d, o in zip(fixed, other, strict=True)]
    orders = np.array([[1, len(s) // 2, len(s)] for s in apart])
    expected = [[s[k - 1] for k in o] for s, o in zip(apart, orders, strict=True)]
    np.testing.assert_allclose(differences_of_two(rows, other, orders), expected, rtol=1e-13, atol=1e-15)


def test_means_of_two_with_a_value_far_off() -> None:
    rng = np.random.default_rng(9)
    for rows in (rng.normal(size=(2, 300)), rng.integers(0, 200, (2, 300)) / 100.0):
        rows[:, 0] = 1e7
        expected = [[all_means(d)[k - 1] for k in (1, 7000, 22575, 22576, 45150)] for d in rows]
        orders = np.tile([1, 7000, 22575, 22576, 45150], (2, 1))
        np.testing.assert_allclose(means_of_two(rows, orders), expected, rtol=1e-13)


def test_estimate_and_interval() -> None:
    rng = np.random.default_rng(3)
    for n in (6, 20, 150):
        d = rng.normal(0.2, 1, n)
        actual = wilcoxon(of(np.zeros(n), d), Options(confidence=0.9))
        means = all_means(d)
        assert actual.estimate is not None
        assert actual.estimate[0] == pytest.approx(statistics.median(means))
        # The interval holds the shifts which the two-sided test does not reject.
        for end, outwards in ((actual.ci_low[0], -1), (actual.ci_high[0], 1)):
            inside, outside = (
                wilcoxon(of(np.zeros(n), d - end - side * outwards * 1e-9), Options(more={"continuity": n > 50}))
                for side in (-1, 1)
            )
            assert outside.p_value[0] <= 0.1 < inside.p_value[0]


def test_orders_of_the_interval_go_on_where_the_exact_ones_end() -> None:
    for n in (101, 130):
        exact = np.searchsorted(np.cumsum(rank_sum_distribution(np.arange(1.0, n + 1))[::2]), 0.025, side="right")
        assert abs(lower_order(n, 0.025) - exact) <= 2


def test_too_few_for_an_interval() -> None:
    actual = wilcoxon(of([0, 0, 0], [0.1, 0.2, 0.4]), Options())
    assert (actual.ci_low[0], actual.ci_high[0], actual.p_value[0]) == (-np.inf, np.inf, 0.25)
    assert actual.estimate is not None
    assert actual.estimate[0] == pytest.approx(0.225)


@pytest.mark.parametrize(
    "baseline, system, status, p",
    [
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.1 + 0.2], "identical", 1.0),
        ([0.1, 0.2, 0.3, 0.4], [0.2, 0.3, 0.4, 0.5], "constant_shift", 0.125),
        ([0.1, np.nan], [0.3, 0.1], "one_unit", np.nan),
        ([0.1, np.nan], [np.nan, 0.1], "no_units", np.nan),
        ([], [], "no_units", np.nan),
    ],
)
def test_degenerate(baseline: list[float], system: list[float], status: str, p: float) -> None:
    for method in ("auto", "asymptotic"):
        actual = wilcoxon(of(baseline, system), Options(more={"method": method}))
        assert actual.status[0] == status
        if method == "auto":
            np.testing.assert_array_equal(actual.p_value, [p])


def test_differences_are_equal_up_to_rounding() -> None:
    d = differences(np.array([[0.2, 0.1, 0.7]]), np.array([[0.3, 0.2, 0.7 + 1e-16]]))
    assert d[0, 0] == d[0, 1] == pytest.approx(0.1)
    assert d[0, 2] == 0
    assert differences(np.array([[2e9, 1e9]]), np.array([[3e9, 2e9 + 0.25]])).tolist() == [[1e9, 1e9 + 0.25]]


@settings(max_examples=40)
@given(d=TENTHS)
def test_shares_of_positive_sums(d: list[int]) -> None:
    d = [x for x in d if x]
    shares = [sum((x + y > 0) + (x + y == 0) / 2 for y in d) / len(d) for x in d]
    actual = shares_of_positive_sums(np.array([[*d, np.nan]], dtype=float))[0]
    expected = [s for _, s in sorted(zip(map(abs, d), shares, strict=True))]
    # Units of one size come in any order.
    assert sorted(actual[:-1]) == sorted(expected)
    assert np.isnan(actual[-1])


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match="pratt"):
        wilcoxon(XY, Options(more={"zeros": "prat"}))
    with pytest.raises(InvalidParameter, match="501 units"):
        wilcoxon(of(np.zeros(501), np.arange(501.0)), Options(more={"method": "exact"}))
