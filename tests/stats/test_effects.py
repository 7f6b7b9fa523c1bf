"""Effect sizes by loops from their definitions; intervals by the tails they leave, by jackknife loops, by coverage."""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import roc_auc_score

from ireval_frames.stats.distributions.noncentral_t import hedges_factor, noncentrality
from ireval_frames.stats.effects import probabilities
from ireval_frames.stats.effects import standardized as effects
from ireval_frames.stats.registry import Estimator, effect_sizes
from ireval_frames.stats.sample import Array, Options, Sample
from tests.stats.sakai import XY, every_pair, of

EXACT = {
    "d_z": 0.4730983,
    "g_z": 0.4541319,
    "d_av": 0.3785658,
    "d_rm": 0.3655555,
    "glass_delta": 0.4360838,
    "rank_biserial": 0.6,
    "ps_dep": (10 + 5 / 2) / 20,
    "relative": 0.075 / 0.27,
}


def one(estimator: Estimator, sample: Sample, confidence: float = 0.95) -> tuple[float, float, float]:
    value, low, high = estimator(sample, Options(confidence=confidence))
    return float(value[0]), float(low[0]), float(high[0])


@pytest.mark.parametrize("name, value", EXACT.items())
def test_sakai(name: str, value: float) -> None:
    assert one(effect_sizes()[name].function, XY)[0] == pytest.approx(value, abs=5e-8)


def test_interval_of_sakai() -> None:
    assert one(effects.d_z, XY)[1:] == pytest.approx((0.0045, 0.931), abs=5e-4)


@pytest.mark.parametrize("df", [1.0, 3.0, 19.0, 999.0, 1e5])
@pytest.mark.parametrize("t", [-40.0, -1.0, 0.0, 0.3, 2.5, 12.0])
def test_noncentrality_leaves_its_tail(t: float, df: float) -> None:
    for level in (0.005, 0.025, 0.975):
        actual = noncentrality(np.array([t]), np.array([df]), level)
        assert scipy.stats.nct.cdf(t, df, actual[0]) == pytest.approx(level, rel=2e-6)


@pytest.mark.parametrize("df, ends", [(4.0, (-3, 9)), (49.0, (-60, 20)), (4999.0, (0.1, 90.0)), (999.0, (2, 2.001))])
def test_many_are_read_off_few(df: float, ends: tuple[float, float]) -> None:
    t = np.random.default_rng(1).uniform(*ends, 3000)
    for level in (0.025, 0.975):
        actual, few = noncentrality(t, np.array([df]), level), noncentrality(t[:5], np.array([df]), level)
        np.testing.assert_allclose(actual[:5], few, atol=1e-9 * np.sqrt(1 + max(map(abs, ends)) ** 2 / df))


def test_the_factor_makes_d_unbiased() -> None:
    d = np.random.default_rng(1).normal(0.8, 1, (40_000, 6))
    mean = np.mean(d.mean(axis=1) / d.std(axis=1, ddof=1))
    assert mean * hedges_factor(np.array([5.0]))[0] == pytest.approx(0.8, abs=0.012)
    assert np.isnan(hedges_factor(np.array([1.0]))[0])


def d_rm(x: list[float], y: list[float]) -> float:
    d = [b - a for a, b in zip(x, y, strict=True)]
    return statistics.mean(d) / statistics.stdev(d) * (2 * (1 - statistics.correlation(x, y))) ** 0.5


def glass(x: list[float], y: list[float]) -> float:
    return (statistics.mean(y) - statistics.mean(x)) / statistics.stdev(x)


@pytest.mark.parametrize("estimator, loop", [(effects.d_rm, d_rm), (effects.glass_delta, glass)])
def test_jackknife_leaves_out_each_unit(estimator: Estimator, loop: Callable[..., float]) -> None:
    rng = np.random.default_rng(2)
    x = rng.random(9)
    y = (0.5 * x + rng.random(9)).tolist()
    left = [loop([*x[:i], *x[i + 1 :]], [*y[:i], *y[i + 1 :]]) for i in range(9)]
    se = (8 / 9 * sum((v - statistics.mean(left)) ** 2 for v in left)) ** 0.5
    value, low, high = one(estimator, of([*x, np.nan], [*y, 0.3]))
    assert value == pytest.approx(loop(x.tolist(), y), rel=1e-12)
    assert (high - low) / 2 == pytest.approx(scipy.stats.t.ppf(0.975, 8) * se, rel=1e-10)


