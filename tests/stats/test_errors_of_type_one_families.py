"""Errors of type I of tests that look at all systems at once, over 2,000 tables without a difference each."""

from __future__ import annotations

import numpy as np
import pytest

from ireval_frames.stats.registry import find_test, significance_tests
from ireval_frames.stats.sample import Options, Sample
from tests.stats import test_errors_of_type_one as of_pairs
from tests.stats import test_errors_of_type_one_resampling as by_resampling
from tests.stats.sakai import every_pair

NULLS, ALPHA = 2000, 0.1
# Four standard errors of a share.
CHANCE = 4 * np.sqrt(ALPHA * (1 - ALPHA) / NULLS)
ALL, ONE_BASELINE = every_pair(4), every_pair(4)[:3]
FAMILIES = [
    ("tukey", ALL, {}),
    ("tukey-kramer", ALL, {}),
    ("games-howell", ALL, {}),
    ("randomized-tukey", ALL, {}),
    ("maxt", ALL, {}),
    ("nemenyi", ALL, {}),
    ("dunnett", ONE_BASELINE, {}),
]
OF_ONE_PAIR = ("anova", "conover", "quade", "friedman")


@pytest.mark.parametrize("name, pairs, more", FAMILIES)
def test_families(name, pairs, more) -> None:
    """The share of tables in which any pair is rejected, and that in which any interval misses 0."""
    rng = np.random.default_rng(12)
    test, rejected, missed = find_test(name).function, 0, 0
    for _ in range(NULLS):
        values = rng.normal(0, 1, (20, 4))
        if find_test(name).design != "unpaired":
            values += 2 * rng.random((20, 1))
        # 19 draws tell a level of 0.1 exactly.
        options = Options(confidence=1 - ALPHA, n_resamples=19, seed=int(rng.integers(2**31)), threads=1, more=more)
        if name in ("tukey", "tukey-kramer", "games-howell"):
            # The pair that lies farthest apart is rejected with any; the spreads are alike here.
            pairs = np.array([[values.mean(axis=0).argmin(), values.mean(axis=0).argmax()]])
        actual = test(Sample(values, pairs), options)
        rejected += bool((actual.p_value <= ALPHA).any())
        missed += bool(((actual.ci_low > 0) | (actual.ci_high < 0)).any())
    # Nemenyi's normal range is a little wide for 20 units.
    assert ALPHA - CHANCE - (0.015 if name == "nemenyi" else 0) < rejected / NULLS < ALPHA + CHANCE
    # Intervals hold all differences at once as often; Nemenyi has none.
    if not np.isnan(actual.ci_low).all():
        assert ALPHA - CHANCE < missed / NULLS < ALPHA + CHANCE


@pytest.mark.parametrize("name", OF_ONE_PAIR)
def test_one_pair_of_many(name) -> None:
    rng = np.random.default_rng(13)
    test, rejected = find_test(name).function, 0
    for _ in range(NULLS):
        values = rng.beta(0.5, 2, (25, 4)) + rng.random((25, 1))
        rejected += bool(test(Sample(values, np.array([[0, 1]])), Options()).p_value[0] <= ALPHA)
    assert abs(rejected / NULLS - ALPHA) < CHANCE


def test_no_test_is_left_out() -> None:
    cases = of_pairs.CASES, of_pairs.POSTERIORS, by_resampling.CASES, FAMILIES
    simulated = {case[0] for of in cases for case in of} | {*OF_ONE_PAIR, "equivalence", "non-inferiority"}
    assert simulated == set(significance_tests())
