"""Values to the last bit of trec_eval's: where a mean falls between two printed numbers, that bit is seen.

Engines may multiply by 1/k where C divides by k, and a closed form differs from a sum over a list.  What can be put
right from the values is put right here; the rest is computed again as a loop over the list, only where it is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ireval_frames.measure import Measure
from ireval_frames.ranking.interpolation import ELEVEN, IPrec
from ireval_frames.ranking.sets import SetP, SetR

__all__ = ["COUNTED", "ELEVEN", "LOOPS", "Loop", "counted", "doubtful", "interpolated_average", "set_f"]

Parts = tuple[tuple[Measure, ...], Callable[..., float]]
# From the grades of a list, None for documents without judgment, and the query's largest grade to the value.
Loop = Callable[[Sequence[float | None], float], float]

# These are counts over the cutoff.
COUNTED = ("P", "unj")


def counted(cutoff: int, value: float) -> float:
    """A count over the cutoff."""
    return round(value * cutoff) / cutoff


def interpolated_average(levels: tuple[float, ...], rel: float) -> Parts:
    """The mean of interpolated precisions, added from the last level to the first."""
    return tuple(IPrec(rel=rel, recall=level) for level in reversed(levels)), lambda *values: _added(*values) / len(values)


def set_f(square: float, rel: float) -> Parts:
    """F of the retrieved set; `square` is β²."""
    return (SetP(rel=rel), SetR(rel=rel)), partial(_f, square)


def doubtful(value: float) -> bool:
    """Whether the last printed digit hangs on the last bits."""
    tenthousandths = abs(value) * 1e4
    return abs(tenthousandths % 1.0 - 0.5) < 1e-7


def _added(*values: float) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def _f(square: float, p: float, r: float) -> float:
    return (square + 1.0) * p * r / (square * p + r) if p * r else 0.0


def _rbp(p: float, grades: Sequence[float | None], largest: float) -> float:
    total, weight, above = 0.0, 1.0, max(largest, 1.0)
    for grade in grades:
        if grade is not None and grade > 0:
            total += grade / above * weight
        weight *= p
    return (1.0 - p) * total


def _rbp_resid(p: float, grades: Sequence[float | None], _: float) -> float:
    total, weight, unjudged = 0.0, 1.0, False
    for grade in grades:
        if grade is None or grade < 0:
            unjudged = True
            total += weight
        weight *= p
    return weight + (1.0 - p) * total if unjudged else 0.0


LOOPS: dict[str, Callable[[Mapping[str, Any]], Loop]] = {
    "rbp": lambda arguments: partial(_rbp, arguments["p"]),
    "rbp_resid": lambda arguments: partial(_rbp_resid, arguments["p"]),
}
