"""The sign test by SciPy, and the interval of the median by the shifts that the test does not reject."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from ireval_frames.stats.ranks.sign import sign
from ireval_frames.stats.sample import Alternative, Options, Sample
from tests.stats.sakai import XY, every_pair, of


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_equals_scipy(alternative: Alternative) -> None:
    values = np.random.default_rng(1).integers(0, 5, (31, 6)) / 10
    values[4, 2] = np.nan
    sample = Sample(values, every_pair(6))
    actual = sign(sample, Options(alternative=alternative))
    for i in range(sample.n_pairs):
        d = np.round(sample.differences(i), 9)
        expected = scipy.stats.binomtest(int((d > 0).sum()), int((d != 0).sum()), alternative=alternative)
        assert (actual.statistic[i], actual.p_value[i]) == (
            expected.k,
            pytest.approx(expected.pvalue),
        )
        assert actual.estimate is not None
        assert actual.estimate[i] == np.median(sample.differences(i))


def test_sakai() -> None:
    actual = sign(XY, Options())
    assert (actual.statistic[0], actual.p_value[0]) == (10, pytest.approx(0.3017578, abs=5e-8))


@pytest.mark.parametrize("n", [8, 25, 200])
def test_interval_is_scipys(n: int) -> None:
    d = np.random.default_rng(n).normal(size=n)
    expected = scipy.stats.quantile_test(d, p=0.5).confidence_interval(0.95)
    actual = sign(of(np.zeros(n), d), Options())
    assert (actual.ci_low[0], actual.ci_high[0]) == (expected.low, expected.high)


@pytest.mark.parametrize(
    "baseline, system, status, p, interval",
    [
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.1 + 0.2], "identical", 1.0, (0, 0)),
        ([0.1, 0.2, 0.3], [0.2, 0.3, 0.4], "constant_shift", 0.25, (-np.inf, np.inf)),
        ([0.1, np.nan], [0.3, 0.1], "one_unit", np.nan, (np.nan, np.nan)),
        ([], [], "no_units", np.nan, (np.nan, np.nan)),
    ],
)
def test_degenerate(baseline: list[float], system: list[float], status: str, p: float, interval: object) -> None:
    actual = sign(of(baseline, system), Options())
    assert actual.status[0] == status
    np.testing.assert_array_equal(actual.p_value, [p])
    np.testing.assert_array_equal((actual.ci_low[0], actual.ci_high[0]), interval)
