"""Discriminative power: how many pairs of systems differ significantly, and the difference that takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.stats.joint import complete
from ireval_frames.stats.resampling.draws import Block, each_block
from ireval_frames.stats.resampling.resampled_means import resampled
from ireval_frames.stats.rounding import of_means
from ireval_frames.stats.sample import Array, Integers, Options, Sample


def asl_curve(p_values: Array) -> tuple[Integers, Array]:
    """Achieved significance levels: the pairs by falling p, and their p; pairs without p are left out.

    Example:
        >>> order, p = asl_curve(np.array([0.01, np.nan, 0.6, 0.04]))
        >>> order.tolist(), p.tolist()
        ([2, 3, 0], [0.6, 0.04, 0.01])
    """
    defined = np.flatnonzero(~np.isnan(p_values))
    order = defined[np.argsort(-p_values[defined], kind="stable")]
    return order, p_values[order]


def discriminative_power(p_values: Array, alpha: float = 0.05) -> float:
    """The share of pairs whose p is at most α, from 0 to 1; higher is more discriminative.

    Pairs without p count as not significant.  NaN for no pairs.

    Source: Sakai, SIGIR 2006.

    Example:
        >>> discriminative_power(np.array([0.01, np.nan, 0.6, 0.04]))
        0.5
    """
    with np.errstate(invalid="ignore"):
        return float((p_values <= alpha).mean()) if len(p_values) else np.nan


def difference_required(sample: Sample, options: Options, alpha: float = 0.05) -> float:
    """How much two means must differ to be significant at α, for every pair.

    For each pair the ⌊draws·α⌋-th largest |d̄* − d̄| over resampled units, and the largest of these over all pairs.
    Randomised Tukey has such a difference too: half the width of its intervals.

    Args:
        sample: units × systems; a pair is compared on the units that both have.
        options: draws, seed, threads.
        alpha: the level.

    Returns:
        A difference of means, from 0; lower is more discriminative.  NaN where no pair has two units.

    Raises:
        InvalidParameter: draws·α is below 1.

    Source: Sakai, SIGIR 2006.

    Example:
        >>> values = np.random.default_rng(0).random((50, 2))
        >>> round(difference_required(Sample(values, np.array([[0, 1]])), Options(n_resamples=2000)), 2)
        0.12
    """
    draws = options.n_resamples
    rank = int(np.floor(draws * alpha + 1e-9))
    if not 1 <= rank <= draws:
        raise InvalidParameter(
            f"Of {draws} draws none is the {alpha:g} part.",
            f"Write n_resamples={int(np.ceil(10 / max(alpha, 1e-6)))} or more.",
        )
    present = ~np.isnan(sample.values)
    both = np.array([int((present[:, i] & present[:, j]).sum()) for i, j in sample.pairs.tolist()])
    largest = np.nan
    for some in resampled(sample, np.flatnonzero(both > 1), options):
        shifted = np.partition(np.abs(some.shift), draws - rank, axis=1)[:, draws - rank]
        largest = float(np.fmax(largest, shifted.max()))
    return largest


@dataclass(frozen=True, eq=False)
class Swaps:
    """What happens to differences when the units are others.

    Attributes:
        low, high: the ends of each bin of |difference| on one half of the units; the last bin has no end.
        rate: the share of pairs and draws of the bin whose difference has the other sign on the other half; NaN for
            none.
        count: how many pairs and draws are in the bin.
        required: the low end of the first bin from which on no more than 5 % are swapped; NaN where there is none.
    """

    low: Array
    high: Array
    rate: Array
    count: Integers
    required: float


def swap_rates(sample: Sample, options: Options, *, width: float = 0.01, bins: int = 21, most: float = 0.05) -> Swaps:
    """The swap method: how often a difference on half of the units has the other sign on the other half.

    Each draw deals out the units into two halves without a common one.  A difference of 0 has no sign.

    Args:
        sample: units × systems; units that a system misses are left out for all.
        options: draws, seed, threads.
        width: of a bin, in the measure's units.
        bins: how many, the last one open.
        most: the share of swaps up to which a difference is required.

    Raises:
        NotDefined: there are fewer than two units without gaps.

    Source: Voorhees and Buckley, SIGIR 2002.

    Example:
        >>> values = np.random.default_rng(0).random((50, 4)) + np.array([0, 0.05, 0.1, 0.4])
        >>> pairs = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
        >>> swap_rates(Sample(values, pairs), Options(n_resamples=200), width=0.1, bins=4).rate.round(2).tolist()
        [0.13, 0.05, 0.05, 0.0]
    """
    values = complete(sample.values)
    half = len(values) // 2
    if not half:
        raise NotDefined(f"{len(values)} units have no two halves.", "Two units that all systems have are needed.")
    rounding = of_means(values)
    # Without the means of units sums are rounded less, and differences stay the same.
    values = values - values.mean(axis=1, keepdims=True)
    baseline, system = sample.pairs.T

    def do(block: Block) -> Array:
        counts = np.zeros((2, bins))
        for part in block.parts(3 * len(values) + 4 * sample.n_pairs):
            order = block.generator.random((part.stop - part.start, len(values))).argsort(axis=1)
            d = []
            for units in (order[:, :half], order[:, half : 2 * half]):
                dealt = np.zeros(order.shape)
                np.put_along_axis(dealt, units, 1.0 / half, axis=1)
                mean = dealt @ values
                of_half = mean[:, system] - mean[:, baseline]
                d.append(np.where(np.abs(of_half) <= rounding, 0.0, of_half))
            at = np.minimum((np.abs(d[0]) / width + 1e-9).astype(np.int64), bins - 1).ravel()
            counts[0] += np.bincount(at, minlength=bins)
            counts[1] += np.bincount(at, weights=(d[0] * d[1] < 0).ravel(), minlength=bins)
        return counts

    total = np.sum(each_block(options, do), axis=0)
    count, swapped = total[0].astype(np.int64), total[1]
    rate = np.divide(swapped, count, out=np.full(bins, np.nan), where=count > 0)
    low = np.arange(bins, dtype=np.float64) * width
    above = np.flatnonzero((count > 0) & (rate > most))
    # From there on: the first bin with values after the last one that swaps more.
    after = np.flatnonzero(count > 0)
    after = after[after > above[-1]] if len(above) else after
    required = float(low[after[0]]) if len(after) else np.nan
    return Swaps(low, np.append(low[1:], np.inf), rate, count, required)
