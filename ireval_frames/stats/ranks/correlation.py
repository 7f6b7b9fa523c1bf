"""Correlations of two columns of numbers, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from ireval_frames.stats.ranks.signed_ranks import midranks

METHODS = ("spearman", "pearson")


@dataclass(frozen=True)
class Correlation:
    """A correlation with its interval; NaN where it is not defined.

    Attributes:
        value: the correlation; NaN where a column is constant or there are fewer than two pairs.
        low: the lower end; NaN for fewer than four pairs.
        high: the upper end.
        n: the number of pairs.
    """

    value: float
    low: float
    high: float
    n: int


def correlation(x: np.ndarray, y: np.ndarray, *, method: str = "spearman", confidence: float = 0.95) -> Correlation:
    """The correlation of pairs, and an interval by Fisher's z.

    The standard error of z is 1/√(n - 3) for Pearson's r (Fisher, 1921), and √((1 + ρ²/2)/(n - 3)) for Spearman's ρ
    (Bonett & Wright, 2000), whose ranks of ties are means.

    Args:
        x: numbers.
        y: as many.
        method: one of `METHODS`.
        confidence: of the interval.

    Example:
        >>> of = correlation(np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 3, 2, 5, 4]))
        >>> round(of.value, 3), round(of.low, 3), round(of.high, 3)
        (0.8, -0.457, 0.991)
    """
    n = len(x)
    if n < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Correlation(math.nan, math.nan, math.nan, n)
    if method == "spearman":
        x, y = midranks(np.stack([x, y]).astype(np.float64))[0]
    value = float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))
    if n < 4:
        return Correlation(value, math.nan, math.nan, n)
    if abs(value) > 1.0 - 1e-12:
        return Correlation(value, value, value, n)
    spread = 1.0 + value * value / 2.0 if method == "spearman" else 1.0
    away = float(special.ndtri((1.0 + confidence) / 2.0)) * math.sqrt(spread / (n - 3))
    z = math.atanh(value)
    return Correlation(value, math.tanh(z - away), math.tanh(z + away), n)
