"""Two proportions of different units: their score statistics at any difference, ratio or odds ratio."""

from __future__ import annotations

import math
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
        off = variance = 0.0
        for w, s in zip(self.weights, self.strata, strict=True):
            distance, spread = MEASURES[measure](s, null)
            factor = (s.n0 + s.n1) / (s.n0 + s.n1 - 1.0) if corrected else 1.0
            off, variance = off + w * distance, variance + w * w * spread * factor
        if abs(off) <= 1e-14:
            return 0.0
        return off / math.sqrt(variance) if variance > 0.0 else math.copysign(math.inf, off)


def _difference(s: Hits, null: float) -> tuple[float, float]:
    """p₁ − p₀ − δ, and its variance at the most likely proportions that differ by δ."""
    low, high = max(0.0, -null), min(1.0, 1.0 - null)
    if low > high:
        return s.shares[1] - s.shares[0] - null, 0.0
    base = min(max(_restricted(s, null), low), high)
    other = min(max(base + null, 0.0), 1.0)
    p0, p1 = s.shares
    return p1 - p0 - null, base * (1.0 - base) / s.n0 + other * (1.0 - other) / s.n1


def _restricted(s: Hits, null: float) -> float:
    """The most likely p₀ where p₁ = p₀ + δ: the root between of a cubic equation."""
    total, hits = s.n0 + s.n1, s.x0 + s.x1
    if null == 0.0:
        return hits / total
    a2 = ((s.n1 + 2.0 * s.n0) * null - total - hits) / total
    a1 = ((s.n0 * null - total - 2.0 * s.x0) * null + hits) / total
    a0 = s.x0 * null * (1.0 - null) / total
    q = (a2 / 3.0) ** 3 - a2 * a1 / 6.0 + a0 / 2.0
    p = math.copysign(math.sqrt(max((a2 / 3.0) ** 2 - a1 / 3.0, 0.0)), q)
    if p == 0.0:
        return -a2 / 3.0
    angle = (math.pi + math.acos(min(max(q / p**3, -1.0), 1.0))) / 3.0
    found = 2.0 * p * math.cos(angle) - a2 / 3.0
    # The cosine loses digits where two roots meet; Newton's steps bring them back.
    for _ in range(3):
        slope = (3.0 * found + 2.0 * a2) * found + a1
        if slope == 0.0:
            break
        found -= (((found + a2) * found + a1) * found + a0) / slope
    return found


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
