"""Means, variances and covariances of pairs of systems over the units that both have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.stats.rounding import is_zero, rounding
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array, Integers, Moments, Sample, Words, memoised

# The number of values of a block of pairs in memory at once.
BLOCK = 1_000_000
# Below this number of differences a product of matrices is not faster.
MAX_DIFFERENCES = 20_000_000
# Of a sum of squares that is so small beside its terms, the product of matrices keeps too few digits.
MIN_SUM_OF_SQUARES = 1e-3
# So are means and spreads of differences that are so small beside the spread and the values.
MIN_RELATIVE = 1e-4


@dataclass(frozen=True, eq=False)
class Differences:
    """What is known of system − baseline, an element per pair.

    Attributes:
        n: units that both have.
        mean: of the differences; NaN for no units.
        variance: of the differences, divided by n − 1; NaN for fewer than two units.
        status: "no_units", "one_unit", "identical", "constant_shift" or "ok".
    """

    n: Array
    mean: Array
    variance: Array
    status: Words

    @property
    def se(self) -> Array:
        """The standard error of the mean."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.sqrt(self.variance / self.n)


@dataclass(frozen=True, eq=False)
class Margins:
    """Both systems' means, variances (divided by n − 1) and covariance, over the units that both have."""

    n: Array
    mean_baseline: Array
    mean: Array
    var_baseline: Array
    var: Array
    covariance: Array


