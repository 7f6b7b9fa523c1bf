"""Means from few values that are known and many that were predicted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from ireval_frames.stats.sample import Array


@dataclass(frozen=True)
class Powered:
    """An estimate.

    Attributes:
        value, se, low, high: the estimate with its interval; NaN where there are fewer than two known values.
        weight: λ, how much the predictions count.
        correlation: of the known values and their predictions; NaN where one of them does not vary.
        width: the interval's, in shares of that of the known values alone.
    """

    value: float
    se: float
    low: float
    high: float
    weight: float
    correlation: float
    width: float


def prediction_powered(
    known: Array, predicted: Array, others: Array, confidence: float = 0.95, weight: float | None = None
) -> Powered:
    """The mean of all, θ = λ·mean(others) + mean(known − λ·predicted).

    se² = λ²·Var(others)/N + Var(known − λ·predicted)/n.  PPI has λ = 1, the known values alone λ = 0; PPI++ has the
    λ = Cov(known, predicted) / ((1 + n/N)·Var(all predictions)) that makes
    the interval shortest, between 0 and 1 (the covariance over n, as ppi_py has it).

    Args:
        known: Y, of n units.
        predicted: Ŷ, of the same units.
        others: Ŷ of N other units.
        confidence: of the interval, which is normal.
        weight: λ; by default that of PPI++.

    Source: Angelopoulos and others, Science 2023 (PPI); Angelopoulos, Duchi and Zrnic, 2023 (PPI++).

    Example:
        >>> y, f = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])
        >>> found = prediction_powered(y, f, np.array([2.0, 3.0, 4.0, 3.0]), weight=1.0)
        >>> round(found.value, 4), round(found.se, 4)
        (2.6667, 0.4462)
    """
    n, big = len(known), len(others)
    nan = float("nan")
    if n < 2:
        return Powered(nan, nan, nan, nan, nan, nan, nan)
    everything = np.concatenate([predicted, others])
    spread, shared = float(everything.var(ddof=1)), float(np.cov(known, predicted, ddof=0)[0, 1])
    if weight is None:
        weight = 0.0 if big < 2 or spread == 0.0 else min(1.0, max(0.0, shared / (1 + n / big) / spread))
    rest = known - weight * predicted
    value = float(rest.mean()) + (weight * float(others.mean()) if big else 0.0)
    if not big and weight:
        return Powered(nan, nan, nan, nan, weight, nan, nan)
    square = float(rest.var()) / n + (weight**2 * float(others.var()) / big if big else 0.0)
    se, alone = float(np.sqrt(square)), float(np.sqrt(known.var() / n))
    away = float(special.ndtri((1 + confidence) / 2)) * se
    both = float(known.std() * predicted.std())
    rho = float(((known - known.mean()) * (predicted - predicted.mean())).mean()) / both if both > 0 else nan
    return Powered(value, se, value - away, value + away, weight, rho, se / alone if alone > 0 else nan)
