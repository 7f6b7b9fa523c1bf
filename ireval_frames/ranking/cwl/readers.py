"""Readers: user models as the probability of reaching each rank, and the five measurements of them.

A reader goes on from rank i to the next with probability C_i, so gets to rank i with probability S_i = C_1 · … ·
C_{i−1} and reads ED = Σ S_i documents.  W_i = S_i / ED is the share of rank i in what is read, so the reader gains ETU
= Σ S_i·g_i in all and EU = Σ W_i·g_i = ETU / ED for each document.  At the last rank every reader stops.

A reader of positions does not look at documents, so C_i depends on i alone; a cascading one stops at a judged document
with some probability and passes by the others as a reader of positions does.  For both, judged rows suffice.  Any other
walks along all ranks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, col, lit
from ireval_frames.parameters import ANY_NUMBER, UPWARDS, choice, flag, whole
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.decay import Decay, Summed
from ireval_frames.ranking.cwl.rank_grid import RankGrid
from ireval_frames.ranking.cwl.scales import Gains, not_empty
from ireval_frames.ratios import indicator

MOFFAT = "Moffat, Bailey, Scholer and Thomas, ACM TOIS 35(3), 2017"
CWL_EVAL = "Azzopardi, Thomas and Moffat, SIGIR 2019 (cwl_eval)"

MEASUREMENT = dataclasses.replace(
    choice(
        "EU",
        "ETU",
        "EC",
        "ETC",
        "ED",
        what="expected utility per document, total utility, cost per document, total cost, or depth (the number of "
        "documents read)",
    ),
    ranges={"ETU": UPWARDS, "EC": UPWARDS, "ETC": UPWARDS, "ED": UPWARDS},
)
RESIDUAL = dataclasses.replace(
    flag(
        what="how much the value changes when unjudged documents and ranks after the end of the list gain 1 instead "
        "of 0"
    ),
    ranges={True: ANY_NUMBER},
)
DEPTH = whole(1000, "the last rank a reader can get to")
ENDLESS = dataclasses.replace(
    whole(None, "the last rank a reader can get to; None for a list without end"), default=1000
)


def readable(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse a scale without a span, and residuals that would look at ranks without end.

    Raises:
        InvalidParameter: `min_rel` is not below `max_rel`, or there is a residual but no `max_depth`.
    """
    not_empty(measure, arguments)
    if arguments["residual"] and arguments.get("max_depth", 1) is None:
        raise InvalidParameter(f"{measure} looks at every rank, so it needs a max_depth.", "Write max_depth=1000.")


def measured(measurement: str, total: Expr, depth: Expr | float, cost: float = 1.0) -> Expr:
    """The measurement, from the expected total utility and the expected depth; every document has the same cost."""
    match measurement:
        case "EU":
            return total / depth
        case "ETU":
            return total
        case "EC":
            return lit(cost)
        case "ETC":
            return cost * _expr(depth)
        case _:
            return _expr(depth)


def _expr(value: Expr | float) -> Expr:
    return value if isinstance(value, Expr) else lit(value)


def position_reader(
    q: Query,
    gains: Gains,
    decay: Decay,
    measurement: str,
    *,
    residual: bool,
    cutoff: int | None = None,
    cost: float = 1.0,
) -> Expr:
    """A reader who gets to rank i with probability `decay.at(i)`; documents after the cutoff count as not retrieved.

    The residual is closed too: the unjudged ranks carry what the judged ones leave of all weight.
    """
    reach = q.rows.column(decay.at(q.rank), "reach")
    last = min((k for k in (decay.last, cutoff) if k is not None), default=None)
    if not residual:
        return measured(measurement, q.sum(gains.worst * reach, last), decay.total, cost)
    unjudged = decay.total - q.sum(indicator(col("relevance") >= 0) * reach, last)
    return unjudged / decay.total if measurement == "EU" else unjudged if measurement == "ETU" else lit(0.0)


def cascading_reader(
    q: Query,
    gains: Gains,
    decay: Summed,
    stop: Callable[[Expr, Expr], Expr],
    measurement: str,
    *,
    residual: bool,
) -> Expr:
    """A reader who gets to rank i with probability `decay.at(i)` unless one of the documents before made them stop.

    `stop` gives the probability from a document's gain and the gain so far; it is 0 where there is no gain.
    """
    rows = q.rows
    gain = rows.column(gains.worst, "gain")
    stopping = rows.column(stop(gain, q.so_far(gain)), "stopping")
    reach = rows.column(q.survival(stopping) * decay.at(q.rank), "reach")
    staying = q.survival(stopping) * stopping
    depth = decay.total - q.sum(staying * rows.column(decay.after(q.rank, rows.column), "after"), decay.last)
    value = measured(measurement, q.sum(gain * reach, decay.last), depth)
    if not residual:
        return value
    walk = RankGrid(q, decay.last, gains, best=True)
    return walked(walk, walk.reach(1.0 - stop(walk.gain, walk.total_gain)) * decay.at(walk.rank), measurement) - value


def walking_reader(
    q: Query, gains: Gains, go_on: Callable[[RankGrid], Expr], last: int, measurement: str, *, residual: bool
) -> Expr:
    """A reader whose probability of going on is any expression of the walk so far.

    A row for each rank down to `last`.
    """
    walk = RankGrid(q, last, gains)
    value = walked(walk, walk.reach(go_on(walk)), measurement)
    if not residual:
        return value
    best = RankGrid(q, last, gains, best=True)
    return walked(best, best.reach(go_on(best)), measurement) - value


def walked(walk: RankGrid, reach: Expr, measurement: str) -> Expr:
    """The measurement of a reader who gets to each rank of the walk with probability `reach`."""
    reach = walk.column(reach, "reach")
    return measured(measurement, walk.sum(walk.gain * reach), walk.sum(reach))
