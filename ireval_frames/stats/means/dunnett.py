"""Dunnett's test of all systems against one baseline."""

from __future__ import annotations

import numpy as np

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.stats.distributions.studentized_range import baseline_quantile, baseline_sf
from ireval_frames.stats.distributions.tails import open_ended
from ireval_frames.stats.joint import jointly, outcome_of, untested
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.sample import Options, Outcome, Sample


@significance_test(
    "dunnett",
    design="all",
    effect="d_hsd",
    adjusted=True,
    statistic="t: mean difference over √(2·V_E / n)",
    source="Dunnett, JASA 1955",
)
def dunnett(sample: Sample, options: Options) -> Outcome:
    """Dunnett's test over the same units: which systems differ from the baseline, by the table units × systems.

    t_i = (x̄_i − x̄_0) / √(2·V_E / n) against the largest of as many differences from one baseline, which correlate with
    ½, with (m − 1)(n − 1) degrees of freedom.

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: alternative and confidence.

    Returns:
        t, p and interval that hold for all systems together, df.  It takes one spread for all pairs.  Identical
        systems have p = 1; without any spread there is no p.

    Raises:
        NotDefined: the pairs have several baselines.

    Source: Dunnett, JASA 1955 and Biometrics 1964, here for two-way tables; scipy.stats.dunnett is of different units.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> dunnett(Sample(values, np.array([[0, 1], [0, 2]])), Options()).p_value.round(4).tolist()
        [0.0064, 0.0008]
    """
    if len(np.unique(sample.pairs[:, 0])) > 1:
        raise NotDefined(
            "Dunnett's test is of several systems against one baseline; here are several.",
            Hint(
                "Name the baseline: ", Argument("baseline", "bm25"), ", or test all pairs: ", Argument("test", "tukey")
            ),
        )
    joint = jointly(sample)
    if not joint.varies:
        return untested(joint)
    se = np.sqrt(2.0) * joint.se
    t, k, both = joint.difference / se, sample.n_pairs, options.alternative == "two-sided"
    reach = np.abs(t) if both else -t if options.alternative == "less" else t
    width = baseline_quantile(1.0 - options.confidence, k, joint.df, two_sided=both) * se
    out = outcome_of(joint, t, baseline_sf(reach, k, joint.df, two_sided=both), width, joint.df)
    out.ci_low, out.ci_high = open_ended(out.ci_low, out.ci_high, options.alternative)
    return out
