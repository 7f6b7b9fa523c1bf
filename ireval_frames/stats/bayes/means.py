"""Posterior probabilities that a system is worse, about as good, or better.

About as good is within a region of practical equivalence (ROPE) around 0, from −rope to rope.  There is no p-value.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.parameters import number
from ireval_frames.stats.distributions.tails import t_interval
from ireval_frames.stats.means.cross_validation import OVERLAP, overlap_se
from ireval_frames.stats.moments import Differences, difference_moments
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

ROPE = number(0.0, "half the width of the region around 0 in which differences count as none", 0.0, example=0.01)


@significance_test(
    "bayes",
    reads={"rope": ROPE},
    one_sided=False,
    p_values=False,
    statistic="t: mean difference over its standard error",
    source="Jeffreys, Theory of Probability 1961; Sakai, SIGIR 2017",
)
def bayes(sample: Sample, options: Options) -> Outcome:
    """Posterior of the mean difference for a flat prior of μ and log σ: d̄ + s/√n · t(n − 1).

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: `rope`: at least 0, in units of the values; confidence, of the credible interval.

    Returns:
        t and df; the interval is credible, and equals that of the t test.  `probability_lower`, `probability_rope` and
        `probability_higher` are of μ < −rope, |μ| ≤ rope and μ > rope, `probability_positive` is of μ > 0, and
        `effect_expected` is the posterior mean of μ / σ: d̄/s · √(2 / (n − 1)) Γ(n/2) / Γ((n − 1)/2).  Of identical
        systems, and of a constant shift, the posterior is one point.  Fewer than two units give none.

    Raises:
        InvalidParameter: `rope` is no number of at least 0.

    Source: Jeffreys, Theory of Probability, 1961; Sakai, SIGIR 2017; Kruschke, JEP: General 2013, for the region.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> found = bayes(Sample(values, np.array([[0, 1]])), Options(more={"rope": 0.1}))
        >>> [found.more[f"probability_{region}"].round(4).tolist() for region in ("lower", "rope", "higher")]
        [[0.003], [0.0258], [0.9712]]
    """
    d = difference_moments(sample)
    out = _posterior(d, d.se, options)
    with np.errstate(invalid="ignore", divide="ignore"):
        gammas = special.gammaln(d.n / 2.0) - special.gammaln((d.n - 1.0) / 2.0)
        c4 = np.sqrt(2.0 / (d.n - 1.0)) * np.exp(gammas)
        out.more["effect_expected"] = out.statistic / np.sqrt(d.n) * c4
    return out


@significance_test(
    "bayes-correlated-t",
    reads={"rope": ROPE, **OVERLAP},
    one_sided=False,
    p_values=False,
    statistic="t: mean difference over its corrected standard error",
    source="Corani and Benavoli, Machine Learning 2015",
)
def bayes_correlated_t(sample: Sample, options: Options) -> Outcome:
    """`bayes` for folds, whose training data overlap: d̄ + √(s² (1/N + ρ/(1 − ρ))) · t(N − 1), ρ the share of test data.

    ρ / (1 − ρ) is the `ratio` n_test / n_train, as of `corrected-t`: arguments and errors as there and as of `bayes`.

    Returns:
        As `bayes`, without `effect_expected`.

    Source: Corani and Benavoli, Machine Learning 2015; Benavoli, Corani, Demšar and Zaffalon, JMLR 2017.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> found = bayes_correlated_t(Sample(values, np.array([[0, 1]])), Options(more={"rope": 0.1}))
        >>> [found.more[f"probability_{region}"].round(4).tolist() for region in ("lower", "rope", "higher")]
        [[0.0098], [0.0624], [0.9279]]
    """
    d = difference_moments(sample)
    return _posterior(d, overlap_se(d, options), options)


def _posterior(d: Differences, se: Array, options: Options) -> Outcome:
    """The posterior d̄ + se · t(n − 1)."""
    rope = options.more["rope"]
    out = Outcome.empty(len(se), "posterior")
    out.interval = "posterior"
    out.status, out.df, out.more["se"] = d.status, np.where(d.n > 0, d.n - 1.0, np.nan), se
    same, point = d.status == "identical", np.isin(d.status, ("identical", "constant_shift"))
    mean, scale = np.where(same, 0.0, d.mean), np.where(point, 0.0, se)

    def beyond(x: float, sign: float) -> Array:
        """P(μ > x), or with the sign −1 P(μ < x)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            p = special.stdtr(out.df, sign * (mean - x) / scale)
        return np.where(point, sign * (mean - x) > 0, p)

    with np.errstate(invalid="ignore", divide="ignore"):
        out.statistic = np.where(same, 0.0, mean / scale)
        out.ci_low, out.ci_high = t_interval(mean, scale, out.df, Options("two-sided", options.confidence))
    lower, higher = beyond(-rope, -1.0), beyond(rope, 1.0)
    out.more |= {
        "probability_lower": lower,
        "probability_rope": np.maximum(1.0 - lower - higher, 0.0) if rope else np.where(same, 1.0, 0.0 * lower),
        "probability_higher": higher,
        "probability_positive": np.where(same, 0.5, beyond(0.0, 1.0)),
    }
    return out
