"""Intervals from replicates, of whatever value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ireval_frames.stats.sample import Array

INTERVALS = ("studentised", "percentile", "basic", "normal", "bca")


def ends(
    kind: str, shift: Array, level: float, *, rounding: Array, acceleration: Array, t: Array, se: Array
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Both ends less the value θ, and where the interval asked for is undefined, which is then the percentile one.

    With q the quantiles of θ* − θ, interpolated linearly:
    percentile [q(1 − level), q(level)]; basic [−q(level), −q(1 − level)]; normal −bias ± z · the standard deviation of
    θ*; studentised minus the quantiles of t*, turned round, times se; bca percentiles at Φ(z₀ + (z₀ ± z) /
    (1 − a(z₀ ± z))), z₀ = Φ⁻¹((#{θ* < θ} + ½#{θ* = θ}) / draws).

    Args:
        kind: one of INTERVALS.
        shift: θ* − θ, values × draws.
        level: below which probability the upper end lies.
        rounding: by how much two of a value may differ and still be one.
        acceleration: a of each value; read by bca.
        t: (θ* − θ) / se*, values × draws; read by studentised.
        se: the standard error of each value; read by studentised.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 12 to 14.

    Example:
        >>> one, draws = np.zeros(1), np.arange(-4.0, 7.0).reshape(1, -1)
        >>> [x.tolist() for x in ends("basic", draws, 0.9, rounding=one, acceleration=one, t=draws, se=one)[:2]]
        [[-5.0], [3.0]]
    """
    lacking = np.zeros(len(shift), dtype=bool)
    if kind == "normal":
        spread = special.ndtri(level) * shift.std(axis=1, ddof=min(1, shift.shape[1] - 1))
        middle = -shift.mean(axis=1)
        return middle - spread, middle + spread, lacking
    if kind == "bca":
        levels, lacking = _accelerated(shift, rounding, acceleration, level)
        both = np.array([np.quantile(x, at) for x, at in zip(shift, levels, strict=True)]).reshape(-1, 2)
        return both[:, 0], both[:, 1], lacking
    lower, upper = np.quantile(t if kind == "studentised" else shift, [1.0 - level, level], axis=1)
    if kind == "percentile":
        return lower, upper, lacking
    scale = se if kind == "studentised" else 1.0
    return -upper * scale, -lower * scale, lacking


def _accelerated(shift: Array, rounding: Array, a: Array, level: float) -> tuple[Array, NDArray[np.bool_]]:
    """Which quantiles the bias-corrected and accelerated interval takes, and where that is undefined."""
    draws = shift.shape[1]
    below = (shift < -rounding[:, None]).sum(axis=1)
    tied = (np.abs(shift) <= rounding[:, None]).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        z0 = special.ndtri((below + 0.5 * tied) / draws)[:, None]
        z = z0 + special.ndtri([1.0 - level, level])
        levels = special.ndtr(z0 + z / (1.0 - a[:, None] * z))
    lacking = ~np.isfinite(levels).all(axis=1) | (tied == draws)
    levels[lacking] = 1.0 - level, level
    return levels, lacking
