"""Randomised Tukey and maxT: every permutation by hand, and what draws must not depend on."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ireval_frames.errors import NotDefined, UnknownName
from ireval_frames.stats.means.tukey import tukey
from ireval_frames.stats.resampling import draws
from ireval_frames.stats.resampling.maxt import maxt
from ireval_frames.stats.resampling.randomization import randomization
from ireval_frames.stats.resampling.randomized_tukey import MAX_SHUFFLED, randomized_tukey
from ireval_frames.stats.sample import Options, Sample
from tests.stats.sakai import VALUES, every_pair

SAKAI = Sample(VALUES, every_pair(3))
BASELINE = np.array([[1, 0], [1, 2]])


def bounds(p: float, count: int) -> float:
    """Four standard errors of a share of draws."""
    return 4.0 * np.sqrt(p * (1.0 - p) / count) + 2.0 / count


def test_sakai() -> None:
    actual = randomized_tukey(SAKAI, Options(n_resamples=60_000)).p_value
    for p, expected in zip(actual, (0.304, 0.106, 0.891), strict=True):
        assert p == pytest.approx(expected, abs=bounds(expected, 60_000) + 0.002)
    studentised = randomized_tukey(SAKAI, Options(n_resamples=20_000, more={"studentised": True})).p_value
    np.testing.assert_allclose(studentised, tukey(SAKAI, Options()).p_value, atol=0.015)


@pytest.mark.parametrize("versus", ["all", "baseline"])
@pytest.mark.parametrize("studentised", [False, True])
def test_every_deal(versus, studentised) -> None:
    values = np.random.default_rng(1).integers(0, 5, (4, 3)) / 4 + np.arange(3) / 8
    pairs = every_pair(3) if versus == "all" else BASELINE

    def largest(x):
        mean = x.mean(axis=0)
        left = x - x.mean(axis=1, keepdims=True) - mean + x.mean()
        scale = np.sqrt((left**2).sum() / (len(x) - 1) / (x.shape[1] - 1) / len(x)) if studentised else 1.0
        actual = np.ptp(mean) if versus == "all" else np.abs(mean - mean[1]).max()
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(actual / scale, nan=0.0), np.abs(mean[pairs[:, 1]] - mean[pairs[:, 0]]) / scale

    observed = largest(values)[1]
    every = [largest(np.array(x))[0] for x in itertools.product(*(itertools.permutations(row) for row in values))]
    exact = (np.array(every)[:, None] >= observed - 1e-9).mean(axis=0)
    options = Options(n_resamples=20_000, more={"versus": versus, "studentised": studentised})
    actual = randomized_tukey(Sample(values, pairs), options)
    different = actual.status == "ok"
    for p, expected in zip(actual.p_value[different], exact[different], strict=True):
        assert p == pytest.approx(expected, abs=bounds(expected, 20_000))
    assert different.any()


def test_many_units_are_dealt_out_in_circles() -> None:
    values = np.random.default_rng(7).random((MAX_SHUFFLED + 20, 4)) + np.arange(4) / 24
    by_deal = np.random.default_rng(8).permuted(np.repeat(values[None], 20_000, axis=0), axis=2).mean(axis=1)
    ranges = np.ptp(by_deal, axis=1)
    actual = randomized_tukey(Sample(values, every_pair(4)), Options(n_resamples=20_000))
    exact = (ranges[:, None] >= np.abs(actual.statistic)).mean(axis=0)
    assert (np.abs(actual.p_value - exact) < 1.5 * bounds(exact, 20_000)).all()
    assert 0.005 < exact.min() < 0.1


def test_two_systems_are_fishers() -> None:
    two = Sample(VALUES[:, :2], every_pair(2))
    exact = randomization(two, Options()).p_value[0]
    for test in (randomized_tukey, maxt):
        assert test(two, Options(n_resamples=40_000)).p_value[0] == pytest.approx(exact, abs=bounds(exact, 40_000))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_step_down_by_hand(alternative) -> None:
    values = np.random.default_rng(2).normal(0, 1, (9, 4)) + np.array([0, 0.4, 0.9, 0.2])
    values[2, 3] = np.nan
    pairs = every_pair(4)
    d = np.nan_to_num(values[:, pairs[:, 1]] - values[:, pairs[:, 0]])
    sided = {"two-sided": np.abs, "greater": lambda t: t, "less": lambda t: -t}[alternative]
    t = [
        sided(np.array(signs) @ d / np.sqrt((d**2).sum(axis=0))) for signs in itertools.product((1, -1), repeat=len(d))
    ]
    every, order = np.array(t), np.argsort(-t[0])
    exact, before = np.empty(len(pairs)), 0.0
    for at, pair in enumerate(order):
        p = (every[:, order[at:]].max(axis=1) >= t[0][pair] - 1e-9).mean()
        exact[pair] = before = max(before, p)
    actual = maxt(Sample(values, pairs), Options(alternative=alternative, n_resamples=20_000))
    for p, expected in zip(actual.p_value, exact, strict=True):
        assert p == pytest.approx(expected, abs=bounds(expected, 20_000))


def test_maxt_is_no_smaller_than_each_alone() -> None:
    values = np.random.default_rng(3).random((80, 6)) + np.arange(6) / 20
    options = Options(n_resamples=3000, more={"exact": 0})
    together, alone = (test(Sample(values, every_pair(6)), options).p_value for test in (maxt, randomization))
    assert (together >= alone - 1e-12).all()
    assert (together < np.minimum(1, 15 * alone) + 0.01).all()


def test_intervals_hold_all_differences_together() -> None:
    rng, truth, fixed = np.random.default_rng(4), np.array([0.0, 0.1, 0.3, 0.35]), 0
    pairs = every_pair(4)
    for _ in range(200):
        values = rng.normal(0, 0.2, (25, 4)) + truth + rng.random((25, 1))
        actual = maxt(Sample(values, pairs), Options(n_resamples=300, confidence=0.9))
        d = truth[pairs[:, 1]] - truth[pairs[:, 0]]
        fixed += bool(((actual.ci_low <= d) & (d <= actual.ci_high)).all())
    assert 0.82 < fixed / 200 < 0.97


@pytest.mark.parametrize("test", [maxt, randomized_tukey])
def test_draws_depend_on_nothing_but_the_seed(monkeypatch, test) -> None:
    values = np.random.default_rng(5).random((60, 5))
    pairs = every_pair(5)

    def run(values, pairs, threads=1, seed=3):
        return test(Sample(values, pairs), Options(n_resamples=2300, seed=seed, threads=threads)).p_value

    first = run(values, pairs)
    np.testing.assert_array_equal(run(values, pairs, threads=3), first)
    np.testing.assert_allclose(run(values + 5.0, pairs), first, atol=1e-13)
    np.testing.assert_allclose(run(values, pairs[::-1, ::-1])[::-1], first, atol=1e-13)
    assert (run(values, pairs, seed=4) != first).any()
    monkeypatch.setattr(draws, "CELLS", 500)
    np.testing.assert_allclose(run(values, pairs), first, atol=1e-13)


@pytest.mark.parametrize("test", [maxt, randomized_tukey])
def test_special_pairs(test) -> None:
    x = np.random.default_rng(6).random(30)
    pairs = np.array([[0, 1], [0, 2]])
    actual = test(Sample(np.column_stack([x, x, x + 0.1]), pairs), Options(n_resamples=500))
    assert actual.status.tolist() == ["identical", "constant_shift" if test is maxt else "ok"]
    assert actual.p_value[0] == 1
    assert actual.p_value[1] < 0.01
    assert (actual.ci_low[0], actual.ci_high[0]) == (0, 0)
    for rows in (0, 1):
        few = test(Sample(np.ones((rows, 3)) * [1, 1, 2], pairs), Options(n_resamples=500))
        assert np.isnan(few.p_value).all()
        assert not set(few.status) & {"ok", "identical"}


def test_versus() -> None:
    for versus, error in (("baseline", NotDefined), ("none", UnknownName)):
        with pytest.raises(error, match="versus"):
            randomized_tukey(SAKAI, Options(more={"versus": versus}))
