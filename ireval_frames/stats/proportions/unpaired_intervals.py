"""Intervals of differences, ratios and odds ratios of two proportions of different units."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ireval_frames.stats.proportions.intervals import wilson_at
from ireval_frames.stats.proportions.score_tests import TwoProportions
from ireval_frames.stats.sample import Alternative

INTERVALS = {
    "newcombe": "hybrid score interval, from Wilson's of both sides (Newcombe, Statistics in Medicine 1998, method 10; "
    "of strata MOVER: Zou, Huang and Zhang, Computational Statistics & Data Analysis 2009)",
    "score": "all values that the score test does not reject, so that interval and test agree (Mee, Biometrics 1984; "
    "ratio: Koopman, Biometrics 1984; odds ratio: Cornfield 1956)",
    "miettinen-nurminen": "as score, with the variance times N / (N − 1) (Miettinen and Nurminen, Statistics in "
    "Medicine 1985)",
    "agresti-caffo": "Wald's after one success and one failure are added to each side (Agresti and Caffo, American "
    "Statistician 2000)",
}
# The methods for ratios and odds ratios.
OF_RATIOS = ("score", "miettinen-nurminen")
# Between which values measures lie; a test of one side leaves one of them open.
ENDS = {"difference": (-math.inf, math.inf), "ratio": (0.0, math.inf), "odds-ratio": (0.0, math.inf)}
# Ratios are searched between e^−MAX_LOG_RATIO and e^MAX_LOG_RATIO.
MAX_LOG_RATIO = 70.0


def proportion_interval(
    of: TwoProportions,
    z: float,
    method: str = "newcombe",
    measure: str = "difference",
    alternative: Alternative = "two-sided",
) -> tuple[float, float]:
    """Both ends of an interval; a one-sided alternative leaves one end open.

    Args:
        of: both proportions.
        z: to how many standard errors it reaches: Φ⁻¹((1 + confidence) / 2), one-sided Φ⁻¹(confidence).
        method: a name of INTERVALS; of ratios and odds ratios one of OF_RATIOS.
        measure: "difference" (p₁ − p₀), "ratio" (p₁ / p₀) or "odds-ratio"; the latter two of one stratum.
        alternative: "greater" leaves the upper end open, "less" the lower one.

    Returns:
        A difference is within −1 … 1, others from 0 to infinity.  All methods have ends where hits are none or all.

    Source: as INTERVALS says.

    Example:
        >>> of = TwoProportions.of(48, 80, 56, 70)
        >>> [round(end, 4) for end in proportion_interval(of, 1.96)]
        [0.0524, 0.3339]
        >>> [round(end, 4) for end in proportion_interval(of, 1.96, "score", "ratio")]
        [1.0798, 1.6708]
    """
    if method == "newcombe":
        low, high = _newcombe(of, z)
    elif method == "agresti-caffo":
        low, high = _agresti_caffo(of, z)
    else:
        low, high = _not_rejected(of, measure, z, corrected=method == "miettinen-nurminen")
    lowest, highest = ENDS[measure]
    return (lowest if alternative == "less" else low), (highest if alternative == "greater" else high)


def _newcombe(of: TwoProportions, z: float) -> tuple[float, float]:
    """p₁ − p₀ − √(Σ w² ((p₁ − l₁)² + (u₀ − p₀)²)), and the other end likewise; [l, u] are Wilson's."""
    x0, n0, x1, n1 = np.array(of.strata).T
    (low0, high0), (low1, high1) = wilson_at(x0, n0, z), wilson_at(x1, n1, z)
    w, p0, p1 = np.array(of.weights), x0 / n0, x1 / n1
    limits = float(w @ (p1 - p0))
    down = float(np.sqrt(w**2 @ ((p1 - low1) ** 2 + (high0 - p0) ** 2)))
    up = float(np.sqrt(w**2 @ ((high1 - p1) ** 2 + (p0 - low0) ** 2)))
    return max(limits - down, -1.0), min(limits + up, 1.0)


def _agresti_caffo(of: TwoProportions, z: float) -> tuple[float, float]:
    """Σ w (p̃₁ − p̃₀) ± z √(Σ w² (p̃₁ (1 − p̃₁) / (n₁ + 2) + p̃₀ (1 − p̃₀) / (n₀ + 2))), p̃ = (x + 1) / (n + 2)."""
    x0, n0, x1, n1 = np.array(of.strata).T
    w, p0, p1 = np.array(of.weights), (x0 + 1.0) / (n0 + 2.0), (x1 + 1.0) / (n1 + 2.0)
    limits = float(w @ (p1 - p0))
    reach = z * float(np.sqrt(w**2 @ (p1 * (1.0 - p1) / (n1 + 2.0) + p0 * (1.0 - p0) / (n0 + 2.0))))
    return max(limits - reach, -1.0), min(limits + reach, 1.0)


def _not_rejected(of: TwoProportions, measure: str, z: float, *, corrected: bool) -> tuple[float, float]:
    """All values from which the observed one is at most z standard errors away."""
    if measure == "difference":
        at: Callable[[float], float] = float
        first, last, ends = -1.0, 1.0, (-1.0, 1.0)
    else:
        at, first, last, ends = math.exp, -MAX_LOG_RATIO, MAX_LOG_RATIO, (0.0, math.inf)

    def above(place: float) -> float:
        return of.z(at(place), measure, corrected=corrected)

    low = ends[0] if above(first) <= z else at(_halved(lambda x: above(x) > z, first, last))
    high = ends[1] if above(last) >= -z else at(_halved(lambda x: above(x) >= -z, first, last))
    return low, high


def _halved(below: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that holds at `low` ceases to hold."""
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if below(middle) else (low, middle)
    return (low + high) / 2.0
