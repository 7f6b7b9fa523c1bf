"""Resampling once more, as plain loops over rows."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

PRIME = 2**31 - 1


@functools.cache
def thresholds() -> list[int]:
    out, total = [], 0.0
    for k in range(9):
        total += math.exp(-1) / math.factorial(k)
        out.append(math.floor(PRIME * total))
    return out


@functools.cache
def coefficients(seed: int, replicate: int) -> list[int]:
    return [int(x) for x in np.random.Generator(np.random.PCG64([seed, replicate])).integers(0, PRIME, 4)]


def hashed(u: int, seed: int, replicate: int) -> int:
    a, b, c, d = coefficients(seed, replicate)
    h = (a * u + b) % PRIME
    h = (h * u + c) % PRIME
    return (h * u + d) % PRIME


def weights(ids: Sequence[Any], seed: int, replicate: int) -> dict[Any, int]:
    """How often each id is drawn."""
    return {one: sum(hashed(u, seed, replicate) >= t for t in thresholds()) for u, one in enumerate(sorted(set(ids)))}


def stratified(strata: dict[Any, Any], seed: int, replicate: int) -> dict[Any, int]:
    """How often each id is drawn where strata keep their sizes."""
    ordered = [one for s in sorted(set(strata.values())) for one in sorted(strata) if strata[one] == s]
    out = dict.fromkeys(ordered, 0)
    start = 0
    for s in sorted(set(strata.values())):
        n = list(strata.values()).count(s)
        for j in range(start, start + n):
            out[ordered[start + hashed(j, seed, replicate) * n // PRIME]] += 1
        start += n
    return out
