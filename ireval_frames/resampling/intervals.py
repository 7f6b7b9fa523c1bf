"""Intervals from replicates of one value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ireval_frames.resampling.draws import Counts

Method = Literal["percentile", "basic", "normal", "bca", "studentised", "delta", "wilson", "delong"]
RESAMPLED: tuple[Method, ...] = ("percentile", "basic", "normal", "bca", "studentised")
METHODS: tuple[Method, ...] = (*RESAMPLED, "delta", "wilson", "delong")
# Values that differ by less, relative to the value, are equal.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Interval:
    """Both ends, the method that gave them, and its status."""

    low: float
    high: float
    method: str
    status: str = "ok"


def interval(
    method: Method,
    value: float,
    replicates: Counts,
    confidence: float,
    *,
    acceleration: float = 0.0,
    errors: tuple[float, Counts] | None = None,
) -> Interval:
    """The interval of a value from its replicates, as in `stats.bootstrap_intervals`.

    Args:
        method: one of these.
        value: θ.
        replicates: θ*, all defined.
        confidence: from 0 to 1.
        acceleration: a.
        errors: the standard errors of the value and of each replicate.

    If replicates do not vary, the interval is percentile with the status "degenerate".
    """
    # Imported late: it loads SciPy.
    from ireval_frames.stats.resampling.bootstrap_intervals import ends

    close = ROUNDING * max(1.0, abs(value))
    shift = (replicates - value)[None, :]
    constant = float(np.ptp(replicates)) <= close
    if constant or (method == "studentised" and errors is None):
        method, status = "percentile", "degenerate" if constant else "ok"
    else:
        status = "ok"
    se, of_each = errors if errors is not None else (np.nan, np.ones_like(replicates))
    # A replicate without spread has the distance 0, as in Sakai's test.
    t = np.divide(shift, of_each, out=np.zeros_like(shift), where=of_each > 0)
    low, high, undefined = ends(
        method,
        shift,
        (1 + confidence) / 2,
        rounding=np.array([close]),
        acceleration=np.array([acceleration]),
        t=t,
        se=np.array([se]),
    )
    if undefined[0]:
        method, status = "percentile", "degenerate"
    out = Interval(value + float(low[0]), value + float(high[0]), method, status)
    return replace(out, status="biased") if status == "ok" and _biased(out, value, replicates) else out


def varies(shift: Counts) -> bool:
    """Whether some replicate differs from the value: of differences between them, NaN where one is undefined."""
    return bool((np.abs(shift[~np.isnan(shift)]) > ROUNDING).any())


def of_infinite(draws: Counts, confidence: float) -> dict[str, float | str | None]:
    """The columns of an interval of which the value or a replicate is infinite: its ends are replicates.

    There is no standard error, and nothing lies between a number and infinity.
    """
    low, high = (np.quantile(draws, at, method="inverted_cdf") for at in ((1 - confidence) / 2, (1 + confidence) / 2))
    ends = {"ci_low": float(low), "ci_high": float(high), "se": None, "bias": None}
    return ends | {"method": "percentile", "status": "infinite"}


def _biased(ends: Interval, value: float, replicates: Counts) -> bool:
    """Whether the replicates lie so far from the value that the interval misses or misrepresents it.

    Percentiles move with the replicates: a bias of more than half a standard error, and beyond the chance of the
    draws, moves the interval as far.
    """
    if not ends.low <= value <= ends.high:
        return True
    se, bias = float(replicates.std(ddof=1)), abs(float(replicates.mean()) - value)
    return ends.method == "percentile" and bias > se * (0.5 + 3.0 / np.sqrt(len(replicates)))


def p_of_difference(method: str, value: float, replicates: Counts, acceleration: float = 0.0) -> float:
    """The two-sided p-value of a difference of 0 that is the interval's inversion.

    The smallest α at which the interval of confidence 1 − α excludes 0; at least 2 / (1 + B).
    """
    from ireval_frames.stats.resampling.bootstrap_intervals import p_values

    one = np.ones(1)
    shift = (replicates - value)[None, :]
    arguments = {
        "rounding": one * ROUNDING * max(1.0, abs(value)),
        "acceleration": one * acceleration,
        "t": shift,
        "se": one,
    }
    return float(p_values(method, shift, np.array([value]), "two-sided", **arguments, lacking=one < 1)[0])


def around(value: float, se: float, df: float, confidence: float) -> tuple[float, float]:
    """Value ± t·se, t Student's quantile with df degrees of freedom."""
    from scipy.special import stdtrit

    half = float(stdtrit(df, (1 + confidence) / 2)) * se
    return value - half, value + half


def around_in_logits(value: float, se: float, confidence: float) -> tuple[float, float]:
    """The interval whose logits are logit(value) ± z·se / (value·(1 − value)), within 0 … 1."""
    from scipy.special import expit, logit, ndtri

    half = float(ndtri((1 + confidence) / 2)) * se / (value * (1 - value))
    return float(expit(logit(value) - half)), float(expit(logit(value) + half))


def wilson(successes: float, n: float, confidence: float) -> tuple[float, float]:
    """Wilson's interval of a share of n."""
    # Imported late: it loads SciPy.
    from ireval_frames.stats.proportions.intervals import wilson as of_arrays

    low, high = of_arrays(np.array(successes), np.array(n), confidence)
    return float(low), float(high)
