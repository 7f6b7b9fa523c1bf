"""Which of several independent quantities is largest: how probable, and what is lost by choosing another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from ireval_frames.stats.distributions.gauss_legendre import points
from ireval_frames.stats.sample import Array

# Intervals between grid points of each distribution, and points within each.
STEPS, POINTS_PER_STEP = 300, 5
# The range of integration, in standard deviations.
MAX_DEVIATIONS = 9.0


@dataclass(frozen=True)
class Normal:
    """A normal distribution."""

    mean: float
    sd: float

    def below(self, x: Array) -> Array:
        """P(X ≤ x)."""
        return np.asarray(special.ndtr((x - self.mean) / self.sd))

    def quantile(self, level: float) -> float:
        """Below which X lies with that probability."""
        return float(self.mean + self.sd * special.ndtri(level))

    @property
    def reach(self) -> tuple[float, float]:
        """Between which it lies."""
        return self.mean - MAX_DEVIATIONS * self.sd, self.mean + MAX_DEVIATIONS * self.sd


@dataclass(frozen=True)
class Beta:
    """A beta distribution."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        """A / (a + b)."""
        return self.a / (self.a + self.b)

    def below(self, x: Array) -> Array:
        """P(X ≤ x)."""
        return np.asarray(special.betainc(self.a, self.b, np.clip(x, 0.0, 1.0)))

    def quantile(self, level: float) -> float:
        """Below which X lies with that probability."""
        return float(special.betaincinv(self.a, self.b, level))

    @property
    def reach(self) -> tuple[float, float]:
        """Between which it lies."""
        sd = float(np.sqrt(self.mean * (1.0 - self.mean) / (self.a + self.b + 1.0)))
        return max(0.0, self.mean - MAX_DEVIATIONS * sd - 1e-12), min(1.0, self.mean + MAX_DEVIATIONS * sd + 1e-12)


@dataclass(frozen=True)
class Best:
    """Of each quantity: the probability that it is the largest, and E[largest] − E[it]."""

    probability: Array
    loss: Array


def best_of(quantities: Sequence[Normal | Beta]) -> Best:
    """Which quantity is the largest: P(X_i > all others) and E[max X] − E[X_i], by quadrature; two normals exactly.

    P is ∫ Π_{j≠i} F_j dF_i, and E[max X] = b − ∫_a^b Π F_j dx where all lie between a and b.  Of two normals, whose
    difference has the mean d and the standard deviation s, they are Φ(d/s) and s φ(d/s) − d Φ(−d/s).

    Source: Stucchio, Bayesian A/B testing at VWO, 2015, for the expected loss.

    Example:
        >>> found = best_of([Normal(0.0, 1.0), Normal(1.0, 1.0)])
        >>> found.probability.round(4).tolist(), found.loss.round(4).tolist()
        ([0.2398, 0.7602], [1.1996, 0.1996])
    """
    match quantities:
        case [Normal() as one, Normal() as other]:
            return _of_normals(one, other)
    ends = np.unique(np.concatenate([np.linspace(*q.reach, STEPS + 1) for q in quantities]))
    nodes, weights = points(POINTS_PER_STEP)
    half = np.diff(ends)[:, None] / 2.0
    x = (ends[:-1, None] + half + half * nodes).ravel()
    widths = (half * weights).ravel()
    below = np.stack([q.below(x) for q in quantities])
    largest = float(ends[-1] - np.prod(below, axis=0) @ widths)
    # What falls between two ends goes by the distribution itself, and Π F of the others by its mean there.
    shares = np.stack([np.diff(q.below(ends)) for q in quantities])
    probability = np.empty(len(quantities))
    for i in range(len(quantities)):
        others = np.prod(np.delete(below, i, axis=0), axis=0).reshape(-1, POINTS_PER_STEP)
        own = _density(quantities[i], x).reshape(-1, POINTS_PER_STEP) * weights
        total = own.sum(axis=1)
        mean = np.divide((others * own).sum(axis=1), total, out=others.mean(axis=1), where=total > 0)
        probability[i] = float(shares[i] @ mean)
    means = np.array([q.mean for q in quantities])
    return Best(probability / probability.sum(), np.maximum(largest - means, 0.0))


def _of_normals(one: Normal, other: Normal) -> Best:
    d = np.array([one.mean - other.mean, other.mean - one.mean])
    s = np.hypot(one.sd, other.sd)
    z = d / s
    lost = s * np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi) - d * special.ndtr(-z)
    return Best(np.asarray(special.ndtr(z)), np.maximum(lost, 0.0))


def _density(of: Normal | Beta, x: Array) -> Array:
    """The density, up to a factor."""
    if isinstance(of, Normal):
        return np.asarray(np.exp(-0.5 * ((x - of.mean) / of.sd) ** 2))
    with np.errstate(divide="ignore"):
        logs = special.xlogy(of.a - 1.0, x) + special.xlog1py(of.b - 1.0, -x)
    return np.asarray(np.exp(logs - logs[np.isfinite(logs)].max(initial=-np.inf)))
