"""Equivalence by SciPy's one-sided t tests, and by the interval within the margin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats

from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.equivalence import equivalence, non_inferiority
from ireval_frames.stats.means.student import paired_t
from ireval_frames.stats.sample import Options, Sample
from tests.stats.sakai import XY, every_pair, of


def test_equivalence_is_two_one_sided_tests() -> None:
    values = np.random.default_rng(1).normal(0, 0.1, (20, 12))
    sample = Sample(values, every_pair(12))
    actual = equivalence(sample, Options(more={"margin": 0.05}))
    for i in range(sample.n_pairs):
        d = sample.differences(i)
        lower = scipy.stats.ttest_1samp(d, -0.05, alternative="greater")
        upper = scipy.stats.ttest_1samp(d, 0.05, alternative="less")
        larger = max((lower, upper), key=lambda r: r.pvalue)
        np.testing.assert_allclose(
            [actual.statistic[i], actual.p_value[i]], [larger.statistic, larger.pvalue], rtol=1e-11
        )
    interval = paired_t(sample, Options(confidence=0.9))
    np.testing.assert_allclose(actual.ci_low, interval.ci_low)
    within = (actual.ci_low > -0.05) & (actual.ci_high < 0.05)
    np.testing.assert_array_equal(actual.p_value < 0.05, within)
    assert 0 < within.sum() < len(within)


def test_non_inferiority() -> None:
    d = XY.differences(0)
    actual = non_inferiority(XY, Options(more={"margin": 0.02}))
    expected = scipy.stats.ttest_1samp(d, -0.02, alternative="greater")
    assert (actual.statistic[0], actual.p_value[0]) == pytest.approx((expected.statistic, expected.pvalue))
    interval = scipy.stats.ttest_1samp(d, 0, alternative="greater").confidence_interval(0.95)
    assert (actual.ci_low[0], actual.ci_high[0]) == pytest.approx((interval.low, np.inf))
    errors = non_inferiority(XY, Options("less", more={"margin": 0.02}))
    assert errors.p_value[0] == pytest.approx(scipy.stats.ttest_1samp(d, 0.02, alternative="less").pvalue)


@pytest.mark.parametrize("using", ["wilcoxon", "bootstrap"])
def test_by_another_test(using: str) -> None:
    rng = np.random.default_rng(7)
    values = np.column_stack([np.zeros(14), *(rng.normal(s, 0.1, 14) for s in (0.0, 0.03, 0.05, 0.08, -0.06))])
    sample = Sample(values, np.array([[0, i] for i in range(1, 6)]))
    more = {"margin": 0.1, "using": using}
    actual = equivalence(sample, Options(confidence=0.9, n_resamples=800, more=more))
    one_sided = non_inferiority(sample, Options(confidence=0.9, n_resamples=800, more=more))
    within = (actual.ci_low > -0.1) & (actual.ci_high < 0.1)
    np.testing.assert_array_equal(actual.p_value <= 0.1, within)
    np.testing.assert_array_equal(one_sided.p_value <= 0.1, one_sided.ci_low > -0.1)
    assert 0 < within.sum() < 5
    np.testing.assert_allclose(actual.more["confidence"], 0.8)
    if using == "wilcoxon":
        for i in range(5):
            d = sample.differences(i)
            above = scipy.stats.wilcoxon(d + 0.1, alternative="greater").pvalue
            below = scipy.stats.wilcoxon(d - 0.1, alternative="less").pvalue
            assert (actual.p_value[i], one_sided.p_value[i]) == pytest.approx((max(above, below), above))
    same = equivalence(of([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]), Options(n_resamples=800, more=more))
    assert (same.status[0], same.p_value[0], same.ci_low[0], same.ci_high[0]) == ("identical", 0, 0, 0)


def test_degenerate() -> None:
    options = Options(more={"margin": 0.05})
    for test in (equivalence, non_inferiority):
        same = test(of([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]), options)
        assert (same.status[0], same.p_value[0], same.ci_low[0]) == ("identical", 0, 0)
        shifted = test(of([0.1, 0.2, 0.3], [0.2, 0.3, 0.4]), options)
        assert (shifted.status[0], np.isnan(shifted.p_value[0])) == ("constant_shift", True)
        assert np.isnan(test(of([0.1], [0.2]), options).p_value[0])


@pytest.mark.parametrize("margin", [None, 0, -0.1, "0.1", True, np.inf])
def test_margins_that_are_refused(margin: Any) -> None:
    for test in (equivalence, non_inferiority):
        with pytest.raises(InvalidParameter, match="margin"):
            test(XY, Options(more={"margin": margin}))


def test_confidence_that_is_refused() -> None:
    with pytest.raises(InvalidParameter, match=r"confidence is 0\.5"):
        equivalence(XY, Options(confidence=0.5, more={"margin": 0.1}))
