"""Bounds of group-sequential tests: how much of α each look may spend, and from which z on a look stops the test."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy import special

from ireval_frames.stats.distributions.gauss_legendre import points
from ireval_frames.stats.sample import Array

SPENDING = {
    "obrien-fleming": "4 (1 − Φ(z(1 − α/4) / √t)): almost nothing early",
    "pocock": "α ln(1 + (e − 1) t): nearly alike at every look",
    "power": "α t^φ",
}
# The range in which levels are searched.
LEAST, MOST, TINY = 1e-9, 0.999, 1e-300
# Points at which the density of what has not stopped is known.
POINTS = 400


def spent(share: Array, alpha: float, spending: str = "obrien-fleming", exponent: float = 1.0) -> Array:
    """How much of α is spent once a share t of the information is there, of a two-sided test.

    Source: Lan and DeMets, Biometrika 1983; Kim and DeMets, Biometrika 1987, for t^φ.

    Example:
        >>> spent(np.array([0.25, 0.5, 1.0]), 0.05).round(5).tolist()
        [1e-05, 0.00305, 0.05]
    """
    t = np.asarray(share, dtype=np.float64)
    if spending == "obrien-fleming":
        return np.asarray(4.0 * special.ndtr(special.ndtri(alpha / 4.0) / np.sqrt(t)))
    if spending == "pocock":
        return np.asarray(alpha * np.log1p((np.e - 1.0) * t))
    return np.asarray(alpha * t**exponent)


def bounds(share: Array, alpha: float, spending: str = "obrien-fleming", exponent: float = 1.0) -> Array:
    """From which |z| on each look stops: P(first beyond the bound at look k) is what that look may spend.

    Under no difference z √t is a Brownian motion at the times t; its density among the tests that go on is integrated
    from look to look.

    Args:
        share: the share t of the information at each look, rising, at most 1.
        alpha: of the complete test, two-sided.
        spending: a name of SPENDING.
        exponent: φ of "power".

    Returns:
        A bound per look.

    Source: Armitage, McPherson and Rowe, JRSS A 1969; Lan and DeMets, Biometrika 1983.

    Example:
        >>> bounds(np.array([0.2, 0.4, 0.6, 0.8, 1.0]), 0.05).round(3).tolist()
        [4.877, 3.357, 2.68, 2.29, 2.031]
    """
    t = np.asarray(share, dtype=np.float64)
    steps = np.diff(spent(t, alpha, spending, exponent), prepend=0.0)
    places, weights = np.zeros(1), np.ones(1)
    nodes, widths = points(POINTS)
    out, before = [], 0.0
    for time, step in zip(t, steps, strict=True):
        spread = np.sqrt(time - before)
        bound = _bound(places, weights, spread, step, np.sqrt(time))
        new = nodes * bound
        density = np.exp(-0.5 * ((new[:, None] - places) / spread) ** 2) / (spread * np.sqrt(2.0 * np.pi))
        places, weights, before = new, (density @ weights) * widths * bound, time
        out.append(bound / np.sqrt(time))
    return np.array(out)


def crossing(share: Array, stops: Array, drift: float) -> float:
    """P(some look stops) where z has the mean drift · √t at the share t, and looks stop beyond ± `stops`.

    Example:
        >>> t = np.array([0.5, 1.0])
        >>> round(crossing(t, bounds(t, 0.05), 0.0), 6), round(crossing(t, bounds(t, 0.05), 2.8), 3)
        (0.05, 0.798)
    """
    places, weights, before = np.zeros(1), np.ones(1), 0.0
    nodes, widths = points(POINTS)
    for time, stop in zip(np.asarray(share, dtype=np.float64), stops, strict=True):
        spread, moved = math.sqrt(time - before), drift * (time - before)
        bound = min(float(stop), 40.0) * math.sqrt(time)
        new = nodes * bound
        density = np.exp(-0.5 * ((new[:, None] - places - moved) / spread) ** 2) / (spread * math.sqrt(2.0 * math.pi))
        places, weights, before = new, (density @ weights) * widths * bound, time
    return float(1.0 - weights.sum())


def drift_of_power(
    share: tuple[float, ...], power: float, alpha: float = 0.05, spending: str = "obrien-fleming", exponent: float = 1.0
) -> float:
    """The mean of z at the end with which a test of these looks stops with this power.

    Of one look it is z(1 − α/2) + z(power).  The units that a test of several looks needs are those of one look times
    the squared ratio of both drifts.

    Source: Jennison and Turnbull, Group Sequential Methods, 2000, chapter 2.

    Example:
        >>> one, five = drift_of_power((1.0,), 0.8), drift_of_power((0.2, 0.4, 0.6, 0.8, 1.0), 0.8, spending="pocock")
        >>> round(one, 4), round((five / one) ** 2, 3)
        (2.8016, 1.212)
    """
    t = np.array(share)
    stops = bounds(t, alpha, spending, exponent)
    low, high = 0.0, 8.0 + float(special.ndtri(power))
    while crossing(t, stops, high) < power:
        high *= 2.0
    for _ in range(50):
        middle = (low + high) / 2.0
        low, high = (low, middle) if crossing(t, stops, middle) >= power else (middle, high)
    return high


def nominal_level(
    share: tuple[float, ...], alpha: float, spending: str = "obrien-fleming", exponent: float = 1.0
) -> float:
    """The p-value at which the last look stops a test of level α; arguments as of `bounds`, 1 of a level of 1.

    Example:
        >>> round(nominal_level((0.5, 1.0), 0.05), 5)
        0.049
    """
    return 1.0 if alpha >= 1.0 else _nominal(tuple(share), float(alpha), spending, exponent)


@lru_cache(maxsize=1024)
def _nominal(share: tuple[float, ...], alpha: float, spending: str, exponent: float) -> float:
    return float(2.0 * special.ndtr(-bounds(np.array(share), alpha, spending, exponent)[-1]))


def overall_level(share: tuple[float, ...], p: float, spending: str = "obrien-fleming", exponent: float = 1.0) -> float:
    """The smallest overall level at which the p-value of the last look rejects: the inverse of `nominal_level`.

    It can be corrected as p-values of single looks are: Holm's step j stops where |z| is beyond the
    bounds of level α / (N − j + 1).

    Source: Jennison and Turnbull, JRSS B 1989 (repeated p-values); Ye et al., Statistics in Medicine 2013 (Holm).

    Example:
        >>> round(overall_level((0.5, 1.0), nominal_level((0.5, 1.0), 0.05)), 10)
        0.05
    """
    how = spending, exponent
    least, most = (max(_nominal(tuple(share), a, *how), TINY) for a in (LEAST, MOST))
    if not least < p < most:
        return 0.0 if p <= least else 1.0
    # In logarithms both go nearly alike: the secant that keeps the root between its ends.
    low, high, below, above = math.log(LEAST), math.log(MOST), math.log(least / p), math.log(most / p)
    side = 0
    for _ in range(60):
        at = (low * above - high * below) / (above - below)
        off = math.log(max(_nominal(tuple(share), math.exp(at), *how), TINY) / p)
        if abs(off) < 1e-11:
            break
        if off > 0:
            high, above, below, side = at, off, below / 2.0 if side > 0 else below, 1
        else:
            low, below, above, side = at, off, above / 2.0 if side < 0 else above, -1
    return math.exp(at)


def _bound(places: Array, weights: Array, spread: float, step: float, scale: float) -> float:
    """Beyond which the motion is with the probability of this step, by halving."""
    low, high = 0.0, 40.0 * scale
    for _ in range(64):
        middle = (low + high) / 2.0
        beyond = special.ndtr((-middle - places) / spread) + special.ndtr((places - middle) / spread)
        if float(beyond @ weights) > step:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
