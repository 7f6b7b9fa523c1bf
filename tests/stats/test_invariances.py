"""What must not change a test's answer: the order of units, a constant, the other pairs; and what turns it round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ireval_frames.stats.registry import effect_sizes, find_effect, find_test, significance_tests
from ireval_frames.stats.sample import STATUS, Array, Options, Outcome, Sample
from tests.stats.sakai import every_pair
from tests.together import each_of

MORE: dict[str, dict[str, Any]] = {
    "delong": {"label": np.arange(24) % 2},
    "equivalence": {"margin": 0.1},
    "non-inferiority": {"margin": 0.1},
}
PAIRED = (
    "t",
    "wilcoxon",
    "sign",
    "delong",
    "corrected-t",
    "equivalence",
    "non-inferiority",
    "bayes",
    "bayes-correlated-t",
)
APART = ("welch", "student", "mann-whitney", "brunner-munzel")
NAMES = (*PAIRED, *APART)


def values(*, holes: float = 0.1) -> Array:
    rng = np.random.default_rng(1)
    actual = np.round(rng.random((24, 4)), 1)
    actual[rng.random(actual.shape) < holes] = np.nan
    return actual


def run(name: str, of: Array, pairs: Any = None, more: dict[str, Any] | None = None) -> Outcome:
    pairs = every_pair(of.shape[1]) if pairs is None else np.asarray(pairs)
    return find_test(name).function(Sample(of, pairs), Options(more=MORE.get(name, {}) if more is None else more))


def numbers(actual: Outcome) -> Array:
    columns = [actual.statistic, actual.p_value, actual.df, actual.ci_low, actual.ci_high]
    columns += [] if actual.estimate is None else [actual.estimate]
    return np.stack([*columns, *actual.more.values()])


@pytest.mark.parametrize("name", NAMES)
def test_order_of_units_and_other_pairs(name: str) -> None:
    of = values()
    expected = numbers(run(name, of))
    order = np.random.default_rng(2).permutation(len(of))
    more = {"label": MORE["delong"]["label"][order]} if name == "delong" else None
    np.testing.assert_allclose(numbers(run(name, of[order], more=more)), expected, rtol=1e-10, atol=1e-13)
    for i, pair in enumerate(every_pair(4)):
        np.testing.assert_allclose(numbers(run(name, of[:, pair]))[:, 0], expected[:, i], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_a_constant_for_both(name: str) -> None:
    of = values()
    actual, expected = (np.stack([r.statistic, r.p_value, r.ci_low]) for r in (run(name, of + 3), run(name, of)))
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("non-inferiority", "bayes", "bayes-correlated-t")])
def test_systems_that_change_places(name: str) -> None:
    of = values()
    there, back = run(name, of, [[0, 1]]), run(name, of, [[1, 0]])
    assert there.p_value[0] == pytest.approx(back.p_value[0], rel=1e-10)
    mirror = 1.0 if name == "brunner-munzel" else 0.0
    assert there.ci_low[0] == pytest.approx(mirror - back.ci_high[0], abs=1e-12)


@pytest.mark.parametrize("name", [n for n in effect_sizes() if n not in ("relative", "glass_delta")])
def test_effects_of_systems_that_change_places(name: str) -> None:
    there, back = (find_effect(name).function(Sample(values(), np.array([p])), Options()) for p in ([0, 1], [1, 0]))
    mirror = 1.0 if name.startswith("ps") else 0.0
    np.testing.assert_allclose(there[0], mirror - back[0], atol=1e-12)
    np.testing.assert_allclose(there[1], mirror - back[2], atol=1e-9)


@each_of(significance_tests())
def test_words_are_known(name: str) -> None:
    test = find_test(name)
    assert test.description.endswith(".")
    assert test.source
    assert test.statistic
    assert test.effect in {"", *effect_sizes()}


@each_of((name, units) for name in NAMES for units in range(4))
def test_undefined_has_a_cause(name: str, units: int) -> None:
    of = values(holes=0.3)[:units]
    of = np.column_stack([of, of[:, 0], np.full(units, 0.5)])
    more = {"label": np.arange(units) % 2} if name == "delong" else None
    actual = run(name, of, more=more)
    assert set(actual.status) <= set(STATUS)
    probability = actual.more["probability_positive"] if name.startswith("bayes") else actual.p_value
    assert (np.isnan(probability) <= (actual.status != "ok")).all()
    assert (np.isnan(actual.statistic) <= (actual.status != "ok")).all()
