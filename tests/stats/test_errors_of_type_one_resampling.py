"""Errors of type I of tests by resampling, and how often their intervals hold the true value."""

from __future__ import annotations

import numpy as np
import pytest

from ireval_frames.stats.registry import find_test
from ireval_frames.stats.resampling.bootstrap_intervals import INTERVALS
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

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


CASES = [
    ("randomization", 9, 1, {}, (0, 0)),
    ("randomization", 40, 499, {"exact": 0}, (0, 0)),
    # Studentised it is near its level on skewed values, or below.
    ("bootstrap", 40, 499, {}, (-0.012, 0)),
    # Unstudentised it rejects too often.
    ("bootstrap", 40, 499, {"kind": "shift"}, (0, 0.02)),
    ("permutation", 20, 499, {"exact": 0}, (0, 0)),
]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("name, n, draws, more, level", CASES)
def test_pairs(name, n, draws, more, level, alternative) -> None:
    actual = together(name, n, n_resamples=draws, more=more, alternative=alternative)
    p, missed = actual.p_value, (actual.ci_low > 0) | (actual.ci_high < 0)
    for rejected in ((p <= ALPHA).mean(), missed.mean()):
        assert ALPHA + level[0] - CHANCE < rejected < ALPHA + level[1] + CHANCE
    if name != "bootstrap":
        # The interval holds what the same draws do not reject.
        np.testing.assert_array_equal(missed, p <= ALPHA)
    # Of an exact test p is no smaller than uniform anywhere.
    if level == (0, 0):
        for at in (0.01, 0.2, 0.5):
            assert (p <= at).mean() < at + 4 * np.sqrt(at * (1 - at) / NULLS)


@pytest.mark.parametrize("kind", INTERVALS)
def test_each_interval_of_the_bootstrap_covers(kind) -> None:
    """All but the studentised one are a little narrow for 40 units."""
    actual = together("bootstrap", 40, n_resamples=499, more={"interval": kind})
    missed = ((actual.ci_low > 0) | (actual.ci_high < 0)).mean()
    assert ALPHA - 0.012 - CHANCE < missed < ALPHA + 0.02 + CHANCE
