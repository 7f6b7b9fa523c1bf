"""Effect sizes that are probabilities of a system being better, from signs and ranks.

Their intervals have two ends whatever the alternative of the test.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.stats.effects.standardized import Estimate, interval_of_t, unbiased
from ireval_frames.stats.moments import moments_of, pair_blocks, row_moments
from ireval_frames.stats.proportions.intervals import bonett_price, wilson, wilson_of_area
from ireval_frames.stats.ranks.placements import placements
from ireval_frames.stats.ranks.signed_ranks import shares_of_positive_sums
from ireval_frames.stats.ranks.wilcoxon import ranked_blocks
from ireval_frames.stats.registry import effect_size
from ireval_frames.stats.rounding import differences, of_both
from ireval_frames.stats.sample import Array, Options, Sample


@effect_size("ps_dep", source="Grissom and Kim, Effect Sizes for Research 2012")
def ps_dep(sample: Sample, options: Options) -> Estimate:
    """Share of units on which the system is above the baseline, ties as ½: P(d > 0) + ½ P(d = 0).

    The interval is Wilson's where no difference is 0, else (1 + Δ) / 2 for both ends of Bonett's and Price's interval
    of Δ = P(d > 0) − P(d < 0).  0.5 without width for identical systems, undefined for no units.

    Source: Grissom and Kim, Effect Sizes for Research, 2012.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.0], [0.2, 0.1]])
        >>> [x.round(3).tolist() for x in ps_dep(Sample(values, np.array([[0, 1]])), Options())]
        [[0.625], [0.224], [0.942]]
    """
    wins, losses, n = (np.empty(sample.n_pairs) for _ in range(3))
    for some, baseline, system in pair_blocks(sample):
        d = differences(baseline, system, sample.tolerance)
        wins[some], losses[some], n[some] = (d > 0).sum(axis=1), (d < 0).sum(axis=1), (~np.isnan(d)).sum(axis=1)
    ties = n - wins - losses
    with np.errstate(invalid="ignore"):
        value = (wins + ties / 2.0) / n
    of_ties = bonett_price(wins, losses, n, float(special.ndtri((1.0 + options.confidence) / 2.0)))
    ends = (
        np.where(ties == n, value, np.where(ties > 0, (1.0 + tied) / 2.0, untied))
        for tied, untied in zip(of_ties, wilson(wins, n, options.confidence), strict=True)
    )
    low, high = ends
    return value, low, high


@effect_size("rank_biserial", source="Kerby, Comprehensive Psychology 2014")
def rank_biserial(sample: Sample, options: Options) -> Estimate:
    """Matched rank-biserial correlation: (W+ − W−) / (W+ + W−) over the ranks of differences that are not 0.

    From −1 to 1.  Its variance is 16 / n times that of the shares h_i = P(d_i + d_j > 0) over units j, and the interval
    that of `cliff_delta`; where all signs are the same it is twice Wilson's interval of their share, less 1.
    0 without width for identical systems, undefined for no units.

    Source: Kerby, Comprehensive Psychology 2014; Hoeffding, Annals of Mathematical Statistics 1948, for the variance.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.4], [0.0, 0.0], [0.2, 0.1]])
        >>> [x.round(3).tolist() for x in rank_biserial(Sample(values, np.array([[0, 1]])), Options())]
        [[0.667], [-0.403], [0.967]]
    """
    value, variance, n, units = (np.full(sample.n_pairs, np.nan) for _ in range(4))
    for some, d, (positive, ranks, half, _) in ranked_blocks(sample, "wilcox"):
        changed = np.where(d == 0, np.nan, d)
        n[some], units[some] = (~np.isnan(ranks)).sum(axis=1), (~np.isnan(d)).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            value[some] = positive / half - 1.0
            variance[some] = 16.0 * row_moments(shares_of_positive_sums(changed))[2] / n[some]
    low, high = _bounded_interval(value, variance, wilson(n * (1.0 + value) / 2.0, n, options.confidence), options)
    same = (n == 0) & (units > 0)
    return np.where(same, 0.0, value), np.where(same, 0.0, low), np.where(same, 0.0, high)


@effect_size("ps", design="unpaired", source="Vargha and Delaney, JEBS 2000 (A₁₂); Grissom, JAP 1994")
def ps(sample: Sample, options: Options) -> Estimate:
    """Probability that a unit of the system is above one of the baseline, ties as ½; also called A₁₂ and CLES.

    U / (n₀ n₁), from 0 to 1; the interval is (1 + δ) / 2 for both ends of that of `cliff_delta`.  Undefined for an
    empty group; groups of fewer than two units have no interval.

    Source: Vargha and Delaney, Journal of Educational and Behavioral Statistics 2000.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, 0.4]])
        >>> [x.round(3).tolist() for x in ps(Sample(values, np.array([[0, 1]])), Options())]
        [[0.875], [0.449], [0.984]]
    """
    value, low, high = cliff_delta(sample, options)
    return (1.0 + value) / 2.0, (1.0 + low) / 2.0, (1.0 + high) / 2.0


@effect_size("cliff_delta", design="unpaired", source="Cliff, Psychological Bulletin 1993")
def cliff_delta(sample: Sample, options: Options) -> Estimate:
    """Cliff's δ: the probability that a unit of the system is above one of the baseline, less that it is below.

    From −1 to 1.  With s² the variance of δ from the placements of both groups, the interval is
    (δ − δ³ ± z s √((1 − δ²)² + z² s²)) / (1 − δ² + z² s²).  Where one group is wholly above the other s is 0, and the
    interval is twice Wilson's of a share of n₀ n₁ / (1 + (n₀ + n₁ − 2) / 4) units, less 1.  Undefined for an
    empty group; groups of fewer than two units have no interval.

    Source: Cliff, Psychological Bulletin 1993; Feng and Cliff, JMASM 2004; Newcombe, Statistics in Medicine 2006.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, 0.4]])
        >>> [x.round(3).tolist() for x in cliff_delta(Sample(values, np.array([[0, 1]])), Options())]
        [[0.75], [-0.101], [0.967]]
    """
    area, variance, n0, n1 = (np.empty(sample.n_pairs) for _ in range(4))
    for some, baseline, system in pair_blocks(sample, paired=False):
        estimate = placements(*of_both(baseline, system))
        area[some], variance[some], n0[some], n1[some] = (
            estimate.area,
            estimate.variance,
            estimate.n_low,
            estimate.n_high,
        )
    delta = 2.0 * area - 1.0
    low, high = _bounded_interval(delta, 4.0 * variance, wilson_of_area(area, n0, n1, options.confidence), options)
    return delta, low, high


def _bounded_interval(
    value: Array, variance: Array, certain: tuple[Array, Array], options: Options
) -> tuple[Array, Array]:
    """An interval within −1 … 1; of ±1, which do not vary, that of the share which is 0 or 1 then."""
    with np.errstate(invalid="ignore", divide="ignore"):
        squared = variance * special.ndtri((1.0 + options.confidence) / 2.0) ** 2
        rest = 1.0 - np.square(value)
        width = np.sqrt(squared * (np.square(rest) + squared))
        low, high = ((value * rest + sign * width) / (rest + squared) for sign in (-1.0, 1.0))
    extreme = (np.abs(value) == 1) & ~(variance > 0)
    low, high = (np.where(extreme, 2.0 * end - 1.0, x) for end, x in zip(certain, (low, high), strict=True))
    return low, high


@effect_size("cohen_d", design="unpaired", of_moments=True, source="Cohen, Statistical Power Analysis 1988")
def cohen_d(sample: Sample, options: Options) -> Estimate:
    """Difference of the means of two groups over their pooled standard deviation.

    The interval turns the noncentral t with n₀ + n₁ − 2 degrees of freedom round, which asks for normal values of one
    variance.  0 for two equal constants, ±∞ without interval for two others, undefined for fewer than three units.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, 0.4]])
        >>> [x.round(3).tolist() for x in cohen_d(Sample(values, np.array([[0, 1]])), Options())]
        [[1.515], [-0.148], [3.09]]
    """
    return _pooled(sample, options)[:3]


@effect_size("hedges_g", design="unpaired", of_moments=True, source="Hedges, Journal of Educational Statistics 1981")
def hedges_g(sample: Sample, options: Options) -> Estimate:
    """`cohen_d` without its bias: d · J(n₀ + n₁ − 2); the interval is scaled too.

    Undefined for fewer than four units.

    Source: Hedges, Journal of Educational Statistics 1981.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, 0.4]])
        >>> [x.round(3).tolist() for x in hedges_g(Sample(values, np.array([[0, 1]])), Options())]
        [[1.316], [-0.129], [2.684]]
    """
    value, low, high, df = _pooled(sample, options)
    return unbiased((value, low, high), df)


def _pooled(sample: Sample, options: Options) -> tuple[Array, Array, Array, Array]:
    from ireval_frames.stats.means.welch import student

    variances = student(sample, options)
    n = moments_of(sample).n[sample.pairs]
    same = variances.status == "identical"
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.sqrt(n.prod(axis=1) / n.sum(axis=1))
        ends = interval_of_t(np.where(same, np.nan, variances.statistic), variances.df, options.confidence)
        value, low, high = (x / scale for x in (variances.statistic, *ends))
    return value, np.where(same, 0.0, low), np.where(same, 0.0, high), variances.df
