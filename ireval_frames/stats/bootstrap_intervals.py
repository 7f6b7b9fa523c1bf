"""Intervals of a mean difference from its resamples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ireval_frames.stats.resampled_means import Resampled
from ireval_frames.stats.sample import Array, Options
from ireval_frames.stats.tails import open_ended, upper_level

INTERVALS = ("studentised", "percentile", "basic", "normal", "bca")


def interval(
    some: Resampled, t: Array, mean: Array, se: Array, rounding: Array, options: Options
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Both ends, and where the interval asked for is undefined, which is then the percentile one.

    Args:
        some: the resamples.
        t: studentised means of the resamples, pairs × draws.
        mean: of the differences.
        se: its standard error, s / √n.
        rounding: by how much two means may differ and still be one.
        options: confidence, alternative, draws, and `interval`:
            percentile: quantiles of d̄*;
            basic: 2d̄ − these, turned round;
            normal: d̄ − bias ± z · the standard deviation of d̄*;
            studentised: d̄ − quantiles of t* · s / √n;
            bca: percentile at Φ(z₀ + (z₀ + z) / (1 − a(z₀ + z))), z₀ = Φ⁻¹((#{d̄* < d̄} + ½#{d̄* = d̄}) / draws),
            a = g₁ / (6√n), g₁ the skewness of d.
    """
    level = upper_level(options)
    kind = str(options.more["interval"])
    lacking = np.zeros(len(mean), dtype=bool)
    if kind == "normal":
        spread = special.ndtri(level) * some.shift.std(axis=1, ddof=min(1, options.draws - 1))
        middle = mean - some.shift.mean(axis=1)
        low, high = middle - spread, middle + spread
    elif kind == "bca":
        low, high, lacking = _accelerated(some, mean, rounding, level)
    else:
        lower, upper = np.quantile(t if kind == "studentised" else some.shift, [1.0 - level, level], axis=1)
        if kind == "percentile":
            low, high = mean + lower, mean + upper
        else:
            scale = se if kind == "studentised" else 1.0
            low, high = mean - upper * scale, mean - lower * scale
    return *open_ended(low, high, options.alternative), lacking


def _accelerated(some: Resampled, mean: Array, rounding: Array, level: float) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Bias-corrected and accelerated."""
    n = some.differences.shape[1]
    centred = some.differences - mean[:, None]
    draws = some.shift.shape[1]
    below = (some.shift < -rounding[:, None]).sum(axis=1)
    tied = (np.abs(some.shift) <= rounding[:, None]).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        a = (centred**3).sum(axis=1) / (6.0 * np.square(centred).sum(axis=1) ** 1.5)
        z0 = special.ndtri((below + tied / 2.0) / draws)
        z = z0[:, None] + special.ndtri([1.0 - level, level])
        levels = special.ndtr(z0[:, None] + z / (1.0 - a[:, None] * z))
    lacking = ~np.isfinite(levels).all(axis=1) | (tied == draws) | (n < 2)
    levels[lacking] = 1.0 - level, level
    ends = np.array([np.quantile(x, at) for x, at in zip(some.shift, levels, strict=True)]).reshape(-1, 2)
    return mean + ends[:, 0], mean + ends[:, 1], lacking
