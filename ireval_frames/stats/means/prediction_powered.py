"""Means from few values that are known and many that were predicted."""

from __future__ import annotations

from collections.abc import Sequence
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


def stratified(
    strata: Sequence[tuple[Array, Array, Array]], confidence: float = 0.95, weight: float | None = None
) -> Powered:
    """The mean of all from a sample of each stratum: θ = Σ W·θ_h, se² = Σ W²·se_h², W the stratum's share of all units.

    λ is chosen in each stratum; `weight` of the result is Σ W·λ_h, `width` is relative to the known values alone, also
    by strata.  Undefined if a stratum has fewer than two known values.

    Args:
        strata: the known values, their predictions, and the predictions of other units, as of `prediction_powered`.
        confidence: of the interval, which is normal.
        weight: λ of all strata; by default that of PPI++ in each.

    Source: Fisch and others, Stratified Prediction-Powered Inference, NeurIPS 2024.

    Example:
        >>> y, f = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])
        >>> both = stratified([(y, f, np.array([2.0, 3.0, 4.0, 3.0])), (y + 1, f, f)], weight=0.0)
        >>> round(both.value, 4)
        2.4615
    """
    sizes = np.array([len(known) + len(others) for known, _, others in strata], dtype=float)
    share = sizes / sizes.sum()
    parts = [prediction_powered(*part, confidence, weight) for part in strata]
    alone = [prediction_powered(*part, confidence, 0.0) for part in strata]
    value = float(share @ [p.value for p in parts])
    se, of_known = (float(np.sqrt(share**2 @ [p.se**2 for p in of])) for of in (parts, alone))
    away = float(special.ndtri((1 + confidence) / 2)) * se
    width = se / of_known if of_known > 0 else float("nan")
    return Powered(value, se, value - away, value + away, float(share @ [p.weight for p in parts]), float("nan"), width)


def actively_sampled(
    known: Array,
    predicted: Array,
    probability: Array,
    others: Array,
    confidence: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """The mean of all where each unit became known with a probability of its own: θ = mean of λŶ + (Y − λŶ)·ξ/π.

    ξ is 1 for known units, and units become known independently of each other; se² is the variance of these terms over
    the number of all units.  λ = 0 are the known values alone (Horvitz and Thompson); by default it is the one of the
    smallest variance, between 0 and 1.

    Args:
        known: Y, of n units.
        predicted: Ŷ, of the same units.
        probability: π of the same units, above 0 and at most 1.
        others: Ŷ of the units that are not known.
        confidence: of the interval, which is normal.
        weight: λ.

    Source: Zrnic and Candès, Active Statistical Inference, ICML 2024; Horvitz and Thompson, JASA 1952.

    Example:
        >>> y = np.array([1.0, 3.0])
        >>> round(actively_sampled(y, y, np.array([0.5, 1.0]), np.array([2.0]), weight=0.0).value, 4)
        1.6667
    """
    nan, n = float("nan"), len(known) + len(others)
    if len(known) < 2:
        return Powered(nan, nan, nan, nan, nan, nan, nan)
    empty = np.zeros(len(others))
    outcome = np.concatenate([known / probability, empty])
    rest = np.concatenate([predicted * (1 - 1 / probability), others])
    if weight is None:
        spread = float(rest.var())
        shared = float(((outcome - outcome.mean()) * (rest - rest.mean())).mean())
        weight = min(1.0, max(0.0, -shared / spread)) if spread > 0 else 0.0
    terms = outcome + weight * rest
    value, se = float(terms.mean()), float(terms.std(ddof=1) / np.sqrt(n))
    alone = float(outcome.std(ddof=1) / np.sqrt(n))
    away = float(special.ndtri((1 + confidence) / 2)) * se
    spread = float(known.std() * predicted.std())
    rho = float(((known - known.mean()) * (predicted - predicted.mean())).mean()) / spread if spread > 0 else nan
    return Powered(value, se, value - away, value + away, weight, rho, se / alone if alone > 0 else nan)
