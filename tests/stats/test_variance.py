"""Analysis of variance against sums over cells, one after another, and against t, Welch's F and one-way F."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from ireval_frames.errors import NotDefined
from ireval_frames.stats.means.anova import anova
from ireval_frames.stats.means.student import paired_t
from ireval_frames.stats.means.variance_components import analysis_of_variance, sphericity
from ireval_frames.stats.sample import Options, Sample
from tests.stats.sakai import VALUES, every_pair


def test_sakai() -> None:
    table = analysis_of_variance(VALUES)
    squares = [table[term].sum_of_squares for term in ("system", "unit", "residual")]
    np.testing.assert_allclose(squares, [0.1083, 1.0293, 0.8317], atol=5e-5)
    np.testing.assert_allclose([t.mean_square for t in table.terms[:3]], [0.0542, 0.0542, 0.0219], atol=5e-5)
    np.testing.assert_allclose([t.statistic for t in table.terms[:2]], [2.475, 2.475], atol=5e-4)
    np.testing.assert_allclose([t.p_value for t in table.terms[:2]], [0.098, 0.009], atol=5e-4)
    assert table.margin_of_error() == pytest.approx(0.0670, abs=5e-5)
    assert table["total"].sum_of_squares == pytest.approx(sum(squares))


def by_cells(x):
    """Sums of squares of all terms from means over the other factors, by inclusion and exclusion."""
    names = ("unit", "system", "replicate")
    out = {}
    for size in (1, 2, 3):
        for term in itertools.combinations(range(3), size):
            total = 0.0
            for cell in np.ndindex(x.shape):
                effect = 0.0
                for k in range(size + 1):
                    for retained in itertools.combinations(term, k):
                        at = tuple(cell[a] if a in retained else slice(None) for a in range(3))
                        effect += (-1) ** (size - k) * x[at].mean()
                total += effect**2
            out[frozenset(names[a] for a in term)] = total
    return out


def test_replicates_by_cells() -> None:
    x = np.random.default_rng(1).random((4, 3, 5)) + np.arange(3)[:, None] / 4
    table, cells = analysis_of_variance(x), by_cells(x)
    for row in table.terms[:-2]:
        assert row.sum_of_squares == pytest.approx(cells[frozenset(row.term.split(":"))])
        f = row.mean_square / table["residual"].mean_square
        assert row.p_value == pytest.approx(stats.f.sf(f, row.df, 24))
    assert table["residual"].sum_of_squares == pytest.approx(cells[frozenset(("unit", "system", "replicate"))])
    assert sum(row.df for row in table.terms[:-1]) == table["total"].df == 59
    # The same values in every replicate leave nothing to interactions with it.
    same = analysis_of_variance(np.repeat(x[:, :, :1], 5, axis=2) + np.arange(5))
    assert same["unit:replicate"].sum_of_squares == pytest.approx(0)
    assert same.status == "undefined"
    assert same["system"].sum_of_squares == pytest.approx(5 * analysis_of_variance(x[:, :, 0])["system"].sum_of_squares)


def test_components_are_those_of_the_model() -> None:
    rng = np.random.default_rng(2)
    shape = (120, 100, 3)
    parts = {"unit": (0,), "system": (1,), "unit:system": (0, 1), "unit:replicate": (0, 2), "residual": (0, 1, 2)}
    sd = {"unit": 1.0, "system": 0.7, "unit:system": 0.5, "unit:replicate": 0.4, "residual": 0.3}
    x = np.zeros(shape)
    for term, axes in parts.items():
        x += rng.normal(0, sd[term], [shape[a] if a in axes else 1 for a in range(3)])
    table = analysis_of_variance(x)
    for term, value in sd.items():
        assert table[term].variance == pytest.approx(value**2, rel=0.4)
    assert table["replicate"].variance < 0.01


def test_two_systems_are_t() -> None:
    two = VALUES[:, :2]
    table = analysis_of_variance(two)
    t = stats.ttest_rel(two[:, 0], two[:, 1])
    assert table["system"].statistic == pytest.approx(t.statistic**2)
    assert table["system"].p_value == pytest.approx(t.pvalue)
    assert (table.epsilon_gg, table.epsilon_hf) == pytest.approx((1, 1))
    sample = Sample(two, every_pair(2))
    for alternative in ("two-sided", "greater", "less"):
        options = Options(alternative=alternative)
        one, other = anova(sample, options), paired_t(sample, options)
        for name in ("statistic", "p_value", "df", "ci_low", "ci_high"):
            np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-12)


def test_spheres() -> None:
    rng = np.random.default_rng(3)
    x = rng.random((12, 4)) * [1, 1, 1, 5]
    covariance = np.cov(x.T)
    m, overall = 4, covariance.mean()
    # Greenhouse and Geisser's formula as textbooks write it.
    above = (m * (np.diag(covariance).mean() - overall)) ** 2
    rows = covariance.mean(axis=1)
    below = (m - 1) * ((covariance**2).sum() - 2 * m * (rows**2).sum() + m**2 * overall**2)
    gg, hf = sphericity(x)
    assert gg == pytest.approx(above / below)
    assert hf == pytest.approx((12 * 3 * gg - 2) / (3 * (11 - 3 * gg)))
    table = analysis_of_variance(x)
    assert table.p_value_gg == pytest.approx(stats.f.sf(table["system"].statistic, 3 * gg, 33 * gg))
    assert sphericity(rng.random((5000, 4)))[0] > 0.99


def test_generalising() -> None:
    table = analysis_of_variance(VALUES)
    v = {term: table[term].mean_square for term in ("system", "unit", "residual")}
    system, unit = (v["system"] - v["residual"]) / 20, (v["unit"] - v["residual"]) / 3
    assert table.generalizability() == pytest.approx(1 - v["residual"] / v["system"])
    assert table.generalizability(100) == pytest.approx(system / (system + v["residual"] / 100))
    assert table.dependability(100) == pytest.approx(system / (system + (unit + v["residual"]) / 100))


def test_gaps_and_nothing_to_compare() -> None:
    gaps = VALUES.copy()
    gaps[3, 1] = np.nan
    assert analysis_of_variance(gaps).terms == analysis_of_variance(np.delete(VALUES, 3, axis=0)).terms
    for few in (VALUES[:1], VALUES[:, :1], np.full((3, 2), np.nan)):
        with pytest.raises(NotDefined, match="nothing to compare"):
            analysis_of_variance(few)
    flat = analysis_of_variance(np.arange(5.0)[:, None] + np.arange(3))
    assert (flat.status, flat["residual"].sum_of_squares) == ("undefined", 0)
    assert np.isnan(flat["system"].p_value)
