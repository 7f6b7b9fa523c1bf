"""Tests of different units by SciPy and by counting all ways to share them out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from ireval_frames.errors import InvalidParameter, UnknownName
from ireval_frames.stats.means.welch import student, t_from_moments, welch
from ireval_frames.stats.moments import row_moments
from ireval_frames.stats.ranks.brunner_munzel import brunner_munzel
from ireval_frames.stats.ranks.mann_whitney import mann_whitney
from ireval_frames.stats.registry import Tester
from ireval_frames.stats.sample import Alternative, Array, Options, Sample
from tests.stats.sakai import every_pair

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
GROUPS = st.tuples(*[st.lists(st.integers(0, 4), min_size=1, max_size=5)] * 2)


def groups(baseline: list[float], system: list[float]) -> Sample:
    values = np.full((max(len(baseline), len(system)), 2), np.nan)
    values[: len(baseline), 0], values[: len(system), 1] = baseline, system
    return Sample(values, np.array([[0, 1]]))


def make_case(*, digits: int) -> Sample:
    values = np.round(np.random.default_rng(1).gamma(2.0, size=(40, 5)) * [1, 1, 2, 3, 0.5], digits)
    values[30:, 0] = values[7:, 2] = np.nan
    return Sample(values, every_pair(5))


def own(sample: Sample, pair: int) -> list[Array]:
    columns = sample.values[:, sample.pairs[pair]].T
    return [c[~np.isnan(c)] for c in columns]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("test, equal", [(welch, False), (student, True)])
def test_t_equals_scipy(test: Tester, equal: object, alternative: Alternative) -> None:
    sample = make_case(digits=16)
    actual = test(sample, Options(alternative=alternative, confidence=0.9))
    for i in range(sample.n_pairs):
        baseline, system = own(sample, i)
        expected = scipy.stats.ttest_ind(system, baseline, equal_var=equal, alternative=alternative)
        interval = expected.confidence_interval(0.9)
        of_pair = [a[i] for a in (actual.statistic, actual.p_value, actual.df, actual.ci_low, actual.ci_high)]
        required = [expected.statistic, expected.pvalue, expected.df, interval.low, interval.high]
        np.testing.assert_allclose(of_pair, required, rtol=1e-11)


def test_t_from_moments_is_that_of_values() -> None:
    sample = make_case(digits=3)
    n, mean, variance = row_moments(sample.values.T.copy())
    one, two = ((n[at], mean[at], variance[at]) for at in sample.pairs.T)
    for test, pooled in ((welch, False), (student, True)):
        actual, expected = t_from_moments(one, two, Options(), pooled=pooled), test(sample, Options())
        np.testing.assert_array_equal(actual.p_value, expected.p_value)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("continuity", [False, True])
def test_u_equals_scipy(alternative: Alternative, continuity: object) -> None:
    sample = make_case(digits=1)
    actual = mann_whitney(
        sample, Options(alternative=alternative, more={"continuity": continuity, "method": "asymptotic"})
    )
    apart = make_case(digits=16)
    exact = mann_whitney(apart, Options(alternative=alternative))
    for i in range(sample.n_pairs):
        baseline, system = own(sample, i)
        expected = scipy.stats.mannwhitneyu(system, baseline, continuity, alternative=alternative, method="asymptotic")
        np.testing.assert_allclose([actual.statistic[i], actual.p_value[i]], expected, rtol=1e-12)
        baseline, system = own(apart, i)
        if exact.method[i] == "exact":
            expected = scipy.stats.mannwhitneyu(system, baseline, alternative=alternative, method="exact")
            np.testing.assert_allclose([exact.statistic[i], exact.p_value[i]], expected, rtol=1e-11)
    assert {"exact", "asymptotic"} == set(exact.method)


@settings(max_examples=40)
@given(GROUPS)
def test_exact_u_counts_all_ways(both: tuple[list[int], list[int]]) -> None:
    baseline, system = both

    def above(chosen: tuple[int, ...]) -> float:
        rest = [i for i in range(len(values)) if i not in chosen]
        return sum((values[i] > values[j]) + (values[i] == values[j]) / 2 for i in chosen for j in rest)

    values = [*baseline, *system]
    observed = above(tuple(range(len(baseline), len(values))))
    ways = [above(c) for c in itertools.combinations(range(len(values)), len(system))]
    less, more = (sum(s <= observed for s in ways) / len(ways), sum(s >= observed for s in ways) / len(ways))
    expected = {"two-sided": min(1.0, 2 * min(less, more)), "greater": more, "less": less}
    for alternative in ALTERNATIVES:
        # 0.1 + 0.2 and 0.3 are one number here.
        sample = groups([0.1 * x + 0.1 for x in baseline], [(x + 1) / 10 for x in system])
        actual = mann_whitney(sample, Options(alternative=alternative))
        if len(set(values)) > 1:
            assert (actual.statistic[0], actual.p_value[0]) == (observed, pytest.approx(expected[alternative]))
        else:
            assert (actual.status[0], actual.p_value[0]) == ("identical", 1.0)


@pytest.mark.parametrize("sizes", [(4, 9), (30, 45)])
def test_shift_and_its_interval(sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    baseline, system = rng.normal(size=sizes[0]), rng.normal(0.3, 1, sizes[1])
    actual = mann_whitney(groups([*baseline], [*system]), Options(confidence=0.9))
    assert actual.estimate is not None
    assert actual.estimate[0] == pytest.approx(np.median(np.subtract.outer(system, baseline)))
    # The interval holds the shifts which the test does not reject.
    for end, outwards in ((actual.ci_low[0], -1), (actual.ci_high[0], 1)):
        inside, outside = (
            mann_whitney(groups([*baseline], [*(system - end - side * outwards * 1e-9)]), Options()) for side in (-1, 1)
        )
        assert outside.p_value[0] <= 0.1 < inside.p_value[0]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_brunner_munzel_equals_scipy(alternative: Alternative) -> None:
    sample = make_case(digits=1)
    actual = brunner_munzel(sample, Options(alternative=alternative))
    for i in range(sample.n_pairs):
        baseline, system = own(sample, i)
        # SciPy's alternative is of its first argument.
        turned = {"greater": "less", "less": "greater"}.get(alternative, alternative)
        expected = scipy.stats.brunnermunzel(baseline, system, alternative=turned)
        np.testing.assert_allclose([actual.statistic[i], actual.p_value[i]], expected, rtol=1e-11)
        share = np.mean(np.sign(np.subtract.outer(system, baseline))) / 2 + 0.5
        assert actual.estimate is not None
        assert actual.estimate[i] == pytest.approx(share)


NAN = np.nan


@pytest.mark.parametrize(
    "test, baseline, system, status, statistic, p",
    [
        (welch, [0.1, 0.1], [0.1, 0.1, 0.1], "identical", 0.0, 1.0),
        (welch, [0.1, 0.1], [0.2, 0.2], "constant_shift", np.inf, NAN),
        (welch, [0.1, 0.1], [0.2], "too_few", NAN, NAN),
        (welch, [], [0.2], "no_units", NAN, NAN),
        (student, [0.1, 0.1], [0.1], "identical", 0.0, 1.0),
        (student, [0.2, 0.2], [0.1], "constant_shift", -np.inf, NAN),
        (student, [0.2], [0.1], "too_few", NAN, NAN),
        (mann_whitney, [0.1, 0.1], [0.1], "identical", 1.0, 1.0),
        (mann_whitney, [], [0.1], "no_units", NAN, NAN),
        (mann_whitney, [0.1], [0.2], "ok", 1.0, 1.0),
        (brunner_munzel, [0.1, 0.1], [0.1, 0.1], "identical", 0.0, 1.0),
        (brunner_munzel, [0.1, 0.2], [0.3, 0.4], "undefined", np.inf, NAN),
        (brunner_munzel, [0.1, 0.2], [0.3], "too_few", NAN, NAN),
        (brunner_munzel, [], [0.3], "no_units", NAN, NAN),
    ],
)
def test_degenerate(
    test: Tester, baseline: list[float], system: list[float], status: str, statistic: float, p: float
) -> None:
    actual = test(groups(baseline, system), Options())
    assert actual.status[0] == status
    np.testing.assert_array_equal([actual.statistic[0], actual.p_value[0]], [statistic, p])
    if status == "identical" and test is not brunner_munzel:
        assert (actual.ci_low[0], actual.ci_high[0]) == (0, 0)


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match="exact"):
        mann_whitney(groups([1], [2]), Options(more={"method": "exac"}))
    with pytest.raises(InvalidParameter, match="201 units"):
        mann_whitney(groups([1.0] * 100, [*range(101)]), Options(more={"method": "exact"}))
