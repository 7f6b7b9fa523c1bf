"""Random signs of units: the sums of the reversed differences, for all systems at once.

A draw reverses the signs of some units' differences.  The sum of all differences is D, that of the reversed units is
F, so the sum after the reversal is D − 2F; and F of a pair is F of the system less F of the baseline, so one
product of matrices serves all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ireval_frames.stats.resampling.draws import Block, each_block
from ireval_frames.stats.rounding import rounding, without_huge
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array, Integers, Options, Sample

# The number of values of pairs in memory at once.
CELLS = 4_000_000
# The largest ratio of the spread of a unit to that of others.
MAX_SPREAD_RATIO = 1e6


@dataclass(frozen=True, eq=False)
class Columns:
    """What is summed over the units that draws turn round, so that F of all pairs follows.

    Attributes:
        summed: units × columns; of every system, and a last one that counts units; or where units are missing, of
            every pair, first its differences, then whether it has the unit.
        pairs: two columns per pair; None where each pair has columns of its own.
    """

    summed: Array
    pairs: Integers | None

    def turned(self, which: Array) -> tuple[Array, Array]:
        """F of every pair and the number of its reversed units, from the signs (draws × units)."""
        return self.of_pairs((which @ self.summed).T)

    def of_pairs(self, sums: Array, some: slice = slice(None)) -> tuple[Array, Array]:
        """The same for some pairs, from the sums of all columns (columns × draws)."""
        if self.pairs is None:
            half = len(sums) // 2
            return sums[:half][some], sums[half:][some]
        baseline, system = self.pairs[some].T
        return sums[system] - sums[baseline], sums[-1:]


def pair_columns(sample: Sample) -> Columns:
    """The columns whose sums say F of all pairs."""
    if not _shared(sample):
        differences = sample.values[:, sample.pairs[:, 1]] - sample.values[:, sample.pairs[:, 0]]
        used = ~np.isnan(differences)
        # A unit that the pair misses has no difference to turn round.
        return Columns(np.hstack([np.where(used, differences, 0.0), used.astype(np.float64)]), None)
    # Means of units are common to all systems; without them sums are rounded less.
    centred = sample.values - sample.values.mean(axis=1, keepdims=True)
    return Columns(np.hstack([centred, np.ones((len(centred), 1))]), sample.pairs)


def _shared(sample: Sample) -> bool:
    """Whether sums per system suffice for all pairs: no value is missing, and none is too far from the others.

    A unit whose spread is a million times that of others would leave few digits of these.
    """
    if not sample.values.size:
        return True
    if np.isnan(sample.values).any():
        return False
    spread = np.ptp(sample.values, axis=1)
    moving = spread[spread > 0]
    return sample.values.shape[1] < 3 or not moving.size or bool(moving.max() <= MAX_SPREAD_RATIO * np.median(moving))


def chosen(block: Block, part: slice, units: int) -> Array:
    """Which units draws turn round: 1 or 0, a row per draw."""
    words = -(-units // 64)
    bits = block.generator.integers(0, 2**64, (part.stop - part.start, words), dtype=np.uint64)
    bytes_ = bits.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(bytes_, axis=1, count=units, bitorder="little").astype(np.float64)


def pair_flips(sample: Sample, options: Options) -> Iterator[tuple[slice, Array, Array]]:
    """F of some pairs at a time and the number of their reversed units, pairs × draws."""
    step = max(1, CELLS // max(1, options.n_resamples))
    if _shared(sample):
        columns = pair_columns(sample)
        sums = _drawn(columns.summed, options)
        for some in _slices(sample.n_pairs, step):
            yield some, *columns.of_pairs(sums, some)
        return
    step = min(step, max(1, CELLS // max(1, len(sample.values))))
    for some in _slices(sample.n_pairs, step):
        columns = pair_columns(Sample(sample.values, sample.pairs[some]))
        yield some, *columns.of_pairs(_drawn(columns.summed, options))


def _drawn(summed: Array, options: Options) -> Array:
    """The sums of all columns over what each draw turns round, columns × draws."""
    out = np.empty((summed.shape[1], options.n_resamples))

    def do(block: Block) -> None:
        for part in block.parts(len(summed)):
            at = slice(block.start + part.start, block.start + part.stop)
            out[:, at] = (chosen(block, part, len(summed)) @ summed).T

    each_block(options, do)
    return out


def pair_sums(sample: Sample) -> tuple[Array, Array]:
    """The sum of the differences of every pair, and by how much two such sums may differ and still be one.

    That is the rounding of the differences, and of their sum, without that of a huge value, which hides no other unit.
    """
    total, allowed = np.zeros(sample.n_pairs), np.zeros(sample.n_pairs)
    spread = np.ptp(np.nan_to_num(sample.values), axis=1) if _shared(sample) else np.zeros(len(sample.values))
    for some in _slices(sample.n_pairs, max(1, CELLS // max(1, len(sample.values)))):
        baseline, system = (sample.values[:, sample.pairs[some, side]].T for side in (0, 1))
        d = np.nan_to_num(system - baseline)
        total[some] = d.sum(axis=1)
        beside = np.where(d == 0, 0.0, np.nan_to_num(rounding(baseline, system)))
        allowed[some] = without_huge(np.maximum(beside, ROUNDINGS * EPSILON * np.abs(d)))
        allowed[some] += without_huge(8.0 * EPSILON * np.broadcast_to(spread, d.shape))
    return total, allowed


def _slices(count: int, step: int) -> Iterator[slice]:
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))
