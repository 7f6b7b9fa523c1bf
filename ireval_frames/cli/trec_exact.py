"""Values that trec_eval computes from others or divides by a constant, to the last bit.

Engines may multiply by 1/k where C divides by k; where a mean falls between two printed numbers, that bit is seen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ireval_frames.measure import Measure
from ireval_frames.ranking.interpolation import IPrec
from ireval_frames.ranking.precision import P
from ireval_frames.ranking.sets import SetP, SetR

Parts = tuple[tuple[Measure, ...], Callable[..., float]]


def precision(cutoff: int, rel: float) -> Parts:
    """A count over the cutoff."""
    return (P(rel=rel, cutoff=cutoff),), lambda value: round(value * cutoff) / cutoff


def interpolated_average(levels: tuple[float, ...], rel: float) -> Parts:
    """The mean of interpolated precisions, added from the last level to the first."""
    return tuple(IPrec(rel=rel, recall=level) for level in reversed(levels)), lambda *values: _added(*values) / len(values)


def set_f(square: float, rel: float) -> Parts:
    """F of the retrieved set; `square` is β²."""
    return (SetP(rel=rel), SetR(rel=rel)), partial(_f, square)


def _added(*values: float) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def _f(square: float, p: float, r: float) -> float:
    return (square + 1.0) * p * r / (square * p + r) if p * r else 0.0
