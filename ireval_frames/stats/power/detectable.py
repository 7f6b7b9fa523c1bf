"""The smallest differences that tests find with a number of units, where the power of t is not all that is needed."""

from __future__ import annotations

import math
from collections.abc import Callable

from ireval_frames.stats.power.counts import mcnemar_power
from ireval_frames.stats.power.ranks import rank_power
from ireval_frames.stats.power.t_tests import anova_power
from ireval_frames.stats.sample import Alternative

# Beyond this many standard deviations a difference is positive in nearly all units.
MAX_DEVIATIONS = 1000.0


def mcnemar_detectable(discordant: float, n: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest difference of shares that McNemar's test finds with this power; arguments as of `mcnemar_power`.

    Returns:
        From 0 to `discordant`; NaN where even that is not found.

    Example:
        >>> round(mcnemar_detectable(0.2, 155), 4)
        0.1041
    """
    if mcnemar_power(discordant, discordant, n, alpha) < power:
        return math.nan
    return _smallest(lambda d: mcnemar_power(d, discordant, n, alpha) >= power, discordant)


def rank_detectable(
    test: str,
    n: int,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    distribution: str = "normal",
) -> float:
    """The smallest difference that Wilcoxon's or the sign test finds with this power; arguments as of `rank_power`.

    Returns:
        In standard deviations of the differences; of a one-sided test its size.  NaN where so few units find none.

    Example:
        >>> round(rank_detectable("sign", 50), 2), rank_detectable("wilcoxon", 5)
        (0.54, nan)
    """
    side: Alternative = "two-sided" if alternative == "two-sided" else "greater"
    enough: Callable[[float], bool] = lambda d: rank_power(test, d, n, alpha, side, distribution) >= power  # noqa: E731
    if not enough(MAX_DEVIATIONS):
        return math.nan
    high = 0.125
    while not enough(high):
        high *= 2.0
    return _smallest(enough, high, 24)


def anova_detectable(systems: int, n: int, power: float = 0.8, alpha: float = 0.05, *, paired: bool = False) -> float:
    """The smallest range of means that F over systems finds with this power; arguments as of `anova_power`.

    Returns:
        The best system's mean less the worst one's, over the standard deviation of the residuals.

    Example:
        >>> round(anova_detectable(10, 127), 4)
        0.4981
    """
    high = 1.0
    while anova_power(high, systems, n, alpha, paired=paired) < power:
        high *= 2.0
    return _smallest(lambda d: anova_power(d, systems, n, alpha, paired=paired) >= power, high)


def _smallest(enough: Callable[[float], bool], high: float, steps: int = 100) -> float:
    """The smallest number that is enough, as `high` and all between are."""
    low = 0.0
    for _ in range(steps):
        middle = (low + high) / 2.0
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
