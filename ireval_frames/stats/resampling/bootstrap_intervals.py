"""Intervals from replicates, of whatever value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ireval_frames.stats.sample import Alternative, Array

# Quotients that differ by so much of them are one.
TIED = 1e-9
INTERVALS = ("studentised", "percentile", "basic", "normal", "bca")


def ends(
    kind: str, shift: Array, level: float, *, rounding: Array, acceleration: Array, t: Array, se: Array
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Both ends less the value θ, and where the requested interval is undefined and the percentile one is used.

    With q the quantiles of θ* − θ, interpolated linearly:
    percentile [q(1 − level), q(level)]; basic [−q(level), −q(1 − level)]; normal −bias ± z · the standard deviation of
    θ*; studentised minus the quantiles of t*, reversed, times se; bca percentiles at Φ(z₀ + (z₀ ± z) /
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


def p_values(
    kind: str,
    shift: Array,
    theta: Array,
    alternative: Alternative,
    *,
    rounding: Array,
    acceleration: Array,
    t: Array,
    se: Array,
    lacking: NDArray[np.bool_],
) -> Array:
    """The p-value of θ = 0 that is the interval's inversion: the smallest α at which the interval does not hold 0.

    It is found from the same replicates by turning the interval's formula round, two-sided twice the smaller side; at
    least 2 / (draws + 1), one-sided 1 / (draws + 1), as the interval of no α below holds fewer replicates.

    Args:
        kind: one of INTERVALS.
        shift: θ* − θ, values × draws.
        theta: θ.
        alternative: of θ.
        rounding: as of `ends`.
        acceleration: as of `ends`.
        t: as of `ends`.
        se: as of `ends`.
        lacking: where the interval is the percentile one instead.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 15.4.

    Example:
        >>> one, draws = np.zeros(1), np.arange(-50.0, 51.0).reshape(1, -1)
        >>> told = {"rounding": one, "acceleration": one, "t": draws, "se": one + 1, "lacking": one > 0}
        >>> p_values("percentile", draws, np.array([49.0]), "two-sided", **told).round(4).tolist()
        [0.02]
    """
    draws = shift.shape[1]
    if kind == "normal":
        with np.errstate(divide="ignore", invalid="ignore"):
            z = (theta - shift.mean(axis=1)) / shift.std(axis=1, ddof=min(1, draws - 1))
        greater, less = special.ndtr(-z), special.ndtr(z)
    elif kind in ("percentile", "bca"):
        greater, less = _levels(shift, -theta, rounding)
        if kind == "bca":
            z0 = _bias(shift, rounding)
            greater = np.where(lacking, greater, _turned(greater, z0, acceleration))
            less = np.where(lacking, less, 1.0 - _turned(1.0 - less, z0, acceleration))
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = se if kind == "studentised" else np.ones_like(se)
            at = theta / scale
            off = TIED * np.abs(at) if kind == "studentised" else rounding
        less, greater = _levels(t if kind == "studentised" else shift, at, off)
    tails = {"greater": greater, "less": less, "two-sided": 2.0 * np.minimum(greater, less)}[alternative]
    return np.asarray(np.clip(tails, (2.0 if alternative == "two-sided" else 1.0) / (draws + 1.0), 1.0))


def _levels(rows: Array, at: Array, beside: Array) -> tuple[Array, Array]:
    """Up to which level the quantiles of each row are at most a number, and 1 less from which they are at least it."""
    ordered = np.sort(rows, axis=1)
    levels = np.linspace(0.0, 1.0, rows.shape[1])
    quantile_levels = [
        (_inverted(row, levels, x + off), _inverted(-row[::-1], levels, off - x))
        for row, x, off in zip(ordered, at.tolist(), beside.tolist(), strict=True)
    ]
    below, above = np.array(quantile_levels).reshape(-1, 2).T
    return below, above


def _inverted(ordered: Array, levels: Array, at: float) -> float:
    """The largest level at which the quantile, interpolated linearly, is at most a number; 0 where none is."""
    place = int(np.searchsorted(ordered, at, side="right"))
    if place in (0, len(ordered)):
        return float(place > 0)
    low, high = ordered[place - 1], ordered[place]
    return float(levels[place - 1] + (at - low) / (high - low) * (levels[place] - levels[place - 1]))


def _bias(shift: Array, rounding: Array) -> Array:
    """z₀ of each row."""
    below = (shift < -rounding[:, None]).sum(axis=1)
    tied = (np.abs(shift) <= rounding[:, None]).sum(axis=1)
    return np.asarray(special.ndtri((below + 0.5 * tied) / shift.shape[1]))


def _turned(level: Array, z0: Array, a: Array) -> Array:
    """The level whose accelerated one this is."""
    with np.errstate(invalid="ignore", divide="ignore"):
        off = special.ndtri(level) - z0
        left = 1.0 + a * off
        ends = special.ndtr(off / left - z0)
    beyond = ~np.isfinite(off) | (left <= 0.0)
    return np.asarray(np.where(beyond, (off > 0).astype(np.float64), ends))


def _accelerated(shift: Array, rounding: Array, a: Array, level: float) -> tuple[Array, NDArray[np.bool_]]:
    """Which quantiles the bias-corrected and accelerated interval takes, and where that is undefined."""
    draws = shift.shape[1]
    tied = (np.abs(shift) <= rounding[:, None]).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        z0 = _bias(shift, rounding)[:, None]
        z = z0 + special.ndtri([1.0 - level, level])
        levels = special.ndtr(z0 + z / (1.0 - a[:, None] * z))
    lacking = ~np.isfinite(levels).all(axis=1) | (tied == draws)
    levels[lacking] = 1.0 - level, level
    return levels, lacking
