"""Corrected p-values: by closed testing, by hand, by SciPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from ireval_frames.errors import InvalidParameter, UnknownName
from ireval_frames.stats.corrections import CORRECTIONS, corrected
from ireval_frames.stats.sample import Array

FAMILIES = st.lists(st.sampled_from([0.0, 1e-9, 0.001, 0.01, 0.012, 0.04, 0.05, 0.3, 0.5, 1.0]), min_size=1, max_size=7)


def bonferroni(p: Array) -> float:
    return min(1.0, len(p) * min(p))


def sidak(p: Array) -> float:
    return 1.0 - (1.0 - min(p)) ** len(p)


def simes(p: Array) -> float:
    return min(len(p) * x / i for i, x in enumerate(sorted(p), 1))


def closed(p: list[float], of_a_set: object) -> list[float]:
    """A test is rejected when every set of tests with it is: the largest p-value of these sets."""
    sets = [s for k in range(1, len(p) + 1) for s in itertools.combinations(range(len(p)), k)]
    return [max(of_a_set([p[j] for j in s]) for s in sets if i in s) for i in range(len(p))]  # type: ignore[operator]


@pytest.mark.parametrize("method, of_a_set", [("holm", bonferroni), ("holm-sidak", sidak), ("hommel", simes)])
@given(p=FAMILIES)
def test_step_down_is_closed_testing(method: str, of_a_set: object, p: list[float]) -> None:
    np.testing.assert_allclose(corrected(np.array(p), method), closed(p, of_a_set), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("method", ["bh", "by"])
@given(p=FAMILIES)
def test_false_discovery_is_scipy(method: str, p: list[float]) -> None:
    np.testing.assert_allclose(corrected(np.array(p), method), scipy.stats.false_discovery_control(p, method=method))


@given(p=FAMILIES)
def test_hochberg_is_a_loop(p: list[float]) -> None:
    ordered = sorted(p)
    expected = [min(1.0, *((len(p) - j) * ordered[j] for j in range(ordered.index(x), len(p))), 1.0) for x in p]
    np.testing.assert_allclose(corrected(np.array(p), "hochberg"), expected, rtol=1e-12)


@given(p=FAMILIES)
def test_order_among_corrections(p: list[float]) -> None:
    of = {method: corrected(np.array(p), method) for method in CORRECTIONS}
    steps = ("none", "bh", "hommel", "hochberg", "holm", "bonferroni")
    for less, more in itertools.pairwise(steps):
        assert (of[less] <= of[more] * (1 + 1e-12)).all(), (less, more)
    assert (of["holm-sidak"] <= of["holm"] * (1 + 1e-12)).all()
    assert (of["sidak"] <= of["bonferroni"] * (1 + 1e-12)).all()


@pytest.mark.parametrize("method", CORRECTIONS)
def test_undefined_is_left_out_or_counts_as_one(method: str) -> None:
    p, holes = np.array([0.04, 0.01, 0.03]), np.array([np.nan, 0.04, 0.01, np.nan, 0.03])
    defined = ~np.isnan(holes)
    actual = corrected(holes, method)
    assert np.isnan(actual[~defined]).all()
    np.testing.assert_array_equal(actual[defined], corrected(p, method))
    counted = corrected(holes, method, count_undefined=True)
    assert np.isnan(counted[~defined]).all()
    np.testing.assert_allclose(counted[defined], corrected(np.append(p, [1.0, 1.0]), method)[:3])
    assert corrected(np.array([]), method).size == 0


def test_small_values_keep_their_digits() -> None:
    np.testing.assert_allclose(corrected(np.array([1e-20, 0.5]), "sidak"), [2e-20, 0.75], rtol=1e-14)


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match="Did you mean holm"):
        corrected(np.array([0.5]), "hol")
    with pytest.raises(InvalidParameter, match=r"1\.5"):
        corrected(np.array([0.5, 1.5]), "holm")
