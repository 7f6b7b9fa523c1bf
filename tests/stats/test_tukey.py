"""Tukey's and Dunnett's tests, and the distributions they look up."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from ireval_frames.errors import NotDefined
from ireval_frames.stats.distributions import studentized_range
from ireval_frames.stats.distributions.studentized_range import baseline_quantile, baseline_sf, range_quantile, range_sf
from ireval_frames.stats.effects.standardized import d_hsd
from ireval_frames.stats.means.dunnett import dunnett
from ireval_frames.stats.means.tukey import games_howell, tukey, tukey_kramer
from ireval_frames.stats.sample import Options, Sample
from tests.stats.sakai import VALUES, every_pair

SPREAD = {"tukey": tukey, "kramer": tukey_kramer, "games": games_howell}


@pytest.mark.parametrize("df", [1, 4, 38, np.inf])
@pytest.mark.parametrize("k", [3, 21, 150])
def test_range(k, df) -> None:
    q = np.array([0.0, 0.3, 2.0, 4.5, 9.0])
    np.testing.assert_allclose(range_sf(q, k, df), stats.studentized_range.sf(q, k, df), atol=1e-8)


def test_ranges_of_two_are_t_far_into_the_tail() -> None:
    q = np.array([0.0, 1.0, 5.0, 20.0])
    for df in (1, 2, 7, 40, 1e6):
        exact = 2.0 * stats.t.sf(q / np.sqrt(2.0), df)
        np.testing.assert_allclose(range_sf(q, 2, df), exact, rtol=1e-10, atol=1e-16)
    assert range_sf(np.array([np.nan, np.inf, -1.0]), 3, 10).tolist()[1:] == pytest.approx([0.0, 1.0])


def test_very_many_are_looked_up_between_points(monkeypatch) -> None:
    monkeypatch.setattr(studentized_range, "POINTS", 1000)
    q = np.random.default_rng(5).exponential(3, 1100)
    q[[7, 9, 11]] = np.nan, np.inf, -np.inf
    for sf in (range_sf, baseline_sf):
        many = sf(q, 12, 44)
        np.testing.assert_allclose(many[:300], sf(q[:300], 12, 44), rtol=1e-6, atol=1e-9)


def test_quantiles() -> None:
    for p in (0.5, 0.05, 1e-4):
        assert float(range_sf(range_quantile(p, 7, 30), 7, 30)) == pytest.approx(p, rel=1e-9)
        for both in (True, False):
            t = baseline_quantile(p, 7, 30, two_sided=both)
            assert float(baseline_sf(t, 7, 30, two_sided=both)) == pytest.approx(p, rel=1e-9)
    assert range_quantile(0.05, 3, 38) == pytest.approx(stats.studentized_range.ppf(0.95, 3, 38), rel=1e-6)
    assert baseline_quantile(0.95, 1, 30, two_sided=False) == pytest.approx(stats.t.ppf(0.05, 30), rel=1e-9)


@pytest.mark.parametrize("two_sided", [True, False])
def test_largest_from_a_baseline(two_sided) -> None:
    for df in (2, 50):
        for t in (-1.5, 0.4, 2.5):
            one = stats.t.sf(abs(t), df) * 2 if two_sided else stats.t.sf(t, df)
            reach = abs(t) if two_sided else t
            assert float(baseline_sf(reach, 1, df, two_sided=two_sided)) == pytest.approx(one, rel=1e-10)
    w = np.sqrt(2.0) * 1.7
    below = integrate.quad(
        lambda z: stats.norm.pdf(z) * (stats.norm.cdf(z + w) - (stats.norm.cdf(z - w) if two_sided else 0.0)) ** 5,
        -10,
        10,
        epsabs=1e-12,
    )[0]
    assert float(baseline_sf(1.7, 5, np.inf, two_sided=two_sided)) == pytest.approx(1.0 - below, abs=1e-11)


def test_sakai() -> None:
    actual = tukey(Sample(VALUES, every_pair(3)), Options())
    np.testing.assert_allclose(actual.p_value, [0.2566977, 0.0956868, 0.8549631], atol=5e-8)
    np.testing.assert_allclose((actual.ci_high - actual.ci_low) / 2.0, 0.1140942, atol=5e-8)
    np.testing.assert_allclose((actual.ci_high + actual.ci_low) / 2.0, [-0.075, -0.1, -0.025], atol=1e-12)
    assert actual.df.tolist() == [38, 38, 38]
    effect, low, high = d_hsd(Sample(VALUES, every_pair(3)), Options())
    np.testing.assert_allclose(effect, [-0.5070, -0.6760, -0.1690], atol=5e-5)
    for end, tail in ((low, 0.025), (high, 0.975)):
        # The ends are noncentralities: 2.5 % of t lie beyond the one that was seen.
        beyond = stats.nct.sf(actual.statistic / np.sqrt(2), 38, end * np.sqrt(10))
        np.testing.assert_allclose(beyond, tail, atol=1e-8)
    of_different = tukey_kramer(Sample(VALUES, every_pair(3)), Options())
    np.testing.assert_allclose(of_different.p_value, [0.3941, 0.1958, 0.9001], atol=5e-5)


def test_topics_that_differ_much_hide_nothing() -> None:
    rng = np.random.default_rng(1)
    values = rng.random((50, 1)) + np.array([0.0, 0.02, 0.04]) + rng.normal(0, 0.02, (50, 3))
    sample = Sample(values, every_pair(3))
    assert (tukey(sample, Options()).p_value < 0.01).all()
    assert (tukey_kramer(sample, Options()).p_value > 0.3).all()


@pytest.mark.parametrize("equal", [True, False])
def test_different_units_as_scipy(equal) -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0, [1, 2, 1, 3], (30, 4)) + np.array([0, 0.5, 1, 0])
    values = values[:, [0, 1, 3]]
    values[20:, 1] = values[9:, 2] = np.nan
    reference = stats.tukey_hsd(*(x[~np.isnan(x)] for x in values.T), equal_var=equal)
    low, high = reference.confidence_interval()
    ours = SPREAD["kramer" if equal else "games"](Sample(values, every_pair(3)), Options())
    i, j = every_pair(3).T
    np.testing.assert_allclose(ours.p_value, reference.pvalue[i, j], atol=1e-7)
    np.testing.assert_allclose(ours.ci_low, -high[i, j], atol=1e-5)
    np.testing.assert_allclose(ours.ci_high, -low[i, j], atol=1e-5)


def test_dunnett_by_simulation() -> None:
    rng = np.random.default_rng(3)
    values = rng.random((12, 5))
    pairs = np.array([[2, i] for i in (0, 1, 3, 4)])
    actual = dunnett(Sample(values, pairs), Options())
    # t of 4 differences from one baseline, with a common spread of 44 degrees of freedom.
    means = rng.normal(size=(200_000, 5))
    t = (means[:, 1:] - means[:, :1]) / np.sqrt(2.0 * rng.chisquare(44, (200_000, 1)) / 44)
    for p, observed in zip(actual.p_value, actual.statistic, strict=True):
        assert p == pytest.approx((np.abs(t).max(axis=1) >= abs(observed)).mean(), abs=0.005)
    upper = dunnett(Sample(values, pairs), Options(alternative="greater"))
    for p, observed in zip(upper.p_value, upper.statistic, strict=True):
        assert p == pytest.approx((t.max(axis=1) >= observed).mean(), abs=0.005)
    turned = dunnett(Sample(-values, pairs), Options(alternative="less"))
    np.testing.assert_allclose(turned.p_value, upper.p_value)
    np.testing.assert_allclose(turned.ci_high, -upper.ci_low)
    assert (dunnett(Sample(values, pairs[:1]), Options()).p_value < actual.p_value[0]).all()


def test_dunnett_wants_one_baseline() -> None:
    with pytest.raises(NotDefined, match='baseline="bm25"'):
        dunnett(Sample(VALUES, every_pair(3)), Options())


@pytest.mark.parametrize("test", [tukey, dunnett, tukey_kramer, games_howell])
def test_special_pairs(test) -> None:
    pairs = np.array([[0, 1], [0, 2]])
    x = np.random.default_rng(4).random(9)
    actual = test(Sample(np.column_stack([x, x, 1 - x]), pairs), Options())
    if test in {tukey, dunnett}:
        assert actual.status.tolist() == ["identical", "ok"]
        assert (actual.p_value[0], actual.ci_low[0], actual.ci_high[0]) == (1, 0, 0)
    flat = test(Sample(np.ones((5, 3)) * [1, 1, 2], pairs), Options())
    assert flat.status.tolist() == ["identical", "constant_shift"]
    np.testing.assert_array_equal(flat.p_value, [1, np.nan])
    np.testing.assert_array_equal(flat.statistic, [0, np.inf])
    for rows in (0, 1):
        few = test(Sample(np.ones((rows, 3)) * [1, 1, 2], pairs), Options())
        assert np.isnan(few.p_value).all()
        assert not set(few.status) & {"ok", "identical"}


def test_gaps_leave_units_out_for_all() -> None:
    values = VALUES.copy()
    values[4, 2] = np.nan
    complete = tukey(Sample(np.delete(VALUES, 4, axis=0), every_pair(3)), Options())
    np.testing.assert_allclose(tukey(Sample(values, every_pair(3)), Options()).p_value, complete.p_value, rtol=1e-10)
