"""The number of draws of a unit in a replicate, from a hash that every engine can compute.

The hash of the unit u in a replicate is h = (((a·u + b) mod P · u + c) mod P · u + d) mod P with P = 2³¹ − 1: whole
numbers below 2⁶² only, so that BIGINT holds them.  The coefficients of replicate r are the first four numbers below P
of PCG64 seeded with (seed, r), so a replicate does not depend on the number of replicates.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Hashes = NDArray[np.uint64]

PRIME = 2**31 - 1
_P, _31 = np.uint64(PRIME), np.uint64(31)
# Units to hash at once: they fit the cache of a core.
BLOCK = 1 << 15


def _thresholds() -> tuple[int, ...]:
    """⌊P·F(k)⌋ for k = 0 … 8, F the distribution of Poisson(1)."""
    # 1/e to 40 digits, so that no machine's floats matter.
    inverse = sum((Fraction((-1) ** j, math.factorial(j)) for j in range(40)), Fraction(0))
    shares = [Fraction(1, math.factorial(j)) for j in range(9)]
    return tuple(math.floor(PRIME * inverse * sum(shares[: k + 1])) for k in range(9))


THRESHOLDS = _thresholds()


def coefficients(seed: int, replicate: int) -> tuple[int, int, int, int]:
    """The numbers a, b, c, d of a replicate."""
    a, b, c, d = np.random.Generator(np.random.PCG64([seed, replicate])).integers(0, PRIME, 4).tolist()
    return a, b, c, d


def hashes(units: Hashes, of: tuple[int, int, int, int]) -> Hashes:
    """The hash of each unit, from 0 to P − 1.

    Args:
        units: whole numbers below P.
        of: the coefficients of the replicate.
    """
    a, *rest = map(np.uint64, of)
    out, upper = np.full(len(units), a), np.empty_like(units)
    for added in rest:
        out *= units
        out += added
        # 2³¹ is 1 modulo P: the upper bits are added to the lower ones, twice, as sums may have a 32nd bit.
        for _ in range(2):
            np.right_shift(out, _31, out=upper)
            out &= _P
            out += upper
    out[out == _P] = 0
    return out


def poisson_weights(first: int, last: int, of: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """The number of draws of the units first … last − 1: Poisson(1), the thresholds that the hash reaches."""
    out = np.empty(last - first, dtype=np.uint8)
    for start in range(first, last, BLOCK):
        h = hashes(np.arange(start, min(last, start + BLOCK), dtype=np.uint64), of).astype(np.uint32)
        drawn = np.zeros(len(h), dtype=np.uint8)
        for threshold in THRESHOLDS:
            drawn += h >= np.uint32(threshold)
        out[start - first : start - first + len(h)] = drawn
    return out


def stratified_weights(sizes: Whole, of: tuple[int, int, int, int]) -> Whole:
    """The number of draws of each unit if every stratum keeps its number of units.

    The draw j of a stratum of n units that begins at unit s takes the unit s + ⌊h(s + j)·n / P⌋.

    Args:
        sizes: the number of units of each stratum; the units of the first stratum are 0, 1 …
        of: the coefficients of the replicate.
    """
    starts = np.cumsum(sizes) - sizes
    total = int(sizes.sum())
    h = hashes(np.arange(total, dtype=np.uint64), of)
    size, start = np.repeat(sizes, sizes).astype(np.uint64), np.repeat(starts, sizes)
    taken = start + (h * size // _P).astype(np.int64)
    return np.bincount(taken, minlength=total)
