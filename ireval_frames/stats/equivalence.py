"""Whether systems differ by less than a margin."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import numpy as np

from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import choice, number
from ireval_frames.stats.distributions.tails import p_of_t
from ireval_frames.stats.means.student import t_outcome
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.ranks.wilcoxon import wilcoxon
from ireval_frames.stats.registry import Tester, significance_test
from ireval_frames.stats.resampling.bootstrap import bootstrap
from ireval_frames.stats.sample import Alternative, Array, Options, Outcome, Sample, of_test

OF_MARGIN = {
    "margin": number(None, "the smallest difference that matters", 0.0, open_ends=True, example=0.01),
    "using": choice("t", "wilcoxon", "bootstrap", what="the test that the margin is held to"),
}


@significance_test(
    "equivalence",
    reads=OF_MARGIN,
    one_sided=False,
    differs=False,
    statistic="t: of the margin that is nearer; of using=, that test's statistic there",
    source="Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 1987; Wellek 2010",
)
def equivalence(sample: Sample, options: Options) -> Outcome:
    """Equivalence: whether the difference lies within a margin of 0, by two one-sided tests.

    By t, p = max(P(T ≥ (d̄ + margin) / (s/√n)), P(T ≤ (d̄ − margin) / (s/√n))) with n − 1 degrees of freedom.  By
    "wilcoxon" or "bootstrap" it is the larger one-sided p of that test of the differences plus the margin and less the
    margin.  It is at most α where the interval of confidence 1 − 2α lies within the margin.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: `margin`: above 0, in units of the values; `using`: "t", "wilcoxon" (of the pseudomedian, for symmetric
            differences) or "bootstrap" (studentised; draws, seed, threads); `confidence`: 1 − α.

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
    margin, by = _margin(options), options.more["using"]
    if not options.confidence > 0.5:
        raise InvalidParameter(
            f"confidence is {options.confidence!r}; two one-sided tests need more than 0.5.", "Write confidence=0.95."
        )
    confidence = round(2.0 * options.confidence - 1.0, 12)
    inner = dataclasses.replace(options, alternative="two-sided", confidence=confidence, more={})
    out = TESTS[by](sample, margin, ("greater", "less"), inner)
    out.more["confidence"] = np.full(sample.n_pairs, confidence)
    return out


@significance_test(
    "non-inferiority",
    reads=OF_MARGIN,
    alternative="greater",
    differs=False,
    statistic="t: of the mean difference against the margin",
    source="Wellek, Testing Statistical Hypotheses of Equivalence and Noninferiority 2010",
)
def non_inferiority(sample: Sample, options: Options) -> Outcome:
    """Non-inferiority: whether the system is worse than the baseline by less than a margin, by a one-sided test.

    By t, p = P(T ≥ (d̄ + margin) / (s/√n)) with n − 1 degrees of freedom; by "wilcoxon" or "bootstrap" it is that
    test's one-sided p of the differences plus the margin.  It is at most α where the interval lies above −margin.
    Where less is better, and for the alternative "less", p = P(T ≤ (d̄ − margin) / (s/√n)).

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: `margin`: above 0, in units of the values; `using`: as of `equivalence`; `confidence`: 1 − α;
            `alternative`: "less" or "greater"; two-sided is "greater".

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
    by = options.more["using"]
    return TESTS[by](sample, _margin(options), (side,), dataclasses.replace(options, alternative=side, more={}))


def _margin(options: Options) -> float:
    margin = options.more["margin"]
    if margin is None:
        raise InvalidParameter("The test needs a margin.", of_test("margin", 0.01, ", in units of the values"))
    return float(margin)


def _against(sample: Sample, margin: float, one_sided: tuple[Alternative, ...], options: Options) -> Outcome:
    """One-sided t tests, all of which must reject: "greater" against −margin, "less" against +margin."""
    d = difference_moments(sample)
    se = d.se
    out = t_outcome(d, se, options)
    out.statistic, out.p_value = np.full(sample.n_pairs, np.nan), np.full(sample.n_pairs, -1.0)
    same, shifted = d.status == "identical", d.status == "constant_shift"
    for side in one_sided:
        off = d.mean + (margin if side == "greater" else -margin)
        with np.errstate(invalid="ignore", divide="ignore"):
            t: Array = np.where(same | shifted, np.copysign(np.inf, off), off / se)
            p = np.where(shifted, np.nan, p_of_t(t, out.df, side))
        worse = ~(p <= out.p_value)
        out.statistic, out.p_value = np.where(worse, t, out.statistic), np.where(worse, p, out.p_value)
    return out


def _against_by(
    test: Tester, sample: Sample, margin: float, one_sided: tuple[Alternative, ...], options: Options
) -> Outcome:
    """The same by another test, of differences that are moved by the margin; its interval is of those as they are."""
    out = test(sample, options)
    out.p_value = np.full(sample.n_pairs, -1.0)
    systems = sample.values.shape[1]
    pairs = sample.pairs + np.array([0, systems])
    for side in one_sided:
        shifted = sample.values + (margin if side == "greater" else -margin)
        outcome = test(
            Sample(np.hstack([sample.values, shifted]), pairs),
            dataclasses.replace(options, alternative=side),
        )
        worse = ~(outcome.p_value <= out.p_value)
        for name in ("statistic", "p_value", "method"):
            setattr(out, name, np.where(worse, getattr(outcome, name), getattr(out, name)))
        if "p_se" in out.more:
            out.more["p_se"] = np.where(worse, outcome.more["p_se"], out.more["p_se"])
    out.p_value[out.status == "identical"] = 0.0
    return out


TESTS: dict[str, Callable[[Sample, float, tuple[Alternative, ...], Options], Outcome]] = {
    "t": _against,
    "wilcoxon": functools.partial(_against_by, wilcoxon),
    "bootstrap": functools.partial(_against_by, bootstrap),
}