def test_of_different_units_are_loops() -> None:
    rng = np.random.default_rng(3)
    values = np.round(rng.normal([0, 0.5, 3], size=(30, 3)), 1)
    values[11:, 1] = np.nan
    sample = Sample(values, every_pair(3))
    actual = {name: effect_sizes()[name].function(sample, Options())[0] for name in ("ps", "cliff_delta", "cohen_d")}
    for i, pair in enumerate(sample.pairs):
        x, y = (values[~np.isnan(values[:, c]), c] for c in pair)
        share = roc_auc_score([0] * len(x) + [1] * len(y), [*x, *y])
        assert actual["ps"][i] == pytest.approx(share)
        assert actual["cliff_delta"][i] == pytest.approx(2 * share - 1)
        squares = ((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum()
        pooled = (squares / (len(x) + len(y) - 2)) ** 0.5
        assert actual["cohen_d"][i] == pytest.approx((y.mean() - x.mean()) / pooled)


def normal(n: int, draws: int, mean: float, correlation: float) -> Sample:
    """Baselines of mean 1 and spread 1; systems whose mean is so much more."""
    rng = np.random.default_rng(n)
    one, other = rng.normal(size=(2, n, draws))
    system = 1.0 + mean + correlation * one + (1 - correlation**2) ** 0.5 * other
    values = np.stack([1.0 + one, system], axis=2).reshape(n, -1)
    return Sample(values, np.arange(2 * draws).reshape(-1, 2))


# The mean difference is ½, the correlation 0.7, so that the spread of differences is √0.6.
TRUE = {
    "d_z": 0.5 / 0.6**0.5,
    "g_z": 0.5 / 0.6**0.5,
    "d_av": 0.5,
    "d_rm": 0.5,
    "glass_delta": 0.5,
    "relative": 0.5,
    "ps_dep": scipy.stats.norm.cdf(0.5 / 0.6**0.5),
    "rank_biserial": 2 * scipy.stats.norm.cdf(2**0.5 * 0.5 / 0.6**0.5) - 1,
}
APART = {
    "cohen_d": 0.5,
    "hedges_g": 0.5,
    "ps": scipy.stats.norm.cdf(0.5 / 2**0.5),
    "cliff_delta": 2 * scipy.stats.norm.cdf(0.5 / 2**0.5) - 1,
}


@pytest.mark.parametrize("name, true", [*TRUE.items(), *APART.items()])
def test_intervals_cover(name: str, true: float) -> None:
    _, low, high = effect_sizes()[name].function(normal(40, 2000, 0.5, 0.7 if name in TRUE else 0.0), Options())
    covered = float(np.mean((low <= true) & (true <= high)))
    # The standard error of the share is 0.005.
    assert 0.93 < covered < 0.965


@pytest.mark.parametrize("name", effect_sizes())
def test_degenerate(name: str) -> None:
    estimator = effect_sizes()[name].function
    nothing = {"ps": 0.5, "ps_dep": 0.5}.get(name, 0.0)
    assert one(estimator, of([0.3, 0.1, 0.3], [0.1 + 0.2, 0.1, 0.3])) == (nothing,) * 3 or name in APART
    assert one(estimator, of([0.3, 0.3], [0.1 + 0.2, 0.3]))[0] == pytest.approx(nothing)
    assert one(estimator, of([0.3, 0.3], [0.3, 0.3])) == (nothing,) * 3
    for empty in ([], [np.nan, np.nan]):
        assert np.isnan(one(estimator, of(empty, empty))).all()


def test_a_constant_shift_has_no_spread() -> None:
    shifted = of([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])
    np.testing.assert_array_equal(one(effects.d_z, shifted), (np.inf, np.nan, np.nan))
    assert one(effects.glass_delta, shifted)[0] == pytest.approx(1.0)
    assert one(effects.relative, shifted)[0] == pytest.approx(0.5)


def test_all_better() -> None:
    better = of([0.1, 0.2, 0.3, 0.1], [0.3, 0.5, 0.4, 0.8])
    assert one(probabilities.ps_dep, better) == (1.0, pytest.approx(0.51011, abs=1e-5), 1.0)
    value, low, high = one(probabilities.rank_biserial, better)
    assert (value, high) == (1, 1)
    assert 0 < low < 0.9
    value, low, high = one(probabilities.cliff_delta, of([0.1, 0.2, 0.3], [0.4, 0.5, 0.6]))
    assert (value, high) == (1, 1)
    assert -0.5 < low < 0.5


def test_relative_to_nothing() -> None:
    np.testing.assert_array_equal(one(effects.relative, of([-0.1, 0.1], [0.1, 0.2])), (np.nan,) * 3)


def array_of(estimates: tuple[Array, ...]) -> Array:
    return np.stack(estimates)


@pytest.mark.parametrize("name", TRUE)
def test_pairs_do_not_know_of_each_other(name: str) -> None:
    rng = np.random.default_rng(4)
    values = rng.random((30, 5))
    values[rng.random(values.shape) < 0.1] = np.nan
    sample, function = Sample(values, every_pair(5)), effect_sizes()[name].function
    for i, pair in enumerate(sample.pairs):
        alone = array_of(function(Sample(values[:, pair], np.array([[0, 1]])), Options()))
        np.testing.assert_allclose(alone[:, 0], array_of(function(sample, Options()))[:, i], rtol=1e-12)
