"""Under the null hypothesis tests reject as often as they say, and intervals hold the true value.

The 2,000 draws are as many pairs of one sample.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from ireval_frames.stats.registry import find_test
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

DRAWS, ALPHA = 2000, 0.05
# Four standard errors of a share of 0.05.
NOISE = 4 * (ALPHA * (1 - ALPHA) / DRAWS) ** 0.5
LABEL = np.arange(90) % 3 == 0
PAIRS = np.arange(2 * DRAWS).reshape(-1, 2)


def sample(baseline: Array, system: Array) -> Sample:
    """Draws are columns."""
    return Sample(np.stack([baseline, system], axis=2).reshape(len(baseline), -1), PAIRS)


def metrics(n: int, seed: int = 1) -> Sample:
    """Values as of a measure in 0 … 1, many near 0: peaked differences with long tails, symmetric about 0."""
    return sample(*np.random.default_rng(seed).beta(0.5, 2.0, (2, n, DRAWS)))


def grades(n: int) -> Sample:
    """Values with many ties, among units and systems."""
    return sample(*(np.random.default_rng(2).integers(0, 5, (2, n, DRAWS)) / 10.0))


def groups(sizes: tuple[int, int], spreads: tuple[float, float] = (1.0, 1.0)) -> Sample:
    """Normal values of different units."""
    baseline, system = np.random.default_rng(3).normal(size=(2, max(sizes), DRAWS))
    baseline[sizes[0] :], system[sizes[1] :] = np.nan, np.nan
    return sample(baseline * spreads[0], system * spreads[1])


def right(n: int) -> Sample:
    """Items that are right or wrong, of systems that agree on most."""
    rng = np.random.default_rng(4)
    easy = rng.random((n, DRAWS)) < 0.6
    flipped = rng.random((2, n, DRAWS)) < 0.2
    return sample(*np.where(flipped, ~easy, easy).astype(float))


def scores() -> Sample:
    """Scores of two systems that rank as well; they have much in common."""
    common, *own = np.random.default_rng(5).normal(size=(3, len(LABEL), DRAWS))
    return sample(*(common + x + LABEL[:, None] for x in own))


def folds() -> Sample:
    """Differences over ten folds that correlate as Nadeau and Bengio say: by the share of test data."""
    rng = np.random.default_rng(6)
    d = rng.normal(0, 0.1**0.5, (1, DRAWS)) + rng.normal(0, 0.9**0.5, (10, DRAWS))
    return sample(np.zeros_like(d), d)


CASES = [
    ("t", metrics(30), {}, (0.9, 1.0)),
    ("wilcoxon", metrics(12), {}, (0.75, 1.0)),
    ("wilcoxon", metrics(60), {}, (0.85, 1.0)),
    ("wilcoxon", grades(25), {}, (0.75, 1.0)),
    ("wilcoxon", grades(60), {"zeros": "pratt"}, (0.85, 1.0)),
    ("sign", metrics(35), {}, (0.6, 1.0)),
    ("welch", groups((12, 40), (3.0, 1.0)), {}, (0.85, 1.1)),
    ("student", groups((12, 40)), {}, (1.0, 1.0)),
    ("mann-whitney", groups((9, 14)), {}, (0.8, 1.0)),
    ("mann-whitney", groups((20, 45)), {}, (0.9, 1.0)),
    ("brunner-munzel", groups((25, 25), (3.0, 1.0)), {}, (0.9, 1.3)),
    ("mcnemar", right(80), {}, (0.4, 1.0)),
    ("mcnemar", right(80), {"method": "mid-p"}, (0.7, 1.0)),
    ("mcnemar", right(80), {"method": "chi2", "continuity": False}, (0.8, 1.2)),
    ("delong", scores(), {"label": LABEL}, (0.9, 1.1)),
    ("corrected-t", folds(), {"folds": 10}, (0.9, 1.1)),
    ("5x2cv", sample(np.zeros((10, DRAWS)), np.random.default_rng(7).normal(size=(10, DRAWS))), {}, (0.1, 1.0)),
]


def run(name: str, of: Sample, more: dict[str, Any], **options: Any) -> Outcome:
    return find_test(name).function(of, Options(more=more, **options))


@pytest.mark.parametrize("name, of, more, bounds", CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
def test_rejects_as_often_as_it_says(name: str, of: Sample, more: dict[str, Any], bounds: tuple[float, float]) -> None:
    actual = run(name, of, more)
    low, high = (ALPHA * bound for bound in bounds)
    share = float(np.mean(actual.p_value <= ALPHA))
    assert low - NOISE <= share <= high + NOISE
    if name in ("mcnemar", "5x2cv"):
        return
    # The interval holds the true value as often, 0 or a probability of ½.
    true = 0.5 if name == "brunner-munzel" else 0.0
    missed = float(np.mean((actual.ci_low > true) | (actual.ci_high < true)))
    # With ties it holds more, as its ends belong to it.
    tied = len(np.unique(of.values)) < 10
    assert tied or missed >= low - NOISE
    assert missed <= high + NOISE


@pytest.mark.parametrize("name, of, more", [c[:3] for c in CASES if c[0] in ("t", "wilcoxon", "sign", "mann-whitney")])
def test_one_sided_tests_do_so_too(name: str, of: Sample, more: dict[str, Any]) -> None:
    for alternative in ("greater", "less"):
        share = float(np.mean(run(name, of, more, alternative=alternative).p_value <= ALPHA))
        assert 0.5 * ALPHA - NOISE <= share <= ALPHA + NOISE


def test_equivalence_at_the_margin() -> None:
    shifted = np.random.default_rng(8).normal(0.2, 0.3, (40, DRAWS))
    of = sample(np.zeros_like(shifted), shifted)
    assert abs(np.mean(run("equivalence", of, {"margin": 0.2}).p_value <= ALPHA) - ALPHA) <= NOISE
    worse = sample(shifted, np.zeros_like(shifted))
    assert abs(np.mean(run("non-inferiority", worse, {"margin": 0.2}).p_value <= ALPHA) - ALPHA) <= NOISE


def test_the_bound_finds_a_wrong_test() -> None:
    """Normal quantiles in place of Student's, with five units."""
    z = run("t", metrics(5), {}).statistic
    assert np.mean(2 * ndtr(-np.abs(z)) <= ALPHA) > ALPHA + 2 * NOISE


POSTERIORS = [
    ("bayes", metrics(40, seed=9), {}, 1, (1.0, 1.0)),
    ("bayes-correlated-t", folds(), {"folds": 10}, 1, (1.0, 1.0)),
    # Counts of units have few probabilities.
    ("bayes-sign", metrics(35, seed=9), {}, 199, (0.7, 1.6)),
    ("bayes-signed-rank", metrics(12, seed=9), {}, 199, (0.9, 1.6)),
]


@pytest.mark.parametrize("name, of, more, draws, bounds", POSTERIORS, ids=[c[0] for c in POSTERIORS])
def test_posteriors_hold_their_probabilities(
    name: str, of: Sample, more: dict[str, Any], draws: int, bounds: tuple[float, float]
) -> None:
    actual = run(name, of, more, n_resamples=draws)
    missed = float(np.mean((actual.ci_low > 0) | (actual.ci_high < 0)))
    for side in ("lower", "higher"):
        for share in (float(np.mean(actual.more[f"probability_{side}"] > 0.95)), missed):
            assert ALPHA * bounds[0] - NOISE <= share <= ALPHA * bounds[1] + NOISE
