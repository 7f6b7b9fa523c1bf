"""Random signs of whole units: the sums of what is turned round, for all systems at once.

A draw turns the differences of some units round.  The sum of all differences is D, that of the units which are turned
round is F, so the sum after the turn is D − 2F; and F of a pair is F of the system less F of the baseline, so one
product of matrices serves all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ireval_frames.stats.draws import Block, each_block
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array, Options, Sample

# So many numbers of the pairs are in memory at once.
CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class Flips:
    """Sums over the units that draws turn round.

    Attributes:
        sums: F, a row per column of what was summed, a column per draw.
        units: how many units a draw turns round; in rows as `sums` where pairs miss units.
    """

    sums: Array
    units: Array


def chosen(block: Block, part: slice, units: int) -> Array:
    """Which units draws turn round: 1 or 0, a row per draw."""
    words = -(-units // 64)
    bits = block.generator.integers(0, 2**64, (part.stop - part.start, words), dtype=np.uint64)
    bytes_ = bits.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(bytes_, axis=1, count=units, bitorder="little").astype(np.float64)


def flip(summed: Array, options: Options) -> Array:
    """F of each column of `summed` (units × columns), a row per column, a column per draw."""
    out = np.empty((summed.shape[1], options.draws))

    def do(block: Block) -> None:
        for part in block.parts(len(summed)):
            at = slice(block.start + part.start, block.start + part.stop)
            out[:, at] = (chosen(block, part, len(summed)) @ summed).T

    each_block(options, do)
    return out


def pair_flips(sample: Sample, options: Options) -> Iterator[tuple[slice, Flips]]:
    """F of some pairs at a time, and how many units were turned round.

    Units that a pair misses have no difference to turn round.
    """
    step = max(1, CELLS // max(1, options.draws))
    if not np.isnan(sample.values).any():
        ones = np.ones((len(sample.values), 1))
        # Means of units are common to all systems; without them sums are rounded less.
        centred = sample.values - sample.values.mean(axis=1, keepdims=True)
        sums = flip(np.hstack([centred, ones]), options)
        for some in _slices(sample.n_pairs, step):
            baseline, system = sample.pairs[some].T
            yield some, Flips(sums[system] - sums[baseline], sums[-1:])
        return
    step = min(step, max(1, CELLS // max(1, len(sample.values))))
    for some in _slices(sample.n_pairs, step):
        differences = sample.values[:, sample.pairs[some, 1]] - sample.values[:, sample.pairs[some, 0]]
        there = ~np.isnan(differences)
        count = differences.shape[1]
        sums = flip(np.hstack([np.where(there, differences, 0.0), there.astype(np.float64)]), options)
        yield some, Flips(sums[:count], sums[count:])


def pair_sums(sample: Sample) -> tuple[Array, Array]:
    """The sum of the differences of every pair, and by how much two such sums may differ and still be one."""
    total, allowed = np.zeros(sample.n_pairs), np.zeros(sample.n_pairs)
    for some in _slices(sample.n_pairs, max(1, CELLS // max(1, len(sample.values)))):
        baseline, system = (sample.values[:, sample.pairs[some, side]] for side in (0, 1))
        total[some] = np.nansum(system - baseline, axis=0)
        # Differences have the rounding of the values that they are of.
        allowed[some] = ROUNDINGS * EPSILON * np.nansum(np.abs(system) + np.abs(baseline), axis=0)
    return total, allowed


def _slices(count: int, step: int) -> Iterator[slice]:
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))
