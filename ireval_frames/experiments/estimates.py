"""A metric's values of two variants and their variances, from moments: delta method, CUPED, post-stratification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ireval_frames.experiments.metrics import Metric, Proportion
from ireval_frames.experiments.moments import Moments
from ireval_frames.stats.means.ratio_of_means import welch_df
from ireval_frames.stats.proportions.score_tests import Hits, TwoProportions
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array

# The meaning of each status.
STATUS = {
    "ok": "no problem",
    "identical": "both variants are the same constant: p is 1",
    "constant_shift": "both variants are constants, and different ones: no p; proportions have one",
    "too_few": "a variant has fewer than two units with a value; of proportions one is enough",
    "no_units": "a variant has no unit with a value",
    "empty_stratum": "a variant has fewer than two units in a stratum; of proportions none",
    "zero_denominator": "the denominator of a ratio is 0",
    "constant_covariate": "the covariate does not vary, so nothing is adjusted",
}


@dataclass(frozen=True)
class Side:
    """A variant: its units, its value, the variance of the value and the parts that this is the sum of."""

    n: float
    value: float
    variance: float
    parts: tuple[tuple[float, float], ...]
    """Each part of the variance, and the number of units it is from."""


@dataclass(frozen=True)
class Pair:
    """Two variants compared: baseline and variant, adjusted alike.

    Attributes:
        baseline, variant: the sides.
        df: Welch's degrees of freedom.
        removed: the share of the variance that the adjustment removed.
        status: a word of STATUS.
        counts: the hits of both, where score tests apply: proportions that are not adjusted, or that do not vary.
    """

    baseline: Side
    variant: Side
    df: float
    removed: float = float("nan")
    status: str = "ok"
    counts: TwoProportions | None = None

    @property
    def difference(self) -> float:
        """Variant − baseline."""
        return self.variant.value - self.baseline.value

    @property
    def se(self) -> float:
        """The standard error of the difference."""
        return float(np.sqrt(self.variant.variance + self.baseline.variance))


@dataclass(frozen=True)
class Values:
    """Variants of a metric, adjusted alike.

    Attributes:
        sides: the variants.
        removed: the share of the variance that the adjustment removed.
        status: a word of STATUS.
    """

    sides: tuple[Side, ...]
    removed: float = float("nan")
    status: str = "ok"


def values(metric: Metric, cells: Sequence[Moments], weights: Array, coefficient: str = "within") -> Values:
    """The value of each variant, and its variance.

    Args:
        metric: the metric.
        cells: the moments of each variant, a cell per stratum, in the same order.
        weights: the share of each stratum.
        coefficient: "within": θ of CUPED from sums of squares within the variants, which is that of a regression with
            the variant as a factor; "pooled": from those of all variants together.

    Returns:
        Values, variances and degrees of freedom; a value is Σ w ȳ over the strata, of ratios Σ w ȳ / Σ w x̄, and if it
        is adjusted less θ (its value from before − that of all variants together).

    Source: Deng et al., WSDM 2013 (CUPED); Deng et al., KDD 2018 (delta method); Miratrix et al., JRSS B 2013
    (post-stratification).
    """
    size = 2 if metric.is_ratio else 1
    least = 1 if isinstance(metric, Proportion) and not metric.adjusted else 2
    if status := _unfit(cells, weights, size, least, adjusted=metric.adjusted):
        return Values(tuple(Side(float(s.n.sum()), np.nan, np.nan, ()) for s in cells), status=status)
    plain = tuple(_side(s, weights, size) for s in cells)
    if not metric.adjusted:
        return Values(plain)
    theta, centre = _theta(cells, size, weights, coefficient)
    if theta is None:
        return Values(plain, status="constant_covariate")
    adjusted = tuple(_side(s, weights, size, theta, centre) for s in cells)
    old, new = (sum(s.variance for s in all_of) for all_of in (plain, adjusted))
    return Values(adjusted, 1.0 - new / old if old > 0 else np.nan)


def pair(metric: Metric, baseline: Moments, variant: Moments, weights: Array, coefficient: str = "within") -> Pair:
    """Two variants of one metric compared; arguments as of `values`."""
    cells = (baseline, variant)
    of = values(metric, cells, weights, coefficient)
    one, other = of.sides
    counts = _counts(cells, weights) if isinstance(metric, Proportion) else None
    if of.status not in ("ok", "constant_covariate"):
        return Pair(one, other, np.nan, status=of.status)
    if min(one.n, other.n) < 2:
        scored = counts if not metric.adjusted else None
        return Pair(one, other, np.nan, of.removed, "too_few" if scored is None else "ok", scored)
    size = 2 if metric.is_ratio else 1
    rounding = [ROUNDINGS * EPSILON * _scale(weights @ s.mean, size) for s in cells]
    status = of.status
    if all(np.sqrt(s.variance * s.n) <= r for s, r in zip(of.sides, rounding, strict=True)):
        status = "identical" if abs(other.value - one.value) <= max(rounding) else "constant_shift"
    elif metric.adjusted and status == "ok":
        counts = None
    df = welch_df(*one.parts, *other.parts) if min(n for s in of.sides for _, n in s.parts) > 1 else float("nan")
    return Pair(one, other, df, of.removed, status, counts)


def _counts(cells: Sequence[Moments], weights: Array) -> TwoProportions:
    """The hits and units of each stratum."""
    (x0, n0), (x1, n1) = ((np.round(c.n * c.mean[:, 0]), c.n) for c in cells)
    strata = tuple(Hits(*map(float, row)) for row in zip(x0, n0, x1, n1, strict=True))
    return TwoProportions(strata, tuple(map(float, weights)))


def _unfit(sides: Sequence[Moments], weights: Array, size: int, least: int, *, adjusted: bool) -> str:
    """The status if there is no value, else empty; `least` is the fewest units of a stratum."""
    if min(s.n.sum() for s in sides) == 0:
        return "no_units"
    if len(weights) > 1 and min(s.n.min() for s in sides) < least:
        return "empty_stratum"
    below = ([1] if size == 2 else []) + ([3] if size == 2 and adjusted else [])
    if any((weights @ s.mean)[i] == 0.0 for s in sides for i in below):
        return "zero_denominator"
    return ""


def _value(mean: Array) -> float:
    """A mean, or the ratio of two."""
    return float(mean[0] if len(mean) == 1 else mean[0] / mean[1])


def _gradient(mean: Array) -> Array:
    """The gradient of a value in the means."""
    return np.ones(1) if len(mean) == 1 else np.array([1.0 / mean[1], -mean[0] / mean[1] ** 2])


def _scale(mean: Array, size: int) -> float:
    """The magnitude of a value's terms."""
    return float(np.abs(mean[0]) if size == 1 else np.abs(mean[0] / mean[1]))


