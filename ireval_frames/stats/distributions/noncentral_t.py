"""Noncentral t: which noncentrality a statistic bounds."""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.stats.sample import Array

# Steps until a noncentrality is known to so much of its standard error.
STEPS, PRECISION = 60, 1e-11
# The accuracy of the interpolating polynomial, as a natural logarithm; and its highest degree.
DIGITS, MAX_DEGREE = 34.0, 200


def noncentrality(t: Array, df: Array, level: float) -> Array:
    """The noncentrality for which P(T ≤ t) is `level`; NaN where t or df is undefined or df is less than 1.

    Many t of the same degrees of freedom are read off a polynomial through few, to 1e-10 of their standard error.

    Source: Steiger and Fouladi, in: What if there were no significance tests?, 1997.

    Example:
        >>> noncentrality(np.array([2.5]), np.array([19.0]), 0.025).round(4).tolist()
        [4.5848]
    """
    t, df = np.broadcast_arrays(np.asarray(t, dtype=np.float64), np.asarray(df, dtype=np.float64))
    out = np.full(t.shape, np.nan)
    with np.errstate(invalid="ignore"):
        defined = np.isfinite(t) & (df >= 1)
    for one_df in np.unique(df[defined]):
        some = np.flatnonzero(defined & (df == one_df))
        low, high = float(t[some].min()), float(t[some].max())
        # λ − t is analytic but for ± i √(2 df), which determines how many coefficients of its Chebyshev series matter.
        middle, half = (low + high) / 2.0, max((high - low) / 2.0, 1e-300)
        root = (1j * np.sqrt(2.0 * one_df) - middle) / half
        degree = int(np.ceil(DIGITS / np.log(np.abs(root + np.sqrt(root - 1.0) * np.sqrt(root + 1.0)))))
        if degree <= MAX_DEGREE and some.size > 4 * degree:
            nodes = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
            exact = _solved(middle + half * nodes, np.full(degree + 1, one_df), level)
            off = np.polynomial.chebyshev.chebfit(nodes, exact - half * nodes, degree)
            scaled = (t[some] - middle) / half
            out[some] = np.polynomial.chebyshev.chebval(scaled, off) + half * scaled
        else:
            out[some] = _solved(t[some], df[some], level)
    return out


def _solved(t: Array, df: Array, level: float) -> Array:
    """Each noncentrality by secants."""
    out, left = np.empty(t.shape), np.arange(len(t))
    # In probits P(T ≤ t) falls nearly as a line, from whose slope each step starts.
    scale = np.sqrt(1.0 + np.square(t) / (2.0 * df))
    at, aim = t - special.ndtri(level) * scale, special.ndtri(level)
    slope, before, miss_before = -1.0 / scale, at, np.full(t.shape, np.nan)
    for _ in range(STEPS):
        if not left.size:
            break
        below = special.nctdtr(df, at, t)
        # Far out the series gives nothing.
        below = np.where(np.isnan(below), at < t, below)
        miss = special.ndtri(np.clip(below, 1e-300, 1.0 - 1e-16)) - aim
        with np.errstate(invalid="ignore", divide="ignore"):
            root = (miss - miss_before) / (at - before)
        slope = np.where(root < 0, root, slope)
        step = np.clip(-miss / slope, -scale, scale)
        before, miss_before, at = at, miss, at + step
        out[left] = at
        far = np.abs(step) > PRECISION * scale
        left, t, df, scale, at, slope, before, miss_before = (
            x[far] for x in (left, t, df, scale, at, slope, before, miss_before)
        )
    return out


def hedges_factor(df: Array) -> Array:
    """J(ν) = Γ(ν/2) / (√(ν/2) Γ((ν − 1)/2)), by which a standardised difference is unbiased; NaN for ν < 2.

    Example:
        >>> hedges_factor(np.array([19.0])).round(4).tolist()
        [0.9599]
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        log = special.gammaln(df / 2.0) - np.log(df / 2.0) / 2.0 - special.gammaln((df - 1.0) / 2.0)
        return np.where(np.asarray(df) >= 2, np.exp(log), np.nan)
