"""Brunner's and Munzel's test."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.distributions.tails import p_of_t, t_interval
from ireval_frames.stats.moments import pair_blocks, row_moments
from ireval_frames.stats.ranks.placements import placements
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import of_both
from ireval_frames.stats.sample import Options, Outcome, Sample


@significance_test(
    "brunner-munzel",
    design="unpaired",
    effect="ps",
    nothing=0.5,
    statistic="W: P(system higher) − ½ over its standard error",
    source="Brunner and Munzel, Biometrical Journal 2000",
)
def brunner_munzel(sample: Sample, options: Options) -> Outcome:
    """Brunner–Munzel: whether a unit of the system is as likely above one of the baseline as below, in any shapes.

    W = (P̂ − ½) / √(v₀ + v₁) for P̂ = P(system > baseline) + ½ P(equal), v_g the variance of the placements of a group
    over its size, with (v₀ + v₁)² / (v₀² / (n₀ − 1) + v₁² / (n₁ − 1)) degrees of freedom.

    Args:
        sample: units × systems; each system has its own units.  Values that are equal but for their
            rounding are equal.
        options: alternative and confidence.

    Returns:
        W, p and df.  The estimate is P̂ with its interval (within 0 … 1).  Groups of which every unit of one is above
        all of the other have W = ±∞ and no p (status "undefined"); a group of fewer than two units gives no test.

    Source: Brunner and Munzel, Biometrical Journal 2000; as scipy.stats.brunnermunzel.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, 0.4]])
        >>> found = brunner_munzel(Sample(values, np.array([[0, 1]])), Options())
        >>> found.estimate.tolist(), found.statistic.round(4).tolist(), found.p_value.round(4).tolist()
        ([0.875], [2.5981], [0.0503])
    """
    out = Outcome.empty(sample.n_pairs)
    out.estimate, out.more["se"] = np.full(sample.n_pairs, np.nan), np.full(sample.n_pairs, np.nan)
    for some, baseline, system in pair_blocks(sample, paired=False):
        placements_of = placements(*of_both(baseline, system))
        n0, n1 = placements_of.n_low, placements_of.n_high
        few, none = np.minimum(n0, n1) < 2, np.minimum(n0, n1) == 0
        same = ~few & (placements_of.ties == (n0 + n1) ** 3 - (n0 + n1))
        with np.errstate(invalid="ignore", divide="ignore"):
            v0, v1 = row_moments(placements_of.above)[2] / n0, row_moments(placements_of.below)[2] / n1
            se = np.where(few, np.nan, np.sqrt(v0 + v1))
            w = np.where(same, 0.0, (placements_of.area - 0.5) / se)
            df = np.square(v0 + v1) / (np.square(v0) / (n0 - 1.0) + np.square(v1) / (n1 - 1.0))
            p = p_of_t(w, df, options.alternative)
            low, high = t_interval(placements_of.area, se, df, options)
        out.estimate[some], out.more["se"][some] = np.where(none, np.nan, placements_of.area), se
        out.statistic[some], out.df[some], out.p_value[some] = w, df, np.where(same, 1.0, p)
        out.ci_low[some] = np.where(same, 0.5, np.maximum(low, 0.0))
        out.ci_high[some] = np.where(same, 0.5, np.minimum(high, 1.0))
        out.status[some[se == 0]] = "undefined"
        for rows, word in ((same, "identical"), (few, "too_few"), (none, "no_units")):
            out.status[some[rows]] = word
    return out
