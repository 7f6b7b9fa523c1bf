"""Westfall and Young's step-down maximum over the compared pairs, under signs shared by all."""

from __future__ import annotations

import numpy as np

from ireval_frames.stats.distributions.tails import open_ended
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.resampling.draws import Block, each_block, error_of, share
from ireval_frames.stats.resampling.random_signs import chosen, pair_columns, pair_sums
from ireval_frames.stats.sample import Array, Integers, Options, Outcome, Sample


@significance_test(
    "maxt",
    adjusted=True,
    statistic="mean difference over √Σd² / n",
    source="Westfall and Young, Resampling-Based Multiple Testing, 1993",
)
def maxt(sample: Sample, options: Options) -> Outcome:
    """Westfall–Young maxT: which pairs differ, by the largest standardised difference under random signs.

    T_k = Σd_k / √Σd_k²; each draw reverses the signs of units, for all pairs at once.  By falling |T|,
    p_j = (1 + #{max over k from j on of |T*_k| ≥ |T_j|}) / (1 + draws), and no p is below the one before it.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: alternative, confidence, draws, seed, threads.

    Returns:
        T, p that holds for all compared pairs together with its Monte Carlo standard error `p_se`, and an interval that
        does in one step, d̄ ± c · √Σ(d − d̄)² / (n · √(1 − c² / n)) with c the quantile of the largest |T*| of the
        differences less their means.  It uses what pairs have in common, so it is never worse than Holm over the same
        draws by more than their noise.  Identical systems have p = 1; fewer than two units give no test.

    Raises:
        InvalidParameter: `seed`, `n_resamples` or `threads` is not an integer.

    Source: Westfall and Young, 1993; Romano and Wolf, JASA 2005.

    Example:
        >>> import numpy as np
        >>> values = np.random.default_rng(0).random((40, 3)) + np.array([0, 0.1, 0.4])
        >>> maxt(Sample(values, np.array([[0, 1], [0, 2]])), Options(n_resamples=2000)).p_value.round(2).tolist()
        [0.02, 0.0]
    """
    draws = options.n_resamples
    d = difference_moments(sample)
    out = Outcome.empty(sample.n_pairs, "monte carlo")
    out.status, out.interval = d.status, "max-t in one step"
    out.n_resamples[:] = draws
    tested = np.flatnonzero((d.n > 1) & (d.status != "identical"))
    if len(tested):
        some = Sample(sample.values, sample.pairs[tested])
        n, mean, variance = d.n[tested], d.mean[tested], d.variance[tested]
        spread = np.sqrt(np.maximum(variance * (n - 1.0), 0.0))
        # A sum of squares: of the differences, and of those less their mean.
        length = np.sqrt(spread**2 + n * mean**2)
        out.statistic[tested] = n * mean / length
        order = _falling(out.statistic[tested], options)
        moments = n, mean, length, spread
        count, largest = _stepped(some, out.statistic[tested], order, moments, options)
        out.p_value[tested[order]] = np.maximum.accumulate(share(count, draws))
        rank = int(np.ceil(options.confidence * (draws + 1) - 1e-9)) - 1
        c = np.sort(largest)[rank] if rank < draws else np.inf
        # Those d̄ − δ for which T of the differences less δ is at most c; where c is √n, all are.
        with np.errstate(divide="ignore"):
            width = c * spread / (n * np.sqrt(np.maximum(1.0 - c**2 / n, 0.0)))
        width[d.status[tested] == "constant_shift"] = 0.0
        low, high = open_ended(mean - width, mean + width, options.alternative)
        out.ci_low[tested], out.ci_high[tested] = low, high
    same = d.status == "identical"
    out.statistic[same] = out.ci_low[same] = out.ci_high[same] = 0.0
    out.p_value[same] = 1.0
    out.more["p_se"] = error_of(out.p_value, draws)
    return out


def _stepped(
    sample: Sample, observed: Array, order: Integers, moments: tuple[Array, ...], options: Options
) -> tuple[Array, Array]:
    """How often the largest T from each place of the order on reaches its T; and of each draw the largest centred T."""
    n, mean, length, spread = moments
    columns = pair_columns(sample)
    limit = (_sided(observed, options) - pair_sums(sample)[1] / length)[order, None]
    moving = (difference_moments(sample).status != "constant_shift")[:, None]
    largest = np.empty(options.n_resamples)

    def do(block: Block) -> Array:
        count = np.zeros(len(observed))
        for part in block.parts(len(sample.values) + 4 * len(observed)):
            turned, units = columns.turned(chosen(block, part, len(sample.values)))
            sums = n[:, None] * mean[:, None] - 2.0 * turned
            t = _sided(sums[order] / length[order, None], options)
            # The largest from each on: from the last one up.
            maxima = np.maximum.accumulate(t[::-1], axis=0)[::-1]
            count += (maxima >= limit).sum(axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                rest = (sums - mean[:, None] * (n[:, None] - 2.0 * units)) / spread[:, None]
            at = slice(block.start + part.start, block.start + part.stop)
            largest[at] = np.where(moving, _sided(rest, options), -np.inf).max(axis=0)
        return count

    total = np.zeros(len(observed))
    for count in each_block(options, do):
        total += count
    return total, np.where(np.isfinite(largest), largest, 0.0)


def _sided(t: Array, options: Options) -> Array:
    """What is large where the alternative holds."""
    if options.alternative == "two-sided":
        return np.asarray(np.abs(t))
    return t if options.alternative == "greater" else -t


def _falling(t: Array, options: Options) -> Integers:
    return np.argsort(-_sided(t, options), kind="stable")
