"""Stability of orders and discriminative power, by plain loops over the same kind of draws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.stats.resampling.discriminative_power import (
    asl_curve,
    difference_required,
    discriminative_power,
    swap_rates,
)
from ireval_frames.stats.resampling.rank_stability import rank_stability
from ireval_frames.stats.sample import Options, Sample
from tests.stats.sakai import every_pair

VALUES = np.random.default_rng(1).random((40, 5)) + np.array([0, 0.05, 0.05, 0.1, 0.3])


def test_stability_by_hand() -> None:
    rng = np.random.default_rng(2)
    draws = [VALUES[rng.integers(0, 40, 40)].mean(axis=0) for _ in range(2000)]
    ranks = np.array([stats.rankdata(-x) for x in draws])
    tau = np.array([stats.kendalltau(x, VALUES.mean(axis=0)).statistic for x in draws])
    actual = rank_stability(VALUES, Options(n_resamples=8000))
    np.testing.assert_array_equal(actual.rank, stats.rankdata(-VALUES.mean(axis=0)))
    np.testing.assert_allclose(actual.best, (ranks == 1).mean(axis=0), atol=0.04)
    assert actual.best.sum() == pytest.approx(1)
    np.testing.assert_array_equal(actual.rank_low, np.quantile(ranks, 0.025, axis=0, method="inverted_cdf"))
    np.testing.assert_array_equal(actual.rank_high, np.quantile(ranks, 0.975, axis=0, method="inverted_cdf"))
    for i, j in every_pair(5):
        assert actual.beats[i, j] == pytest.approx((ranks[:, i] < ranks[:, j]).mean(), abs=0.04)
        assert actual.beats[i, j] + actual.beats[j, i] == pytest.approx(1)
    assert (actual.tau_mean, actual.tau_sd) == pytest.approx((tau.mean(), tau.std()), abs=0.02)


def test_direction_ties_and_gaps() -> None:
    up = rank_stability(VALUES, Options(n_resamples=500))
    down = rank_stability(-VALUES, Options(n_resamples=500), higher_is_better=False)
    np.testing.assert_array_equal(up.rank_low, down.rank_low)
    np.testing.assert_allclose(up.beats, down.beats)
    copies = np.column_stack([VALUES[:, 0], VALUES[:, 0], VALUES[:, 4]])
    copies[4, 2] = np.nan
    actual = rank_stability(copies, Options(n_resamples=500))
    assert actual.units == 39
    assert actual.rank.tolist() == [2.5, 2.5, 1]
    assert actual.beats[0, 1] == 0.5
    assert actual.best[0] == actual.best[1]
    flat = rank_stability(np.ones((4, 3)), Options(n_resamples=10))
    assert np.isnan(flat.tau_mean)
    np.testing.assert_allclose(flat.best, 1 / 3)
    with pytest.raises(NotDefined, match="0 units"):
        rank_stability(np.full((3, 2), np.nan), Options())


def test_power() -> None:
    p = np.array([0.2, 0.001, np.nan, 0.04, 0.05])
    order, curve = asl_curve(p)
    assert order.tolist() == [0, 4, 3, 1]
    np.testing.assert_array_equal(curve, p[order])
    assert discriminative_power(p) == 0.6
    assert np.isnan(discriminative_power(np.zeros(0)))


def test_the_difference_required() -> None:
    pairs = every_pair(5)
    rng = np.random.default_rng(3)
    units = rng.integers(0, 40, (6000, 40))
    d = VALUES[:, pairs[:, 1]] - VALUES[:, pairs[:, 0]]
    shifted = np.abs(d[units].mean(axis=1) - d.mean(axis=0))
    expected = np.sort(shifted, axis=0)[-300].max()
    assert difference_required(Sample(VALUES, pairs), Options(n_resamples=6000)) == pytest.approx(expected, rel=0.03)
    assert np.isnan(difference_required(Sample(VALUES[:1], pairs), Options(n_resamples=100)))
    with pytest.raises(InvalidParameter, match="n_resamples=200"):
        difference_required(Sample(VALUES, pairs), Options(n_resamples=10))


def test_swaps_of_all_halves() -> None:
    values = np.array([[0.1, 0.3], [0.5, 0.4], [0.2, 0.6], [0.9, 0.8], [0.3, 0.7], [0.6, 0.5]])
    d, swapped, count = values[:, 1] - values[:, 0], np.zeros(4), np.zeros(4)
    for units in itertools.combinations(range(6), 3):
        one, other = d[list(units)].mean(), np.delete(d, units).mean()
        at = min(int(abs(one) / 0.1 + 1e-9), 3)
        count[at] += 1
        swapped[at] += one * other < 0
    actual = swap_rates(Sample(values, every_pair(2)), Options(n_resamples=3000), width=0.1, bins=4)
    np.testing.assert_allclose(actual.count / 3000, count / 20, atol=0.04)
    there = count > 0
    np.testing.assert_allclose(actual.rate[there], (swapped / np.maximum(count, 1))[there], atol=0.06)
    assert actual.high.tolist() == pytest.approx([0.1, 0.2, 0.3, np.inf])


def test_what_swaps_require() -> None:
    values = np.random.default_rng(4).normal(0, 0.3, (200, 4)) + np.array([0, 0, 0.05, 0.3])
    actual = swap_rates(Sample(values, every_pair(4)), Options(n_resamples=300))
    assert actual.rate[0] > 0.25
    assert (actual.rate[(actual.low >= actual.required) & (actual.count > 0)] <= 0.05).all()
    before = np.flatnonzero((actual.low < actual.required) & (actual.count > 0))[-1]
    assert actual.rate[before] > 0.05
    with pytest.raises(NotDefined, match="no two halves"):
        swap_rates(Sample(values[:1], every_pair(4)), Options())
