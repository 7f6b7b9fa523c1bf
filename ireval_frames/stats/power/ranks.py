"""Power and sample sizes of Wilcoxon's and the sign test, for differences of a known distribution."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.stats.distributions.gauss_legendre import points
from ireval_frames.stats.power.counts import binomial_power, binomial_sample_size
from ireval_frames.stats.power.t_tests import check_level, fewest, settled
from ireval_frames.stats.ranks.signed_ranks import lower_order
from ireval_frames.stats.sample import Alternative, Array

TESTS = ("wilcoxon", "sign")
# Up to this number of units signed ranks are simulated, with this number of samples; beyond it sums are normal.
MAX_SIMULATED, SAMPLES = 60, 10_000
ROOT3, ROOT5 = math.sqrt(3.0), math.sqrt(5.0)


@dataclass(frozen=True)
class Distribution:
    """A symmetric distribution of mean 0 and standard deviation 1.

    Attributes:
        below: P(D ≤ x).
        density: of x.
        quantile: of a probability.
        ends: beyond which there is nothing, or next to nothing.
    """

    below: Callable[[Array], Array]
    density: Callable[[Array], Array]
    quantile: Callable[[Array], Array]
    end: float


def _laplace_below(x: Array) -> Array:
    tail = 0.5 * np.exp(-math.sqrt(2.0) * np.abs(x))
    return np.where(x < 0, tail, 1.0 - tail)


def _parabola_below(x: Array) -> Array:
    y = np.clip(x / ROOT5, -1.0, 1.0)
    return 0.5 + 0.25 * (3.0 * y - y**3)


DISTRIBUTIONS: Mapping[str, Distribution] = {
    "normal": Distribution(
        lambda x: np.asarray(special.ndtr(x)),
        lambda x: np.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi),
        lambda u: np.asarray(special.ndtri(u)),
        9.0,
    ),
    "uniform": Distribution(
        lambda x: np.clip(0.5 + x / (2.0 * ROOT3), 0.0, 1.0),
        lambda x: np.full_like(x, 1.0 / (2.0 * ROOT3)),
        lambda u: ROOT3 * (2.0 * u - 1.0),
        ROOT3,
    ),
    "laplace": Distribution(
        _laplace_below,
        lambda x: np.exp(-math.sqrt(2.0) * np.abs(x)) / math.sqrt(2.0),
        lambda u: np.sign(u - 0.5) * -np.log(2.0 * np.minimum(u, 1.0 - u)) / math.sqrt(2.0),
        26.0,
    ),
    "lowest": Distribution(
        _parabola_below,
        lambda x: 3.0 / (20.0 * ROOT5) * (5.0 - x * x),
        lambda u: 2.0 * ROOT5 * np.sin(np.arcsin(2.0 * u - 1.0) / 3.0),
        ROOT5,
    ),
}


def rank_power(
    test: str,
    difference: float,
    n: int,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    distribution: str = "normal",
) -> float:
    """Power of Wilcoxon's or the sign test as they are run, with the bounds of their exact distributions.

    Of the sign test exactly, P(D > 0) being the share of positive differences.  Of Wilcoxon's by 10,000 seeded samples
    up to 60 units (standard error at most 0.005), and by the normal distribution with the exact mean and variance of
    the sum of ranks beyond.

    Args:
        test: "wilcoxon" or "sign".
        difference: the mean difference over the standard deviation of the differences.
        n: number of units, at least 2.
        alpha: significance level.
        alternative: of the test; "greater" finds a positive difference.
        distribution: of the differences: normal, uniform, laplace, or lowest: of those that are symmetric with one peak
            the least favourable, for the sign test by Gauss's inequality, for Wilcoxon's that of the least efficiency
            (a parabola).

    Returns:
        From 0 to 1; 0 where n is too small to reject at all.

    Raises:
        UnknownName: there is no such test or distribution.
        InvalidParameter: an argument is out of range.

    Source: Lehmann, Nonparametrics, 1975; Hodges and Lehmann, Annals of Mathematical Statistics 1956.

    Example:
        >>> rank_power("sign", 5.0, 5), round(rank_power("sign", 5.0, 6), 4)
        (0.0, 1.0)
        >>> round(rank_power("wilcoxon", 0.5, 40), 2)
        0.86
    """
    check_level(alpha=alpha)
    _named(test, distribution)
    if test == "sign":
        return float(binomial_power(positive_share(difference, distribution), np.array([n]), alpha, alternative)[0])
    toward = -difference if alternative == "less" else difference
    two_sided = alternative == "two-sided"
    # Sums below k reject, and on the other side as many.
    k = lower_order(n, alpha / 2.0 if two_sided else alpha)
    if k <= 0:
        return 0.0
    top = n * (n + 1) // 2
    if n <= MAX_SIMULATED:
        total = _sums(distribution, n, toward)
        rejected = total > top - k
        return float(np.mean(rejected | (total < k) if two_sided else rejected))
    mean, deviation = _moments(n, toward, distribution)
    if not deviation > 0:
        return float(mean > top - k)
    above = special.ndtr((mean - (top - k) - 0.5) / deviation)
    below = special.ndtr((k - 0.5 - mean) / deviation) if two_sided else 0.0
    return min(float(above + below), 1.0)


def rank_sample_size(
    test: str,
    difference: float,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    distribution: str = "normal",
) -> int:
    """Units from which on Wilcoxon's or the sign test has this power; arguments as of `rank_power`.

    Never fewer than the test can reject with at all: at α = 0.05 six.

    Raises:
        UnknownName: there is no such test or distribution.
        InvalidParameter: an argument is out of range.

    Source: as `rank_power`.

    Example:
        >>> rank_sample_size("wilcoxon", 0.5), rank_sample_size("sign", 0.5), rank_sample_size("sign", 5.0)
        (36, 61, 6)
    """
    check_level(alpha=alpha, power=power)
    _named(test, distribution)
    toward = -difference if alternative == "less" else difference
    if not (abs(difference) if alternative == "two-sided" else toward) > 0:
        raise InvalidParameter(f"difference is {difference!r}, which no number of units finds.", "Write another one.")
    if test == "sign":
        return binomial_sample_size(positive_share(difference, distribution), power, alpha, alternative)
    enough: Callable[[int], bool] = (  # noqa: E731
        lambda n: rank_power(test, difference, n, alpha, alternative, distribution) >= power
    )
    return settled(enough, fewest(enough, 2), 12)


def positive_share(difference: float, distribution: str = "normal") -> float:
    """P(D > 0) of differences of this mean and standard deviation 1; of "lowest" the least that it can be.

    Source: Gauss 1823, for the least: P(|D − μ| ≥ k) ≤ 4 / (9 k²), and 1 − k / √3 for k below 2 / √3.

    Example:
        >>> round(positive_share(0.5), 4), round(positive_share(0.5, "lowest"), 4)
        (0.6915, 0.6443)
    """
    if distribution != "lowest":
        return float(DISTRIBUTIONS[distribution].below(np.array([difference]))[0])
    size = abs(difference)
    share = 0.5 + size / (2.0 * ROOT3) if size < 2.0 / ROOT3 else 1.0 - 2.0 / (9.0 * size**2)
    return share if difference > 0 else 1.0 - share


def _named(test: str, distribution: str) -> None:
    if test not in TESTS:
        raise UnknownName(f"test is {test!r}.", nearest(test, TESTS))
    if distribution not in DISTRIBUTIONS:
        raise UnknownName(f"distribution is {distribution!r}.", nearest(distribution, DISTRIBUTIONS))


@lru_cache(maxsize=8)
def _standard(distribution: str) -> Array:
    """Samples of standard differences, samples × units; the same in every run."""
    u = np.random.default_rng(0).random((SAMPLES, MAX_SIMULATED))
    return DISTRIBUTIONS[distribution].quantile(u)


def _sums(distribution: str, n: int, difference: float) -> Array:
    """The sum of the ranks of positive differences in each sample."""
    d = _standard(distribution)[:, :n] + difference
    order = np.argsort(np.abs(d), axis=1)
    return np.asarray((np.take_along_axis(d, order, axis=1) > 0) @ np.arange(1.0, n + 1.0))


@lru_cache(maxsize=256)
def _pairs(difference: float, distribution: str) -> tuple[float, float, float]:
    """P(D > 0), P(D + D′ > 0), and P(D + D′ > 0 and D + D″ > 0): means of P(D′ > −D), and of its square, over D."""
    of = DISTRIBUTIONS[distribution]
    nodes, weights = points(200)
    # Pieces end where a density or a distribution has a corner.
    ends = sorted({x for c in (-of.end, 0.0, of.end) for x in (c, -c - 2.0 * difference) if abs(x) <= of.end})
    second = third = 0.0
    for low, high in itertools.pairwise(ends):
        x = (low + high + (high - low) * nodes) / 2.0
        density = of.density(x) * weights * (high - low) / 2.0
        share = of.below(x + 2.0 * difference)
        second, third = second + float(density @ share), third + float(density @ share**2)
    return float(of.below(np.array([difference]))[0]), second, third


def _moments(n: int, difference: float, distribution: str) -> tuple[float, float]:
    """Mean and standard deviation of the sum of the ranks of positive differences."""
    one, two, three = _pairs(difference, distribution)
    mean = n * one + n * (n - 1) / 2.0 * two
    variance = (
        n * one * (1.0 - one)
        + n * (n - 1) / 2.0 * (2.0 * (one - two) ** 2 + 3.0 * two * (1.0 - two))
        + n * (n - 1) * (n - 2) * (three - two**2)
    )
    return mean, math.sqrt(max(variance, 0.0))
