"""Student's t and Welch's over different units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ireval_frames.stats.distributions.tails import p_of_t, t_interval
from ireval_frames.stats.moments import moments_of
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import flat_columns
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array, Options, Outcome, Sample


@significance_test(
    "welch",
    design="unpaired",
    effect="hedges_g",
    of_moments=True,
    statistic="t: difference of the means",
    source="Welch, Biometrika 1947",
)
def welch(sample: Sample, options: Options) -> Outcome:
    """Welch's t: whether two groups of different units have one mean, whatever their variances.

    t = (x̄₁ − x̄₀) / √(v₁ + v₀) with v = s² / n, and (v₁ + v₀)² / (v₁² / (n₁ − 1) + v₀² / (n₀ − 1)) degrees of freedom.

    Args:
        sample: units × systems; each system has its own units.
        options: alternative and confidence.

    Returns:
        t, p, df, the interval of the difference of the means, its standard error as `se`.  Two equal constants have
        t = 0 and p = 1, two different ones t = ±∞ and no p; a group of fewer than two units gives no test.

    Source: Welch, Biometrika 1947; as scipy.stats.ttest_ind(equal_var=False).

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, np.nan]])
        >>> found = welch(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.round(4).tolist(), found.df.round(4).tolist(), found.p_value.round(4).tolist()
        ([2.0951], [3.4571], [0.1151])
    """
    return _of_columns(sample, options, pooled=False)


@significance_test(
    "student",
    design="unpaired",
    effect="cohen_d",
    of_moments=True,
    statistic="t: difference of the means",
    source="Student, Biometrika 1908",
)
def student(sample: Sample, options: Options) -> Outcome:
    """Student's t of two groups: whether different units have one mean, if the groups have one variance.

    t = (x̄₁ − x̄₀) / (s √(1/n₁ + 1/n₀)) with n₁ + n₀ − 2 degrees of freedom; s² is pooled.  `welch` asks no equal
    variances; arguments and results as there.

    Source: Student, Biometrika 1908; as scipy.stats.ttest_ind.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, np.nan]])
        >>> found = student(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.round(4).tolist(), found.df.tolist(), found.p_value.round(4).tolist()
        ([2.2197], [5.0], [0.0772])
    """
    return _of_columns(sample, options, pooled=True)


def t_from_moments(
    baseline: tuple[Array, Array, Array],
    system: tuple[Array, Array, Array],
    options: Options,
    *,
    pooled: bool = False,
    largest: Array | float = 0.0,
    flat: NDArray[np.bool_] | None = None,
) -> Outcome:
    """Welch's t, or Student's, from what a GROUP BY gives.

    Args:
        baseline: number of units, mean, and variance divided by n − 1 of the first group, an element per pair.
        system: the moments of the second system.
        options: alternative and confidence.
        pooled: whether the groups have one variance.
        largest: the largest absolute value, from which the rounding of a variance follows; by default the larger mean.
        flat: in which pairs both groups have one value each, where the values themselves say so.

    Returns:
        As `welch`.

    Example:
        >>> baseline = np.array([4.0]), np.array([0.2]), np.array([0.05])
        >>> system = np.array([3.0]), np.array([0.6]), np.array([0.1])
        >>> t_from_moments(baseline, system, Options()).statistic.round(4).tolist()
        [1.8684]
    """
    (n0, mean0, s0), (n1, mean1, s1) = baseline, system
    out = Outcome.empty(len(n0))
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = mean1 - mean0
        if pooled:
            out.df = np.maximum(n0 + n1 - 2.0, 0.0)
            # A group of one unit has no variance, and adds none.
            squares = np.where(n0 > 1, (n0 - 1.0) * s0, 0.0) + np.where(n1 > 1, (n1 - 1.0) * s1, 0.0)
            few = out.df < 1
            squared = squares / out.df * (1.0 / n0 + 1.0 / n1)
        else:
            v0, v1 = s0 / n0, s1 / n1
            squared = v0 + v1
            # Of shares, whose squares no size of the values can lose.
            out.df = 1.0 / (np.square(v0 / squared) / (n0 - 1.0) + np.square(v1 / squared) / (n1 - 1.0))
            few = np.minimum(n0, n1) < 2
        rounding = ROUNDINGS * EPSILON * np.maximum(largest, np.maximum(np.abs(mean0), np.abs(mean1)))
        # The variance of one unit is NaN, and no spread.
        constant = ~few & (np.sqrt(np.fmax(s0, s1)) <= rounding if flat is None else flat)
        same = constant & (np.abs(difference) <= rounding)
        out.more["se"] = se = np.where(few, np.nan, np.where(constant, 0.0, np.sqrt(squared)))
        out.statistic = np.where(same, 0.0, np.where(few, np.nan, difference / se))
        out.df = np.where(few | (constant & (not pooled)), np.nan, out.df)
        p = p_of_t(out.statistic, out.df, options.alternative)
        out.p_value = np.where(same, 1.0, np.where(constant, np.nan, p))
        exact = np.where(same, 0.0, difference)
        low, high = t_interval(exact, se, np.where(constant, 1.0, out.df), options)
    out.ci_low, out.ci_high = low, high
    out.status[constant] = "constant_shift"
    out.status[same] = "identical"
    out.status[few] = "too_few"
    out.status[np.minimum(n0, n1) == 0] = "no_units"
    return out


def _of_columns(sample: Sample, options: Options, *, pooled: bool) -> Outcome:
    of = moments_of(sample)
    largest = of.largest[sample.pairs].max(axis=1, initial=0.0)
    baseline, system = ((of.n[at], of.mean[at], of.variance[at]) for at in sample.pairs.T)
    flat: NDArray[np.bool_] | None = None
    if sample.moments is None:
        flat = np.asarray(flat_columns(sample.values)[sample.pairs].all(axis=1))
    return t_from_moments(baseline, system, options, pooled=pooled, largest=largest, flat=flat)
