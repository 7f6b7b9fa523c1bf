"""Intervals of proportions, and of the difference of two paired ones."""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.stats.sample import Array


def wilson(successes: Array, total: Array, confidence: float = 0.95) -> tuple[Array, Array]:
    """Wilson's score interval of a proportion.

    With p̂ = x / n: (p̂ + z²/2n ± z √(p̂ (1 − p̂) / n + z²/4n²)) / (1 + z²/n).

    Args:
        successes: x, from 0 to n, possibly with a fraction.
        total: n; undefined (NaN) where it is 0.
        confidence: of the interval.

    Returns:
        Both ends, within 0 … 1.

    Source: Wilson, JASA 1927.

    Example:
        >>> low, high = wilson(np.array([8.0]), np.array([10.0]))
        >>> low.round(4).tolist(), high.round(4).tolist()
        ([0.4902], [0.9433])
    """
    return wilson_at(successes, total, float(special.ndtri((1.0 + confidence) / 2.0)))


def wilson_at(successes: Array, total: Array, z: float) -> tuple[Array, Array]:
    """Wilson's interval to z standard errors; arguments as of `wilson`."""
    x, n = np.asarray(successes, dtype=np.float64), np.asarray(total, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = x / n
        middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n)
        width = z * np.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n)) / (1.0 + z * z / n)
    # At 0 and n rounding would move the end that is 0 or 1.
    low, high = np.where(x == 0, 0.0, middle - width), np.where(x == n, 1.0, middle + width)
    return np.where(n > 0, np.maximum(low, 0.0), np.nan), np.where(n > 0, np.minimum(high, 1.0), np.nan)


def wilson_of_area(area: Array, n_low: Array, n_high: Array, confidence: float = 0.95) -> tuple[Array, Array]:
    """Wilson's interval of an area under a ROC curve that is 0 or 1, so that placements do not vary.

    The area counts as a share of n₀ n₁ / (1 + (n₀ + n₁ − 2) / 4) units: which gives its variance near 0 and 1 by
    Hanley and McNeil.

    Source: Newcombe, Statistics in Medicine 2006.

    Example:
        >>> wilson_of_area(np.array([1.0]), np.array([20.0]), np.array([20.0]))[0].round(4).tolist()
        [0.9084]
    """
    units = n_low * n_high / (1.0 + (n_low + n_high - 2.0) / 4.0)
    return wilson(units * area, units, confidence)


def bonett_price(more: Array, less: Array, total: Array, quantile: float) -> tuple[Array, Array]:
    """Bonett's and Price's interval of the difference of two proportions of the same items.

    Δ′ ± z √((p₁₂ + p₂₁ − Δ′²) / (n + 2)) with p₁₂ = (b + 1) / (n + 2), p₂₁ = (c + 1) / (n + 2), Δ′ = p₁₂ − p₂₁.

    Args:
        more: b, items that only the system has right.
        less: c, items that only the baseline has right.
        total: n, all items; undefined (NaN) where it is 0.
        quantile: z, 1.96 for a confidence of 0.95.

    Returns:
        Both ends, within −1 … 1.

    Source: Bonett and Price, Journal of Educational and Behavioral Statistics 2012.

    Example:
        >>> low, high = bonett_price(np.array([9.0]), np.array([3.0]), np.array([100.0]), 1.96)
        >>> low.round(4).tolist(), high.round(4).tolist()
        ([-0.0122], [0.1298])
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        one, other = (more + 1.0) / (total + 2.0), (less + 1.0) / (total + 2.0)
        width = quantile * np.sqrt((one + other - np.square(one - other)) / (total + 2.0))
        low, high = np.maximum(one - other - width, -1.0), np.minimum(one - other + width, 1.0)
    return np.where(total > 0, low, np.nan), np.where(total > 0, high, np.nan)
