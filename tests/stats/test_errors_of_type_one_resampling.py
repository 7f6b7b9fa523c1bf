"""Errors of type I: under the null tests of level α reject a share α of samples, within what chance allows."""

from __future__ import annotations

import numpy as np
import pytest

from ireval_frames.stats.registry import find_test
from ireval_frames.stats.sample import Array, Options, Outcome, Sample
from tests.stats.sakai import every_pair

NULLS, ALPHA = 2000, 0.05
# Four standard errors of a share of 2,000.
CHANCE = 4 * np.sqrt(ALPHA * (1 - ALPHA) / NULLS)


def skewed(rng, shape) -> Array:
    """Values between 0 and 1 with a peak at 0 and a long tail."""
    return rng.beta(0.5, 2, shape)


def together(name: str, n: int, **options) -> Outcome:
    """What a test tells of 2,000 pairs of systems without a difference, in one sample."""
    rng = np.random.default_rng(11)
    values = skewed(rng, (n, 2 * NULLS))
    pairs = np.arange(2 * NULLS).reshape(-1, 2)
    return find_test(name).function(Sample(values, pairs), Options(**options))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(
    "name, n, draws, more, level",
    [
        ("randomization", 12, 1, {}, (0, 0)),
        ("randomization", 40, 999, {"exact": 0}, (0, 0)),
        # Studentised it is near its level on skewed values, or below.
        ("bootstrap", 40, 999, {}, (-0.012, 0)),
        # Unstudentised it rejects too often.
        ("bootstrap", 40, 999, {"kind": "shift"}, (0, 0.02)),
        ("permutation", 20, 999, {"exact": 0}, (0, 0)),
    ],
)
def test_pairs(name, n, draws, more, level, alternative) -> None:
    found = together(name, n, draws=draws, more=more, alternative=alternative)
    p, missed = found.p_value, (found.ci_low > 0) | (found.ci_high < 0)
    for rejected in ((p <= ALPHA).mean(), missed.mean()):
        assert ALPHA + level[0] - CHANCE < rejected < ALPHA + level[1] + CHANCE
    if name != "bootstrap":
        # The interval holds what the same draws do not reject.
        np.testing.assert_array_equal(missed, p <= ALPHA)
    # Of an exact test p is no smaller than uniform anywhere.
    if level == (0, 0):
        for at in (0.01, 0.2, 0.5):
            assert (p <= at).mean() < at + 4 * np.sqrt(at * (1 - at) / NULLS)


@pytest.mark.parametrize(
    "name, draws, nulls",
    [
        ("tukey", 1, 1000),
        ("tukey-kramer", 1, 1000),
        ("games-howell", 1, 200),
        ("randomized-tukey", 99, 1000),
        ("maxt", 99, 1000),
        ("nemenyi", 1, 1000),
        ("dunnett", 1, 500),
    ],
)
def test_families(name, draws, nulls) -> None:
    """The share of samples in which any pair is rejected."""
    rng = np.random.default_rng(12)
    pairs = every_pair(4)[:3] if name == "dunnett" else every_pair(4)
    test, rejected = find_test(name).function, 0
    alpha = 0.1
    for _ in range(nulls):
        values = rng.normal(0, 1, (20, 4))
        if "kramer" not in name and "games" not in name:
            values += 2 * rng.random((20, 1))
        options = Options(draws=draws, threads=1, confidence=1 - alpha, seed=int(rng.integers(2**31)))
        if "tukey" in name or name == "games-howell":
            # The pair that lies farthest apart is rejected with any.
            pairs = np.array([[values.mean(axis=0).argmin(), values.mean(axis=0).argmax()]])
        rejected += bool((test(Sample(values, pairs), options).p_value <= alpha).any())
    chance = 4 * np.sqrt(alpha * (1 - alpha) / nulls)
    # Nemenyi's normal range is a little wide for 20 units.
    assert alpha - chance - (0.015 if name == "nemenyi" else 0) < rejected / nulls < alpha + chance


@pytest.mark.parametrize("name", ["anova", "conover", "quade", "friedman"])
def test_one_pair_of_many(name) -> None:
    rng, nulls = np.random.default_rng(13), 1000
    test, rejected = find_test(name).function, 0
    for _ in range(nulls):
        values = skewed(rng, (25, 4)) + rng.random((25, 1))
        p = test(Sample(values, np.array([[0, 1]])), Options()).p_value
        rejected += bool(p[0] <= ALPHA)
    assert abs(rejected / nulls - ALPHA) < CHANCE * np.sqrt(2)
