"""The paired bootstrap: Sakai's numbers, all resamples of small samples by hand, and scipy's intervals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from ireval_frames.errors import UnknownName
from ireval_frames.stats.resampling import draws
from ireval_frames.stats.resampling.bootstrap import bootstrap
from ireval_frames.stats.resampling.bootstrap_intervals import INTERVALS
from ireval_frames.stats.sample import Options, Sample
from tests.stats.sakai import VALUES, XY, every_pair, of

SAKAI, SHIFT = {"kind": "studentised"}, {"kind": "shift"}


def test_sakai() -> None:
    for more, p, t in ((SAKAI, 0.05, 2.1157598612734656), (SHIFT, 0.035, 0.075)):
        actual = bootstrap(XY, Options(n_resamples=50_000, more=more))
        assert actual.p_value[0] == pytest.approx(p, abs=0.004)
        assert actual.statistic[0] == pytest.approx(t)
        assert actual.more["p_se"][0] == pytest.approx(np.sqrt(p * (1 - p) / 50_000), rel=0.05)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("more", [SAKAI, SHIFT])
def test_all_resamples(alternative, more) -> None:
    d = np.array([0.5, -0.1, 0.2, 0.3, 0.15])
    t = d.mean() if more == SHIFT else d.mean() / (d.std(ddof=1) / np.sqrt(5))
    reached = 0
    for units in itertools.product(range(5), repeat=5):
        x = d[list(units)]
        drawn = x.mean() - d.mean()
        if more == SAKAI:
            drawn = 0.0 if len(set(units)) == 1 else drawn / (x.std(ddof=1) / np.sqrt(5))
        extreme = {"two-sided": abs(drawn) - abs(t), "greater": drawn - t, "less": t - drawn}[alternative]
        reached += extreme >= -1e-9
    exact = reached / 5**5
    actual = bootstrap(of(np.zeros(5), d), Options(alternative=alternative, n_resamples=40_000, more=more))
    assert actual.p_value[0] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 40_000) + 5e-5)


@pytest.mark.parametrize("kind", INTERVALS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_intervals(kind, alternative) -> None:
    rng = np.random.default_rng(1)
    d = rng.exponential(1, 25) - 0.5
    options = Options(alternative=alternative, n_resamples=40_000, confidence=0.9, more={"interval": kind})
    actual = bootstrap(of(np.zeros(25), d), options)
    x = d[rng.integers(0, 25, (40_000, 25))]
    means = x.mean(axis=1)
    level = 0.95 if alternative == "two-sided" else 0.9
    if kind in {"percentile", "basic", "bca"}:
        reference = stats.bootstrap(
            (d,), np.mean, n_resamples=40_000, method=kind, alternative=alternative, confidence_level=0.9, rng=rng
        ).confidence_interval
        low, high = reference.low, reference.high
    elif kind == "normal":
        half = stats.norm.ppf(level) * means.std(ddof=1)
        low, high = 2 * d.mean() - means.mean() - half, 2 * d.mean() - means.mean() + half
    else:
        lower, upper = np.quantile((means - d.mean()) / x.std(axis=1, ddof=1), [1 - level, level])
        low, high = d.mean() - upper * d.std(ddof=1), d.mean() - lower * d.std(ddof=1)
    if alternative != "less":
        assert actual.ci_low[0] == pytest.approx(low, abs=0.015)
    else:
        assert actual.ci_low[0] == -np.inf
    if alternative != "greater":
        assert actual.ci_high[0] == pytest.approx(high, abs=0.03)
    else:
        assert actual.ci_high[0] == np.inf
    assert actual.more["se"][0] == pytest.approx(means.std(ddof=1), rel=0.03)


def test_draws_depend_on_nothing_but_the_seed(monkeypatch) -> None:
    values = np.random.default_rng(2).random((40, 5))
    values[3, 0] = values[8, 4] = np.nan
    pairs = every_pair(5)

    def run(values, pairs, threads=1, seed=3):
        actual = bootstrap(Sample(values, pairs), Options(n_resamples=2300, seed=seed, threads=threads))
        return np.stack([actual.p_value, actual.ci_low, actual.ci_high])

    first = run(values, pairs)
    np.testing.assert_array_equal(run(values, pairs, threads=3), first)
    np.testing.assert_allclose(run(values, pairs[::-1])[:, ::-1], first, atol=1e-13)
    np.testing.assert_allclose(run(values, pairs[:, ::-1])[0], first[0], atol=1e-13)
    np.testing.assert_allclose(run(values + 5.0, pairs), first, atol=1e-12)
    for i, pair in enumerate(pairs):
        both = ~np.isnan(values[:, pair]).any(axis=1)
        np.testing.assert_allclose(run(values[both][:, pair], every_pair(2))[:, 0], first[:, i], atol=1e-12)
    assert (run(values, pairs, seed=4)[0] != first[0]).any()
    monkeypatch.setattr(draws, "CELLS", 700)
    np.testing.assert_allclose(run(values, pairs), first, atol=1e-12)


def test_special_pairs() -> None:
    x = np.random.default_rng(3).random(30)
    lone, none = np.full(30, np.nan), np.full(30, np.nan)
    lone[4] = 0.5
    sample = Sample(np.column_stack([x, x, x + 0.05, lone, none]), np.array([[0, 1], [0, 2], [0, 3], [0, 4]]))
    for kind in INTERVALS:
        actual = bootstrap(sample, Options(n_resamples=500, more={"interval": kind}))
        assert actual.status.tolist() == ["identical", "constant_shift", "one_unit", "no_units"]
        shifted = np.nan if kind == "studentised" else 2 / 501
        np.testing.assert_allclose(actual.p_value, [1, shifted, np.nan, np.nan])
        np.testing.assert_allclose(actual.ci_low, [0, 0.05, np.nan, np.nan])
        np.testing.assert_allclose(actual.ci_high, [0, 0.05, np.nan, np.nan])
    assert bootstrap(sample, Options(n_resamples=500, more=SHIFT)).p_value[1] == pytest.approx(1 / 501)
    # Of one draw nothing lies on both sides: BCa has no z₀.
    one = bootstrap(of(x, x[::-1] ** 2), Options(n_resamples=1, more={"interval": "bca"}))
    assert one.status.tolist() == ["degenerate"]
    assert one.ci_low[0] == one.ci_high[0]


def test_two_units_have_no_bootstrap() -> None:
    """A resample of two is one of them twice, without spread, or both: nothing is ever beyond the data."""
    for more in ({}, SHIFT, {"interval": "percentile"}):
        actual = bootstrap(of([0.1, 0.9], [0.2, 0.5]), Options(n_resamples=500, more=more))
        assert actual.status.tolist() == ["too_few"]
        assert np.isnan([*actual.p_value, *actual.ci_low, *actual.ci_high]).all()
    shifted = bootstrap(of([0.1, 0.9], [0.2, 1.0]), Options(n_resamples=500))
    assert (shifted.status[0], shifted.ci_low[0]) == ("constant_shift", pytest.approx(0.1))
    assert bootstrap(of([0.1, 0.9, 0.4], [0.2, 0.5, 0.3]), Options(n_resamples=500)).status.tolist() == ["ok"]


def test_wrong_words() -> None:
    for more in ({"kind": "x"}, {"interval": "x"}):
        with pytest.raises(UnknownName, match="'x'"):
            bootstrap(Sample(VALUES, every_pair(3)), Options(more=more))
