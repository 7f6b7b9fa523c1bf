"""Wilcoxon's test of signed ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import choice, flag
from ireval_frames.stats.distributions.tails import open_ended, p_of_z, towards_mean, upper_level
from ireval_frames.stats.moments import BLOCK, difference_moments, pair_blocks
from ireval_frames.stats.ranks.hodges_lehmann import means_of_two, middle
from ireval_frames.stats.ranks.sign import ORDER
from ireval_frames.stats.ranks.signed_ranks import MOST_DISTINCT, lower_order, midranks, tail_probabilities
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import differences
from ireval_frames.stats.sample import Array, Integers, Options, Outcome, Sample, memoised, of_test

ZEROS = ("wilcox", "pratt", "zsplit")
METHODS = ("auto", "exact", "asymptotic")
# The most units for which the exact distribution is the default, and for which it can be requested.
EXACT, MOST_EXACT = 50, 500


@significance_test(
    "wilcoxon",
    effect="rank_biserial",
    reads={
        "zeros": choice("wilcox", *ZEROS, what="what becomes of differences of 0"),
        "continuity": flag(what="whether the normal statistic is moved by ½ towards its mean"),
        "method": choice("auto", *METHODS, what="of the p-value"),
    },
    statistic="W+: sum of the ranks of positive differences",
    source="Wilcoxon, Biometrics Bulletin 1945; Pratt, JASA 1959",
)
def wilcoxon(sample: Sample, options: Options) -> Outcome:
    """Wilcoxon's signed ranks: whether differences are symmetric about 0, which is more than that their mean is 0.

    W+ = Σ_{d>0} rank(|d|).  The exact p-value counts all signs of the ranks as they are, with their ties.  The normal
    one has the mean Σ rank / 2 and the variance Σ rank² / 4 over the ranks that are counted.

    Args:
        sample: units × systems; a pair is compared on the units that both have.  Differences that are rounding
            of their unit's values, or at most the comparison's `tolerance`, are 0.
        options: alternative and confidence; `zeros`: "wilcox" drops differences of 0, "pratt" drops their ranks,
            "zsplit" gives half of them to either side (its normal variance counts them as if they had signs, as
            SciPy's); `continuity`: whether the normal statistic is moved by ½ towards its mean; `method`: "exact" for
            up to 500 units, "asymptotic", or "auto": exact for up to 50.

    Returns:
        W+ and p.  The estimate is Hodges' and Lehmann's, the median of all means (d_i + d_j) / 2, with the interval of
        their order statistics; it has no end where the units are too few.  Fewer than two units give no test.

    Raises:
        UnknownName: `zeros` or `method` is another word.
        InvalidParameter: "exact" for too many units.

    Source: Wilcoxon, Biometrics Bulletin 1945; Pratt, JASA 1959; Hodges and Lehmann, Annals of Mathematical Statistics
        1963.  SciPy's exact p-value with ties or zeros is that of other ranks.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.4], [0.3, 0.3], [0.0, 0.1], [0.2, 0.6], [0.4, 0.3]])
        >>> found = wilcoxon(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.tolist(), found.p_value.tolist(), found.method.tolist()
        ([13.5], [0.1875], ['exact'])
    """
    zeros, method = options.more["zeros"], options.more["method"]
    moments = difference_moments(sample)
    out = Outcome.empty(sample.n_pairs)
    out.status, out.estimate = moments.status, np.full(sample.n_pairs, np.nan)
    own = np.zeros(sample.n_pairs, dtype=bool)
    for some, d, (positive, ranks, mean, variance) in ranked_blocks(sample, zeros):
        out.statistic[some] = positive
        out.p_value[some] = _normal_p(positive - mean, variance, options)
        exact = moments.n[some] > 1
        exact &= (method == "exact") | ((method == "auto") & (moments.n[some] <= EXACT))
        for row in np.flatnonzero(exact):
            out.p_value[some[row]] = _exact_p(d[row], ranks[row], int(moments.n[some[row]]), options)
        out.method[some[exact]] = "exact"
        # The interval is of distinct ranks of all units, exact for up to 100.
        distinct = (midranks(np.abs(d[exact]))[1] == 0) & ~(d[exact] == 0).any(axis=1)
        own[some[exact]] = distinct & (moments.n[some[exact]] <= MOST_DISTINCT)
        present = some[moments.n[some] > 0]
        outcome = pseudomedians(d[moments.n[some] > 0], options)
        out.estimate[present], out.ci_low[present], out.ci_high[present] = outcome
        out.status[some[(np.nan_to_num(d) == 0).all(axis=1) & (moments.n[some] > 1)]] = "identical"
    out.interval = np.where(own, "", ORDER)
    few, same = moments.n < 2, out.status == "identical"
    out.statistic[few] = out.p_value[few] = np.nan
    out.p_value[same] = 1.0
    out.estimate[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    one = moments.n == 1
    out.ci_low[one] = out.ci_high[one] = np.nan
    out.ci_low, out.ci_high = open_ended(out.ci_low, out.ci_high, options.alternative)
    return out


Ranked = tuple[Integers, Array, tuple[Array, Array, Array, Array]]


def ranked_blocks(sample: Sample, zeros: str) -> Iterable[Ranked]:
    """Some pairs at a time: their numbers, rounded differences, and `signed_ranks` of these."""
    if zeros == "wilcox" and sample.n_pairs * len(sample.values) <= BLOCK:
        return _in_one_block(sample)
    return _ranked(sample, zeros)


@memoised
def _in_one_block(sample: Sample) -> list[Ranked]:
    return list(_ranked(sample, "wilcox"))


def _ranked(sample: Sample, zeros: str) -> Iterator[Ranked]:
    for some, baseline, system in pair_blocks(sample):
        d = differences(baseline, system, sample.tolerance)
        yield some, d, signed_ranks(d, zeros)


def signed_ranks(d: Array, zeros: str) -> tuple[Array, Array, Array, Array]:
    """Of rows of differences: W+, the ranks that signs are for (NaN elsewhere), W+'s mean and variance by chance."""
    with np.errstate(invalid="ignore"):
        nothing = d == 0
    size = np.where(nothing, np.nan, np.abs(d)) if zeros == "wilcox" else np.abs(d)
    ranks, _ = midranks(size)
    signed = np.where(nothing, np.nan, ranks)
    with np.errstate(invalid="ignore"):
        positive = np.where(d > 0, np.nan_to_num(signed), 0.0).sum(axis=1)
    counted = signed
    if zeros == "zsplit":
        positive += np.where(nothing, ranks, 0.0).sum(axis=1) / 2.0
        counted = ranks
    return positive, signed, np.nansum(counted, axis=1) / 2.0, np.nansum(np.square(counted), axis=1) / 4.0


def pseudomedians(rows: Array, options: Options) -> tuple[Array, Array, Array]:
    """Hodges' and Lehmann's estimate of each row with its interval, which has no end where the units are too few."""
    if not len(rows):
        return np.empty(0), np.empty(0), np.empty(0)
    n = (~np.isnan(rows)).sum(axis=1)
    total = n * (n + 1) // 2
    k = np.array([lower_order(size, 1.0 - upper_level(options)) for size in n.tolist()])
    one, two, low, high = means_of_two(
        rows, np.stack([*middle(total), np.maximum(k, 1), total + 1 - np.maximum(k, 1)], axis=1)
    ).T
    return (one + two) / 2.0, np.where(k > 0, low, -np.inf), np.where(k > 0, high, np.inf)


def _normal_p(off: Array, variance: Array, options: Options) -> Array:
    if options.more["continuity"]:
        off = towards_mean(off, options.alternative)
    with np.errstate(invalid="ignore", divide="ignore"):
        return p_of_z(off / np.sqrt(variance), options.alternative)


def _exact_p(d: Array, ranks: Array, n: int, options: Options) -> float:
    if n > MOST_EXACT:
        raise InvalidParameter(
            f"method is 'exact' for {n} units; it is for at most {MOST_EXACT}.", of_test("method", "asymptotic")
        )
    present = ~np.isnan(ranks)
    at_most, at_least = tail_probabilities(ranks[present], float(ranks[present & (d > 0)].sum()))
    if options.alternative == "two-sided":
        return min(1.0, 2.0 * min(at_most, at_least))
    return min(1.0, at_least if options.alternative == "greater" else at_most)
