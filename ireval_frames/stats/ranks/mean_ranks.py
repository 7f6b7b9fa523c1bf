"""Pairs of systems by their mean ranks within units: Nemenyi, Conover, Quade."""

from __future__ import annotations

import numpy as np
from scipy import special

from ireval_frames.stats.distributions.studentized_range import range_sf
from ireval_frames.stats.distributions.tails import p_of_t, t_interval
from ireval_frames.stats.joint import Joint, jointly
from ireval_frames.stats.ranks.friedman import critical_difference, ranks_in_units
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.sample import Array, Options, Outcome, Sample


@significance_test(
    "nemenyi",
    design="all",
    effect="ps_dep",
    adjusted=True,
    one_sided=False,
    statistic="q: difference of mean ranks over √(m(m + 1) / (12n))",
    source="Nemenyi, Distribution-free Multiple Comparisons, 1963",
)
def nemenyi(sample: Sample, options: Options) -> Outcome:
    """Nemenyi's test: which of all pairs differ in their mean ranks within units.

    q = (R̄_i − R̄_j) / √(m(m + 1) / (12n)) against the range of m normal values; two systems differ where their mean
    ranks do by more than the critical difference.  Mean ranks of a pair depend on the other systems.

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: confidence.

    Returns:
        q, p that holds for all pairs together, the difference of the mean ranks as estimate (a larger rank is of a
        larger value), and it ± the critical difference as interval.

    Source: Nemenyi, 1963; Demšar, JMLR 2006.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.4, 0.2, 0.5], [0.2, 0.6, 0.7]])
        >>> nemenyi(Sample(values, np.array([[0, 1], [0, 2], [1, 2]])), Options()).p_value.round(4).tolist()
        [0.6505, 0.0561, 0.3335]
    """
    joint = jointly(sample)
    if joint.units < 2:
        return _outcome(joint, np.full(sample.n_pairs, np.nan))
    ranks, _ = ranks_in_units(joint.sample.values)
    difference = _of_pairs(ranks.mean(axis=0), sample)
    n, m = joint.units, joint.systems
    out = _outcome(joint, difference)
    out.statistic = difference / np.sqrt(m * (m + 1.0) / (12.0 * n))
    out.p_value = range_sf(np.abs(out.statistic), m, np.inf)
    width = critical_difference(m, n, options.confidence)
    out.ci_low, out.ci_high = difference - width, difference + width
    return _without_copies(out)


@significance_test(
    "conover",
    design="all",
    effect="ps_dep",
    statistic="t: difference of rank sums over its standard error",
    source="Conover and Iman, 1979; Conover, Practical Nonparametric Statistics, 1999",
)
def conover(sample: Sample, options: Options) -> Outcome:
    """Conover's test: each pair by t over rank sums within units, more powerful than Nemenyi's.

    With rank sums R_i, S² = (Σr² − n·m(m + 1)²/4) / (m − 1) and T = Σ(R_i − n(m + 1)/2)² / S²,
    t = (R_i − R_j) / √(2n·S²(m − 1) / ((m − 1)(n − 1)) · (1 − T / (n(m − 1)))), with (m − 1)(n − 1) degrees of freedom.

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: alternative and confidence.

    Returns:
        t, p of each pair alone, so that a correction follows, df, the difference of the mean ranks as estimate (a
        larger rank is of a larger value) and its interval.  Where all units agree about the order, t is
        ±∞ and there is no p.

    Source: Conover and Iman, 1979; as scikit_posthocs.posthoc_conover_friedman.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.4, 0.2, 0.5], [0.2, 0.6, 0.7]])
        >>> conover(Sample(values, np.array([[0, 1], [0, 2], [1, 2]])), Options()).p_value.round(4).tolist()
        [0.188, 0.0083, 0.055]
    """
    joint = jointly(sample)
    if joint.units < 2:
        return _outcome(joint, np.full(sample.n_pairs, np.nan))
    ranks, _ = ranks_in_units(joint.sample.values)
    # Σr² of all less that of the means is what t divides by: 1 − T / (n(m − 1)) is its share.
    return _by_t(joint, ranks - (joint.systems + 1.0) / 2.0, 1.0, options)


