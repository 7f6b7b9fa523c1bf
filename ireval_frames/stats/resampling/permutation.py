"""The permutation test of the means of different units."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ireval_frames.parameters import whole
from ireval_frames.stats.moments import row_moments
from ireval_frames.stats.registry import significance_test
from ireval_frames.stats.resampling.draws import Block, each_block, error_of, reached, share
from ireval_frames.stats.resampling.exact_signs import subset_sums
from ireval_frames.stats.resampling.inversion import interval
from ireval_frames.stats.rounding import EXACT, flat_columns, is_zero, rounding, without_huge
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Alternative, Array, Integers, Options, Outcome, Sample

# The most divisions into two groups that are enumerated, and the most values.
MAX_DIVISIONS, MAX_VALUES = 1_000_000, 2000
# Up to this number the interval is exact, too.
MAX_LISTED = 20_000
# Sums of integers below it are exact in 64 bits.
MOST_WHOLE = 2.0**62
# Decimals that values on a grid may have, and how far beside it they may lie in its steps.
DECIMALS, GRID_TOLERANCE = 6, 0.01
# The number of values of pairs × draws in memory at once.
CELLS = 4_000_000


@significance_test(
    "permutation",
    design="unpaired",
    effect="hedges_g",
    reads={"exact": whole(MAX_DIVISIONS, "so many divisions are all counted", 0)},
    statistic="mean difference",
    source="Fisher, The Design of Experiments, 1935; Pitman, 1937",
)
def permutation(sample: Sample, options: Options) -> Outcome:
    """Permutation test of different units: whether the means differ more than those of random groups of all values.

    T = x̄₁ − x̄₀; p is the share of divisions of all values into groups of these sizes with T as extreme, all of them
    where they can be counted, else (1 + #) / (1 + draws).  Two-sided means |T*| ≥ |T|, not twice the smaller tail.

    Args:
        sample: a column per system, NaN where it has no value; which values share a row plays no role.
        options: alternative, confidence, draws, seed, threads; `exact`: up to how many divisions are counted
            (1,000,000).

    Returns:
        The mean difference as statistic, p with its Monte Carlo standard error `p_se` (0 where all are counted), and
        the interval of shifts that the test does not reject, of all divisions up to 20,000, else of the draws; where p
        is exact and the interval drawn, `interval_method` says so.  It takes groups that differ by a shift at most.
        Undefined where a group is empty, or both have one value.

    Raises:
        InvalidParameter: `seed`, `n_resamples` or `threads` is not an integer.

    Source: Fisher, 1935; Pitman, 1937; scipy.stats.permutation_test, whose two-sided p doubles the smaller tail.

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7], [0.1, 0.3], [0.0, 0.9], [0.2, np.nan]])
        >>> found = permutation(Sample(values, np.array([[0, 1]])), Options())
        >>> found.p_value.round(4).tolist(), found.method.tolist()
        ([0.1143], ['exact'])
    """
    draws = options.n_resamples
    out = Outcome.empty(sample.n_pairs, "exact")
    out.more["p_se"] = np.full(sample.n_pairs, np.nan)
    out.interval = np.full(sample.n_pairs, "", dtype="<U16")
    n, mean, _ = row_moments(sample.values.T)
    i, j = sample.pairs.T
    out.statistic = mean[j] - mean[i]
    _statuses(sample, n, out)
    groups: dict[tuple[int, int], list[int]] = {}
    for pair in np.flatnonzero((out.status == "ok") | (out.status == "constant_shift")).tolist():
        groups.setdefault((int(n[i[pair]]), int(n[j[pair]])), []).append(pair)
    for (before, after), pairs in groups.items():
        step = max(1, CELLS // max(draws, before + after))
        for start in range(0, len(pairs), step):
            some = np.array(pairs[start : start + step])
            pooled = np.stack([_pooled(sample, pair) for pair in some.tolist()], axis=1)
            divisions = math.comb(before + after, before) if before + after <= MAX_VALUES else np.inf
            listed = divisions <= min(MAX_LISTED, options.more["exact"])
            _divided(pooled, before, some, out, options, listed=listed)
            if not listed:
                out.n_resamples[some] = draws
            if divisions <= options.more["exact"]:
                for at, pair in enumerate(some.tolist()):
                    out.p_value[pair] = counted(pooled[:, at], before, options.alternative)
                    out.more["p_se"][pair] = 0.0
                out.interval[some] = "" if listed else "random divisions"
            else:
                out.method[some] = "monte carlo"
                out.more["p_se"][some] = error_of(out.p_value[some], draws)
    same = out.status == "identical"
    out.statistic[same] = out.ci_low[same] = out.ci_high[same] = out.more["p_se"][same] = 0.0
    out.p_value[same] = 1.0
    return out


def counted(pooled: Array, before: int, alternative: Alternative) -> float:
    """The share of all divisions that are as extreme, by halves.

    Args:
        pooled: all values, the baseline's first.
        before: how many are the baseline's.
        alternative: of the mean of the others less that of these.
    """
    n = len(pooled)
    centred, allowed = _centred(pooled)
    # The smaller group, whose sum determines T: both groups sum to 0.
    first = before <= n - before
    size, observed = (before, centred[:before].sum()) if first else (n - before, centred[before:].sum())
    one, other = (_sums_by_size(half, size) for half in (centred[: n // 2], centred[n // 2 :]))
    # A larger sum of the baseline is a smaller T.
    up = (alternative == "greater") != first
    counts = 0
    for k in range(size + 1):
        left, right = np.sort(one[k]), other[size - k]
        if alternative == "two-sided":
            limit = abs(observed) - allowed
            above = len(left) * len(right) - int(np.searchsorted(left, limit - right, side="left").sum())
            below = int(np.searchsorted(left, -limit - right, side="right").sum())
            counts += min(above + below, len(left) * len(right)) if limit > 0 else len(left) * len(right)
        elif up:
            counts += len(left) * len(right) - int(np.searchsorted(left, observed - allowed - right).sum())
        else:
            counts += int(np.searchsorted(left, observed + allowed - right, side="right").sum())
    return counts / math.comb(n, size)


def _centred(pooled: Array) -> tuple[Array | Integers, float]:
    """Values of which all together sum to 0, and by how much two of their sums may differ and still be one.

    Of integers, and of decimals as integers of their last digit, n times each less the sum of all, which are
    exact; of others each less their mean, which leaves the rounding of the largest.
    """
    n = len(pooled)
    if (times := _whole(pooled)) is not None:
        return n * times - times.sum(), 0
    centred = pooled - pooled.mean()
    values = float(without_huge(ROUNDINGS * EPSILON * np.abs(pooled)[None])[0])
    return centred, max(values, 4.0 * EPSILON * float(np.abs(centred).sum()))


def _whole(values: Array) -> Integers | None:
    """The values less the smallest as integers of 10⁻ᵏ, if few decimals suffice."""
    for decimals in range(DECIMALS + 1):
        scaled = values * 10.0**decimals
        nearest = np.rint(scaled)
        off = np.abs(scaled - nearest)
        if np.abs(nearest).max() >= EXACT or len(values) ** 2 * float(np.ptp(nearest)) >= MOST_WHOLE:
            return None
        if bool((off <= np.minimum(ROUNDINGS * EPSILON * np.abs(scaled), GRID_TOLERANCE)).all()):
            return np.asarray((nearest - nearest.min()).astype(np.int64))
    return None


def _sums_by_size(values: Array | Integers, most: int) -> list[Any]:
    """The sums of all subsets, by how many values they have, up to `most`."""
    if most >= len(values):
        # No size is left out: all sums at once.
        sizes = subset_sums(np.ones(len(values))).astype(np.int64)
        order = np.argsort(sizes, kind="stable")
        return np.split(subset_sums(values)[order], np.cumsum(np.bincount(sizes))[:-1])
    out = [np.zeros(1, dtype=values.dtype)] + [np.empty(0, dtype=values.dtype)] * most
    for value in values.tolist():
        for size in range(most, 0, -1):
            out[size] = np.concatenate([out[size], out[size - 1] + value])
    return out


def _divided(pooled: Array, before: int, pairs: Integers, out: Outcome, options: Options, *, listed: bool) -> None:
    """P and interval of pairs of groups of the same sizes, from all divisions or random ones that they share."""
    n = len(pooled)
    after = n - before
    centred = pooled - pooled.mean(axis=0)
    draws = math.comb(n, after) if listed else options.n_resamples
    sums, moved_units = np.empty((draws, pooled.shape[1])), np.empty(draws)
    if listed:
        of_system = np.array(list(itertools.combinations(range(n), after)))
        chosen = np.zeros((draws, n))
        np.put_along_axis(chosen, of_system, 1.0, axis=1)
        sums[:], moved_units[:] = chosen @ centred, chosen[:, before:].sum(axis=1)

    def do(block: Block) -> None:
        for part in block.parts(3 * n):
            # Who is of the system: the values with the smallest of random keys.
            keys = block.generator.random((part.stop - part.start, n))
            chosen = np.zeros(keys.shape)
            np.put_along_axis(chosen, np.argpartition(keys, after - 1, axis=1)[:, :after], 1.0, axis=1)
            at = slice(block.start + part.start, block.start + part.stop)
            sums[at], moved_units[at] = chosen @ centred, chosen[:, before:].sum(axis=1)

    if not listed:
        each_block(options, do)
    t, observed = sums.T * (1.0 / before + 1.0 / after), out.statistic[pairs][:, None]
    allowed = without_huge(ROUNDINGS * EPSILON * np.abs(pooled).T) / min(before, after)
    count = reached(t, out.statistic[pairs], allowed, options.alternative)
    out.p_value[pairs] = share(count, options.n_resamples)
    # A shift δ of the system moves T by −δ, and T* by −δ · c: c = 1 where all its values stay.
    c = moved_units / after - (after - moved_units) / before
    with np.errstate(divide="ignore", invalid="ignore"):
        one = np.where(c < 1.0 - 1e-12, (observed - t) / (1.0 - c), np.nan)
        other = np.where(c > -1.0 + 1e-12, (observed + t) / (1.0 + c), np.nan)
    low, high = interval(one, other, options.confidence, options.alternative, total=listed)
    out.ci_low[pairs], out.ci_high[pairs] = low, high


def _pooled(sample: Sample, pair: int) -> Array:
    one, other = (sample.values[:, column] for column in sample.pairs[pair])
    return np.concatenate([one[~np.isnan(one)], other[~np.isnan(other)]])


def _statuses(sample: Sample, n: Array, out: Outcome) -> None:
    """Which pairs have a test."""
    i, j = sample.pairs.T
    flat = flat_columns(sample.values)
    both = flat[i] & flat[j]
    out.status[both] = "constant_shift"
    low, high = (f.reduce(sample.values, axis=0) for f in (np.fmin, np.fmax)) if len(sample.values) else (n, n)
    out.status[both & is_zero(low[j] - high[i], rounding(low[j], high[i]))] = "identical"
    out.status[np.maximum(n[i], n[j]) < 2] = "one_unit"
    out.status[np.minimum(n[i], n[j]) == 0] = "no_units"
