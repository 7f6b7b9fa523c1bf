"""Fieller's interval holds the ratios that a t-test does not refuse; the delta method by gradients."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from ireval_frames.stats.means.ratio_of_means import difference_of_ratios, ratio_of_means
from ireval_frames.stats.sample import Array


def draws(seed: int, n: int = 25) -> Array:
    """Four variables of the same units: x, y, x′, y′."""
    rng = np.random.default_rng(seed)
    return np.asarray(0.5 + 0.1 * rng.random((n, 1)) + 0.3 * rng.random((n, 4)))


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_fieller_ends_where_the_paired_t_refuses(confidence: float) -> None:
    x, y, *_ = draws(1).T
    actual = ratio_of_means(x, y, paired=True, confidence=confidence)
    assert actual.value == pytest.approx(y.mean() / x.mean(), rel=1e-14)
    for end in (actual.low, actual.high):
        assert scipy.stats.ttest_1samp(y - end * x, 0).pvalue == pytest.approx(1 - confidence, rel=1e-9)
    assert actual.low < actual.value < actual.high


def test_fieller_of_different_units() -> None:
    x, y = draws(2)[:, 0], draws(3, 40)[:, 1]
    actual = ratio_of_means(x, y, paired=False, confidence=0.9)
    df = scipy.stats.ttest_ind(y, actual.value * x, equal_var=False).df
    for end in (actual.low, actual.high):
        t = scipy.stats.ttest_ind(y, end * x, equal_var=False).statistic
        assert abs(t) == pytest.approx(scipy.stats.t.ppf(0.95, df), rel=1e-9)


def test_fieller_may_have_no_ends() -> None:
    x = np.array([1.0, -1.1, 0.9, -0.7])
    actual = ratio_of_means(x, np.array([1.0, 2.0, 3.0, 4.0]), paired=True)
    assert actual.status == "unbounded"
    assert np.isnan([actual.low, actual.high]).all()
    assert actual.value == pytest.approx(2.5 / 0.025)


def test_a_ratio_of_itself_is_1() -> None:
    x = draws(4)[:, 0]
    actual = ratio_of_means(x, x.copy(), paired=True)
    assert (actual.value, actual.low, actual.high, actual.status) == (1.0, 1.0, 1.0, "ok")
    doubled = ratio_of_means(x, 2 * x, paired=True)
    np.testing.assert_allclose([doubled.low, doubled.high], 2.0, rtol=1e-12)


@pytest.mark.parametrize(
    "x, y, status",
    [
        ([], [], "no_units"),
        ([0.5], [0.25], "one_unit"),
        ([0.1, 0.2, -0.3], [1, 2, 3], "zero"),
        ([0.0, 0.0], [0.0, 0.0], "zero"),
    ],
)
def test_what_has_no_ratio(x: list[float], y: list[float], status: str) -> None:
    one, other = np.array(x, dtype=float), np.array(y, dtype=float)
    actual = ratio_of_means(one, other, paired=True)
    assert actual.status == status
    assert np.isnan([actual.low, actual.high]).all()
    assert (actual.value == 0.5) == (status == "one_unit")
    assert difference_of_ratios((one, other), (one, other), paired=True).status == status


def test_differences_that_are_rounding_are_0() -> None:
    x = np.array([0.3 - 0.2, 0.5 - 0.4]) - 0.1
    assert x.any()
    assert ratio_of_means(x, x, paired=True, largest=0.5).status == "zero"


def gradient(x: float, y: float) -> Array:
    return np.array([-y / x**2, 1 / x])


def test_delta_by_gradients() -> None:
    same = draws(5)
    x, y, x2, y2 = same.T
    means = same.mean(axis=0)
    slope = np.concatenate([gradient(means[0], means[1]), -gradient(means[2], means[3])])
    se = np.sqrt(slope @ np.cov(same.T) @ slope / len(same))
    actual = difference_of_ratios((x, y), (x2, y2), paired=True, confidence=0.9)
    value = means[1] / means[0] - means[3] / means[2]
    interval = scipy.stats.t.interval(0.9, len(same) - 1, value, se)
    np.testing.assert_allclose([actual.value, actual.low, actual.high], [value, *interval], rtol=1e-10)


def test_delta_of_different_units() -> None:
    one, other = draws(6)[:, :2], draws(7, 40)[:, 2:]
    variances = []
    for side in (one, other):
        slope = gradient(*side.mean(axis=0))
        variances.append(slope @ np.cov(side.T) @ slope / len(side))
    v, w = variances
    df = (v + w) ** 2 / (v**2 / (len(one) - 1) + w**2 / (len(other) - 1))
    value = one[:, 1].mean() / one[:, 0].mean() - other[:, 1].mean() / other[:, 0].mean()
    actual = difference_of_ratios((one[:, 0], one[:, 1]), (other[:, 0], other[:, 1]), paired=False)
    interval = scipy.stats.t.interval(0.95, df, value, np.sqrt(v + w))
    np.testing.assert_allclose([actual.value, actual.low, actual.high], [value, *interval], rtol=1e-10)


@pytest.mark.parametrize("paired", [0, 1])
def test_intervals_cover_what_they_estimate(paired: int) -> None:
    """2,000 cases in which the ratio is 0.75 and the difference of ratios 0.25."""
    rng = np.random.default_rng(10)
    cases, n = 2_000, 40
    shared = 0.3 * rng.normal(size=(cases, n, 1)) * paired
    values = np.array([1.0, 1.5, 2.0, 2.5]) + shared + 0.3 * rng.normal(size=(cases, n, 4))
    covered = np.zeros(2)
    for x, y, x2, y2 in values.transpose(0, 2, 1):
        ratio = ratio_of_means(x2, y, paired=bool(paired), confidence=0.9)
        difference = difference_of_ratios((x, y), (x2, y2), paired=bool(paired), confidence=0.9)
        covered += [ratio.low <= 0.75 <= ratio.high, difference.low <= 0.25 <= difference.high]
    # Four standard errors, and what the delta method leaves out.
    np.testing.assert_allclose(covered / cases, 0.9, atol=4 * np.sqrt(0.09 / cases) + 0.005)