@significance_test(
    "quade",
    design="all",
    effect="ps_dep",
    statistic="t: difference of weighted rank sums over its standard error",
    source="Quade, JASA 1979",
)
def quade(sample: Sample, options: Options) -> Outcome:
    """Quade's test: as Conover's, with ranks weighted by the rank of the unit's range among units.

    s_ui = Q_u · (r_ui − (m + 1)/2); t = (S_i − S_j) / √(2n(A − B) / ((n − 1)(m − 1))) with A = Σs², B = ΣS_i² / n and
    (m − 1)(n − 1) degrees of freedom.

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: alternative and confidence.

    Returns:
        t, p of each pair alone, so that a correction follows, df, the difference of the weighted mean ranks
        Σs / ΣQ as estimate (a larger rank is of a larger value) and its interval, the F of all systems as `f_all`
        and its p as `p_all`.  Where all units agree about the order t is ±∞ and there is no p.

    Source: Quade, JASA 1979; Conover, Practical Nonparametric Statistics, 1999; as PMCMRplus::quadeAllPairsTest.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.4, 0.2, 0.5], [0.2, 0.6, 0.7]])
        >>> quade(Sample(values, np.array([[0, 1], [0, 2], [1, 2]])), Options()).p_value.round(4).tolist()
        [0.2588, 0.0153, 0.0793]
    """
    joint = jointly(sample)
    if joint.units < 2:
        none = _outcome(joint, np.full(sample.n_pairs, np.nan))
        none.more = {name: np.full(sample.n_pairs, np.nan) for name in ("f_all", "p_all")}
        return none
    ranks, _ = ranks_in_units(joint.sample.values)
    of_units, _ = ranks_in_units(np.ptp(joint.sample.values, axis=1)[None])
    scores = of_units[0][:, None] * (ranks - (joint.systems + 1.0) / 2.0)
    out = _by_t(joint, scores, float(of_units.mean()), options)
    complete, between = np.square(scores).sum(), np.square(scores.sum(axis=0)).sum() / joint.units
    with np.errstate(divide="ignore", invalid="ignore"):
        f = (joint.units - 1.0) * between / (complete - between)
    p = special.fdtrc(joint.systems - 1.0, joint.df, f)
    out.more = {"f_all": np.full(sample.n_pairs, f), "p_all": np.full(sample.n_pairs, p)}
    return out


def _by_t(joint: Joint, scores: Array, unit: float, options: Options) -> Outcome:
    """Pairs by t over sums of scores, with the unit of the estimate as an argument."""
    n, m = joint.units, joint.systems
    df = (n - 1.0) * (m - 1.0)
    sums = scores.sum(axis=0)
    complete, between = float(np.square(scores).sum()), float(np.square(sums).sum()) / n
    left = complete - between if complete - between > 1e-9 * complete else 0.0
    difference = _of_pairs(sums, joint.sample)
    out = _outcome(joint, difference / (n * unit))
    if complete == 0:
        out.status[:] = "identical"
        return _without_copies(out)
    se = np.full(len(difference), np.sqrt(2.0 * n * left / df))
    out.df[:] = df
    if left:
        out.statistic = difference / se
        out.p_value = p_of_t(out.statistic, df, options.alternative)
        low, high = t_interval(difference, se, df, options)
        out.ci_low, out.ci_high = low / (n * unit), high / (n * unit)
    else:
        out.statistic = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
        out.p_value = np.where(difference == 0, 1.0, np.nan)
        out.status[(out.status == "ok") & (difference != 0)] = "undefined"
        out.ci_low = out.ci_high = difference / (n * unit)
    return _without_copies(out)


def _of_pairs(of_systems: Array, sample: Sample) -> Array:
    i, j = sample.pairs.T
    return np.asarray(of_systems[j] - of_systems[i])


def _outcome(joint: Joint, estimate: Array) -> Outcome:
    out = Outcome.empty(len(estimate))
    out.status = np.where(joint.status == "constant_shift", "ok", joint.status).astype(joint.status.dtype)
    out.estimate = estimate
    return out


def _without_copies(out: Outcome) -> Outcome:
    """A system against its copy has p = 1, whatever the others are."""
    same = out.status == "identical"
    out.statistic[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    out.p_value[same] = 1.0
    return out
