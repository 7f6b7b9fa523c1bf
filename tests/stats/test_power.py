"""Sample sizes of the literature, and power by SciPy's distributions and by simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats

from ireval_frames.errors import InvalidParameter, UnknownName
from ireval_frames.stats.power import t_tests as power
from ireval_frames.stats.power.counts import mcnemar_sample_size
from ireval_frames.stats.power.ranks import rank_sample_size
from ireval_frames.stats.sample import Alternative


@pytest.mark.parametrize(
    "actual, expected",
    [
        (power.t_sample_size(0.2), 199),
        (power.t_sample_size(0.5), 34),
        (power.t_sample_size(-0.5), 34),
        (power.t_sample_size(0.2, power=0.9), 265),
        (power.anova_sample_size(0.5, 10), 127),
        (power.anova_sample_size(0.5, 2), 64),
        (power.width_sample_size(0.5), 64),
        (power.width_sample_size(0.2), 387),
    ],
)
def test_published_sizes(actual: int, expected: int) -> None:
    assert actual == expected


@pytest.mark.parametrize("p, expected", [(0.05, 0.504), (0.01, 0.748), (0.2, 0.247)])
def test_power_of_what_was_observed_is_its_p_value(p: float, expected: float) -> None:
    t = scipy.stats.t.isf(p / 2, 49)
    assert power.t_power(t / 50**0.5, 50) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_power_of_t_is_scipys(alternative: Alternative) -> None:
    for difference in (-0.3, 0.0, 0.3, 1.5):
        for n in (2, 20, 300):
            law = scipy.stats.nct(n - 1, difference * n**0.5)
            critical = scipy.stats.t.isf(0.025 if alternative == "two-sided" else 0.05, n - 1)
            upper, lower = law.sf(critical), law.cdf(-critical)
            # SciPy gives NaN far below.
            upper, lower = np.nan_to_num([upper, lower])
            expected = {"two-sided": upper + lower, "greater": upper, "less": lower}[alternative]
            assert power.t_power(difference, n, alternative=alternative) == pytest.approx(expected, abs=1e-9)
    assert power.t_power(0.0, 20, alternative=alternative) == pytest.approx(0.05)


@pytest.mark.parametrize("paired", [0, 1])
def test_power_of_anova_is_scipys(paired: int) -> None:
    df = (4, (5 - paired) * 39)
    critical = scipy.stats.f.isf(0.05, *df)
    expected = scipy.stats.ncf.sf(critical, *df, 40 * 0.6**2 / 2)
    assert power.anova_power(0.6, 5, 40, paired=bool(paired)) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(
    "size, reached",
    [
        (lambda: power.t_sample_size(0.31, 0.85, 0.01), lambda n: power.t_power(0.31, n, 0.01) >= 0.85),
        (
            lambda: power.t_sample_size(-0.31, 0.85, 0.01, "less"),
            lambda n: power.t_power(-0.31, n, 0.01, "less") >= 0.85,
        ),
        (lambda: power.anova_sample_size(0.31, 4), lambda n: power.anova_power(0.31, 4, n) >= 0.8),
    ],
)
def test_sizes_are_the_smallest(size: Callable[[], int], reached: Callable[[int], bool]) -> None:
    n = size()
    assert reached(n)
    assert not reached(n - 1)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_detectable_difference_has_the_power(alternative: Alternative) -> None:
    sign = -1 if alternative == "less" else 1
    actual = sign * power.t_detectable(17, 0.9, 0.01, alternative)
    assert power.t_power(actual, 17, 0.01, alternative) == pytest.approx(0.9, abs=1e-10)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: power.t_power(0.5, 1), "n is 1"),
        (lambda: power.t_power(0.5, 10, alpha=0), "alpha is 0"),
        (lambda: power.t_sample_size(0.5, power=1), "power is 1"),
        (lambda: power.t_sample_size(0), "difference is 0"),
        (lambda: power.t_sample_size(0.5, alternative="less"), "difference is 0.5"),
        (lambda: power.t_sample_size(1e-9), "More than"),
        (lambda: power.anova_power(0.5, 1, 10), "systems is 1"),
        (lambda: power.anova_sample_size(0, 5), "spread is 0"),
        (lambda: power.width_sample_size(0), "width is 0"),
        (lambda: mcnemar_sample_size(0.1, 0.1), "no difference"),
        (lambda: mcnemar_sample_size(0.9, 0.2), "together at most 1"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        call()


def test_names_that_are_refused() -> None:
    with pytest.raises(UnknownName, match="wilcoxon"):
        rank_sample_size("wilcox", 0.5)
    with pytest.raises(UnknownName, match="normal"):
        rank_sample_size("sign", 0.5, distribution="norm")
