"""Intervals from an analysis of variance, and from the differences of two raters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ireval_frames.crowds.answers import Array
from ireval_frames.ratings.coded import Coded


@dataclass(frozen=True)
class Estimate:
    """An interval with its standard error, degrees of freedom and p-value; NaN is undefined."""

    low: float = np.nan
    high: float = np.nan
    se: float = np.nan
    df: float = np.nan
    p_value: float = np.nan


def matrix(of: Coded) -> Array:
    """The places of the items that all raters rated, items × raters; each item is repeated by its weight."""
    r = len(of.raters)
    full = (of.m == r) & (of.weight > 0)
    rows = full[of.item]
    order = np.lexsort((of.rater[rows], of.item[rows]))
    places = of.scale[of.category[rows][order]].reshape(-1, r)
    return np.repeat(places, of.weight[full].astype(np.int64), axis=0)


def icc(of: Coded, form: str, confidence: float) -> Estimate:
    """The interval of an intraclass correlation by F, and the p-value against 0.

    Forms 2 use Satterthwaite's degrees of freedom.

    Source: Shrout and Fleiss, Psychological Bulletin 1979; McGraw and Wong, Psychological Methods 1996.
    """
    from scipy.special import fdtrc, fdtri

    x = matrix(of)
    n, k = x.shape
    if n < 2 or k < 2:
        return Estimate()
    of_item, of_rater, mean = x.mean(axis=1), x.mean(axis=0), x.mean()
    between = k * ((of_item - mean) ** 2).sum() / (n - 1)
    raters = n * ((of_rater - mean) ** 2).sum() / (k - 1)
    within = ((x - of_item[:, None]) ** 2).sum() / (n * (k - 1))
    error = ((x - of_item[:, None] - of_rater + mean) ** 2).sum() / ((n - 1) * (k - 1))
    noise, df = (within, n * (k - 1)) if form[0] == "1" else (error, (n - 1) * (k - 1))
    if noise <= 0 or between <= 0:
        return Estimate()
    f, tail = between / noise, 1 - (1 - confidence) / 2
    p = float(fdtrc(n - 1, df, f))
    if form[0] != "2":
        low, high = f / fdtri(n - 1, df, tail), f * fdtri(df, n - 1, tail)
        ends = [1 - 1 / e if form[-1] == "k" else (e - 1) / (e + k - 1) for e in (low, high)]
        return Estimate(float(ends[0]), float(ends[1]), df=float(df), p_value=p)
    rho = (between - error) / (between + (k - 1) * error + k * (raters - error) / n)
    by_raters, rest = raters / error, n * (1 + (k - 1) * rho) - k * rho
    v = (k - 1) * (n - 1) * (k * rho * by_raters + rest) ** 2 / ((n - 1) * (k * rho * by_raters) ** 2 + rest**2)
    up, down = fdtri(n - 1, v, tail), fdtri(v, n - 1, tail)
    others = k * raters + (k * n - k - n) * error
    low = n * (between - up * error) / (up * others + n * between)
    high = n * (down * between - error) / (others + n * down * between)
    ends = [e * k / (1 + e * (k - 1)) if form[-1] == "k" else e for e in (low, high)]
    return Estimate(float(ends[0]), float(ends[1]), df=float(v), p_value=p)


def limits(of: Coded, side: float, confidence: float) -> Estimate:
    """The interval of the mean difference of two raters, or of a limit `side` standard deviations from it.

    se² = s²·(1/n + side²/(2·(n − 1))).

    Source: Bland and Altman, Lancet 1986.
    """
    from scipy.special import stdtr, stdtrit

    x = matrix(of)
    n, k = x.shape
    if n < 2 or k != 2:
        return Estimate()
    d = x[:, 0] - x[:, 1]
    s = d.std(ddof=1)
    value, se = d.mean() + side * s, s * np.sqrt(1 / n + side**2 / (2 * (n - 1)))
    if se == 0:
        return Estimate(float(value), float(value), 0.0, n - 1.0)
    half = stdtrit(n - 1, 1 - (1 - confidence) / 2) * se
    p = 2 * float(stdtr(n - 1, -abs(value) / se))
    return Estimate(float(value - half), float(value + half), float(se), n - 1.0, p)
