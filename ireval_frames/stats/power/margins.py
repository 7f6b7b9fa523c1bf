"""Power and sample sizes of tests against a margin: equivalence and non-inferiority of paired differences.

Differences and margins are in standard deviations of the differences between two systems.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.distributions.gauss_legendre import points
from ireval_frames.stats.power.t_tests import check_level, fewest, t_power, t_sample_size
from ireval_frames.stats.sample import Alternative

NODES = 128


def equivalence_power(
    margin: float, n: float, difference: float = 0.0, alpha: float = 0.05, df: float | None = None
) -> float:
    """Power of two one-sided t tests: P(|d̄| < margin − t(1 − α) s / √n), where the true difference is δ.

    ∫ (Φ((m − δ) √n − t s) − Φ(−(m + δ) √n + t s)) f(s) ds up to s = m √n / t, with f the density of s / σ: Owen's Q.

    Args:
        margin: m, above 0.
        n: number of units, at least 2.
        difference: δ, between −m and m.
        alpha: level of each of both tests.
        df: degrees of freedom, where they are not n − 1.

    Returns:
        From 0 to 1.

    Raises:
        InvalidParameter: an argument is out of range.

    Source: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 1987; Phillips, ibid. 1990.

    Example:
        >>> round(equivalence_power(0.5, 36), 3)
        0.805
    """
    check_level(alpha=alpha)
    if not margin > 0 or not n >= 2:
        raise InvalidParameter(
            f"margin is {margin!r} and n {n!r}; the margin is above 0, and there are at least 2 units.",
            "Write margin=0.5, n=36.",
        )
    df, root = n - 1.0 if df is None else df, float(np.sqrt(n))
    t = float(special.stdtrit(df, 1.0 - alpha))
    # s² / σ² is χ² over its degrees of freedom.
    low, high = np.sqrt(special.chdtri(df, np.array([1.0 - 1e-15, 1e-15])) / df)
    high = min(float(high), margin * root / t)
    if high <= low:
        return 0.0
    nodes, weights = points(NODES)
    s = (low + high + (high - low) * nodes) / 2.0
    log_density = (
        np.log(2.0) + (df / 2.0) * np.log(df / 2.0) - special.gammaln(df / 2.0) + (df - 1.0) * np.log(s)
    ) - df * s * s / 2.0  # fmt: skip
    inside = special.ndtr((margin - difference) * root - t * s) - special.ndtr(-(margin + difference) * root + t * s)
    return float(np.clip((np.exp(log_density) * np.maximum(inside, 0.0)) @ weights * (high - low) / 2.0, 0.0, 1.0))


def equivalence_sample_size(margin: float, difference: float = 0.0, power: float = 0.8, alpha: float = 0.05) -> int:
    """The fewest units with which equivalence is shown with this power; arguments as of `equivalence_power`.

    Raises:
        InvalidParameter: an argument is out of range, or the difference is not within the margin.

    Source: Phillips, Journal of Pharmacokinetics and Biopharmaceutics 1990.

    Example:
        >>> equivalence_sample_size(0.5), equivalence_sample_size(0.5, difference=0.2)
        (36, 71)
    """
    check_level(alpha=alpha, power=power)
    if not abs(difference) < margin:
        raise InvalidParameter(
            f"difference is {difference!r} and margin {margin!r}; what is not within the margin is not equivalent.",
            "Write a larger margin.",
        )
    return fewest(lambda n: equivalence_power(margin, n, difference, alpha) >= power, 2)


def non_inferiority_power(
    margin: float, n: float, difference: float = 0.0, alpha: float = 0.05, alternative: Alternative = "greater"
) -> float:
    """Power of the one-sided t test against −margin: that of `t_power` for a difference of δ + margin.

    Args:
        margin: above 0; by so much a system may be worse.
        n: number of units, at least 2.
        difference: δ, above −margin.
        alpha: significance level.
        alternative: "less" where less is better.

    Source: Wellek, Testing Statistical Hypotheses of Equivalence and Noninferiority, 2010.

    Example:
        >>> round(non_inferiority_power(0.5, 27), 3)
        0.812
    """
    return t_power((-difference if alternative == "less" else difference) + margin, n, alpha, "greater")


def non_inferiority_sample_size(
    margin: float,
    difference: float = 0.0,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "greater",
) -> int:
    """The fewest units with which non-inferiority is shown with this power; arguments as of `non_inferiority_power`.

    Raises:
        InvalidParameter: an argument is out of range, or the system is worse by the margin.

    Source: as `non_inferiority_power`.

    Example:
        >>> non_inferiority_sample_size(0.5), non_inferiority_sample_size(0.5, difference=-0.2)
        (27, 71)
    """
    return t_sample_size((-difference if alternative == "less" else difference) + margin, power, alpha, "greater")
