"""Systems that are right or wrong on each item."""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.errors import Argument, Hint, InvalidValue
from ireval_frames.parameters import choice, flag
from ireval_frames.stats.distributions.tails import at_most, open_ended, p_of_z, towards_mean, upper_level
from ireval_frames.stats.moments import difference_moments, pair_blocks
from ireval_frames.stats.proportions.intervals import bonett_price
from ireval_frames.stats.ranks.sign import binomial_p
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

METHODS = ("exact", "mid-p", "chi2")


@significance_test(
    "mcnemar",
    effect="ps_dep",
    reads={
        "method": choice("exact", *METHODS, what="of the p-value"),
        "continuity": flag(default=True, what="of chi2: whether 1 is taken off |b − c|"),
    },
    statistic="b: items that only the system has right; of chi2, χ²",
    source="McNemar, Psychometrika 1947; Fagerland, Lydersen and Laake, BMC Medical Research Methodology 2013",
)
def mcnemar(sample: Sample, options: Options) -> Outcome:
    """McNemar: whether two systems have equally many of the same items right.

    Only the system has b items right, and only the baseline c.  exact: p = min(1, 2 · P(X ≤ min(b, c))) with
    X ~ Binomial(b + c, ½); mid-p: the same with half of P(X = min(b, c)); chi2: (|b − c| − 1)² / (b + c) with one
    degree of freedom, without the 1 if `continuity` is false.

    Args:
        sample: items × systems, 1 where right and 0 where wrong; a pair is compared on the items that both have.
        options: alternative and confidence; `method`: "exact", "mid-p" or "chi2"; `continuity`, of chi2.

    Returns:
        b or χ², p; the interval of the difference of the shares is Bonett's and Price's; b and c are `only_system` and
        `only_baseline`.  p is 1 where b + c = 0, and the interval has the width that n items allow.  Fewer than two
        items give no test.

    Raises:
        InvalidValue: a value is neither 0 nor 1.
        UnknownName: `method` is another word.

    Source: McNemar, Psychometrika 1947; Fagerland, Lydersen and Laake, BMC Medical Research Methodology 2013.

    Example:
        >>> values = np.array([[0, 1]] * 3 + [[1, 0]] * 9 + [[1, 1]] * 8, dtype=float)
        >>> found = mcnemar(Sample(values, np.array([[0, 1]])), Options())
        >>> found.statistic.tolist(), found.p_value.round(4).tolist()
        ([3.0], [0.146])
    """
    method = options.more["method"]
    compared = sample.values[:, np.unique(sample.pairs)]
    wrong = compared[~(np.isnan(compared) | (compared == 0) | (compared == 1))]
    if wrong.size:
        raise InvalidValue(
            f"McNemar's test is of items that are right (1) or wrong (0); a value is {wrong[0]:g}.",
            Hint(
                "Of labels every item must be a unit of its own: ",
                Argument("unit", "item_id"),
                ". For values of other kinds write ",
                Argument("test", "t"),
                " or ",
                Argument("test", "wilcoxon"),
                ".",
            ),
        )
    moments = difference_moments(sample)
    b, c = (np.zeros(sample.n_pairs) for _ in range(2))
    for some, baseline, system in pair_blocks(sample):
        b[some], c[some] = (system > baseline).sum(axis=1), (system < baseline).sum(axis=1)
    out = Outcome.empty(sample.n_pairs, "asymptotic" if method == "chi2" else "exact")
    out.status, out.interval = moments.status, "Bonett-Price"
    out.more |= {"only_system": b, "only_baseline": c}
    out.statistic, out.p_value = b.copy(), binomial_p(b, c, options.alternative)
    if method == "mid-p":
        out.p_value = _mid_p(b, c, options)
    elif method == "chi2":
        off = towards_mean((b - c) / 2.0, "two-sided") * 2.0 if options.more["continuity"] else b - c
        z = np.divide(off, np.sqrt(b + c), out=np.zeros_like(off), where=b + c > 0)
        out.statistic, out.p_value, out.df = np.square(z), p_of_z(z, options.alternative), np.ones(sample.n_pairs)
    out.p_value[b + c == 0] = 1.0
    few = moments.n < 2
    out.statistic[few] = out.p_value[few] = out.df[few] = np.nan
    low, high = bonett_price(b, c, moments.n, float(special.ndtri(upper_level(options))))
    low, high = (np.where(few, np.nan, x) for x in (low, high))
    out.ci_low, out.ci_high = open_ended(low, high, options.alternative)
    return out


def _mid_p(b: Array, c: Array, options: Options) -> Array:
    """The binomial p-value that counts half of the probability of what was observed."""
    total = (b + c).astype(np.int64)
    k = np.minimum(b, c) if options.alternative == "two-sided" else (c if options.alternative == "greater" else b)
    up_to, before = at_most(k, total, 0.5), np.where(k > 0, at_most(np.maximum(k - 1, 0), total, 0.5), 0.0)
    return np.asarray((up_to + before) / (1.0 if options.alternative == "two-sided" else 2.0))
