"""Values equal to trec_eval's to the last bit, which shows where a mean falls between two printed numbers.

Engines may multiply by 1/k where C divides by k, and a closed form differs from a sum over a list.  Some values are
corrected here; others are computed again as a loop over the list, where the difference would be printed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.parameters import Parameter, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.gain import LEVELS, UNJUDGED, unit_gains
from ireval_frames.ranking.measures.interpolation import ELEVEN, IPrec
from ireval_frames.ranking.measures.sets import SetP, SetR
from ireval_frames.ranking.parameters import JUDGED_ONLY, REL, REQUIRED_CUTOFF

__all__ = ["ELEVEN", "LOOPED", "LOOPS", "Loop", "doubtful", "interpolated_average", "set_f"]

Parts = tuple[tuple[Measure, ...], Callable[..., float]]
# From the grades of a list, None for documents without judgment, to the value.
Loop = Callable[[Sequence[float | None]], float]


def interpolated_average(levels: tuple[float, ...], rel: float) -> Parts:
    """The mean of interpolated precisions, added from the last level to the first."""
    return tuple(
        IPrec(rel=rel, recall=level) for level in reversed(levels)
    ), lambda *values: _added(*values) / len(values)


def set_f(square: float, rel: float) -> Parts:
    """F of the retrieved set; `square` is β²."""
    return (SetP(rel=rel), SetR(rel=rel)), partial(_f, square)


def doubtful(value: float) -> bool:
    """Whether the last printed digit depends on the last bits."""
    tenthousandths = abs(value) * 1e4
    return abs(tenthousandths % 1.0 - 0.5) < 1e-7


def _added(*values: float) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def _f(square: float, p: float, r: float) -> float:
    return (square + 1.0) * p * r / (square * p + r) if p * r else 0.0


def _rbp_resid(p: float, grades: Sequence[float | None]) -> float:
    total, weight, unjudged = 0.0, 1.0, False
    for grade in grades:
        if grade is None or grade < 0:
            unjudged = True
            total += weight
        weight *= p
    return weight + (1.0 - p) * total if unjudged else 0.0


def _rbp(q: Query, p: float, gains: tuple[tuple[float, float], ...], unjudged: float) -> Expr:
    """Rank-biased precision with weights multiplied from rank to rank, and added in that order."""
    gain, plan, name = unit_gains(q, gains, unjudged), q.tables.plan, q.rows.name
    step = q.rank.cast(pl.Int64)
    deepest = plan.grouped(f"deepest_{name}", q.rows)
    steps = plan.expand_range(f"weights_{name}_{p}", "step", deepest, lit(1), q.rows.max(step, into=deepest))
    weight = steps.over(steps.column(when(col("step") > 1).then(p).otherwise(1.0)).cum_prod(), (), ["step"], "weight")
    gained = q.rows.column(gain, "gain")
    rows = plan.selected(f"gained_{gained.name}", q.rows.keys, q.rows, step=step, gained=gained)
    weighted = plan.joined(f"weighted_{gained.name}_{p}", rows.keys, rows, steps, on=("step",))
    return (1.0 - p) * weighted.sum(col("gained") * weight, order="step")


def _precision(q: Query, rel: float, cutoff: int) -> Expr:
    """Precision as a quotient."""
    return q.sum(q.relevant(rel), cutoff) / _column(q, cutoff)


def _unjudged(q: Query, cutoff: int) -> Expr:
    """The share of unjudged documents as a quotient."""
    n, k = q.num_retrieved, _column(q, cutoff)
    return (when(n < k).then(n).otherwise(k) - q.sum(q.judged, cutoff)) / k


def _column(q: Query, value: float) -> Expr:
    """The value as a column, since engines may turn a constant divisor into a factor."""
    return q.tables.units.column(q.num_retrieved * 0.0 + value, "divisor")


def _declared(name: str, function: Callable[..., Expr], **parameters: Parameter) -> Definition:
    return Definition(
        family="ranking",
        name=name,
        function=function,
        parameters={**parameters, "judged_only": JUDGED_ONLY, **catalog.shared("ranking")},
    )


_P = _declared("P as a quotient", _precision, rel=REL, cutoff=REQUIRED_CUTOFF)
LOOPED = {
    "P": _P,
    "P_avgjg": _P,
    "unj": _declared("unj as a quotient", _unjudged, cutoff=REQUIRED_CUTOFF),
    "rbp": _declared("rbp as a loop", _rbp, p=number(0.9), gains=LEVELS, unjudged=UNJUDGED),
}
LOOPS: dict[str, Callable[[Mapping[str, Any]], Loop]] = {
    "rbp_resid": lambda arguments: partial(_rbp_resid, arguments["p"])
}
