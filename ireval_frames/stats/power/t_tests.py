"""How many units a comparison needs, and what it detects with a number of units.

Differences are in standard deviations of the differences between two systems, where nothing else is said.  The power of
a test that was done already adds nothing to its p-value; ask for the detectable difference instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy import special

from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.sample import Alternative

# The most units that are considered.
MAX_UNITS = 10**12


def t_power(
    difference: float,
    n: float,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    df: float | None = None,
) -> float:
    """Power of the paired t test: P(|T| > t(1 − α/2)) for the noncentral T with n − 1 degrees of freedom and δ √n.

    Args:
        difference: δ, the mean difference over the standard deviation of the differences.
        n: number of units, at least 2.
        alpha: significance level.
        alternative: of the test; "greater" finds a positive δ.
        df: degrees of freedom, where they are not n − 1.

    Returns:
        From 0 to 1.

    Raises:
        InvalidParameter: an argument is out of range.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988.

    Example:
        >>> round(t_power(0.5, 34), 4)
        0.8078
    """
    check_level(alpha=alpha)
    if not n >= 2:
        raise InvalidParameter(f"n is {n!r}; a paired t test needs at least 2 units.", "Write n=50.")
    df, noncentrality = n - 1.0 if df is None else df, difference * math.sqrt(n)
    if alternative == "less":
        noncentrality = -noncentrality
    critical = special.stdtrit(df, 1.0 - (alpha / 2.0 if alternative == "two-sided" else alpha))
    power = _beyond(df, noncentrality, critical)
    if alternative == "two-sided":
        power += _beyond(df, -noncentrality, critical)
    return min(power, 1.0)


def t_sample_size(
    difference: float, power: float = 0.8, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> int:
    """The fewest units with which the paired t test finds a difference with this power; arguments as of `t_power`.

    Raises:
        InvalidParameter: an argument is out of range, or the difference is 0 or of the other side.

    Source: Sakai, Information Retrieval Journal 2016 (topic set size design by t); Cohen 1988.

    Example:
        >>> t_sample_size(0.2), t_sample_size(0.5), t_sample_size(0.2, power=0.9)
        (199, 34, 265)
    """
    check_level(alpha=alpha, power=power)
    toward = -difference if alternative == "less" else difference
    if not (abs(difference) if alternative == "two-sided" else toward) > 0:
        raise InvalidParameter(f"difference is {difference!r}, which no number of units finds.", "Write another one.")
    return fewest(lambda n: t_power(difference, n, alpha, alternative) >= power, 2)


def t_detectable(n: float, power: float = 0.8, alpha: float = 0.05, alternative: Alternative = "two-sided") -> float:
    """The smallest difference that the paired t test finds with this power; arguments as of `t_power`.

    Returns:
        In standard deviations of the differences; of a one-sided test its size.

    Raises:
        InvalidParameter: an argument is out of range.

    Example:
        >>> round(t_detectable(50), 4), round(t_power(t_detectable(50), 50), 6)
        (0.4042, 0.8)
    """
    check_level(alpha=alpha, power=power)
    side: Alternative = "two-sided" if alternative == "two-sided" else "greater"
    high = 1.0
    while t_power(high, n, alpha, side) < power:
        high *= 2.0
    low = 0.0
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (low, middle) if t_power(middle, n, alpha, side) >= power else (middle, high)
    return high


def anova_power(spread: float, systems: int, n: int, alpha: float = 0.05, *, paired: bool = False) -> float:
    """Power of the one-way F test over systems for the least favourable means: two differ by `spread`.

    P(F > F(1 − α)) for the noncentral F with λ = n · spread² / 2 and m − 1 and m (n − 1) degrees of freedom.

    Args:
        spread: the best system's mean less the worst one's, over the standard deviation of the residuals: within
            systems; if paired, of the two-way table.
        systems: m, at least 2.
        n: units per system, at least 2.
        alpha: significance level.
        paired: whether all systems have the same units, so that (m − 1)(n − 1) degrees of freedom are left.

    Returns:
        From 0 to 1.

    Raises:
        InvalidParameter: an argument is out of range.

    Source: Sakai, Information Retrieval Journal 2016.

    Example:
        >>> round(anova_power(0.5, 10, 127), 3)
        0.804
    """
    check_level(alpha=alpha)
    for name, value in (("systems", systems), ("n", n)):
        if not value >= 2:
            raise InvalidParameter(f"{name} is {value!r}; it is at least 2.", f"Write {name}=2.")
    df, left = systems - 1.0, (systems - 1.0 if paired else float(systems)) * (n - 1.0)
    critical = special.fdtri(df, left, 1.0 - alpha)
    return float(1.0 - special.ncfdtr(df, left, n * spread**2 / 2.0, critical))


def anova_sample_size(
    spread: float, systems: int, power: float = 0.8, alpha: float = 0.05, *, paired: bool = False
) -> int:
    """The fewest units with which F over systems has this power (topic set size design); arguments as of `anova_power`.

    Raises:
        InvalidParameter: an argument is out of range.

    Source: Sakai, Information Retrieval Journal 2016.

    Example:
        >>> anova_sample_size(0.5, 10), anova_sample_size(0.5, 2)
        (127, 64)
    """
    check_level(alpha=alpha, power=power)
    if not spread > 0:
        raise InvalidParameter(f"spread is {spread!r}; it is above 0.", "Write spread=0.5.")
    return fewest(lambda n: anova_power(spread, systems, n, alpha, paired=paired) >= power, 2)


def width_sample_size(width: float, alpha: float = 0.05) -> int:
    """The fewest units for which the interval of a mean difference is expected to be at most so wide.

    2 t(1 − α/2; n − 1) · E(s) / √n ≤ width, with E(s) = √(2 / (n − 1)) Γ(n/2) / Γ((n − 1)/2).

    Args:
        width: of the interval, in standard deviations of the differences.
        alpha: 1 − confidence.

    Raises:
        InvalidParameter: an argument is out of range.

    Source: Sakai, Information Retrieval Journal 2016.

    Example:
        >>> width_sample_size(0.5), width_sample_size(0.2)
        (64, 387)
    """
    check_level(alpha=alpha)
    if not width > 0:
        raise InvalidParameter(f"width is {width!r}; it is above 0.", "Write width=0.5.")

    def narrow(n: int) -> bool:
        gammas = math.exp(special.gammaln(n / 2.0) - special.gammaln((n - 1.0) / 2.0))
        t = float(special.stdtrit(n - 1.0, 1.0 - alpha / 2.0))
        return 2.0 * t * math.sqrt(2.0 / (n - 1.0)) * gammas / math.sqrt(n) <= width

    return fewest(narrow, 2)


def _beyond(df: float, noncentrality: float, critical: float) -> float:
    """P(T > critical)."""
    below = float(special.nctdtr(df, noncentrality, critical))
    # Far out the series gives nothing.
    return float(noncentrality > critical) if math.isnan(below) else 1.0 - below


def check_level(**levels: float) -> None:
    """Refuse levels and powers that are not between 0 and 1.

    Raises:
        InvalidParameter: one is not.
    """
    for name, value in levels.items():
        if not 0 < value < 1:
            raise InvalidParameter(f"{name} is {value!r}; it is between 0 and 1.", f"Write {name}=0.05.")


def fewest(enough: Callable[[int], bool], least: int) -> int:
    """The smallest number that is enough, as are all larger ones; of a saw one of those that are.

    Raises:
        InvalidParameter: none of those that can be counted is.
    """
    if enough(least):
        return least
    low, high = least, 2 * least
    while not enough(high):
        low, high = high, 2 * high
        if high > MAX_UNITS:
            raise InvalidParameter(
                f"More than {MAX_UNITS:.0e} units would be needed.",
                "Ask for a larger difference, or one that is farther within its margin.",
            )
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def settled(enough: Callable[[int], bool], size: int, reach: int) -> int:
    """The smallest number from `found` on of which all that follow are enough: of a saw, `reach` of its teeth."""
    while lost := next((n for n in range(size + reach, size - 1, -1) if not enough(n)), 0):
        size = lost + 1
    return size