def pair_blocks(
    sample: Sample, chosen: Integers | None = None, *, paired: bool = True
) -> Iterator[tuple[Integers, Array, Array]]:
    """Values of some pairs at a time: their numbers, then baseline and system, a row per pair.

    If paired, both are NaN where either is.
    """
    systems = np.ascontiguousarray(sample.values.T)
    chosen = np.arange(sample.n_pairs) if chosen is None else chosen
    missing = paired and bool(np.isnan(systems).any())
    step = max(1, BLOCK // max(1, systems.shape[1]))
    for start in range(0, len(chosen), step):
        some = chosen[start : start + step]
        baseline, system = (systems[sample.pairs[some, side]] for side in (0, 1))
        if missing:
            alone = np.isnan(baseline) | np.isnan(system)
            baseline[alone] = system[alone] = np.nan
        yield some, baseline, system


def moments_of(sample: Sample) -> Moments:
    """The moments of each system over its own units."""
    if sample.moments is not None:
        return sample.moments
    columns = np.ascontiguousarray(sample.values.T)
    return Moments(*row_moments(columns), np.abs(np.nan_to_num(columns)).max(axis=1, initial=0.0))


def row_moments(rows: Array) -> tuple[Array, Array, Array]:
    """Of each row: how many values it has, their mean, their variance (divided by n − 1); NaN for too few."""
    absent = np.isnan(rows)
    if absent.any():
        n = (~absent).sum(axis=1).astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(absent, 0.0, rows).sum(axis=1) / n
            squares = np.square(np.where(absent, 0.0, rows - mean[:, None])).sum(axis=1)
    else:
        n = np.full(len(rows), float(rows.shape[1]))
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = rows.sum(axis=1) / n
        squares = np.square(rows - mean[:, None]).sum(axis=1)
    return n, mean, _over(squares, n - 1.0)


@memoised
def difference_moments(sample: Sample) -> Differences:
    """Mean and variance of the differences of every pair.

    Of very many pairs they come from one product of matrices, Var(d) = S_ii + S_jj − 2 S_ij over values less the mean
    of their unit; pairs for which that cancels are done again from their differences.
    """
    n, mean, variance = (np.full(sample.n_pairs, np.nan) for _ in range(3))
    again: Integers | None = None
    if sample.n_pairs * len(sample.values) > MAX_DIFFERENCES and 8 * sample.n_pairs > sample.values.shape[1] ** 2:
        n, mean, variance, cancelled = _from_products(sample)
        again = np.flatnonzero(cancelled)
    for some, baseline, system in pair_blocks(sample, again):
        n[some], mean[some], variance[some] = row_moments(system - baseline)
    return Differences(n, mean, variance, _statuses(sample, n, variance))


@memoised
def margins(sample: Sample) -> Margins:
    """Means, variances and covariance of both systems of every pair.

    Where no value is missing each system has one mean and one variance, and many covariances are one product of
    matrices.
    """
    if not np.isnan(sample.values).any():
        return _whole_margins(sample)
    out = Margins(*(np.full(sample.n_pairs, np.nan) for _ in range(6)))
    for some, baseline, system in pair_blocks(sample):
        n, out.mean_baseline[some], out.var_baseline[some] = row_moments(baseline)
        _, out.mean[some], out.var[some] = row_moments(system)
        products = (baseline - out.mean_baseline[some, None]) * (system - out.mean[some, None])
        out.n[some], out.covariance[some] = n, _over(np.nansum(products, axis=1), n - 1.0)
    return out


def _whole_margins(sample: Sample) -> Margins:
    columns = np.ascontiguousarray(sample.values.T)
    n, mean, variance = row_moments(columns)
    centred = columns - mean[:, None]
    one, other = sample.pairs.T
    if sample.n_pairs * columns.shape[1] > BLOCK and 8 * sample.n_pairs > len(columns) ** 2:
        sums = (centred @ centred.T)[one, other]
    else:
        blocks = pair_blocks(Sample(centred.T, sample.pairs))
        sums = np.concatenate([np.einsum("ij,ij->i", x, y) for _, x, y in blocks] or [np.empty(0)])
    return Margins(n[one], mean[one], mean[other], variance[one], variance[other], _over(sums, n[one] - 1.0))


@memoised
def sizes(sample: Sample) -> Array:
    """The largest absolute value of either system, of every pair."""
    if not len(sample.values):
        return np.zeros(sample.n_pairs)
    largest = np.nan_to_num(np.maximum(np.fmax.reduce(sample.values), -np.fmin.reduce(sample.values)))
    return np.asarray(largest[sample.pairs].max(axis=1))


def _statuses(sample: Sample, n: Array, variance: Array) -> Words:
    """What is special of each pair; of those that spread so little each unit is judged by its own rounding."""
    out = np.full(sample.n_pairs, "ok", dtype="<U16")
    with np.errstate(invalid="ignore"):
        narrow = np.sqrt(variance) <= 2.0 * ROUNDINGS * EPSILON * sizes(sample)
    for some, baseline, system in pair_blocks(sample, np.flatnonzero(narrow)):
        d, beside = system - baseline, rounding(baseline, system)
        out[some[np.fmax.reduce(d - beside, axis=1) <= np.fmin.reduce(d + beside, axis=1)]] = "constant_shift"
        out[some[(is_zero(d, beside) | np.isnan(d)).all(axis=1)]] = "identical"
    out[n == 1] = "one_unit"
    out[n == 0] = "no_units"
    return out


def _over(sums: Array, count: Array) -> Array:
    """Sums divided, NaN where there is nothing to divide by."""
    return np.divide(sums, count, out=np.full_like(sums, np.nan), where=count > 0)


def _from_products(sample: Sample, step: int = 512) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Count, mean and variance of the differences from products of matrices, and where these have too few digits."""
    is_present = ~np.isnan(sample.values)
    complete = bool(is_present.all())
    block_sums = is_present.sum(axis=1, keepdims=True)
    x = np.where(is_present, sample.values, 0.0)
    x -= x.sum(axis=1, keepdims=True) / np.maximum(block_sums, 1)
    x[~is_present] = 0.0
    units = np.maximum(is_present.sum(axis=0), 1)
    means = x.sum(axis=0) / units
    means += np.where(is_present, x - means, 0.0).sum(axis=0) / units
    x = np.where(is_present, x - means, 0.0)
    present, squares = is_present.astype(np.float64), np.square(x)
    n, mean, variance, cancelled = (np.zeros(sample.n_pairs) for _ in range(4))
    order = np.argsort(sample.pairs[:, 0], kind="stable")
    first = sample.pairs[order, 0]
    for start in range(0, x.shape[1], step):
        block = slice(start, start + step)
        rows = order[np.searchsorted(first, start) : np.searchsorted(first, start + step)]
        at = sample.pairs[rows, 0] - start, sample.pairs[rows, 1]
        product = (x[:, block].T @ x)[at]
        if complete:
            count = np.full(len(rows), float(len(x)))
            both = squares.sum(axis=0)[sample.pairs[rows]].sum(axis=1)
            total = np.zeros(len(rows))
        else:
            count = (present[:, block].T @ present)[at]
            both = (squares[:, block].T @ present + present[:, block].T @ squares)[at]
            total = (present[:, block].T @ x - x[:, block].T @ present)[at]
        off = _over(total, count)
        sums = np.maximum(both - 2.0 * product - total * off, 0.0)
        n[rows], mean[rows] = count, off + means[at[1]] - means[sample.pairs[rows, 0]]
        variance[rows] = _over(sums, count - 1.0)
        cancelled[rows] = sums <= MIN_SUM_OF_SQUARES * both
    spread = np.sqrt(variance)
    with np.errstate(invalid="ignore"):
        # Comparisons that NaN fails: what is undefined is done again, too.
        defined = (spread > MIN_RELATIVE * sizes(sample)) & (np.abs(mean) > MIN_RELATIVE * spread)
    return n, mean, variance, (cancelled > 0) | ~defined
