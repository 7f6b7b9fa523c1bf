"""The sign test, and an interval of the median that asks nothing of the distribution."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ireval_frames.stats.distributions.tails import at_most, open_ended, upper_level
from ireval_frames.stats.moments import difference_moments, pair_blocks
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import differences
from ireval_frames.stats.sample import Alternative, Array, Options, Outcome, Sample

# An interval between order statistics that asks nothing of ties.
ORDER = "order statistics, ties or not"


@significance_test(
    "sign",
    effect="ps_dep",
    statistic="N+: how many differences are positive",
    source="Arbuthnot, Philosophical Transactions 1710; Conover, Practical Nonparametric Statistics 1999",
)
def sign(sample: Sample, options: Options) -> Outcome:
    """Sign test: whether a difference is as likely to be positive as negative.

    p = min(1, 2 · P(X ≤ min(N+, N−))) with X ~ Binomial(N+ + N−, ½); differences of 0 are dropped.

    Args:
        sample: units × systems; a pair is compared on the units that both have.  Differences that are rounding
            of their unit's values, or at most the comparison's `tolerance`, are 0.
        options: alternative and confidence.

    Returns:
        N+ and p, always exact.  The estimate is the median of all differences; its interval is from d(k) to
        d(n + 1 − k), k the largest with P(X ≤ k − 1) ≤ α/2 for X ~ Binomial(n, ½), and has no end where n is too small.
        Fewer than two units give no test.

    Source: Conover, Practical Nonparametric Statistics, 1999.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.4], [0.3, 0.3], [0.0, 0.1], [0.2, 0.6], [0.4, 0.3]])
        >>> found = sign(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.tolist(), found.p_value.tolist()
        ([4.0], [0.375])
    """
    moments = difference_moments(sample)
    out = Outcome.empty(sample.n_pairs, "exact")
    out.status, out.estimate = moments.status, np.full(sample.n_pairs, np.nan)
    negative = np.zeros(sample.n_pairs)
    for some, baseline, system in pair_blocks(sample):
        d = differences(baseline, system, sample.tolerance)
        out.statistic[some], negative[some] = (d > 0).sum(axis=1), (d < 0).sum(axis=1)
        out.estimate[some], out.ci_low[some], out.ci_high[some] = median_intervals(system - baseline, options)
    out.p_value = binomial_p(out.statistic, negative, options.alternative)
    few, one = moments.n < 2, moments.n == 1
    out.statistic[few] = out.p_value[few] = np.nan
    out.ci_low[one] = out.ci_high[one] = np.nan
    # With ties the interval is of more differences than the test.
    out.interval = np.where(out.statistic + negative < moments.n, ORDER, "")
    same = (moments.n > 1) & (out.statistic + negative == 0)
    out.status[same], out.p_value[same] = "identical", 1.0
    out.estimate[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    out.ci_low, out.ci_high = open_ended(out.ci_low, out.ci_high, options.alternative)
    return out


def binomial_p(positive: Array, negative: Array, alternative: Alternative) -> Array:
    """The p-value of a number of successes and failures that are equally likely; 1 for none."""
    total = (positive + negative).astype(np.int64)
    if alternative == "two-sided":
        p = 2.0 * at_most(np.minimum(positive, negative), total, 0.5)
    else:
        p = at_most(negative if alternative == "greater" else positive, total, 0.5)
    return np.asarray(np.minimum(p, 1.0))


def median_intervals(rows: Array, options: Options) -> tuple[Array, Array, Array]:
    """The median of each row, and order statistics on both sides of it; NaN where a row is empty."""
    if not rows.shape[1]:
        return (np.full(len(rows), np.nan),) * 3
    ordered = np.sort(rows, axis=1)
    n = (~np.isnan(rows)).sum(axis=1)
    at = np.arange(len(rows))
    median = (ordered[at, np.maximum(n - 1, 0) // 2] + ordered[at, np.minimum(n // 2, rows.shape[1] - 1)]) / 2.0
    k = np.array([_order(size, 1.0 - upper_level(options)) for size in n.tolist()])
    low, high = ordered[at, np.maximum(k, 1) - 1], ordered[at, n - np.maximum(k, 1)]
    empty = n == 0
    low, high = np.where(k > 0, low, -np.inf), np.where(k > 0, high, np.inf)
    return np.where(empty, np.nan, median), np.where(empty, np.nan, low), np.where(empty, np.nan, high)


@lru_cache(maxsize=1024)
def _order(n: int, level: float) -> int:
    """The largest k with P(X ≤ k − 1) ≤ level for X ~ Binomial(n, ½); 0 where there is none."""
    low, high = 0, n // 2 + 1
    while low + 1 < high:
        k = (low + high) // 2
        low, high = (k, high) if at_most(k - 1, n, 0.5) <= level * (1 + 1e-12) else (low, k)
    return low
