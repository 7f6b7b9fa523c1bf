"""Bounds of group-sequential tests: how much of α each look may spend, and from which z on a look stops the test."""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.stats.legendre import points
from ireval_frames.stats.sample import Array

SPENDING = {
    "obrien-fleming": "4 (1 − Φ(z(1 − α/4) / √t)): almost nothing early",
    "pocock": "α ln(1 + (e − 1) t): nearly alike at every look",
    "power": "α t^φ",
}
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
        alpha: of the whole test, two-sided.
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


def _bound(places: Array, weights: Array, spread: float, step: float, scale: float) -> float:
    """Beyond which the motion is with the probability of this step, by halving."""
    low, high = 0.0, 40.0 * scale
    for _ in range(200):
        middle = (low + high) / 2.0
        beyond = special.ndtr((-middle - places) / spread) + special.ndtr((places - middle) / spread)
        if float(beyond @ weights) > step:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
