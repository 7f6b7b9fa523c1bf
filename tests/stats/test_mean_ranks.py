"""Ranks within units: Friedman, Nemenyi, Conover and Quade against scipy and against their formulas in plain loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from ireval_frames.errors import NotDefined
from ireval_frames.stats.ranks.friedman import critical_difference, friedman, friedman_test
from ireval_frames.stats.ranks.mean_ranks import conover, nemenyi, quade
from ireval_frames.stats.sample import Options, Sample
from tests.stats.sakai import VALUES, every_pair

TIED = np.random.default_rng(1).integers(0, 6, (25, 5)) / 10 + np.arange(5) / 10
PAIRS = every_pair(5)


def ranked(values):
    return np.array([stats.rankdata(np.round(row, 9)) for row in values])


def test_sakai() -> None:
    actual = friedman(VALUES)
    assert (actual.chi_square, actual.p_value_chi_square) == pytest.approx((2.238806, 0.3264746), abs=5e-7)
    assert (actual.statistic, actual.p_value) == pytest.approx((1.1264822, 0.3347563), abs=5e-7)
    assert actual.mean_ranks.tolist() == [1.75, 2.125, 2.125]
    assert critical_difference(3, 20) == pytest.approx(0.7411432, abs=5e-8)
    pairs = nemenyi(Sample(VALUES, every_pair(3)), Options())
    np.testing.assert_allclose(pairs.p_value, [0.4616, 0.4616, 1], atol=5e-5)
    np.testing.assert_allclose((pairs.ci_high - pairs.ci_low) / 2, 0.7411432, atol=5e-8)


def test_friedman_is_scipys() -> None:
    reference = stats.friedmanchisquare(*ranked(TIED).T)
    actual = friedman(TIED)
    assert (actual.chi_square, actual.p_value_chi_square) == pytest.approx(tuple(reference))
    assert actual.kendall_w == pytest.approx(reference.statistic / (25 * 4))
    outcome = friedman_test(Sample(TIED, PAIRS), Options())
    assert set(outcome.p_value) == {actual.p_value}
    np.testing.assert_allclose(
        outcome.estimate, (ranked(TIED)[:, PAIRS[:, 1]] - ranked(TIED)[:, PAIRS[:, 0]]).mean(axis=0)
    )


def test_imans_f_is_the_variance_of_ranks() -> None:
    # F over ranks, by sums of squares of the two-way table.
    r = ranked(TIED)
    between = 25 * ((r.mean(axis=0) - 3) ** 2).sum() / 4
    left = ((r - r.mean(axis=0)) ** 2).sum() / (4 * 24)
    assert friedman(TIED).statistic == pytest.approx(between / left)


def test_where_all_agree_the_chance_is_counted() -> None:
    values = np.array([[1, 2, 3.0], [4, 5, 7], [0, 1, 9]])
    orders = list(itertools.product(itertools.permutations((1, 2, 3)), repeat=3))
    chance = sum(a == b == c for a, b, c in orders) / len(orders)
    actual = friedman(values)
    assert (actual.statistic, actual.kendall_w) == (np.inf, pytest.approx(1))
    assert actual.p_value == pytest.approx(chance)
    pairs = conover(Sample(values, every_pair(3)), Options())
    assert pairs.status.tolist() == ["undefined"] * 3
    assert np.isinf(pairs.statistic).all()


def test_nemenyi_is_the_range() -> None:
    mean = ranked(TIED).mean(axis=0)
    actual = nemenyi(Sample(TIED, PAIRS), Options())
    for p, (i, j) in zip(actual.p_value, PAIRS, strict=True):
        q = abs(mean[i] - mean[j]) / np.sqrt(5 * 6 / (12 * 25))
        assert p == pytest.approx(stats.studentized_range.sf(q, 5, np.inf), abs=1e-9)


def test_conover_by_its_formula() -> None:
    r, n, m = ranked(TIED), 25, 5
    sums = r.sum(axis=0)
    s2 = ((r**2).sum() - n * m * (m + 1) ** 2 / 4) / (m - 1)
    t_all = ((sums - n * (m + 1) / 2) ** 2).sum() / s2
    se = np.sqrt(s2 * 2 * n * (m - 1) / ((m - 1) * (n - 1)) * (1 - t_all / (n * (m - 1))))
    actual = conover(Sample(TIED, PAIRS), Options())
    for k, (i, j) in enumerate(PAIRS):
        assert actual.statistic[k] == pytest.approx((sums[j] - sums[i]) / se)
        assert actual.p_value[k] == pytest.approx(2 * stats.t.sf(abs(sums[j] - sums[i]) / se, 96))
        half = stats.t.ppf(0.975, 96) * se / n
        assert (actual.ci_low[k], actual.ci_high[k]) == pytest.approx(
            (actual.estimate[k] - half, actual.estimate[k] + half)
        )


def test_quade_by_its_formula() -> None:
    r, n, m = ranked(TIED), 25, 5
    q = stats.rankdata(np.round(np.ptp(TIED, axis=1), 9))
    s = np.array([[q[u] * (r[u, i] - (m + 1) / 2) for i in range(m)] for u in range(n)])
    a, b = (s**2).sum(), (s.sum(axis=0) ** 2).sum() / n
    actual = quade(Sample(TIED, PAIRS), Options())
    for k, (i, j) in enumerate(PAIRS):
        t = (s[:, j] - s[:, i]).sum() / np.sqrt(2 * n * (a - b) / ((n - 1) * (m - 1)))
        assert (actual.statistic[k], actual.p_value[k]) == pytest.approx((t, 2 * stats.t.sf(abs(t), 96)))
        assert actual.estimate[k] == pytest.approx((s[:, j] - s[:, i]).sum() / q.sum())
    # R's quade.test of this table: F of all systems.
    f = (n - 1) * b / (a - b)
    assert actual.more["f_all"][0] == pytest.approx(f)
    assert actual.more["p_all"][0] == pytest.approx(stats.f.sf(f, 4, 96))


@pytest.mark.parametrize("test", [friedman_test, nemenyi, conover, quade])
def test_special_tables(test) -> None:
    pairs = np.array([[0, 1], [0, 2]])
    x = np.random.default_rng(2).random(12)
    copies = test(Sample(np.column_stack([x, x, 0.2 + x * x]), pairs), Options())
    if test is not friedman_test:
        assert (copies.status[0], copies.p_value[0], copies.ci_low[0]) == ("identical", 1, 0)
        assert copies.p_value[1] < 1
    flat = test(Sample(np.ones((5, 3)), pairs), Options())
    assert flat.status.tolist() == ["identical"] * 2
    assert flat.p_value.tolist() == [1, 1]
    for rows, word in ((0, "no_units"), (1, "one_unit")):
        few = test(Sample(np.ones((rows, 3)), pairs), Options())
        assert few.status.tolist() == [word] * 2
        assert np.isnan(few.p_value).all()
    # 0.3 − 0.2 and 0.2 − 0.1 are one value.
    rounding = test(Sample(np.array([[0.3 - 0.2, 0.2 - 0.1, 5], [1, 1, 2.0], [3, 3, 1.0]]), pairs), Options())
    assert rounding.estimate[0] == 0


def test_nothing_to_compare() -> None:
    with pytest.raises(NotDefined, match="nothing to compare"):
        friedman(VALUES[:1])
