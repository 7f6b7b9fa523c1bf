"""Tests over folds, whose values depend on each other as their training data overlap."""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.parameters import choice, number, whole
from ireval_frames.stats.distributions.tails import p_of_t
from ireval_frames.stats.means.student import t_outcome
from ireval_frames.stats.moments import Differences, difference_moments, pair_blocks
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import is_zero, rounding
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

FIVE_BY_TWO = 10
# How far the training data of folds overlap.
OVERLAP = {
    "ratio": number(None, "n_test / n_train", 0.0, open_ends=True, example=0.1),
    "folds": whole(None, "k of k-fold cross-validation", 2, example=10),
}


@significance_test(
    "corrected-t",
    reads=OVERLAP,
    statistic="t: mean difference over its corrected standard error",
    source="Nadeau and Bengio, Machine Learning 2003; Bouckaert and Frank, PAKDD 2004",
)
def corrected_t(sample: Sample, options: Options) -> Outcome:
    """Corrected resampled t: whether the mean difference over folds is 0, where training data overlap.

    t = d̄ / √(s² (1/N + n_test / n_train)) with N − 1 degrees of freedom, N the number of folds of all repeats.

    Args:
        sample: folds × systems.
        options: alternative and confidence; `ratio`: n_test / n_train; or `folds`: k of k-fold cross-validation, for a
            ratio of 1 / (k − 1).  With neither, all units are the folds of one cross-validation.

    Returns:
        t, p, df, the interval of the mean difference, its corrected standard error as `se`; degenerate cases as of
        `t`.

    Raises:
        InvalidParameter: `ratio` is not above 0, `folds` not at least 2, or both are given.

    Source: Nadeau and Bengio, Machine Learning 2003; Bouckaert and Frank, PAKDD 2004.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> found = corrected_t(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.round(4).tolist(), found.p_value.round(4).tolist()
        ([3.2733], [0.0467])
    """
    d = difference_moments(sample)
    return t_outcome(d, overlap_se(d, options), options)


def overlap_se(d: Differences, options: Options) -> Array:
    """The standard error of the mean difference of folds, by `ratio` or `folds`."""
    ratio, folds = options.more["ratio"], options.more["folds"]
    if ratio is not None and folds is not None:
        raise InvalidParameter("ratio and folds are both given; folds is a ratio of 1 / (folds − 1).", "Give one.")
    with np.errstate(invalid="ignore", divide="ignore"):
        share = ratio if ratio is not None else 1.0 / ((d.n if folds is None else folds) - 1.0)
        return np.asarray(np.sqrt(d.variance * (1.0 / d.n + share)))


@significance_test(
    "5x2cv",
    reads={"statistic": choice("F", "t", what="F with 10 and 5 degrees of freedom, or t with 5")},
    one_sided=False,
    statistic="F with 10 and 5 degrees of freedom, or t with 5",
    source="Dietterich, Neural Computation 1998; Alpaydin, Neural Computation 1999",
)
def five_by_two(sample: Sample, options: Options) -> Outcome:
    """5×2 cross-validation: whether two classifiers differ, by five repeats of two folds.

    With the differences d_ij of fold j in repeat i, and s_i² = Σ_j (d_ij − d̄_i)²: F = Σ d_ij² / (2 Σ s_i²) with 10 and
    5 degrees of freedom; t = d_11 / √(Σ s_i² / 5) with 5, which depends on which fold comes first.

    Args:
        sample: ten folds × systems, the two folds of a repeat after each other.
        options: `statistic`: "F" or "t".

    Returns:
        The statistic and p, always two-sided; df are 5; there is no interval.  A pair that lacks a fold has status
        "too_few"; folds of one repeat that never differ "undefined".

    Raises:
        NotDefined: there are not ten units.
        UnknownName: `statistic` is another word.

    Source: Dietterich, Neural Computation 1998; Alpaydin, Neural Computation 1999.

    Example:
        >>> difference = np.array([1, 3, 2, 2, 4, 1, 3, 3, 2, 0]) / 100
        >>> values = np.column_stack([np.zeros(10), difference])
        >>> found = five_by_two(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.round(4).tolist(), found.p_value.round(4).tolist()
        ([3.3529], [0.097])
    """
    kind = options.more["statistic"]
    if len(sample.values) != FIVE_BY_TWO:
        raise NotDefined(
            f"5x2cv is of ten folds, two of each of five repeats; there are {len(sample.values)} units.",
            'Write test="corrected-t" for folds of another number.',
        )
    out = Outcome.empty(sample.n_pairs)
    out.df = np.full(sample.n_pairs, 5.0)
    for some, baseline, system in pair_blocks(sample):
        d = (system - baseline).reshape(-1, 5, 2)
        spread = np.square(d - d.mean(axis=2, keepdims=True)).sum(axis=(1, 2))
        beside = rounding(baseline, system).reshape(d.shape)
        with np.errstate(invalid="ignore", divide="ignore"):
            same = is_zero(d, beside).all(axis=(1, 2))
            none = is_zero(d[:, :, 1] - d[:, :, 0], beside.sum(axis=2)).all(axis=1)
            if kind == "F":
                statistic = np.square(d).sum(axis=(1, 2)) / (2.0 * spread)
                p = special.fdtrc(10.0, 5.0, statistic)
            else:
                statistic = d[:, 0, 0] / np.sqrt(spread / 5.0)
                p = p_of_t(statistic, 5.0, "two-sided")
        out.statistic[some] = np.where(none, np.where(same, 0.0, np.inf), statistic)
        out.p_value[some] = np.where(none, np.where(same, 1.0, np.nan), p)
        for rows, word in ((none, "undefined"), (same, "identical"), (np.isnan(spread), "too_few")):
            out.status[some[rows]] = word
    return out
