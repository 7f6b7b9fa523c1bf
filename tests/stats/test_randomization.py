"""Fisher's sign flip: all assignments of signs one after another, and what draws must not depend on."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.resampling import draws
from ireval_frames.stats.resampling import random_signs as flips
from ireval_frames.stats.resampling.randomization import randomization
from ireval_frames.stats.sample import Array, Options, Outcome, Sample
from tests.stats.sakai import VALUES, XY, every_pair, of

ONLY_DRAWS = {"exact": 0}


def by_hand(d: list[float], alternative: str = "two-sided") -> float:
    """The share of assignments of signs, as they come."""
    complete, reached = round(sum(d), 9), 0
    for signs in itertools.product((1, -1), repeat=len(d)):
        turned = round(sum(s * x for s, x in zip(signs, d, strict=True)), 9)
        reached += {
            "two-sided": abs(turned) >= abs(complete),
            "greater": turned >= complete,
            "less": turned <= complete,
        }[alternative]
    return reached / 2 ** len(d)


def same(one: Outcome, other: Outcome) -> None:
    for name in ("p_value", "ci_low", "ci_high", "statistic"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-12, atol=1e-13, err_msg=name)


def test_sakai() -> None:
    actual = randomization(XY, Options())
    assert actual.p_value[0] == pytest.approx(0.06591796875, abs=1e-12)
    assert (actual.method[0], actual.n_resamples[0], actual.more["p_se"][0]) == ("exact", 10_000, 0)
    np.testing.assert_allclose([actual.ci_low[0], actual.ci_high[0]], [0, 0.15], atol=0.006)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("grid", [True, False])
def test_all_signs(alternative, grid) -> None:
    rng = np.random.default_rng(3)
    for n in (2, 5, 11):
        d = rng.integers(-3, 4, n) / 10 if grid else rng.normal(0.4, 1, n)
        base = rng.integers(0, 9, n) / 10
        actual = randomization(of(base, base + d), Options(alternative=alternative)).p_value[0]
        assert actual == pytest.approx(by_hand(d.tolist(), alternative), abs=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_three_ways_agree(alternative) -> None:
    rng = np.random.default_rng(4)
    d = rng.integers(-6, 9, 30) / 20
    d[d == 0] = 0.05
    # A grid, halves (as one difference is on none), and draws.
    off = d + np.r_[1e-9 * np.sqrt(2), np.zeros(29)]
    grid, halves, drawn = (
        randomization(of(np.zeros(30), x), Options(alternative=alternative, n_resamples=40_000, more=more))
        for x, more in ((d, {"exact": 5}), (off, {}), (d, ONLY_DRAWS))
    )
    assert [x.method[0] for x in (grid, halves, drawn)] == ["exact", "exact", "monte carlo"]
    p = grid.p_value[0]
    # Sums that differ by 1e-9 are no longer one: p moves by some of those that were tied with the data's.
    assert halves.p_value[0] == pytest.approx(p, abs=0.02)
    assert abs(drawn.p_value[0] - p) < 4 * np.sqrt(p * (1 - p) / 40_000)
    assert drawn.more["p_se"][0] == pytest.approx(np.sqrt(p * (1 - p) / 40_000), rel=0.1)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_interval_holds_what_is_not_rejected(alternative) -> None:
    rng = np.random.default_rng(5)
    d = rng.normal(0.2, 1, 10)
    actual = randomization(of(np.zeros(10), d), Options(alternative=alternative, confidence=0.9))
    for end, inwards in ((actual.ci_low[0], 1e-6), (actual.ci_high[0], -1e-6)):
        if np.isfinite(end):
            assert by_hand((d - end - inwards).tolist(), alternative) > 0.1
            assert by_hand((d - end + inwards).tolist(), alternative) <= 0.1
    assert (
        np.isfinite([actual.ci_low[0], actual.ci_high[0]]).tolist()
        == {
            "two-sided": [True, True],
            "greater": [True, False],
            "less": [False, True],
        }[alternative]
    )


def gaps(values: Array) -> Array:
    values = values.copy()
    values[[3, 7, 7], [0, 1, 2]] = np.nan
    return values


@pytest.mark.parametrize("change", [lambda x: x, gaps])
def test_draws_depend_on_nothing_but_the_seed(monkeypatch, change) -> None:
    values = change(np.random.default_rng(6).random((70, 5)))
    pairs = every_pair(5)
    options = Options(n_resamples=2500, seed=9, threads=1, more=ONLY_DRAWS)
    first = randomization(Sample(values, pairs), options)
    assert set(first.method) == {"monte carlo"}
    more = Options(n_resamples=2500, seed=9, threads=3, more=ONLY_DRAWS)
    same(first, randomization(Sample(values, pairs), more))
    turned = randomization(Sample(values, pairs[::-1, ::-1].copy()), more)
    np.testing.assert_allclose(turned.p_value[::-1], first.p_value, atol=1e-13)
    np.testing.assert_allclose(-turned.ci_high[::-1], first.ci_low, atol=1e-12)
    same(first, randomization(Sample(values + 7.0, pairs), more))
    monkeypatch.setattr(draws, "CELLS", 1000)
    monkeypatch.setattr(flips, "CELLS", 9000)
    same(first, randomization(Sample(values, pairs), more))
    other = randomization(Sample(values, pairs), Options(n_resamples=2500, seed=10, more=ONLY_DRAWS))
    assert not np.array_equal(other.p_value, first.p_value)


def test_missing_units_are_as_if_they_were_not_there() -> None:
    values = np.random.default_rng(7).random((12, 3))
    values[2, 0] = values[5, 1] = np.nan
    actual = randomization(Sample(values, every_pair(3)), Options())
    for i, (one, other) in enumerate(every_pair(3)):
        both = ~np.isnan(values[:, [one, other]]).any(axis=1)
        alone = randomization(of(values[both, one], values[both, other]), Options())
        np.testing.assert_allclose(actual.p_value[i], alone.p_value[0], atol=1e-12)


def test_special_pairs() -> None:
    x = np.random.default_rng(8).random(200)
    lone = np.full(200, np.nan)
    lone[4] = 0.5
    none = np.full(200, np.nan)
    values = np.column_stack([x, x, x + 0.05, lone, none])
    actual = randomization(Sample(values, np.array([[0, 1], [0, 2], [0, 3], [0, 4]])), Options(n_resamples=1000))
    assert actual.status.tolist() == ["identical", "constant_shift", "one_unit", "no_units"]
    np.testing.assert_allclose(actual.p_value, [1, 2.0**-199, np.nan, np.nan])
    np.testing.assert_allclose(actual.ci_low, [0, 0.05, np.nan, np.nan])


def test_wrong_options() -> None:
    for wrong in ({"seed": -1}, {"seed": "x"}, {"seed": True}, {"n_resamples": 0}, {"threads": 0}, {"seed": 1.5}):
        with pytest.raises(InvalidParameter, match="it must be a whole number"):
            randomization(Sample(VALUES, every_pair(3)), Options(**wrong))
