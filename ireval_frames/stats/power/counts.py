"""Power and sample sizes of tests that count: the sign test and McNemar's, exactly as they are run.

Counts are integers, so power is not monotone: a unit more may have less.  A sample size is the fewest units from which
on the power stays at the requested value or above.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.distributions.tails import at_most
from ireval_frames.stats.power.t_tests import check_level, fewest, settled
from ireval_frames.stats.sample import Alternative, Array, Integers

# Of more units the teeth of the saw are smaller than a thousandth of their number.
LARGE_SAMPLE = 10**6
# The range of binomial counts around their mean, in standard deviations.
MAX_DEVIATIONS = 9.0


def binomial_power(share: float, n: Integers, alpha: float = 0.05, alternative: Alternative = "two-sided") -> Array:
    """With which probability a binomial test of ½ rejects, of n counts of which each is a success with `share`.

    The test rejects where 2 · P(X ≤ min(N+, N−)) ≤ α, one-sided where P(X ≤ N−) ≤ α, with X ~ Binomial(n, ½).

    Args:
        share: the probability of a success, from 0 to 1.
        n: numbers of counts.
        alpha: significance level.
        alternative: "greater" finds a share above ½.

    Returns:
        Probabilities; 0 where n is too small to reject at all.

    Source: Conover, Practical Nonparametric Statistics, 1999.

    Example:
        >>> binomial_power(1.0, np.array([5, 6]), 0.05).tolist()
        [0.0, 1.0]
    """
    counts = np.asarray(n, dtype=np.int64)
    if alternative == "less":
        share = 1.0 - share
    critical = _critical(counts, alpha / 2.0 if alternative == "two-sided" else alpha)
    at = np.maximum(critical, 0.0)
    power = at_most(at, counts, 1.0 - share)
    if alternative == "two-sided":
        power = power + at_most(at, counts, share)
    return np.where(critical >= 0, np.minimum(power, 1.0), 0.0)


def _critical(n: Integers, level: float) -> Array:
    """The largest k with P(X ≤ k) ≤ level for X ~ Binomial(n, ½); −1 where there is none."""
    with np.errstate(invalid="ignore"):
        k = np.floor(special.bdtrik(level, n, 0.5))
    normal = np.floor((n + special.ndtri(level) * np.sqrt(n) - 1.0) / 2.0)
    k = np.where(n > LARGE_SAMPLE, normal, k)
    # Halfway where the inverse fails, at so few counts that few steps lead from there.
    k = np.clip(np.where(np.isnan(k), 0.0, k), 0.0, n)
    allowed = level * (1.0 + 1e-12)
    for _ in range(3):
        k = np.where(at_most(np.maximum(k, 0.0), n, 0.5) > allowed, k - 1.0, k)
        k = np.where((k >= 0) & (at_most(np.minimum(k + 1.0, n), n, 0.5) <= allowed), k + 1.0, k)
        k = np.maximum(k, -1.0)
    return np.asarray(np.where(0.5**n > allowed, -1.0, k))


def mcnemar_power(difference: float, discordant: float, n: float, alpha: float = 0.05) -> float:
    """Power of McNemar's exact test: Σ_m P(M = m) · P(it rejects m items that differ), M ~ Binomial(n, ψ).

    Args:
        difference: Δ, the system's share of right items less the baseline's.
        discordant: ψ, the share of items that one of both has right; at least |Δ|.
        n: number of items.
        alpha: significance level, two-sided.

    Returns:
        From 0 to 1.

    Raises:
        InvalidParameter: the difference is larger than the share of items that differ, or that is no share.

    Source: McNemar, Psychometrika 1947; Fagerland, Lydersen and Laake, BMC Medical Research Methodology 2013.

    Example:
        >>> round(mcnemar_power(0.1, 0.2, 155), 4)
        0.7617
    """
    check_level(alpha=alpha)
    if not 0 < discordant <= 1 or abs(difference) > discordant * (1.0 + 1e-12):
        raise InvalidParameter(
            f"difference is {difference!r} and discordant {discordant!r}; systems differ by no more than the share of "
            "items on which they differ, which is at most 1.",
            "Write difference=0.1, discordant=0.2.",
        )
    share = min((1.0 + difference / discordant) / 2.0, 1.0)
    if discordant == 1.0:
        return float(binomial_power(share, np.array([n]), alpha)[0])
    around = MAX_DEVIATIONS * math.sqrt(n * discordant * (1.0 - discordant)) + MAX_DEVIATIONS
    low, high = max(math.floor(n * discordant - around), 0), min(math.ceil(n * discordant + around), math.floor(n))
    # Of millions of items few numbers between are enough.
    m = np.unique(np.linspace(low, high, min(high - low + 1, 20_000)).astype(np.int64))
    up_to = at_most(m, np.array([int(n)]), discordant)
    return float(np.diff(up_to, prepend=0.0) @ binomial_power(share, m, alpha))


def mcnemar_sample_size(better: float, worse: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Items for McNemar's exact test, from which on its power (`mcnemar_power`) is at least this.

    Args:
        better: p₁₂, the share of items that only the system has right.
        worse: p₂₁, the share that only the baseline has right.
        power: with which the difference is found.
        alpha: significance level, two-sided.

    Raises:
        InvalidParameter: an argument is out of range, or both shares are the same.

    Source: as `mcnemar_power`; Connor, Biometrics 1987, for the normal approximation.

    Example:
        >>> mcnemar_sample_size(0.15, 0.05)
        168
    """
    check_level(alpha=alpha, power=power)
    changed, difference = better + worse, better - worse
    if min(better, worse) < 0 or changed > 1.0 + 1e-12:
        raise InvalidParameter(
            f"The shares are {better!r} and {worse!r}; they are at least 0, together at most 1.",
            "Write better=0.15, worse=0.05.",
        )
    if not difference:
        raise InvalidParameter(f"Both shares are {better!r}, so there is no difference to find.", "Write two shares.")
    changed = min(changed, 1.0)
    if changed == 1.0:
        return binomial_sample_size(better, power, alpha)
    enough: Callable[[int], bool] = lambda n: mcnemar_power(difference, changed, n, alpha) >= power  # noqa: E731
    size = fewest(enough, 2)
    # The number of items that differ is drawn, which blunts the saw.
    return settled(enough, size, 20 + round(math.sqrt(size))) if size < 10_000 else size


def binomial_sample_size(
    share: float, power: float = 0.8, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> int:
    """Counts from which on a binomial test of ½ has this power; arguments as of `binomial_power`.

    Raises:
        InvalidParameter: the share is ½, or of the other side.

    Source: Chernick and Liu, American Statistician 2002, for the saw.

    Example:
        >>> binomial_sample_size(1.0), binomial_sample_size(0.7)
        (6, 54)
    """
    check_level(alpha=alpha, power=power)
    toward = 0.5 - share if alternative == "less" else share - 0.5
    if not (abs(toward) if alternative == "two-sided" else toward) > 0:
        raise InvalidParameter(f"The share is {share!r}, which no number of units finds.", "Ask for another one.")
    size = fewest(lambda n: binomial_power(share, np.array([n]), alpha, alternative)[0] >= power, 2)
    if size > LARGE_SAMPLE:
        return size
    reach = 20 + 6 * math.isqrt(size)
    first = max(size - reach, 2)
    while True:
        n = np.arange(first, size + reach + 1)
        lost = np.flatnonzero(binomial_power(share, n, alpha, alternative) < power)
        least = int(n[lost[-1]]) + 1 if len(lost) else first
        if least <= size:
            return least
        # What was found is a tooth of the saw: look as far beyond what is not.
        first = size = least