def _side(of: Moments, weights: Array, size: int, theta: float | None = None, centre: float = 0.0) -> Side:
    """A value and its variance by the delta method: gradientᵀ · covariance · gradient / n."""
    mean = weights @ of.mean
    value, gradient = _value(mean[:size]), _gradient(mean[:size])
    if theta is not None:
        value -= theta * (_value(mean[size:]) - centre)
        gradient = np.concatenate([gradient, -theta * _gradient(mean[size:])])
    used = slice(len(gradient))
    squares = np.einsum("i,sij,j->s", gradient, of.products[:, used, used], gradient)
    with np.errstate(invalid="ignore", divide="ignore"):
        variances = weights**2 * np.maximum(squares, 0.0) / (of.n - 1.0) / of.n
    parts = tuple(zip(map(float, variances), map(float, of.n), strict=True))
    return Side(float(of.n.sum()), value, float(variances.sum()), parts)


def _theta(sides: Sequence[Moments], size: int, weights: Array, coefficient: str) -> tuple[float | None, float]:
    """θ, and the value from before of all variants together; no θ where that does not vary."""
    strata = len(weights)
    both = Moments(*(np.concatenate([getattr(s, name) for s in sides]) for name in ("n", "mean", "products")))
    merged = both.merged(np.tile(np.arange(strata), len(sides)), strata)
    shared = (both if coefficient == "within" else merged).products.sum(axis=0)
    mean = weights @ merged.mean
    now, before = _gradient(mean[:size]), _gradient(mean[size:])
    spread = float(before @ shared[size:, size:] @ before)
    rounding = ROUNDINGS * EPSILON * _scale(mean[size:], size)
    if not spread > rounding**2 * both.n.sum():
        return None, 0.0
    return float(now @ shared[:size, size:] @ before) / spread, _value(mean[size:])
