"""Student's t over differences of the same units."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.distributions.tails import p_of_t, t_interval
from ireval_frames.stats.moments import Differences, difference_moments
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.sample import Array, Options, Outcome, Sample


@significance_test("t", statistic="t: mean difference over its standard error", source="Student, Biometrika 1908")
def paired_t(sample: Sample, options: Options) -> Outcome:
    """Paired t: whether the mean difference is 0, for differences whose mean is nearly normal.

    t = d̄ / (s / √n) with n − 1 degrees of freedom; the interval is d̄ ± t(1 − α/2) · s / √n.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: alternative and confidence.

    Returns:
        t, p, df = n − 1, the interval of the mean difference, its standard error as `se`.  Identical systems have t = 0
        and p = 1; a constant shift has t = ±∞ and no p; fewer than two units give no test.

    Source: Student, Biometrika 1908; as scipy.stats.ttest_rel.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> found = paired_t(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.round(4).tolist(), found.p_value.round(4).tolist()
        ([5.0], [0.0154])
    """
    d = difference_moments(sample)
    return t_outcome(d, d.se, options)


def t_outcome(d: Differences, se: Array, options: Options) -> Outcome:
    """A t test of a mean difference with this standard error, and n − 1 degrees of freedom."""
    out = Outcome.empty(len(se))
    out.status, out.df, out.more["se"] = d.status, np.where(d.n > 0, d.n - 1.0, np.nan), se
    same, shifted = d.status == "identical", d.status == "constant_shift"
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(shifted, np.copysign(np.inf, d.mean), d.mean / se)
        out.statistic = np.where(same, 0.0, t)
        p = p_of_t(out.statistic, out.df, options.alternative)
        low, high = t_interval(np.where(same, 0.0, d.mean), np.where(same | shifted, 0.0, se), out.df, options)
    out.p_value = np.where(same, 1.0, np.where(shifted, np.nan, p))
    out.ci_low, out.ci_high = low, high
    return out
