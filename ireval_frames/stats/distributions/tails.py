"""P-values and intervals from Student's t and the normal distribution, for all three alternatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ireval_frames.stats.sample import Alternative, Array, Options


def _tail(below: Callable[[Array], Array], statistic: Array, alternative: Alternative) -> Array:
    """The p-value of a statistic that is distributed symmetrically about 0."""
    if alternative == "two-sided":
        return np.asarray(2.0 * below(-np.abs(statistic)))
    return below(-statistic if alternative == "greater" else statistic)


def p_of_t(t: Array, df: Array | float, alternative: Alternative) -> Array:
    """The p-value of t with `df` degrees of freedom."""
    return _tail(lambda x: np.asarray(special.stdtr(df, x)), t, alternative)


def p_of_z(z: Array, alternative: Alternative) -> Array:
    """The p-value of a standard normal z."""
    return _tail(lambda x: np.asarray(special.ndtr(x)), z, alternative)


def towards_mean(off: Array, alternative: Alternative) -> Array:
    """A count's distance from its mean, moved by ½ towards it: the correction for continuity."""
    if alternative == "two-sided":
        return np.asarray(off - 0.5 * np.sign(off))
    return off - 0.5 if alternative == "greater" else off + 0.5


def upper_level(options: Options) -> float:
    """Below which probability the upper end of an interval lies: (1 + confidence) / 2, one-sided the confidence."""
    return (1.0 + options.confidence) / 2.0 if options.alternative == "two-sided" else options.confidence


def open_ended(low: Array, high: Array, alternative: Alternative) -> tuple[Array, Array]:
    """The interval, which has one end where the alternative has one side; undefined where it was."""
    if alternative == "greater":
        high = np.where(np.isnan(high), np.nan, np.inf)
    elif alternative == "less":
        low = np.where(np.isnan(low), np.nan, -np.inf)
    return low, high


def t_quantile(level: float, df: Array | float) -> Array:
    """Below which t lies with that probability; of millions of pairs the degrees of freedom are mostly one number."""
    every = np.asarray(df, dtype=np.float64)
    if every.size and (every == every.flat[0]).all():
        return np.full(every.shape, special.stdtrit(every.flat[0], level))
    return np.asarray(special.stdtrit(every, level))


def t_interval(estimate: Array, se: Array, df: Array | float, options: Options) -> tuple[Array, Array]:
    """Estimate ± t(df) · standard error."""
    width = t_quantile(upper_level(options), df) * se
    return open_ended(estimate - width, estimate + width, options.alternative)


def z_interval(estimate: Array, se: Array, options: Options) -> tuple[Array, Array]:
    """Estimate ± z · standard error."""
    width = special.ndtri(upper_level(options)) * se
    return open_ended(estimate - width, estimate + width, options.alternative)


def at_most(k: Any, n: Any, share: float) -> Array:
    """P(X ≤ k) for X ~ Binomial(n, share), n as large as floats count."""
    k, n = np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64)
    return np.asarray(np.where(k >= n, 1.0, special.betainc(np.maximum(n - k, 1.0), k + 1.0, 1.0 - share)))
