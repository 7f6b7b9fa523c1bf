"""Permutation of different units: every division by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ireval_frames.stats.resampling import draws
from ireval_frames.stats.resampling.permutation import permutation
from ireval_frames.stats.sample import Options, Sample
from tests.stats.sakai import every_pair

ONLY_DRAWS = {"exact": 0}


def groups(*of):
    values = np.full((max(map(len, of)), len(of)), np.nan)
    for column, group in enumerate(of):
        values[: len(group), column] = group
    return values


def by_hand(one, other, alternative) -> float:
    pooled, observed, reached, count = np.r_[one, other], np.mean(other) - np.mean(one), 0, 0
    for chosen in itertools.combinations(range(len(pooled)), len(other)):
        rest = np.delete(pooled, chosen)
        t = pooled[list(chosen)].mean() - rest.mean()
        extreme = {"two-sided": abs(t) - abs(observed), "greater": t - observed, "less": observed - t}[alternative]
        reached += extreme >= -1e-9
        count += 1
    return reached / count


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_all_divisions(alternative) -> None:
    rng = np.random.default_rng(1)
    for before, after in ((3, 5), (6, 4), (6, 6), (2, 9), (1, 7), (7, 1)):
        one, other = rng.integers(0, 9, before) / 10, rng.integers(2, 10, after) / 10
        sample = Sample(groups(one, other), every_pair(2))
        exact = by_hand(one, other, alternative)
        actual = permutation(sample, Options(alternative=alternative))
        assert actual.p_value[0] == pytest.approx(exact, abs=1e-12)
        assert (actual.method[0], actual.n_resamples[0]) == ("exact", 0)
        drawn = permutation(sample, Options(alternative=alternative, n_resamples=8000, more=ONLY_DRAWS))
        assert drawn.method[0] == "monte carlo"
        assert drawn.p_value[0] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 8000) + 2e-4)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_interval_holds_what_is_not_rejected(alternative) -> None:
    rng = np.random.default_rng(2)
    one, other = rng.random(30), rng.random(22) + 0.3
    options = Options(alternative=alternative, n_resamples=3000, confidence=0.9, more=ONLY_DRAWS)
    actual = permutation(Sample(groups(one, other), every_pair(2)), options)
    for end, inwards in ((actual.ci_low[0], 1e-6), (actual.ci_high[0], -1e-6)):
        if np.isfinite(end):
            for shift, fixed in ((end + inwards, True), (end - inwards, False)):
                p = permutation(Sample(groups(one, other - shift), every_pair(2)), options).p_value[0]
                assert (p > 0.1) == fixed
    assert np.isfinite([actual.ci_low[0], actual.ci_high[0]]).sum() == (2 if alternative == "two-sided" else 1)


def test_draws_depend_on_nothing_but_the_seed(monkeypatch) -> None:
    values = groups(*np.random.default_rng(3).random((4, 60)))
    values[50:, 2] = np.nan
    pairs = every_pair(4)

    def run(values, pairs, threads=1):
        return permutation(Sample(values, pairs), Options(n_resamples=2300, threads=threads)).p_value

    first = run(values, pairs)
    np.testing.assert_array_equal(run(values, pairs, threads=3), first)
    np.testing.assert_allclose(run(values, pairs[::-1])[::-1], first)
    np.testing.assert_allclose(run(values + 5.0, pairs), first)
    np.testing.assert_allclose(run(values[:, [1, 2]], every_pair(2))[0], first[3])
    monkeypatch.setattr(draws, "CELLS", 700)
    np.testing.assert_allclose(run(values, pairs), first)


def test_special_pairs() -> None:
    values = groups([0.5] * 6, [0.5] * 4, [0.7] * 3, [0.5], [0.9], [])
    pairs = np.array([[0, 1], [0, 2], [3, 4], [0, 5]])
    actual = permutation(Sample(values, pairs), Options())
    assert actual.status.tolist() == ["identical", "constant_shift", "one_unit", "no_units"]
    np.testing.assert_allclose(actual.p_value, [1, 1 / 84, np.nan, np.nan])
