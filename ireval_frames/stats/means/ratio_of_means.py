"""Ratios of two means, and differences of two such ratios, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ireval_frames.stats.distributions.tails import t_interval
from ireval_frames.stats.moments import row_moments
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array, Options

# What an estimate may say of itself.
STATUS = {
    "ok": "nothing is special",
    "zero": "a mean that is divided by is 0, so there is no ratio",
    "unbounded": "a mean that is divided by may as well be 0 at this confidence, so the interval has no ends",
    "one_unit": "there is one unit: a ratio, no interval",
    "no_units": "there is no unit",
}


@dataclass(frozen=True)
class Estimate:
    """A number with both ends of its interval; NaN is undefined, and `status` (a word of STATUS) says why."""

    value: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")
    status: str = "ok"


@dataclass(frozen=True)
class _Moments:
    """Mean, and variance of the mean, of values over n units."""

    n: float
    mean: float
    variance: float

    @classmethod
    def of(cls, values: Array) -> _Moments:
        n, mean, variance = (float(a[0]) for a in row_moments(values[None, :]))
        return cls(n, mean, variance / n if n else float("nan"))


def is_zero(values: Array, largest: float = 0.0) -> bool:
    """Whether the mean is 0, up to the rounding of the values, or of larger ones that they are differences of."""
    return bool(abs(values.mean()) <= ROUNDINGS * EPSILON * np.abs(values).max(initial=largest))


def ratio_of_means(
    below: Array, above: Array, *, paired: bool, confidence: float = 0.95, largest: float = 0.0
) -> Estimate:
    """The mean of one variable over that of another, with Fieller's interval.

    ρ = ȳ / x̄.  The interval holds every ρ for which the mean of y − ρ x is not significantly different from 0:
    (ȳ − ρ x̄)² ≤ t² (v_y − 2 ρ v_xy + ρ² v_x), where v are variances of the means.

    Args:
        below: x, a value per unit.
        above: y; of the same units in the same order if they are paired.
        paired: whether both are of the same units.  If not, v_xy is 0, and t has Welch's degrees of freedom of
            y − ρ x.
        confidence: of the interval.
        largest: the largest absolute value that x are differences of, whose rounding is no mean.

    Returns:
        The ratio and its interval.  Undefined where x̄ is 0; without ends where x̄ is not significantly different
        from 0.

    Source: Fieller, JRSS B 1954.

    Example:
        >>> import numpy as np
        >>> found = ratio_of_means(np.array([2.0, 3.0, 4.0]), np.array([4.0, 5.0, 9.0]), paired=True)
        >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)
        (2.0, -0.9266, 2.7453)
    """
    if not (len(below) and len(above)):
        return Estimate(status="no_units")
    if is_zero(below, largest):
        return Estimate(status="zero")
    x, y = _Moments.of(below), _Moments.of(above)
    ratio = y.mean / x.mean
    if min(x.n, y.n) < 2:
        return Estimate(ratio, status="one_unit")
    if paired:
        rest, df = above - ratio * below, x.n - 1.0
        spread = _Moments.of(rest).variance
        shared = float(((rest - rest.mean()) * (below - x.mean)).sum()) / (x.n - 1.0) / x.n
    else:
        scaled = ratio**2 * x.variance
        spread, shared = y.variance + scaled, -ratio * x.variance
        df = welch_df((y.variance, y.n), (scaled, x.n))
    return fieller(ratio, (x.mean, x.variance), spread, shared, t_of(confidence, df))


def fieller(ratio: float, below: tuple[float, float], spread: float, shared: float, t: float) -> Estimate:
    """Fieller's interval of a ratio ρ = ȳ / x̄ from variances of means, as `ratio_of_means`.

    Args:
        ratio: ȳ / x̄.
        below: x̄ and its variance.
        spread: the variance of ȳ − ρ x̄.
        shared: its covariance with x̄.
        t: how many standard errors the interval reaches to.

    Example:
        >>> found = fieller(2.0, (5.0, 0.25), 1.0 + 4 * 0.25, -2 * 0.25, 1.96)
        >>> round(found.low, 3), round(found.high, 3)
        (1.509, 2.651)
    """
    # In δ = ρ − ȳ/x̄: a δ² + 2 t² shared δ − t² spread = 0.
    mean, variance = below
    a = mean**2 - t**2 * variance
    if not a > 0:
        return Estimate(ratio, status="unbounded")
    root = float(np.sqrt((t**2 * shared) ** 2 + a * t**2 * spread))
    return Estimate(ratio, ratio + (-(t**2) * shared - root) / a, ratio + (-(t**2) * shared + root) / a)


def difference_of_ratios(
    first: tuple[Array, Array], second: tuple[Array, Array], *, paired: bool, confidence: float = 0.95
) -> Estimate:
    """One ratio of means less another, with the interval of the delta method.

    R = ȳ / x̄ changes with each unit's values by e = (y − R x) / x̄, so the variance of R − R′ is that of the mean of
    e − e′, and of different units the sum of both variances; the interval is R − R′ ± t · standard error.

    Args:
        first: x and y of R, a value per unit.
        second: the values of R′, of the same units in the same order if they are paired.
        paired: whether both are of the same units.
        confidence: of the interval.

    Returns:
        The difference and its interval.  Undefined where x̄ or x̄′ is 0.

    Source: the delta method; Welch, Biometrika 1947, for the degrees of freedom of different units.

    Example:
        >>> import numpy as np
        >>> one = np.array([2.0, 3.0, 4.0]), np.array([4.0, 5.0, 9.0])
        >>> other = np.array([2.0, 3.0, 5.0]), np.array([3.0, 4.0, 6.0])
        >>> found = difference_of_ratios(one, other, paired=True)
        >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)
        (0.7, -0.3828, 1.7828)
    """
    if not (len(first[0]) and len(second[0])):
        return Estimate(status="no_units")
    if is_zero(first[0]) or is_zero(second[0]):
        return Estimate(status="zero")
    (one, e), (other, f) = (_influence(*side) for side in (first, second))
    difference = one - other
    if min(len(e), len(f)) < 2:
        return Estimate(difference, status="one_unit")
    if paired:
        variance, df = _Moments.of(e - f).variance, len(e) - 1.0
    else:
        v, w = _Moments.of(e), _Moments.of(f)
        variance, df = v.variance + w.variance, welch_df((v.variance, v.n), (w.variance, w.n))
    low, high = t_interval(np.array([difference]), np.sqrt(np.array([variance])), df, Options(confidence=confidence))
    return Estimate(difference, float(low[0]), float(high[0]))


def _influence(below: Array, above: Array) -> tuple[float, Array]:
    """The ratio of the means, and by how much each unit's values move it, times n."""
    ratio = float(above.mean() / below.mean())
    return ratio, (above - ratio * below) / below.mean()


def t_of(confidence: float, df: float) -> float:
    """Student's t that a two-sided interval reaches to."""
    _, high = t_interval(np.zeros(1), np.ones(1), df, Options(confidence=confidence))
    return float(high[0])


def welch_df(*variances: tuple[float, float]) -> float:
    """Welch's degrees of freedom of a sum: of variances of means, and of their numbers of units."""
    total = sum(v for v, _ in variances)
    parts = sum(v**2 / (n - 1.0) for v, n in variances)
    return total**2 / parts if parts > 0 else float(sum(n - 1.0 for _, n in variances))
