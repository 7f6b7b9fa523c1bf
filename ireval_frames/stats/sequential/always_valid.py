"""Asymptotic confidence sequences: intervals and p-values that hold whenever one looks, and as often."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.sample import Array


def mixture_scale(alpha: float, tuned_for: float) -> float:
    """ρ of the normal mixture whose interval is shortest at n* units: √((−2 ln α + ln(1 − 2 ln α)) / n*).

    Example:
        >>> round(mixture_scale(0.05, 5000), 6)
        0.03984
    """
    log = -2.0 * np.log(alpha)
    return float(np.sqrt((log + np.log1p(log)) / tuned_for))


def sequence_width(n: Array, alpha: float, tuned_for: float) -> Array:
    """How many standard errors the interval reaches to each side: √(2 (nρ² + 1) / (nρ²) · ln(√(nρ² + 1) / α)).

    Args:
        n: units so far; above 0.
        alpha: 1 − confidence, of all looks together.
        tuned_for: n* at which it is shortest; fixed before the first look.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 2024, proposition 2.2.

    Example:
        >>> sequence_width(np.array([500.0, 5000.0, 500_000.0]), 0.05, 5000).round(3).tolist()
        [3.855, 3.035, 3.562]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        known = np.asarray(n, dtype=np.float64) * mixture_scale(alpha, tuned_for) ** 2
        return np.asarray(np.sqrt((known + 1.0) / known * (np.log1p(known) - 2.0 * np.log(alpha))))


def sequence_p(z: Array, n: Array, alpha: float, tuned_for: float) -> Array:
    """The always-valid p-value of an estimate of z standard errors: min(1, √(nρ² + 1) · exp(−nρ² z² / (2 (nρ² + 1)))).

    It is at most α exactly where the interval of `sequence_width` leaves out 0.

    Example:
        >>> sequence_p(np.array([0.0, 3.035, 6.0]), np.array([5000.0] * 3), 0.05, 5000).round(4).tolist()
        [1.0, 0.05, 0.0]
    """
    known = np.asarray(n, dtype=np.float64) * mixture_scale(alpha, tuned_for) ** 2
    logs = 0.5 * np.log1p(known) - known * np.square(z) / (2.0 * (known + 1.0))
    return np.asarray(np.exp(np.minimum(logs, 0.0)))
