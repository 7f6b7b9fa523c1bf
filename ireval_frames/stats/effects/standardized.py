"""Standardised differences of systems over the same units, each named after its denominator.

Their intervals have two ends whatever the alternative of the test.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from ireval_frames.stats.distributions.noncentral_t import hedges_factor, noncentrality
from ireval_frames.stats.distributions.tails import t_quantile
from ireval_frames.stats.joint import jointly
from ireval_frames.stats.moments import Margins, difference_moments, margins, pair_blocks, row_moments
from ireval_frames.stats.registry import effect_size
from ireval_frames.stats.sample import Array, Options, Sample

Estimate = tuple[Array, Array, Array]


@effect_size("d_z", source="Cohen, Statistical Power Analysis 1988; Lakens, Frontiers in Psychology 2013")
def d_z(sample: Sample, options: Options) -> Estimate:
    """Mean difference over the standard deviation of the differences: d̄ / s.

    The interval turns the noncentral t round: λ with P(T ≤ t; n − 1, λ) = 1 − α/2 and α/2, over √n.  0 for identical
    systems, ±∞ without interval for a constant shift, undefined for fewer than two units.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> [x.round(3).tolist() for x in d_z(Sample(values, np.array([[0, 1]])), Options())]
        [[2.5], [0.363], [4.614]]
    """
    d = difference_moments(sample)
    same, shifted = d.status == "identical", d.status == "constant_shift"
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(same, 0.0, np.where(shifted, np.copysign(np.inf, d.mean), d.mean / d.se))
        ends = interval_of_t(np.where(same, np.nan, t), d.n - 1.0, options.confidence)
        value, low, high = (x / np.sqrt(d.n) for x in (t, *ends))
    return value, np.where(same, 0.0, low), np.where(same, 0.0, high)


@effect_size("g_z", source="Hedges, Journal of Educational Statistics 1981")
def g_z(sample: Sample, options: Options) -> Estimate:
    """`d_z` without its bias: d_z · J(n − 1).

    J(ν) = Γ(ν/2) / (√(ν/2) Γ((ν − 1)/2)) ≈ 1 − 3 / (4ν − 1); the interval is scaled too.  Undefined for fewer than
    three units, but for identical systems.

    Source: Hedges, Journal of Educational Statistics 1981.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> [x.round(3).tolist() for x in g_z(Sample(values, np.array([[0, 1]])), Options())]
        [[1.809], [0.262], [3.339]]
    """
    return unbiased(d_z(sample, options), difference_moments(sample).n - 1.0)


@effect_size("d_av", source="Cumming, Understanding the New Statistics 2012")
def d_av(sample: Sample, options: Options) -> Estimate:
    """Mean difference over the mean standard deviation of both systems: d̄ / √((s₁² + s₀²) / 2).

    The interval is ± z √(2 (1 − r) / (n − 1) + d² (1 + r²) / (4 (n − 1))), r the correlation of both systems' values.
    Undefined where neither system's values vary.

    Source: Cumming, Understanding the New Statistics, 2012.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> [x.round(3).tolist() for x in d_av(Sample(values, np.array([[0, 1]])), Options())]
        [[1.1], [0.129], [2.071]]
    """
    m = margins(sample)
    with np.errstate(invalid="ignore", divide="ignore"):
        d = (m.mean - m.mean_baseline) / np.sqrt((m.var + m.var_baseline) / 2.0)
        r = np.clip(m.covariance / np.sqrt(m.var) / np.sqrt(m.var_baseline), -1.0, 1.0)
        # Without a spread of its own a system correlates with nothing.
        r = np.where((m.var == 0) | (m.var_baseline == 0), 0.0, r)
        se = np.sqrt((2.0 * (1.0 - r) + np.square(d) * (1.0 + np.square(r)) / 4.0) / (m.n - 1.0))
        width = special.ndtri((1.0 + options.confidence) / 2.0) * se
        ends = d - width, d + width
    return _none_of_identical(sample, (d, *ends))


@effect_size("d_rm", source="Morris and DeShon, Psychological Methods 2002")
def d_rm(sample: Sample, options: Options) -> Estimate:
    """`d_z` in the units of one system's spread: d̄ / s · √(2 (1 − r)), r the correlation of both systems' values.

    The interval is ± t(n − 1) standard errors, by the jackknife over units.  Undefined where one system's values do
    not vary, or the differences do not.

    Source: Morris and DeShon, Psychological Methods 2002; Efron, The Jackknife, 1982.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> d_rm(Sample(values, np.array([[0, 1]])), Options())[0].round(3).tolist()
        [1.075]
    """
    return _none_of_identical(sample, _jackknifed(sample, options, _d_rm))


@effect_size("glass_delta", source="Glass, Educational Researcher 1976; Sakai, SIGIR Forum 2014")
def glass_delta(sample: Sample, options: Options) -> Estimate:
    """Mean difference over the baseline's standard deviation: d̄ / s₀.

    The interval is ± t(n − 1) standard errors, by the jackknife over units.  Undefined where the baseline's values do
    not vary.

    Source: Glass, Educational Researcher 1976; Sakai, SIGIR Forum 2014; Efron, The Jackknife, 1982.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> glass_delta(Sample(values, np.array([[0, 1]])), Options())[0].round(3).tolist()
        [1.157]
    """

    def glass(m: Margins) -> Array:
        return (m.mean - m.mean_baseline) / np.sqrt(m.var_baseline)

    return _none_of_identical(sample, _jackknifed(sample, options, glass))


@effect_size("relative", source="Fieller, JRSS B 1954, by its first-order form")
def relative(sample: Sample, options: Options) -> Estimate:
    """Mean difference over the baseline's mean: d̄ / x̄₀.

    The interval is ± t(n − 1) √((s₁² − 2 R s₀₁ + R² s₀²) / n) / |x̄₀| with R = x̄₁ / x̄₀, by the delta method.  Undefined
    where the baseline's mean is 0.

    Example:
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6]])
        >>> [x.round(3).tolist() for x in relative(Sample(values, np.array([[0, 1]])), Options())]
        [[1.25], [-1.041], [3.541]]
    """
    m = margins(sample)
    with np.errstate(invalid="ignore", divide="ignore"):
        base = np.where(m.mean_baseline == 0, np.nan, m.mean_baseline)
        ratio = m.mean / base
        variance = m.var - 2.0 * ratio * m.covariance + np.square(ratio) * m.var_baseline
        se = np.sqrt(np.maximum(variance, 0.0) / m.n) / np.abs(base)
        value = (m.mean - m.mean_baseline) / base
        width = t_quantile((1.0 + options.confidence) / 2.0, m.n - 1.0) * se
    return _none_of_identical(sample, (value, value - width, value + width))


def interval_of_t(t: Array, df: Array, confidence: float) -> tuple[Array, Array]:
    """The noncentralities between which t is neither too large nor too small."""
    upper = (1.0 + confidence) / 2.0
    return noncentrality(t, df, upper), noncentrality(t, df, 1.0 - upper)


def unbiased(estimate: Estimate, df: Array) -> Estimate:
    """A standardised difference and its interval, scaled by Hedges' factor; what is 0 stays 0."""
    factor = hedges_factor(df)
    value, low, high = (np.where(x == 0, 0.0, x * factor) for x in estimate)
    return value, low, high


