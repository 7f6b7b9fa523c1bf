"""What of a difference is rounding, judged for each unit by its own two values: one huge value hides no other unit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array

# Integers below it are exact, and so are their differences.
EXACT = 2.0**53
# Errors of this many times the usual one come from single huge values.
HUGE_RATIO = 1e3


def rounding(one: Array, other: Array) -> Array:
    """By how much two values may differ and still be one: 64 roundings of the larger one, element by element.

    Values that are the same, and integers below 2⁵³, have none.

    Example:
        >>> differ = np.array([1e14, 0.9, 3e15]) - np.array([1e14, 0.5, 3e15 - 1])
        >>> (np.abs(differ) > rounding(np.array([1e14, 0.9, 3e15]), np.array([1e14, 0.5, 3e15 - 1]))).tolist()
        [False, True, True]
    """
    size = np.maximum(np.abs(one), np.abs(other))
    exact = one == other
    # Only large integers have a difference below 64 roundings.
    large = (size * (ROUNDINGS * EPSILON) >= 1.0) & (size < EXACT)
    if large.any():
        with np.errstate(invalid="ignore"):
            exact |= large & (np.rint(one) == one) & (np.rint(other) == other)
    return np.asarray(np.where(exact, 0.0, ROUNDINGS * EPSILON * size))


def is_zero(difference: Array, beside: Array) -> NDArray[np.bool_]:
    """Which differences are 0 but for their rounding, or within the tolerance of ties; not for NaN."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(difference) <= beside)


def differences(baseline: Array, system: Array, tolerance: float = 0.0) -> Array:
    """System − baseline, a row per pair: what is rounding is 0, and sizes that are equal but for rounding are equal.

    As 0.3 − 0.2 and 0.2 − 0.1 differ in the last digit.

    Args:
        baseline: values, NaN where there is none.
        system: the same.
        tolerance: up to which a difference is 0, whatever its rounding.

    Example:
        >>> differences(np.array([[0.2, 0.1, 0.7]]), np.array([[0.3, 0.2, 0.7 + 1e-16]])).round(6).tolist()
        [[0.1, 0.1, 0.0]]
    """
    d = system - baseline
    beside = rounding(baseline, system)
    d = np.where(is_zero(d, beside + tolerance), 0.0, d)
    return np.asarray(np.copysign(levelled(np.abs(d), beside), d))


def levelled_values(rows: Array) -> Array:
    """Values, a row each; those of a row that are equal but for their rounding are equal."""
    return levelled(rows, rounding(rows, np.zeros_like(rows)))


def of_both(one: Array, other: Array) -> tuple[Array, Array]:
    """The values of two groups, a row per pair, as `levelled_values` does for one group."""
    both = levelled_values(np.concatenate([one, other], axis=1))
    return both[:, : one.shape[1]], both[:, one.shape[1] :]


def levelled(rows: Array, beside: Array) -> Array:
    """Numbers, a row each; those that are one but for their rounding are the smallest of them.

    Two neighbours in order are one where they differ by no more than the larger rounding of both.  A number that is
    known less well than both its neighbours does not make these one: it goes to the nearer one.

    Args:
        rows: numbers, NaN where there is none.
        beside: the rounding of each.
    """
    order = np.argsort(rows, axis=1)
    ordered, off = (np.take_along_axis(x, order, axis=1) for x in (rows, beside))
    with np.errstate(invalid="ignore"):
        gap = np.diff(ordered, axis=1)
        joined = gap <= np.maximum(off[:, 1:], off[:, :-1])
        if not (joined & (gap > 0)).any():
            return rows
        if rows.shape[1] > 2:
            both = gap[:, 1:] + gap[:, :-1] > np.maximum(off[:, 2:], off[:, :-2])
            bridge = joined[:, 1:] & joined[:, :-1] & both
            nearer = gap[:, :-1] <= gap[:, 1:]
            joined[:, 1:] &= ~(bridge & nearer)
            joined[:, :-1] &= ~(bridge & ~nearer)
    place = np.broadcast_to(np.arange(rows.shape[1]), rows.shape)
    first = np.zeros(rows.shape, dtype=np.int64)
    first[:, 1:] = np.maximum.accumulate(np.where(joined, 0, place[:, 1:]), axis=1)
    out = np.empty_like(rows)
    np.put_along_axis(out, order, np.take_along_axis(ordered, first, axis=1), axis=1)
    return out


def without_huge(errors: Array) -> Array:
    """The sum of each row of errors, without those of single huge values, which would hide all other units.

    An error that is more than 1,000 times the median of those above 0 is left out.
    """
    present = np.where(np.nan_to_num(errors) > 0, errors, np.nan)
    some = ~np.isnan(present).all(axis=1)
    out = np.zeros(len(errors))
    if some.any():
        retained = present[some]
        most = HUGE_RATIO * np.nanmedian(retained, axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            out[some] = np.where(retained <= most, retained, 0.0).sum(axis=1)
    return out


def flat_columns(columns: Array) -> NDArray[np.bool_]:
    """Which columns hold one value but for its rounding; NaN is passed over, and no value is one."""
    beside = rounding(columns, np.zeros_like(columns))
    if not len(columns):
        return np.ones(columns.shape[1], dtype=bool)
    low, high = np.fmin.reduce(columns + beside), np.fmax.reduce(columns - beside)
    same = np.fmax.reduce(columns) == np.fmin.reduce(columns)
    return np.asarray(same | ~(high > low))


def of_units(values: Array) -> Array:
    """The rounding of each unit's values, units × systems without a gap; none where all systems have the same."""
    same = (values == values[:, :1]).all(axis=1)
    return np.where(same, 0.0, ROUNDINGS * EPSILON * np.abs(values).max(axis=1, initial=0.0))


def of_means(values: Array) -> float:
    """By how much the means of two systems may differ and still be one, whatever single huge values there are."""
    return float(without_huge(of_units(values)[None])[0]) / max(1, len(values))


def no_residuals(values: Array, residuals: Array) -> bool:
    """Whether what is left of values, when units and systems are taken away, is rounding in every unit."""
    shifts = ROUNDINGS * EPSILON * np.abs(values - residuals - values.mean(axis=1, keepdims=True)).max(initial=0.0)
    return bool((np.abs(residuals) <= of_units(values)[:, None] + shifts).all())
