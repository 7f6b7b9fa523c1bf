"""Whether systems differ by less than a margin."""

from __future__ import annotations

import numpy as np

from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.sample import Alternative, Array, Options, Outcome, Sample
from ireval_frames.stats.student import t_outcome
from ireval_frames.stats.tails import p_of_t


@significance_test(
    "equivalence",
    reads={"margin": None},
    one_sided=False,
    differs=False,
    statistic="t: of the margin that is nearer",
    source="Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 1987",
)
def equivalence(sample: Sample, options: Options) -> Outcome:
    """Equivalence: whether the mean difference lies within a margin of 0, by two one-sided t tests.

    p = max(P(T ≥ (d̄ + margin) / (s/√n)), P(T ≤ (d̄ − margin) / (s/√n))) with n − 1 degrees of freedom.  It is at most
    α where the interval of confidence 1 − 2α lies within the margin.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: `margin`: above 0, in units of the values; `confidence`: 1 − α.

    Returns:
        The t of the larger p, p, df = n − 1, the interval of confidence 1 − 2α (the row's `confidence`), the standard
        error as `se`.  Identical systems have t = ±∞ and p = 0; a constant shift and fewer than two units give no test.

    Raises:
        InvalidParameter: `margin` is no number above 0, or the confidence not above 0.5.

    Source: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 1987.

    Example:
        >>> values = np.array([[0.5, 0.51], [0.1, 0.12], [0.0, 0.0], [0.2, 0.19]])
        >>> found = equivalence(Sample(values, np.array([[0, 1]])), Options(more={"margin": 0.05}))
        >>> found.statistic.round(4).tolist(), found.p_value.round(4).tolist()
        ([-6.9714], [0.003])
    """
    margin = _margin(options)
    if not options.confidence > 0.5:
        raise InvalidParameter(
            f"confidence is {options.confidence!r}; two one-sided tests need more than 0.5.", "Write confidence=0.95."
        )
    out = _against(sample, margin, ("greater", "less"), "two-sided", 2.0 * options.confidence - 1.0)
    out.more["confidence"] = np.full(sample.n_pairs, 2.0 * options.confidence - 1.0)
    return out


@significance_test(
    "non-inferiority",
    reads={"margin": None},
    alternative="greater",
    differs=False,
    statistic="t: of the mean difference against the margin",
    source="Wellek, Testing Statistical Hypotheses of Equivalence and Noninferiority 2010",
)
def non_inferiority(sample: Sample, options: Options) -> Outcome:
    """Non-inferiority: whether the system is worse than the baseline by less than a margin, by a one-sided t test.

    p = P(T ≥ (d̄ + margin) / (s/√n)) with n − 1 degrees of freedom; it is at most α where the interval lies above
    −margin.  Where less is better, and for the alternative "less", p = P(T ≤ (d̄ − margin) / (s/√n)).

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: `margin`: above 0, in units of the values; `confidence`: 1 − α; `alternative`: "less" or "greater";
            two-sided is "greater".

    Returns:
        t, p, df = n − 1, the one-sided interval of the mean difference, the standard error as `se`.  Identical systems
        have t = ±∞ and p = 0; a constant shift and fewer than two units give no test.

    Raises:
        InvalidParameter: `margin` is no number above 0.

    Source: Wellek, Testing Statistical Hypotheses of Equivalence and Noninferiority, 2010.

    Example:
        >>> values = np.array([[0.5, 0.51], [0.1, 0.12], [0.0, 0.0], [0.2, 0.19]])
        >>> found = non_inferiority(Sample(values, np.array([[0, 1]])), Options(more={"margin": 0.05}))
        >>> found.statistic.round(4).tolist(), found.p_value.round(4).tolist()
        ([8.5206], [0.0017])
    """
    side: Alternative = "less" if options.alternative == "less" else "greater"
    return _against(sample, _margin(options), (side,), side, options.confidence)


def _margin(options: Options) -> float:
    if options.more["margin"] is None:
        raise InvalidParameter("The test needs a margin.", "Write margin=0.01, in units of the values.")
    return options.number("margin", 0.01)


def _against(
    sample: Sample,
    margin: float,
    sides: tuple[Alternative, ...],
    interval: Alternative,
    confidence: float,
) -> Outcome:
    """One-sided t tests, all of which must reject: "greater" against −margin, "less" against +margin."""
    d = difference_moments(sample)
    se = d.se
    out = t_outcome(d, se, Options(interval, confidence))
    out.statistic, out.p_value = np.full(sample.n_pairs, np.nan), np.full(sample.n_pairs, -1.0)
    same, shifted = d.status == "identical", d.status == "constant_shift"
    for side in sides:
        off = d.mean + (margin if side == "greater" else -margin)
        with np.errstate(invalid="ignore", divide="ignore"):
            t: Array = np.where(same | shifted, np.copysign(np.inf, off), off / se)
            p = np.where(shifted, np.nan, p_of_t(t, out.df, side))
        worse = ~(p <= out.p_value)
        out.statistic, out.p_value = np.where(worse, t, out.statistic), np.where(worse, p, out.p_value)
    return out
