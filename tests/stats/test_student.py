"""The paired t by SciPy, whichever way its moments are computed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from ireval_frames.stats import moments
from ireval_frames.stats.means.student import paired_t
from ireval_frames.stats.moments import difference_moments, margins
from ireval_frames.stats.sample import Alternative, Array, Options, Sample
from tests.stats.sakai import XY, every_pair, of


def make_case(seed: int, units: int = 40, systems: int = 12, holes: float = 0.0) -> Array:
    """Systems of which some are alike up to noise of every size, the values far from 0."""
    rng = np.random.default_rng(seed)
    values = 3.0 + rng.normal(size=(units, 1)) + rng.normal(size=(units, systems)) * 10.0 ** -np.arange(systems)
    values[rng.random(values.shape) < holes] = np.nan
    return np.asarray(values)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("holes", [0.0, 0.3])
@pytest.mark.parametrize("many", [0, moments.MAX_DIFFERENCES])
def test_equals_scipy(monkeypatch: pytest.MonkeyPatch, alternative: Alternative, holes: float, many: int) -> None:
    monkeypatch.setattr(moments, "MAX_DIFFERENCES", many)
    sample = Sample(make_case(3, holes=holes), every_pair(9))
    actual = paired_t(sample, Options(alternative=alternative, confidence=0.9))
    for i in range(sample.n_pairs):
        baseline, system = sample.columns(i)
        expected = scipy.stats.ttest_rel(system, baseline, alternative=alternative)
        interval = expected.confidence_interval(0.9)
        of_pair = [a[i] for a in (actual.statistic, actual.p_value, actual.df, actual.ci_low, actual.ci_high)]
        required = [expected.statistic, expected.pvalue, expected.df, interval.low, interval.high]
        np.testing.assert_allclose(of_pair, required, rtol=1e-12, atol=1e-15)


def test_products_hold_for_means_that_hardly_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    values = rng.random((100, 30))
    values += 0.5 - values.mean(axis=0) + 10.0 ** -rng.uniform(1, 9, 30)
    sample = Sample(values, every_pair(30))
    direct = difference_moments(sample)
    monkeypatch.setattr(moments, "MAX_DIFFERENCES", 0)
    monkeypatch.setattr(moments, "BLOCK", 700)
    fast = difference_moments(sample)
    np.testing.assert_allclose(fast.mean, direct.mean, rtol=1e-12)
    np.testing.assert_allclose(fast.variance, direct.variance, rtol=1e-12)


def test_margins_are_numpy() -> None:
    sample = Sample(make_case(4, holes=0.2), every_pair(6))
    actual = margins(sample)
    for i in range(sample.n_pairs):
        baseline, system = sample.columns(i)
        covariance = np.cov(baseline, system)
        np.testing.assert_allclose(
            [actual.var_baseline[i], actual.var[i], actual.covariance[i]],
            [covariance[0, 0], covariance[1, 1], covariance[0, 1]],
            rtol=1e-10,
        )
        assert (actual.n[i], actual.mean[i]) == (len(system), pytest.approx(system.mean()))


def test_sakai() -> None:
    actual = paired_t(XY, Options())
    expected = [2.1157598612734656, 0.04779676184496439, 0.00080594, 0.14919406]
    of_pair = [actual.statistic[0], actual.p_value[0], actual.ci_low[0], actual.ci_high[0]]
    np.testing.assert_allclose(of_pair, expected, rtol=1e-5)
    np.testing.assert_allclose(of_pair[:2], expected[:2], rtol=1e-14)


@pytest.mark.parametrize(
    "baseline, system, status, statistic, p",
    [
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], "identical", 0.0, 1.0),
        ([0.1, 0.2, 0.3], [0.1 + 1e-17, 0.2, 0.1 + 0.2], "identical", 0.0, 1.0),
        ([0.1, 0.2, 0.3], [0.2, 0.3, 0.4], "constant_shift", np.inf, np.nan),
        ([0.2, 0.3, 0.4], [0.1, 0.2, 0.3], "constant_shift", -np.inf, np.nan),
        ([0.1, np.nan], [0.3, 0.1], "one_unit", np.nan, np.nan),
        ([0.1, np.nan], [np.nan, 0.1], "no_units", np.nan, np.nan),
        ([], [], "no_units", np.nan, np.nan),
    ],
)
@pytest.mark.parametrize("many", [0, moments.MAX_DIFFERENCES])
def test_degenerate(
    monkeypatch: pytest.MonkeyPatch,
    baseline: list[float],
    system: list[float],
    status: str,
    statistic: float,
    p: float,
    many: int,
) -> None:
    monkeypatch.setattr(moments, "MAX_DIFFERENCES", many)
    actual = paired_t(of(baseline, system), Options())
    assert actual.status[0] == status
    np.testing.assert_array_equal([actual.statistic[0], actual.p_value[0]], [statistic, p])
    if status == "identical":
        assert (actual.ci_low[0], actual.ci_high[0]) == (0, 0)
    if status == "constant_shift":
        np.testing.assert_allclose([actual.ci_low[0], actual.ci_high[0]], system[0] - baseline[0])
