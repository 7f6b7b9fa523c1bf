"""Uniform draws that follow from a seed and an id alone: the same on every machine and engine, in any order of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.declared import Array

Bits = NDArray[np.uint64]


def mixed(bits: Bits) -> Bits:
    """The output function of SplitMix64, modulo 2^64.

    Source: Steele, Lea & Flood, OOPSLA 2014.
    """
    out = bits + np.uint64(0x9E3779B97F4A7C15)
    out = (out ^ (out >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    out = (out ^ (out >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(out ^ (out >> np.uint64(31)))


def uniform(of: Bits, stage: int, position: int) -> Array:
    """Numbers from 0 to below 1, one for each hash of a page, in multiples of 2^−53."""
    salted = mixed(of + np.uint64((position * 4 + stage) * 0xD1342543DE82EF95 % 2**64))
    return (salted >> np.uint64(11)).astype(np.float64) * 2.0**-53
