"""Two proportions of different units: their score statistics at any difference, ratio or odds ratio."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Hits(NamedTuple):
    """How many of how many units have it, of a baseline and of another side."""

    x0: float
    n0: float
    x1: float
    n1: float

    @property
    def shares(self) -> tuple[float, float]:
        """p₀ and p₁."""
        return self.x0 / self.n0, self.x1 / self.n1


@dataclass(frozen=True)
class TwoProportions:
    """Two proportions; of several strata both are Σ w p.

    Attributes:
        strata: the hits of each stratum; of units that are not stratified there is one.
        weights: the share w of each stratum; their sum is 1.

    Example:
        >>> of = TwoProportions.of(48, 80, 56, 70)
        >>> of.baseline, of.value, round(of.z(0.0), 4)
        (0.6, 0.8, 2.6502)
    """

    strata: tuple[Hits, ...]
    weights: tuple[float, ...] = (1.0,)

    @classmethod
    def of(cls, x0: float, n0: float, x1: float, n1: float) -> TwoProportions:
        """Two proportions without strata."""
        return cls((Hits(float(x0), float(n0), float(x1), float(n1)),))

    @property
    def baseline(self) -> float:
        """p₀."""
        return sum(w * s.shares[0] for w, s in zip(self.weights, self.strata, strict=True))

    @property
    def varies(self) -> bool:
        """Whether some units have it and others do not."""
        return any(0 < s.x0 + s.x1 < s.n0 + s.n1 for s in self.strata)

    @property
    def value(self) -> float:
        """p₁."""
        return sum(w * s.shares[1] for w, s in zip(self.weights, self.strata, strict=True))

    def z(self, null: float, measure: str = "difference", *, corrected: bool = False) -> float:
        """The score statistic: how many standard errors the observed value is above `null`.

        The standard error is that of the proportions that are most likely where `null` is true; z² is χ² of one degree
        of freedom.  At a difference of 0 (a ratio of 1) it is Pearson's: (p₁ − p₀) / √(p (1 − p) (1/n₀ + 1/n₁)), p the
        share of all.  Where nothing varies and nothing is off, as 0 of 30 beside 0 of 30 at 0, it is 0.

        Args:
            null: p₁ − p₀, p₁ / p₀ or the ratio of the odds p / (1 − p).
            measure: "difference", "ratio" or "odds-ratio"; the latter two of one stratum.
            corrected: the variance is multiplied by N / (N − 1), N = n₀ + n₁.

        Source: Miettinen and Nurminen, Statistics in Medicine 1985; without N / (N − 1): Mee, Biometrics 1984, and
        Farrington and Manning, Statistics in Medicine 1990 (difference), Koopman, Biometrics 1984 (ratio), Cornfield
        1956 (odds ratio).
        """
        off = variance = size = 0.0
        for w, s in zip(self.weights, self.strata, strict=True):
            distance, spread = MEASURES[measure](s, null)
            size += w * max(*s.shares, abs(distance))
            factor = (s.n0 + s.n1) / (s.n0 + s.n1 - 1.0) if corrected else 1.0
            off, variance = off + w * distance, variance + w * w * spread * factor
        if abs(off) <= 64.0 * sys.float_info.epsilon * size:
            return 0.0
        return off / math.sqrt(variance) if variance > 0.0 else math.copysign(math.inf, off)


def _difference(s: Hits, null: float) -> tuple[float, float]:
    """p₁ − p₀ − δ, and its variance at the most likely proportions that differ by δ."""
    p0, p1 = s.shares
    base, other = _restricted(s, null) if abs(null) <= 1.0 else (0.0, 0.0)
    return p1 - p0 - null, base / s.n0 + other / s.n1


def _restricted(s: Hits, null: float) -> tuple[float, float]:
    """P (1 − p) of both sides at the most likely proportions that differ by δ.

    By the smaller one of both sides, of hits or of misses, which has its digits however few of many they are.
    """
    x0, n0, x1, n1 = s
    if 2.0 * (x0 + x1) > n0 + n1:
        return _restricted(Hits(n0 - x0, n0, n1 - x1, n1), -null)
    if null < 0.0:
        other, base = _restricted(Hits(x1, n1, x0, n0), -null)
        return base, other
    p = _smaller(s, null)
    return p * (1.0 - p), (p + null) * max(1.0 - null - p, 0.0)


def _smaller(s: Hits, null: float) -> float:
    """The most likely p₀ where p₁ = p₀ + δ, δ from 0: where the slope of the likelihood is 0, by Newton's steps.

    It lies between h − δ and h, the share of all hits; a step that leaves what is still possible halves it.
    """
    x0, n0, x1, n1 = s
    top, share = 1.0 - null, (x0 + x1) / (n0 + n1)

    def slope(p: float) -> tuple[float, float]:
        parts = [
            (sign * k, place)
            for k, sign, place in ((x0, 1, p), (n0 - x0, -1, 1.0 - p), (x1, 1, p + null), (n1 - x1, -1, top - p))
            if k
        ]
        if any(place <= 0.0 for _, place in parts):
            return next(math.copysign(math.inf, k) for k, place in parts if place <= 0.0), -math.inf
        return sum(k / place for k, place in parts), -sum(abs(k) / place**2 for k, place in parts)

    low, high = max(0.0, share - null), min(share, top)
    if low >= high or slope(low)[0] <= 0.0:
        return min(low, high)
    if slope(high)[0] >= 0.0:
        return high
    p = (low + high) / 2.0
    for _ in range(200):
        value, change = slope(p)
        low, high = (p, high) if value > 0.0 else (low, p)
        step = p - value / change
        following = step if low < step < high else (low + high) / 2.0
        if abs(following - p) <= 1e-15 * p:
            break
        p = following
    return p


def _ratio(s: Hits, null: float) -> tuple[float, float]:
    """p₁ − φ p₀, and its variance at the most likely proportions of the ratio φ."""
    p0, p1 = s.shares
    b = s.n1 * null + s.x1 + s.n0 + s.x0 * null
    root = math.sqrt(max(b * b - 4.0 * (s.n0 + s.n1) * null * (s.x0 + s.x1), 0.0))
    base = min(2.0 * (s.x0 + s.x1) / (b + root), 1.0)
    other = min(base * null, 1.0)
    return p1 - null * p0, null**2 * base * (1.0 - base) / s.n0 + other * (1.0 - other) / s.n1


def _odds_ratio(s: Hits, null: float) -> tuple[float, float]:
    """p₁ less the most likely one, and the variance of that, where the odds have the ratio ψ."""
    hits = s.x0 + s.x1
    b = s.n1 * null + s.n0 - hits * (null - 1.0)
    root = math.sqrt(max(b * b + 4.0 * s.n0 * (null - 1.0) * hits, 0.0))
    # Both are the same root of a quadratic equation; each loses no digits where it is taken.
    base = min(2.0 * hits / (b + root) if b >= 0.0 else (root - b) / (2.0 * s.n0 * (null - 1.0)), 1.0)
    other = min(max((hits - s.n0 * base) / s.n1, 0.0), 1.0)
    spread = s.n1 * other * (1.0 - other), s.n0 * base * (1.0 - base)
    if min(spread) <= 0.0:
        return s.shares[1] - other, 0.0
    return s.shares[1] - other, 1.0 / (1.0 / spread[0] + 1.0 / spread[1]) / s.n1**2


MEASURES: Mapping[str, Callable[[Hits, float], tuple[float, float]]] = {
    "difference": _difference,
    "ratio": _ratio,
    "odds-ratio": _odds_ratio,
}