def _d_rm(m: Margins) -> Array:
    spread = m.var + m.var_baseline - 2.0 * m.covariance
    r = m.covariance / np.sqrt(m.var) / np.sqrt(m.var_baseline)
    return np.asarray((m.mean - m.mean_baseline) / np.sqrt(spread) * np.sqrt(2.0 * np.maximum(1.0 - r, 0.0)))


def _none_of_identical(sample: Sample, estimate: Estimate) -> Estimate:
    """The estimate, 0 where both systems are the same."""
    same = difference_moments(sample).status == "identical"
    value, low, high = (np.where(same, 0.0, x) for x in estimate)
    return np.where(np.isfinite(value), value, np.nan), low, high


def _jackknifed(sample: Sample, options: Options, function: Callable[[Margins], Array]) -> Estimate:
    """A function of means, variances and covariance, with its standard error by leaving out each unit in turn."""
    values = margins(sample)
    with np.errstate(invalid="ignore", divide="ignore"):
        value, se = function(values), np.full(sample.n_pairs, np.nan)
        for some, baseline, system in pair_blocks(sample):
            m = Margins(*(getattr(values, name)[some, None] for name in Margins.__dataclass_fields__))
            x, y, left = baseline - m.mean_baseline, system - m.mean, m.n - 1.0
            # Σ of squares and products without a unit: the total less n / (n − 1) times those of the unit.
            off = m.n / left

            def without(all_units: Array, product: Array, left: Array = left, off: Array = off) -> Array:
                return np.asarray((all_units * left - off * product) / (left - 1.0))

            rest = function(
                Margins(
                    left,
                    m.mean_baseline - x / left,
                    m.mean - y / left,
                    without(m.var_baseline, x * x),
                    without(m.var, y * y),
                    without(m.covariance, x * y),
                )
            )
            n, _, variance = row_moments(np.where(np.isfinite(rest), rest, np.nan))
            se[some] = np.where(n == values.n[some], np.sqrt(variance / n) * (n - 1.0), np.nan)
        width = special.stdtrit(values.n - 1.0, (1.0 + options.confidence) / 2.0) * se
        return value, value - width, value + width


@effect_size("d_hsd", design="all", source="Sakai, SIGIR Forum 2014")
def d_hsd(sample: Sample, options: Options) -> Estimate:
    """Mean difference over the residual standard deviation of the two-way table units × systems: d̄ / √V_E.

    The interval turns the noncentral t round, of d̄ / √(2·V_E / n) with (m − 1)(n − 1) degrees of freedom, times √(2/n).
    0 for identical systems, ±∞ without interval where V_E is 0, undefined for fewer than two units.

    Source: Sakai, SIGIR Forum 2014 (ES of Tukey's HSD).

    Example:
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> [x.round(3).tolist() for x in d_hsd(Sample(values, np.array([[0, 1]])), Options())]
        [[3.273], [0.954], [5.505]]
    """
    joint = jointly(sample)
    same, ok = joint.status == "identical", joint.status == "ok"
    shifted = joint.status == "constant_shift"
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(ok, joint.difference / np.sqrt(joint.error), np.nan)
        scale = np.sqrt(2.0 / joint.units) if joint.units else np.nan
        ends = interval_of_t(value / scale, np.full(len(value), joint.df), options.confidence)
    value[same], value[shifted] = 0.0, np.copysign(np.inf, joint.difference[shifted])
    low, high = (np.where(same, 0.0, np.where(ok, x * scale, np.nan)) for x in ends)
    return value, low, high
