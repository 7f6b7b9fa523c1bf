"""Placements of the values of one group among those of another: U statistics and areas under ROC curves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ireval_frames.stats.moments import row_moments
from ireval_frames.stats.ranks.signed_ranks import midranks
from ireval_frames.stats.sample import Array


@dataclass(frozen=True, eq=False)
class Placements:
    """Two groups of values per row.

    Attributes:
        n_low, n_high: the sizes of the groups.
        above: of each value of the first group, the share of the second one above it, ties as ½; NaN where it is NaN.
        below: of each value of the second group, the share of the first one below it, ties as ½.
        ranks: of all values together, first group first.
        ties: Σ (t³ − t) over groups of t tied values of both.
    """

    n_low: Array
    n_high: Array
    above: Array
    below: Array
    ranks: Array
    ties: Array

    @property
    def area(self) -> Array:
        """P(second > first) + ½ P(second = first) over all pairs of values."""
        return row_moments(self.below)[1]

    @property
    def variance(self) -> Array:
        """Of the area, from the spread of the placements of both groups; NaN where one has less than two values."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(row_moments(self.above)[2] / self.n_low + row_moments(self.below)[2] / self.n_high)


def placements(low: Array, high: Array) -> Placements:
    """The placements of two groups, a row per comparison, NaN where there is no value."""
    width = low.shape[1]
    ranks, ties = midranks(np.concatenate([low, high], axis=1))
    n_low, n_high = ((~np.isnan(x)).sum(axis=1).astype(np.float64) for x in (low, high))
    with np.errstate(invalid="ignore", divide="ignore"):
        above = 1.0 - (ranks[:, :width] - midranks(low)[0]) / n_high[:, None]
        below = (ranks[:, width:] - midranks(high)[0]) / n_low[:, None]
    return Placements(n_low, n_high, above, below, ranks, ties)
