"""Pairs of systems by the two-way analysis of variance."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.distributions.tails import p_of_t, t_interval
from ireval_frames.stats.joint import jointly, outcome_of, untested
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.sample import Options, Outcome, Sample


@significance_test(
    "anova",
    design="all",
    effect="d_hsd",
    statistic="t: mean difference over √(2·V_E / n)",
    source="Fisher, The Design of Experiments, 1935",
)
def anova(sample: Sample, options: Options) -> Outcome:
    """Fisher's least significant difference: each pair by t with the residual spread of all units × systems.

    t = (x̄_i − x̄_j) / √(2·V_E / n) with (m − 1)(n − 1) degrees of freedom; with two systems it is the paired t.  The
    F of all systems is in `analysis_of_variance`.

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: alternative and confidence.

    Returns:
        t, p of each pair alone, so that a correction follows, df, and the interval of the mean difference.  It takes
        one spread for all pairs.  Identical systems have p = 1; without any spread there is no p.

    Source: Fisher, 1935.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> anova(Sample(values, np.array([[0, 1], [0, 2], [1, 2]])), Options()).p_value.round(4).tolist()
        [0.0036, 0.0004, 0.0599]
    """
    joint = jointly(sample)
    if not joint.varies:
        return untested(joint)
    se = np.sqrt(2.0) * joint.se
    t = joint.difference / se
    out = outcome_of(joint, t, p_of_t(t, joint.df, options.alternative), 0.0, joint.df)
    low, high = t_interval(joint.difference, np.full(len(t), se), joint.df, options)
    ok = out.status == "ok"
    out.ci_low[ok], out.ci_high[ok] = low[ok], high[ok]
    return out
