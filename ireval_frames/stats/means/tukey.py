"""Tukey's honestly significant difference, for the same units and for different ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ireval_frames.stats.distributions.studentized_range import range_quantile, range_sf
from ireval_frames.stats.joint import jointly, outcome_of, untested
from ireval_frames.stats.moments import row_moments
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.rounding import flat_columns, is_zero, rounding
from ireval_frames.stats.sample import Array, Options, Outcome, Sample


@significance_test(
    "tukey",
    design="all",
    effect="d_hsd",
    adjusted=True,
    one_sided=False,
    statistic="q: mean difference over √(V_E / n)",
    source="Tukey, The Problem of Multiple Comparisons, 1953",
)
def tukey(sample: Sample, options: Options) -> Outcome:
    """Tukey's HSD over the same units: which of all pairs differ, by the two-way table units × systems.

    q = (x̄_i − x̄_j) / √(V_E / n) against the range of m normal values with (m − 1)(n − 1) degrees of freedom, where V_E
    is the residual mean square of units × systems; the interval is d ± q(1 − α) · √(V_E / n).

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: confidence.

    Returns:
        q with the sign of the difference, p and interval that hold for all pairs together, df.  It takes one spread
        for all pairs.  Identical systems have p = 1; without any spread there is no p.

    Source: Tukey, 1953; Sakai, Laboratory Experiments in Information Retrieval, 2018.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> found = tukey(Sample(values, np.array([[0, 1], [0, 2], [1, 2]])), Options())
        >>> found.p_value.round(4).tolist(), found.df[0].tolist()
        ([0.0085, 0.0011, 0.1293], 6.0)
    """
    joint = jointly(sample)
    if not joint.varies:
        return untested(joint)
    q = joint.difference / joint.se
    width = range_quantile(1.0 - options.confidence, joint.systems, joint.df) * joint.se
    return outcome_of(joint, q, range_sf(np.abs(q), joint.systems, joint.df), width, joint.df)


@significance_test(
    "tukey-kramer",
    design="unpaired",
    effect="hedges_g",
    adjusted=True,
    one_sided=False,
    statistic="q: mean difference over √(MSE / 2 · (1/n_i + 1/n_j))",
    source="Kramer, Biometrics 1956",
)
def tukey_kramer(sample: Sample, options: Options) -> Outcome:
    """Tukey's HSD over different units, with one variance for all systems.

    q = (x̄_i − x̄_j) / √(MSE / 2 · (1/n_i + 1/n_j)) with Σn_i − m degrees of freedom, where MSE is the mean square
    within systems.

    Args:
        sample: a column per system, NaN where it has no value; which values share a row plays no role.
        options: confidence.

    Returns:
        q with the sign of the difference, p and interval that hold for all pairs together, df.  Undefined where a
        system of the pair has no value, or no system has two, or none varies.

    Source: Kramer, Biometrics 1956; as scipy.stats.tukey_hsd.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> tukey_kramer(Sample(values, np.array([[0, 1], [0, 2], [1, 2]])), Options()).p_value.round(4).tolist()
        [0.3594, 0.1303, 0.7563]
    """
    n, mean, variance = row_moments(sample.values.T)
    df = float(n.sum() - np.count_nonzero(n))
    error = float(np.nansum(variance * (n - 1.0)) / df) if df > 0 else np.nan
    i, j = sample.pairs.T
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt(error / 2.0 * (1.0 / n[i] + 1.0 / n[j]))
    # There is no common spread where each system has one value.
    out, ok = _of_means(sample, n, mean, se, np.full(len(se), flat_columns(sample.values).all()))
    if ok.any():
        k = int(np.count_nonzero(n))
        out.df[ok] = df
        out.p_value[ok] = range_sf(np.abs(out.statistic[ok]), k, df)
        _between(out, mean[j] - mean[i], range_quantile(1.0 - options.confidence, k, df) * se, ok)
    return out


@significance_test(
    "games-howell",
    design="unpaired",
    effect="hedges_g",
    adjusted=True,
    one_sided=False,
    statistic="q: mean difference over √((s_i²/n_i + s_j²/n_j) / 2)",
    source="Games and Howell, Journal of Educational Statistics 1976",
)
def games_howell(sample: Sample, options: Options) -> Outcome:
    """Tukey's HSD over different units, with the variances of either system of a pair.

    q = (x̄_i − x̄_j) / √((v_i + v_j) / 2) with v = s²/n and Welch's degrees of freedom,
    (v_i + v_j)² / (v_i²/(n_i − 1) + v_j²/(n_j − 1)).

    Args:
        sample: a column per system, NaN where it has no value; which values share a row plays no role.
        options: confidence.

    Returns:
        q with the sign of the difference, p and interval that hold for all pairs together, df.  Undefined where a
        system of the pair has fewer than two values, or neither varies.

    Source: Games and Howell, 1976; as scipy.stats.tukey_hsd(equal_var=False).

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> games_howell(Sample(values, np.array([[0, 1], [0, 2], [1, 2]])), Options()).p_value.round(4).tolist()
        [0.3337, 0.1651, 0.7797]
    """
    n, mean, variance = row_moments(sample.values.T)
    i, j = sample.pairs.T
    with np.errstate(invalid="ignore", divide="ignore"):
        v = variance / n
        se = np.sqrt((v[i] + v[j]) / 2.0)
        # Of shares, whose squares no size of the values can lose.
        one, other = (x / (v[i] + v[j]) for x in (v[i], v[j]))
        df = 1.0 / (np.square(one) / (n[i] - 1.0) + np.square(other) / (n[j] - 1.0))
    flat = flat_columns(sample.values)
    out, ok = _of_means(sample, n, mean, se, flat[i] & flat[j])
    k, width = int(np.count_nonzero(n)), np.full(len(ok), np.nan)
    for pair in np.flatnonzero(ok):
        out.df[pair] = df[pair]
        out.p_value[pair] = range_sf(abs(out.statistic[pair]), k, df[pair])
        width[pair] = range_quantile(1.0 - options.confidence, k, df[pair]) * se[pair]
    _between(out, mean[j] - mean[i], width, ok)
    return out


def _of_means(sample: Sample, n: Array, mean: Array, se: Array, flat: NDArray[np.bool_]) -> tuple[Outcome, Array]:
    """The outcome without p, and which pairs have one; flat are those that have no spread to divide by."""
    out = Outcome.empty(sample.n_pairs)
    i, j = sample.pairs.T
    difference, least = mean[j] - mean[i], np.minimum(n[i], n[j])
    out.status[np.isnan(se)] = "too_few"
    flat = np.isfinite(se) & flat
    out.status[flat] = "constant_shift"
    out.status[flat & is_zero(difference, rounding(mean[i], mean[j]))] = "identical"
    out.status[least == 0] = "no_units"
    ok, same, shifted = (out.status == word for word in ("ok", "identical", "constant_shift"))
    out.statistic[ok] = difference[ok] / se[ok]
    out.statistic[shifted] = np.copysign(np.inf, difference[shifted])
    out.ci_low[shifted] = out.ci_high[shifted] = difference[shifted]
    out.statistic[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    out.p_value[same] = 1.0
    return out, ok


def _between(out: Outcome, difference: Array, width: Array, ok: Array) -> None:
    out.ci_low[ok], out.ci_high[ok] = (difference - width)[ok], (difference + width)[ok]
