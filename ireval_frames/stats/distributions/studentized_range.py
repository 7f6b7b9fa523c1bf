"""The range of k normal values in units of an estimated spread, and the largest of k differences from one baseline.

With W the range and s an independent χ_ν / √ν, P(W / s ≥ q) = ∫ P(W ≥ q·s) f_ν(s) ds, where

    P(W ≥ w) = k ∫ φ(z) · (Φ(z)^(k−1) − [Φ(z) − Φ(z − w)]^(k−1)) dz,

a difference that keeps its digits where p is small.  Both integrals are Gauss–Legendre sums; the inner one is computed
once at some points for each number of systems.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy import special

from ireval_frames.stats.distributions.gauss_legendre import points
from ireval_frames.stats.distributions.interpolated import tabulated
from ireval_frames.stats.sample import Array

# Upper limits of values and degrees of freedom, and the number of nodes that is enough for about 1e-10: the largest
# of many values
# lies in a narrow band, and the spread of few degrees of freedom varies widely.
NODES = ((10, 96), (100, 160), (np.inf, 320))
SPREADS = ((8, 320), (60, 64), (np.inf, 40))
# Normal values beyond have no weight; neither have spreads beyond these quantiles.
MAX_NORMAL = 8.5
MIN_PROBABILITY = 1e-17
# No range of normal values is wider, and no difference from a baseline larger, in its standard errors; below the last
# one the largest difference surely lies above.
WIDE, LARGE, SMALL = 51.0, 36.0, -12.0
# More statistics than this are interpolated between as many points.
POINTS = 4096
# The number of spreads of statistics in memory at once.
CELLS = 100_000

Tail = Callable[[Array], Array]


def range_sf(q: Array | float, k: int, df: float) -> Array:
    """The probability that the studentised range of k values is q or more.

    Args:
        q: studentised ranges, any shape.
        k: how many values, from 2.
        df: degrees of freedom of the spread; ∞ where it is known.

    Returns:
        Probabilities, to about 1e-10; NaN where q is.

    Source: Tukey, 1953; Copenhaver and Holland, 1988; scipy.stats.studentized_range.sf.

    Example:
        >>> range_sf(3.5, 3, 20.0).round(6).tolist()
        0.055892
    """
    return _over_spreads(_range_known(k), q, df)


@lru_cache(256)
def range_quantile(p: float, k: int, df: float) -> float:
    """The studentised range that k values exceed with probability p."""
    near = 4.0 if np.isinf(df) else range_quantile(p, k, np.inf)
    return _root(lambda q: range_sf(q, k, df), p, near)


def baseline_sf(t: Array | float, k: int, df: float, *, two_sided: bool = True) -> Array:
    """The probability that the largest of k differences from one baseline is t standard errors or more.

    All systems have as many values, so that two differences correlate with ½:
    1 − P(all |t_i| < t) = 1 − ∫ f_ν(s) ∫ φ(z) · [Φ(z + √2·t·s) − Φ(z − √2·t·s)]^k dz ds.

    Args:
        t: studentised differences, any shape.
        k: how many systems are compared with the baseline.
        df: degrees of freedom of the spread.
        two_sided: of |t|; else of t, of either sign.

    Source: Dunnett, JASA 1955.
    """
    return _over_spreads(_baseline_known(k, two_sided=two_sided), t, df)


@lru_cache(256)
def baseline_quantile(p: float, k: int, df: float, *, two_sided: bool = True) -> float:
    """How many standard errors the largest of k differences from one baseline exceeds with probability p."""
    near = 2.0 if np.isinf(df) else baseline_quantile(p, k, np.inf, two_sided=two_sided)
    return _root(lambda t: baseline_sf(t, k, df, two_sided=two_sided), p, near)


@lru_cache(64)
def _range_known(k: int) -> Tail:
    return tabulated(lambda w: _range_tail(w, k), 0.0, WIDE)


@lru_cache(64)
def _baseline_known(k: int, *, two_sided: bool) -> Tail:
    return tabulated(lambda t: _baseline_tail(t, k, two_sided=two_sided), 0.0 if two_sided else SMALL, LARGE)


def _range_tail(w: Array, k: int) -> Array:
    # Of a wide range one end is about w / 2 above 0.
    x, weights = points(_enough(NODES, k))
    reach = MAX_NORMAL + w[..., None] / 4.0
    z = -MAX_NORMAL + reach * (x + 1.0)
    total = special.ndtr(z)
    # Rounding may leave a share a little above 1.
    share = np.minimum(special.ndtr(z - w[..., None]) / total, 1.0)
    with np.errstate(divide="ignore"):
        missing = -np.expm1((k - 1) * np.log1p(-share))
    return np.asarray(k * (reach[..., 0] * ((_density(z) * total ** (k - 1) * missing) @ weights)))


def _baseline_tail(w: Array, k: int, *, two_sided: bool) -> Array:
    x, weights = points(_enough(NODES, k))
    shift = np.sqrt(2.0) * w[..., None]
    # The largest difference comes of a baseline about shift / 2 away: on either side, or below.
    away = np.maximum(shift, 0.0) / 4.0
    reach = MAX_NORMAL + (2.0 * away if two_sided else away)
    z = reach * x if two_sided else reach * x - away
    outside = special.ndtr(-(z + shift))
    if two_sided:
        outside = outside + special.ndtr(z - shift)
    with np.errstate(divide="ignore"):
        missing = -np.expm1(k * np.log1p(-np.minimum(outside, 1.0)))
    return np.asarray(reach[..., 0] * ((_density(z) * missing) @ weights))


def _over_spreads(tail: Tail, q: Array | float, df: float) -> Array:
    """The tail of a statistic in units of a spread with that many degrees of freedom."""
    points = np.atleast_1d(np.asarray(q, dtype=np.float64))
    if points.size > POINTS:
        return _between_points(tail, points, df)
    flat, out = points.ravel(), np.empty(points.size)
    spreads, weights = (np.ones(1), np.ones(1)) if np.isinf(df) else _spreads(float(df))
    step = CELLS // len(spreads)
    for start in range(0, len(flat), step):
        some = flat[start : start + step]
        block = np.where(np.isfinite(some), some, 0.0)
        shares = tail((block[:, None] * spreads).ravel()).reshape(-1, len(spreads))
        tails = np.clip(shares @ weights, 0.0, 1.0)
        tails = np.where(np.isnan(some), np.nan, np.where(some == np.inf, 0.0, np.where(some == -np.inf, 1.0, tails)))
        out[start : start + step] = tails
    return out.reshape(np.shape(q))


def _between_points(tail: Tail, needed: Array, df: float) -> Array:
    """The tail of very many statistics: a spline of its logarithm."""
    from scipy.interpolate import CubicSpline

    known = needed[np.isfinite(needed)]
    if not known.size or known.min() == known.max():
        return np.broadcast_to(_over_spreads(tail, needed.flat[0], df), needed.shape)
    points = np.linspace(known.min(), known.max(), POINTS)
    log = np.log(np.maximum(_over_spreads(tail, points, df), 1e-300))
    tails = np.exp(CubicSpline(points, log)(np.clip(needed, points[0], points[-1])))
    special_ = ~np.isfinite(needed)
    if special_.any():
        tails[special_] = _over_spreads(tail, np.array([np.nan, np.inf, -np.inf]), df)[
            np.where(np.isnan(needed[special_]), 0, np.where(needed[special_] > 0, 1, 2))
        ]
    return np.asarray(np.clip(tails, 0.0, 1.0))


@lru_cache(256)
def _spreads(df: float) -> tuple[Array, Array]:
    """Values of χ_ν / √ν and their weights."""
    low = special.gammaincinv(df / 2.0, MIN_PROBABILITY) * 2.0
    high = special.gammainccinv(df / 2.0, MIN_PROBABILITY) * 2.0
    x, weights = points(_enough(SPREADS, df))
    ends = np.sqrt(np.array([low, high]) / df)
    # Few degrees of freedom leave much weight on small spreads: equal steps of the logarithm follow it.
    step = np.log(ends[1] / ends[0]) / 2.0
    s = ends[0] * np.exp(step * (x + 1.0))
    log = (
        np.log(2.0) * (1.0 - df / 2.0) - special.gammaln(df / 2.0) + (df / 2.0) * np.log(df)
        + (df - 1.0) * np.log(s) - df * s * s / 2.0
    )  # fmt: skip
    nodes = np.exp(log) * s * step * weights
    # The logarithm of many degrees of freedom loses digits, which the sum gives back.
    return s, nodes / nodes.sum()


def _enough(table: tuple[tuple[float, int], ...], size: float) -> int:
    return next(nodes for most, nodes in table if size <= most)


def _density(z: Array) -> Array:
    return np.asarray(np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi))


def _root(tail: Tail, p: float, near: float) -> float:
    """Where a falling tail is p, by the secant of its logarithm within a bracket (Illinois' rule) made about `near`."""

    def off(q: float) -> float:
        return float(np.log(np.maximum(tail(np.array(q)), 1e-300))) - float(np.log(p))

    # An unknown spread makes quantiles larger, except for those of large probabilities.
    low, high, step = near - 1e-3, near + 0.2, 0.5
    while (above := off(low)) <= 0:
        low, step = low - step, 2.0 * step
    step = 0.5
    while (below := off(high)) >= 0:
        high, step = high + step, 2.0 * step
    q, stayed = low, ""
    for _ in range(100):
        q = (low * below - high * above) / (below - above)
        here = off(q)
        if abs(here) < 1e-13 or high - low < 1e-14 * abs(q):
            break
        if here > 0:
            # An end that stays twice counts half, else it would stay for long.
            below /= 2.0 if stayed == "high" else 1.0
            low, above, stayed = q, here, "high"
        else:
            above /= 2.0 if stayed == "low" else 1.0
            high, below, stayed = q, here, "low"
    return q
