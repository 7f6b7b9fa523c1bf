"""Two proportions of different units."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.proportions import wilson
from ireval_frames.stats.sample import Array, Options
from ireval_frames.stats.tails import open_ended, p_of_z, upper_level


def newcombe(x0: Array, n0: Array, x1: Array, n1: Array, options: Options) -> tuple[Array, Array]:
    """The hybrid score interval of p₁ − p₀, from Wilson's intervals [l, u] of both.

    p₁ − p₀ − √((p₁ − l₁)² + (u₀ − p₀)²) to p₁ − p₀ + √((u₁ − p₁)² + (p₀ − l₀)²).

    Source: Newcombe, Statistics in Medicine 1998, method 10.

    Example:
        >>> low, high = newcombe(*(np.array([float(v)]) for v in (48, 80, 56, 70)), Options())
        >>> low.round(4).tolist(), high.round(4).tolist()
        ([0.0524], [0.3339])
    """
    confidence = 2.0 * upper_level(options) - 1.0
    (low0, high0), (low1, high1) = wilson(x0, n0, confidence), wilson(x1, n1, confidence)
    with np.errstate(invalid="ignore", divide="ignore"):
        p0, p1 = x0 / n0, x1 / n1
    low = p1 - p0 - np.hypot(p1 - low1, high0 - p0)
    high = p1 - p0 + np.hypot(high1 - p1, p0 - low0)
    return open_ended(low, high, options.alternative)


def pooled_z(x0: Array, n0: Array, x1: Array, n1: Array, options: Options) -> tuple[Array, Array]:
    """Z and p of equal proportions: (p₁ − p₀) / √(p (1 − p) (1/n₀ + 1/n₁)), p the share of all; z² is χ².

    Source: Pearson, Philosophical Magazine 1900.

    Example:
        >>> z, p = pooled_z(*(np.array([float(v)]) for v in (48, 80, 56, 70)), Options())
        >>> z.round(4).tolist(), p.round(4).tolist()
        ([2.6502], [0.008])
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (x0 + x1) / (n0 + n1)
        z = (x1 / n1 - x0 / n0) / np.sqrt(share * (1.0 - share) * (1.0 / n0 + 1.0 / n1))
    return z, p_of_z(z, options.alternative)
