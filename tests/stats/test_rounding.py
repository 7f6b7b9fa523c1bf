"""What is rounding is judged for each unit: one huge value hides no other, and whole numbers have no rounding."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
import scipy.stats

import ireval_frames as ir
from ireval_frames.stats.rounding import differences, levelled, levelled_values, rounding
from ireval_frames.stats.sample import Array

HUGE = (1e12, 1e14, 1e14 + 0.5, 3e16, 1e100)
REST = [0.9] * 10 + [0.8] * 29, [0.5] * 10 + [0.6] * 29
PAIRED = ("t", "sign", "wilcoxon", "randomization", "bootstrap", "maxt", "randomized-tukey")
APART = ("mann-whitney", "brunner-munzel")


def frame(*columns: Array | list[float]) -> pl.DataFrame:
    named = dict(zip("abcd", columns, strict=False))
    return pl.DataFrame({"query_id": range(len(columns[0])), **named})


def p_values(tests: tuple[str, ...], *columns: Array | list[float], tolerance: float | None = None) -> dict[str, float]:
    actual = ir.compare(frame(*columns), test=tests, n_resamples=2000, tolerance=tolerance).table()
    return dict(actual.filter(baseline="a", system="b").select("test", "p_value").iter_rows())


@pytest.mark.parametrize("huge", HUGE)
def test_one_huge_value_hides_no_other(huge: float) -> None:
    a, b = ([huge, *rest] for rest in REST)
    table = (
        ir.compare(frame(a, b, [0.0, *REST[0]]), test=PAIRED, n_resamples=2000).table().filter(baseline="a", system="b")
    )
    assert set(table["status"]) == {"ok"}
    assert table.select("wins", "ties", "losses").unique().row(0) == (0, 1, 39)
    np.testing.assert_allclose(table["difference"], -0.245, rtol=1e-12)
    assert (table.filter(pl.col("test") != "randomized-tukey")["p_value"] < 1e-2).all()
    small = ir.compare(frame(*([1.0, *rest] for rest in REST)), test=PAIRED[:3], n_resamples=2000).table()
    assert table["p_value"][:3].to_list() == pytest.approx(small["p_value"].to_list(), rel=1e-9)
    apart = p_values(APART, [huge, *REST[0]], [huge, *REST[1]])
    assert apart == pytest.approx(p_values(APART, [1.0, *REST[0]], [1.0, *REST[1]]), rel=1e-9)
    rules = "no significant loss; drop <= 0.1; units value worst <= 0 by 0.1; same within 0.05; non-inferior within 0.1"
    both = [pl.DataFrame({"query_id": range(40), "value": x}) for x in (a, b)]
    assert set(ir.gate(*both, rules).table()["verdict"]) == {"fail"}


def test_a_huge_difference_leaves_the_signs_of_the_others() -> None:
    for d in ([1e14 + 0.5, *np.arange(1, 9) / 8], [1e15, 1, 1, 2, 3, 1, 2]):
        base = [0.0] * len(d)
        signs = np.array(list(itertools.product((1, -1), repeat=len(d))))
        # By hand: the huge one outweighs the rest, so its sign must stay and the others may not lose.
        retained = signs[:, 0] * np.sign(d[0]) > 0
        rest = (signs[retained][:, 1:] * np.array(d[1:])).sum(axis=1) >= sum(d[1:]) - 1e-9
        assert p_values(("randomization",), base, d)["randomization"] == 2 * rest.sum() / len(signs)


def test_whole_numbers_are_exact() -> None:
    base = 1.7e15 + 1000.0 * np.arange(12)
    for step in (1.0, 1000.0):
        d = step * np.array([1, 2, 3, -1, 4, 5, 6, -2, 7, 8, 9, 10])
        actual = p_values(("wilcoxon", "sign", "t"), base, base + d)
        assert actual["wilcoxon"] == pytest.approx(scipy.stats.wilcoxon(d / step, method="auto").pvalue, rel=0.05)
        assert actual["sign"] == pytest.approx(scipy.stats.binomtest(10, 12).pvalue)
        assert actual["t"] == pytest.approx(scipy.stats.ttest_1samp(d, 0).pvalue)
        u = scipy.stats.mannwhitneyu(base + 20 * d, base, method="exact").pvalue
        assert p_values(("mann-whitney",), base, base + 20 * d)["mann-whitney"] == pytest.approx(u)
    assert (np.abs(differences(base[None], base[None] + 1.0)) == 1).all()


def test_rounding_itself() -> None:
    d = differences(np.array([[0.2, 0.1, 0.7, 1e14, 0.0]]), np.array([[0.3, 0.2, 0.7 + 1e-16, 1e14 + 0.02, -0.0]]))[0]
    assert d[0] == d[1] != 0
    assert (d[2:] == 0).all()
    assert rounding(np.array([2.0**53]), np.array([2.0**53 + 2]))[0] > 2
    assert (differences(np.array([[0.1, 0.2, 0.3]]), np.array([[0.2, 0.4, 0.1]]), tolerance=0.1) != 0).tolist() == [
        [False, True, True]
    ]
    # What is known badly goes to the nearer neighbour, and does not make these one.
    joined = levelled(np.array([[1.0, 1.4, 2.0, np.nan]]), np.array([[1e-14, 1.0, 1e-14, 1.0]]))
    np.testing.assert_array_equal(joined, [[1.0, 1.0, 2.0, np.nan]])
    assert len(set(levelled_values(np.array([[0.1 + 0.2, 0.3, 0.6 / 2, 1e15, 1e15 + 1]]))[0].tolist())) == 3


def test_tolerance_is_of_signs_and_signed_ranks_too() -> None:
    rng = np.random.default_rng(3)
    a = np.round(rng.random(30), 2)
    d = np.round(rng.normal(0.05, 0.1, 30), 2)
    shifted = np.where(np.abs(d) <= 0.05, 0.0, d)
    table = ir.compare(frame(a, a + d), test=["sign", "wilcoxon"], tolerance=0.05).table()
    plain = ir.compare(frame(a, a + shifted), test=["sign", "wilcoxon"]).table()
    for column in ("wins", "ties", "losses", "statistic", "p_value", "effect"):
        assert table[column].to_list() == plain[column].to_list(), column
    assert table["statistic"][0] == table["wins"][0]
    # 0.8 − 0.7 is not more than 0.1.
    assert ir.compare(frame([0.7, 0.3], [0.8, 0.4]), tolerance=0.1).table()["ties"][0] == 2


def test_constant_groups_are_judged_by_their_own_values() -> None:
    a, b = [0.5, 0.5, 0.5, np.nan], [0.25, 0.5, 0.75, np.nan]
    for test in ("welch", "student", "permutation", "tukey-kramer", "games-howell"):
        actual = ir.compare(frame(a, b, [1e16, 1e16, 1e16, 1e16]), test=test, missing="intersect").table()
        assert actual.filter(baseline="a", system="b")["status"].to_list() == ["ok"], test


def test_divisions_of_huge_whole_numbers_and_decimals_are_exact() -> None:
    for huge, rest in ((5e15, [5, 8, 4, 7, 5, 4, 0, 6]), (1e14, [0.8, 0.3, 0.2, 0.3, 0.4, 0, 0.5, 0.6])):
        tenths = [round(10 * x) for x in (huge, *rest[:4], huge, *rest[4:])]
        total = sum(tenths)
        observed = abs(total - 2 * sum(tenths[:5]))
        reached = [abs(total - 2 * sum(c)) >= observed for c in itertools.combinations(tenths, 5)]
        actual = p_values(("permutation",), [huge, *rest[:4]], [huge, *rest[4:]])
        assert actual["permutation"] == sum(reached) / len(reached)
