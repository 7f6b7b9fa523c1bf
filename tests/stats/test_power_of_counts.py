"""Power of the sign test, Wilcoxon's and McNemar's: by enumeration, and by running the tests on drawn values."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.power.counts import binomial_power, binomial_sample_size, mcnemar_power, mcnemar_sample_size
from ireval_frames.stats.power.ranks import positive_share, rank_power, rank_sample_size
from ireval_frames.stats.proportions.mcnemar import mcnemar
from ireval_frames.stats.ranks.sign import binomial_p, sign
from ireval_frames.stats.ranks.wilcoxon import wilcoxon
from ireval_frames.stats.sample import ALTERNATIVES, Alternative, Array, Options, Sample


def test_power_of_counts_by_enumeration() -> None:
    for n, share, alpha in itertools.product((1, 2, 5, 6, 7, 20, 131), (0.0, 0.3, 0.5, 0.77, 1.0), (0.01, 0.05, 0.2)):
        k = np.arange(n + 1)
        for alternative in ALTERNATIVES:
            rejects = binomial_p(k.astype(float), (n - k).astype(float), alternative) <= alpha
            expected = scipy.stats.binom.pmf(k, n, share)[rejects].sum()
            assert binomial_power(share, np.array([n]), alpha, alternative)[0] == pytest.approx(expected, abs=1e-9)


def test_power_of_mcnemar_by_enumeration() -> None:
    for n, better, worse in ((1, 0.5, 0.2), (6, 1.0, 0.0), (23, 0.4, 0.05), (40, 0.3, 0.3), (155, 0.15, 0.05)):
        total = 0.0
        for b in range(n + 1):
            c = np.arange(n - b + 1)
            p = binomial_p(np.full(len(c), float(b)), c.astype(float), "two-sided")
            cells = np.stack([np.full(len(c), b), c, n - b - c], axis=1)
            total += scipy.stats.multinomial.pmf(cells, n, [better, worse, 1 - better - worse])[p <= 0.05].sum()
        assert mcnemar_power(better - worse, better + worse, n) == pytest.approx(total, abs=1e-7)


def drawn(distribution: str, size: tuple[int, int]) -> Array:
    rng = np.random.default_rng(11)
    if distribution == "normal":
        return rng.normal(size=size)
    if distribution == "laplace":
        return rng.laplace(0.0, 1 / math.sqrt(2), size)
    if distribution == "lowest":
        return math.sqrt(5) * (2 * rng.beta(2, 2, size) - 1)
    return rng.uniform(-math.sqrt(3), math.sqrt(3), size)


@pytest.mark.parametrize("test, distribution, difference, n, alternative", [
    ("wilcoxon", "normal", 1.2, 8, "two-sided"),
    ("wilcoxon", "laplace", -0.5, 24, "less"),
    ("wilcoxon", "uniform", 0.35, 61, "two-sided"),
    ("wilcoxon", "lowest", 0.3, 80, "greater"),
    ("wilcoxon", "laplace", 0.3, 110, "two-sided"),
    ("sign", "laplace", 0.5, 17, "two-sided"),
    ("sign", "normal", -0.6, 30, "less"),
])  # fmt: skip
def test_power_is_how_often_the_test_rejects(
    test: str, distribution: str, difference: float, n: int, alternative: Alternative
) -> None:
    runs = 1500
    d = drawn(distribution, (n, runs)) + difference
    values = np.stack([np.zeros_like(d), d], axis=2).reshape(n, -1)
    run = {"wilcoxon": wilcoxon, "sign": sign}[test]
    actual = run(Sample(values, np.arange(2 * runs).reshape(-1, 2)), Options(alternative))
    # Three standard errors of a share of 1,500.
    power = rank_power(test, difference, n, alternative=alternative, distribution=distribution)
    assert np.mean(actual.p_value <= 0.05) == pytest.approx(power, abs=0.039)


def test_mcnemar_is_planned_as_it_is_run() -> None:
    n = mcnemar_sample_size(0.2, 0.08)
    kinds = np.random.default_rng(1).choice([-1, 0, 1], p=[0.08, 0.72, 0.2], size=(n, 2000))
    values = np.stack([kinds < 0, kinds > 0], axis=2).reshape(n, -1).astype(float)
    actual = mcnemar(Sample(values, np.arange(4000).reshape(-1, 2)), Options())
    assert np.mean(actual.p_value <= 0.05) == pytest.approx(0.8, abs=0.03)


def test_no_plan_is_smaller_than_the_test_can_reject_with() -> None:
    for alpha, difference in itertools.product((0.001, 0.05, 0.3), (0.3, 1.0, 5.0, 1e4)):
        least = next(n for n in range(1, 50) if 2 * 0.5**n <= alpha)
        for test in ("sign", "wilcoxon"):
            for distribution in ("normal", "uniform", "laplace", "lowest"):
                if test == "wilcoxon" and (difference < 1.0 or distribution in ("uniform", "laplace")):
                    continue
                n = rank_sample_size(test, difference, alpha=alpha, distribution=distribution)
                assert n >= max(least, 2)
                if n > 2:
                    assert rank_power(test, difference, least - 1, alpha, distribution=distribution) == 0
    for share in (0.6, 0.75, 0.97):
        for power in (0.5, 0.8, 0.99):
            n = binomial_sample_size(share, power)
            powers = binomial_power(share, np.arange(1, 3 * n), 0.05)
            assert n == int(np.flatnonzero(powers < power)[-1]) + 2
    # Power that is hardly more than the level is lost again many units later.
    for test, alpha, power, difference in (("sign", 0.3, 0.3, 0.1), ("wilcoxon", 0.5, 0.5, 0.1)):
        n = rank_sample_size(test, difference, power, alpha)
        later = [rank_power(test, difference, m, alpha) for m in range(n - 1, n + 12)]
        assert later[0] < power <= min(later[1:])
    n = mcnemar_sample_size(0.51, 0.49, 0.1, 0.1)
    assert min(mcnemar_power(0.02, 1.0, m, 0.1) for m in range(n, n + 8)) >= 0.1
    for test in ("t", "sign", "wilcoxon"):
        with pytest.raises(InvalidParameter, match=r"difference is 0\.3, and the test looks for one below 0") as error:
            ir.comparison.sample_size(difference=0.3, deviation=0.2, test=test, alternative="less")
        assert error.value.hint == "Write difference=-0.3."
    below = ir.comparison.power(difference=1.0, deviation=0.2, test="sign", n=[5, 6])
    assert below["power"].round(5).to_list() == [0.0, 1.0]
    none = ir.comparison.detectable_difference(deviation=0.2, test="wilcoxon", n=5)
    assert none.select("difference", "status").rows() == [(None, "impossible")]


def test_the_least_share_is_gausss() -> None:
    """No symmetric distribution with one peak has a smaller share: mixtures of uniform ones about the mean."""
    for difference in (0.2, 0.9, 1.2, 2.5):
        least = positive_share(difference, "lowest")
        assert least <= min(positive_share(difference, d) for d in ("normal", "uniform", "laplace"))
        actual = 1.0
        for width in np.linspace(math.sqrt(3), 12, 4000):
            # A uniform one of this half width with the weight that makes the variance 1, all else at the mean.
            weight = 3 / width**2
            actual = min(actual, 1 - weight * max(0.0, (width - difference) / (2 * width)))
        assert least == pytest.approx(actual, abs=1e-5)
    assert positive_share(-0.9, "lowest") == pytest.approx(1 - positive_share(0.9, "lowest"))


def test_of_very_many_counts_power_is_the_normal_one() -> None:
    for n in (10**6, 10**11):
        share = 0.5 + 1.4 / math.sqrt(n)
        expected = scipy.stats.norm.sf(1.959963985 - 2.8)
        assert binomial_power(share, np.array([n]))[0] == pytest.approx(expected, abs=5 / math.sqrt(n) + 1e-5)
        assert mcnemar_power(2.8 / math.sqrt(2 * n), 0.5, n) == pytest.approx(expected, abs=5 / math.sqrt(n) + 1e-4)
        k = n // 2 - math.isqrt(n)
        expected = 2 * scipy.stats.norm.sf(2.0)
        assert binomial_p(np.array([k]), np.array([n - k]), "two-sided")[0] == pytest.approx(
            expected, abs=1 / math.sqrt(n)
        )
    actual = ir.comparison.sample_size(difference=1e-4, deviation=np.float32(1.0), test="sign")["n"][0]
    z = scipy.stats.norm.ppf([0.975, 0.8]).sum()
    assert actual == pytest.approx(z**2 / (4 * (1e-4 / math.sqrt(2 * math.pi)) ** 2), rel=1e-4)
    assert ir.comparison.power(difference=0.1, deviation=0.2, n=np.int64(30)).equals(
        ir.comparison.power(difference=0.1, deviation=0.2, n=30)
    )
