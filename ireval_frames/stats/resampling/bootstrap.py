"""The paired bootstrap of mean differences."""

from __future__ import annotations

import numpy as np

from ireval_frames.parameters import choice
from ireval_frames.stats.distributions.tails import open_ended, upper_level
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.resampling.bootstrap_intervals import INTERVALS, TIED, ends, p_values
from ireval_frames.stats.resampling.draws import error_of, reached, share
from ireval_frames.stats.resampling.random_signs import pair_sums
from ireval_frames.stats.resampling.resampled_means import Resampled, resampled
from ireval_frames.stats.rounding import is_zero
from ireval_frames.stats.sample import Array, Options, Outcome, Sample

KINDS = ("interval", "studentised", "shift")
# Two units have no resample whose mean and spread both differ from those of the data, so that p would always be the
# smallest.
MIN_UNITS = 3


@significance_test(
    "bootstrap",
    reads={
        "kind": choice("interval", *KINDS, what="of the p-value"),
        "interval": choice("studentised", *INTERVALS, what="of the mean difference"),
    },
    statistic="t: mean difference over its standard error; the mean difference where kind is shift",
    source="Efron and Tibshirani, An Introduction to the Bootstrap, 1993; Sakai, SIGIR 2006",
)
def bootstrap(sample: Sample, options: Options) -> Outcome:
    """Paired bootstrap: whether the mean difference is larger than means of resampled units vary about it.

    Units are drawn with replacement; d̄* and s* are of a draw, t* = (d̄* − d̄) / (s* / √n), 0 where s* = 0.  p is that of
    the interval: the smallest α at which the interval of confidence 1 − α does not hold 0, two-sided with equal tails.
    kind="studentised" gives Sakai's symmetric p = (1 + #{|t*| ≥ |t|}) / (1 + draws) instead, and kind="shift" compares
    d̄* − d̄ with d̄; the interval beside these is not theirs, as `interval_method` says.  Below about 50 units "shift" and
    the percentile interval reject too often.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: alternative, confidence, draws, seed, threads; `kind`: "interval", "studentised" or "shift";
            `interval`: "percentile", "basic", "normal", "studentised" or "bca".

    Returns:
        t (d̄ where neither p nor interval is studentised), p with its Monte Carlo standard error `p_se`, the interval of
        the mean difference, the standard deviation of d̄* as `se`.  Where BCa is undefined the interval is the
        percentile one, status "degenerate".  Identical systems have p = 1; a constant shift has no studentised p; fewer
        than three units give no test.

    Raises:
        InvalidParameter: `seed`, `n_resamples` or `threads` is not an integer.
        UnknownName: there is no such kind or interval.

    Source: Efron and Tibshirani, 1993, chapters 12, 14, 16; Sakai, SIGIR 2006; as scipy.stats.bootstrap.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.2], [0.2, 0.6], [0.3, 0.2], [0.1, 0.3]])
        >>> found = bootstrap(Sample(values, np.array([[0, 1]])), Options(n_resamples=4000))
        >>> found.p_value.round(2).tolist(), found.statistic.round(3).tolist()
        ([0.01], [2.803])
    """
    draws = options.n_resamples
    kind = options.more["kind"]
    interval = options.more["interval"]
    studentised = kind == "studentised" or (kind == "interval" and interval == "studentised")
    d = difference_moments(sample)
    out = Outcome.empty(sample.n_pairs, "monte carlo")
    out.status, out.n_resamples[:] = d.status, draws
    out.more = {name: np.full(sample.n_pairs, np.nan) for name in ("se", "p_se")}
    with np.errstate(invalid="ignore", divide="ignore"):
        rounding = pair_sums(sample)[1] / d.n
    out.status[(d.n > 1) & (d.n < MIN_UNITS) & (d.status == "ok")] = "too_few"
    tested = np.flatnonzero((out.status == "ok") | (out.status == "constant_shift"))
    for some in resampled(sample, tested, options):
        pairs = some.pairs
        flat = d.status[pairs] == "constant_shift"
        mean, se = d.mean[pairs], np.where(flat, 0.0, d.se[pairs])
        t = _studentised(some)
        with np.errstate(divide="ignore"):
            of_data = np.where(flat, np.copysign(np.inf, mean), mean / se)
        out.statistic[pairs] = of_data if studentised else mean
        blocks_of = {"rounding": rounding[pairs], "acceleration": _acceleration(some.differences), "t": t, "se": se}
        low, high, lacking = ends(interval, some.shift, upper_level(options), **blocks_of)
        if kind == "interval":
            p = p_values(interval, some.shift, mean, options.alternative, **blocks_of, lacking=lacking)
        elif kind == "shift":
            p = share(reached(some.shift, mean, rounding[pairs], options.alternative), draws)
        else:
            beside = TIED * np.abs(mean / np.where(flat, 1.0, se))
            p = share(reached(t, of_data, beside, options.alternative), draws)
        out.p_value[pairs] = np.where(flat & studentised, np.nan, p)
        out.more["p_se"][pairs] = error_of(out.p_value[pairs], draws)
        out.more["se"][pairs] = some.shift.std(axis=1, ddof=1) if draws > 1 else np.nan
        low, high = mean + low, mean + high
        if interval in ("percentile", "basic", "bca"):
            # An end that is 0 but for rounding is 0.
            low, high = (np.where(is_zero(x, rounding[pairs]), 0.0, x) for x in (low, high))
        out.ci_low[pairs], out.ci_high[pairs] = open_ended(low, high, options.alternative)
        out.status[pairs[lacking & ~flat]] = "degenerate"
    if kind != "interval":
        out.interval = f"{interval} bootstrap"
    same = d.status == "identical"
    out.statistic[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    out.p_value[same] = 1.0
    out.more["se"][same] = out.more["p_se"][same] = 0.0
    return out


def _studentised(some: Resampled) -> Array:
    t, n = np.zeros_like(some.shift), some.differences.shape[1]
    np.divide(some.shift * np.sqrt(n), some.deviation, out=t, where=some.deviation > 0)
    return t


def _acceleration(differences: Array) -> Array:
    """Of their means: g₁ / (6√n), g₁ the skewness."""
    centred = differences - differences.mean(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((centred**3).sum(axis=1) / (6.0 * np.square(centred).sum(axis=1) ** 1.5))
