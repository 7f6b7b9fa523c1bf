"""Random numbers that depend on an id, a seed and a stream alone: the same on every engine and in every order."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.engines.polars.engine import hashed

Floats = NDArray[np.float64]
_STEP, _ONE, _TWO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class Uniforms:
    """Numbers from 0 to 1, one per id and stream: SplitMix64 of the portable hash of the id and the seed.

    Args:
        ids: the ids of the lists.
        seed: the seed.
    """

    def __init__(self, ids: pl.Series, seed: int) -> None:
        self._base = hashed(ids, seed=seed).to_numpy().astype(np.uint64)

    def at(self, stream: int) -> Floats:
        """The numbers of one stream."""
        return _mixed(self._base, np.array([stream], dtype=np.uint64))

    def of(self, row: int, first: int, n: int) -> Floats:
        """The numbers of one id in n streams."""
        return _mixed(self._base[row : row + 1], np.arange(first, first + n, dtype=np.uint64))

    def several(self, first: int, n: int) -> Floats:
        """The numbers of n streams, a column for each."""
        return np.stack([self.at(first + i) for i in range(n)], axis=1)

    def part(self, rows: slice) -> Uniforms:
        """The numbers of some ids."""
        out = object.__new__(Uniforms)
        out._base = self._base[rows]
        return out


def _mixed(base: NDArray[np.uint64], streams: NDArray[np.uint64]) -> Floats:
    """The numbers of ids in streams, where one of both is single."""
    with np.errstate(over="ignore"):
        z = base + _STEP * (streams + np.uint64(1))
        z = (z ^ (z >> np.uint64(30))) * _ONE
        z = (z ^ (z >> np.uint64(27))) * _TWO
        z ^= z >> np.uint64(31)
    numbers: Floats = (z >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return numbers
