"""The smallest differences that tests find with a number of units, where the power of t is not all that is needed."""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy import special

from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.power import anova_power


def mcnemar_power(difference: float, discordant: float, n: float, alpha: float = 0.05) -> float:
    """Power of McNemar's test: Φ((|Δ| √n − z(1 − α/2) √ψ) / √(ψ − Δ²)), of which `mcnemar_sample_size` is the inverse.

    Args:
        difference: Δ, the system's share of right items less the baseline's.
        discordant: ψ, the share of items that one of both has right; at least |Δ|.
        n: number of items.
        alpha: significance level, two-sided.

    Returns:
        From 0 to 1.

    Raises:
        InvalidParameter: the difference is larger than the share of items that differ, or that is no share.

    Source: Connor, Biometrics 1987.

    Example:
        >>> round(mcnemar_power(0.1, 0.2, 155), 4)
        0.801
    """
    if not 0 < discordant <= 1 or abs(difference) > discordant:
        raise InvalidParameter(
            f"difference is {difference!r} and discordant {discordant!r}; systems differ by no more than the share of "
            "items on which they differ, which is at most 1.",
            "Write difference=0.1, discordant=0.2.",
        )
    above = abs(difference) * math.sqrt(n) - float(special.ndtri(1.0 - alpha / 2.0)) * math.sqrt(discordant)
    spread = math.sqrt(discordant - difference**2)
    return float(special.ndtr(above / spread)) if spread else float(above >= 0)


def mcnemar_detectable(discordant: float, n: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest difference of shares that McNemar's test finds with this power; arguments as of `mcnemar_power`.

    Returns:
        From 0 to `discordant`; NaN where even that is not found.

    Example:
        >>> round(mcnemar_detectable(0.2, 155), 4)
        0.0999
    """
    if mcnemar_power(discordant, discordant, n, alpha) < power:
        return math.nan
    return _smallest(lambda d: mcnemar_power(d, discordant, n, alpha) >= power, discordant)


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


def _smallest(enough: Callable[[float], bool], high: float) -> float:
    """The smallest number that is enough, as `high` and all between are."""
    low = 0.0
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
