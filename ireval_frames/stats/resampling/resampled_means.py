"""Bootstrap means of differences: units drawn with replacement, with the values of all systems together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.stats.resampling.draws import Block, each_block
from ireval_frames.stats.sample import Array, Integers, Options, Sample

# The number of values of draws × pairs in memory at once.
CELLS = 32_000_000
# A resample whose variance is less beside that of the data does not vary.
MIN_VARIANCE = 1e-12


@dataclass(frozen=True, eq=False)
class Resampled:
    """Some pairs that have the same units, over all draws.

    Attributes:
        pairs: their numbers.
        differences: pairs × units.
        shift: mean of the resample less that of the data, pairs × draws.
        deviation: standard deviation of the resample (divided by n − 1), 0 where it does not vary.
    """

    pairs: Integers
    differences: Array
    shift: Array
    deviation: Array


def times_drawn(block: Block, part: slice, units: int) -> Array:
    """How often each unit is drawn: integers that sum to the number of units, a row per draw."""
    rows = part.stop - part.start
    which = block.generator.integers(0, units, (rows, units), dtype=np.int64)
    which += np.arange(rows)[:, None] * units
    return np.bincount(which.ravel(), minlength=rows * units).reshape(rows, units).astype(np.float64)


def resampled_sums(values: Array, options: Options) -> Array:
    """Sums of each column over the resampled units, draws × columns."""
    out = np.empty((options.n_resamples, values.shape[1]))

    def do(block: Block) -> None:
        # Which units are drawn, and how often.
        for part in block.parts(2 * len(values)):
            at = slice(block.start + part.start, block.start + part.stop)
            out[at] = times_drawn(block, part, len(values)) @ values

    each_block(options, do)
    return out


def resampled(sample: Sample, chosen: Integers, options: Options) -> Iterator[Resampled]:
    """Means and standard deviations of the differences of pairs, over resamples of the units that both have.

    Pairs that have the same units share their resamples, and those of a pair do not depend on other pairs.
    """
    for rows, pairs in _by_units(sample, chosen):
        values = sample.values[rows]
        step = max(1, CELLS // (2 * options.n_resamples))
        for start in range(0, len(pairs), step):
            some = pairs[start : start + step]
            d = values[:, sample.pairs[some, 1]] - values[:, sample.pairs[some, 0]]
            n = len(d)
            centred = d - d.mean(axis=0)
            variance = np.square(centred).sum(axis=0) / (n - 1.0)
            sums = resampled_sums(np.hstack([centred, np.square(centred)]), options).T
            shift, squares = sums[: len(some)] / n, sums[len(some) :]
            left = (squares - n * np.square(shift)) / (n - 1.0)
            deviation = np.sqrt(np.where(left > MIN_VARIANCE * variance[:, None], left, 0.0))
            yield Resampled(some, d.T, shift, deviation)


def _by_units(sample: Sample, chosen: Integers) -> Iterator[tuple[NDArray[np.bool_], Integers]]:
    """Pairs by the units that both have: which these are, and the pairs."""
    present = ~np.isnan(sample.values)
    if present.all():
        yield np.ones(len(present), dtype=np.bool_), chosen
        return
    groups: dict[bytes, list[int]] = {}
    for pair in chosen.tolist():
        both = present[:, sample.pairs[pair, 0]] & present[:, sample.pairs[pair, 1]]
        groups.setdefault(np.packbits(both).tobytes(), []).append(pair)
    for pairs in groups.values():
        one, other = sample.pairs[pairs[0]]
        yield present[:, one] & present[:, other], np.array(pairs)
