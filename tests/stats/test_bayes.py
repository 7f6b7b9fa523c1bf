"""Posteriors: exact values, the t test's p-value, and loops over draws of one's own."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from ireval_frames.errors import InvalidParameter, UnknownName
from ireval_frames.stats.bayes.means import bayes, bayes_correlated_t
from ireval_frames.stats.bayes.ranks import REGIONS, bayes_sign, bayes_signed_rank
from ireval_frames.stats.means.cross_validation import corrected_t
from ireval_frames.stats.means.student import paired_t
from ireval_frames.stats.registry import Tester
from ireval_frames.stats.sample import Array, Options, Outcome, Sample
from tests.stats.sakai import VALUES, XY, every_pair, of


def regions(actual: Outcome, pair: int = 0) -> list[float]:
    return [float(actual.more[f"probability_{region}"][pair]) for region in REGIONS]


def test_sakai() -> None:
    actual = bayes(XY, Options())
    assert actual.more["probability_positive"][0] == pytest.approx(0.9761016, abs=5e-8)
    assert actual.more["effect_expected"][0] == pytest.approx(0.4669169, abs=5e-8)
    assert np.isnan(actual.p_value[0])
    assert actual.method[0] == "posterior"


@pytest.mark.parametrize("rope", [0.0, 0.02])
def test_regions_are_integrals_of_the_posterior(rope: float) -> None:
    d = XY.differences(0)
    for test, scale in ((bayes, 1 / 20), (bayes_correlated_t, 1 / 20 + 1 / 9)):
        posterior = scipy.stats.t(19, d.mean(), (d.var(ddof=1) * scale) ** 0.5)
        more = {"rope": rope} | ({"folds": 10} if test is bayes_correlated_t else {})
        actual = test(XY, Options(more=more))
        expected = [posterior.cdf(-rope), posterior.cdf(rope) - posterior.cdf(-rope), posterior.sf(rope)]
        assert regions(actual) == pytest.approx(expected, abs=1e-14)
        assert (actual.ci_low[0], actual.ci_high[0]) == pytest.approx(posterior.interval(0.95))


def test_twice_the_smaller_probability_is_the_p_value() -> None:
    sample = Sample(VALUES, every_pair(3))
    for posterior, test in ((bayes, paired_t), (bayes_correlated_t, corrected_t)):
        positive = posterior(sample, Options()).more["probability_positive"]
        np.testing.assert_allclose(2 * np.minimum(positive, 1 - positive), test(sample, Options()).p_value, rtol=1e-10)


def shares(actual: Array) -> list[float]:
    """How often each column is the largest."""
    return [float(np.mean(actual.argmax(axis=1) == i)) for i in range(3)]


@pytest.mark.parametrize("place", REGIONS)
def test_sign_is_a_dirichlet(place: str) -> None:
    d = XY.differences(0)
    counts = [np.sum(d < -0.1 - 1e-9), np.sum(np.abs(d) <= 0.1 + 1e-9), np.sum(d > 0.1 + 1e-9)]
    strengths = np.array(counts) + 2.0 * (np.array(REGIONS) == place)
    draws = np.random.default_rng(77).dirichlet(strengths + 1e-300, 40_000)
    actual = bayes_sign(XY, Options(more={"rope": 0.1, "prior": 2.0, "prior_place": place}))
    assert regions(actual) == pytest.approx(shares(draws), abs=0.02)
    assert actual.statistic[0] == counts[2]
    assert actual.more["probability_positive"][0] == pytest.approx(np.mean(draws[:, 2] > draws[:, 0]), abs=0.01)
    assert actual.estimate is not None
    off = draws[:, 2] - draws[:, 0]
    assert actual.estimate[0] == pytest.approx(off.mean(), abs=0.01)
    assert (actual.ci_low[0], actual.ci_high[0]) == pytest.approx(np.quantile(off, [0.025, 0.975]), abs=0.02)


@pytest.mark.parametrize("rope", [0.0, 0.1])
def test_signed_rank_is_a_double_loop(rope: float) -> None:
    d = XY.differences(0)[:8]
    z = [0.0, *d]
    weights = np.random.default_rng(78).dirichlet([0.5] + [1] * len(d), 20_000)
    masses = np.zeros((20_000, 3))
    for i, one in enumerate(z):
        for j, other in enumerate(z):
            total = round(one + other, 9)
            region = 0 if total < -2 * rope else 2 if total > 2 * rope else 1
            masses[:, region] += weights[:, i] * weights[:, j]
    actual = bayes_signed_rank(of(np.zeros(8), d), Options(more={"rope": rope}))
    assert regions(actual) == pytest.approx(shares(masses), abs=0.02)
    off = masses[:, 2] - masses[:, 0]
    assert actual.estimate is not None
    assert actual.estimate[0] == pytest.approx(off.mean(), abs=0.01)
    assert actual.more["probability_positive"][0] == pytest.approx(np.mean(off > 0), abs=0.02)
    pairs = [round(a + b, 9) > 2 * rope for a in d for b in d]
    assert actual.statistic[0] == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("test", [bayes_sign, bayes_signed_rank])
def test_draws_do_not_depend_on_other_pairs(test: Tester) -> None:
    options = Options(seed=5, n_resamples=3000)
    together = test(Sample(VALUES, every_pair(3)), options)
    alone = test(Sample(VALUES[:, [1, 2]], np.array([[0, 1]])), options)
    assert regions(together, 2) == regions(alone)
    assert regions(test(XY, options)) != regions(test(XY, Options(seed=6, n_resamples=3000)))


@pytest.mark.parametrize("test", [bayes, bayes_correlated_t, bayes_sign, bayes_signed_rank])
def test_degenerate(test: Tester) -> None:
    same = test(of([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]), Options(n_resamples=500))
    assert same.status[0] == "identical"
    assert regions(same) == [0, 1, 0]
    assert same.more["probability_positive"][0] == 0.5
    nothing = test(of([], []), Options(n_resamples=500))
    assert nothing.status[0] == "no_units"
    assert np.isnan(regions(nothing)).all()
    shifted = test(of([0.1, 0.2, 0.3] * 9, [0.2, 0.3, 0.4] * 9), Options(n_resamples=500, more={"rope": 0.05}))
    assert shifted.status[0] == "constant_shift"
    assert regions(shifted)[2] > 0.99


def test_what_is_refused() -> None:
    for test in (bayes, bayes_sign, bayes_signed_rank):
        with pytest.raises(InvalidParameter, match="rope is -1"):
            test(XY, Options(more={"rope": -1}))
    for test in (bayes_sign, bayes_signed_rank):
        with pytest.raises(InvalidParameter, match="prior is 0"):
            test(XY, Options(more={"prior": 0}))
        with pytest.raises(InvalidParameter, match="seed is -1"):
            test(XY, Options(seed=-1))
    with pytest.raises(UnknownName, match="lower"):
        bayes_sign(XY, Options(more={"prior_place": "low"}))
