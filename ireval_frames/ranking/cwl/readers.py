"""Readers: user models as the probability of reaching each rank, and the five measurements of them.

A reader continues from rank i to the next with probability C_i, so reaches rank i with probability S_i = C_1 · … ·
C_{i−1} and reads ED = Σ S_i documents.  W_i = S_i / ED is the share of rank i in what is read, so the total gain is ETU
= Σ S_i·g_i, and EU = Σ W_i·g_i = ETU / ED for each document.  At the last rank every reader stops.

For a position reader C_i depends on i alone; a cascading reader stops at a judged document with some probability and
continues past the others as a position reader does.  For both, judged rows are enough.  All others need the grid of all
ranks.
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
from ireval_frames.ranking.cwl.scales import Gains, require_span
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
DEPTH = whole(1000, "the last rank a reader can reach")
ENDLESS = dataclasses.replace(whole(None, "the last rank a reader can reach; None for an infinite list"), default=1000)


def readable(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse an empty scale, and residuals over infinitely many ranks.

    Raises:
        InvalidParameter: `min_rel` is not below `max_rel`, or there is a residual but no `max_depth`.
    """
    require_span(measure, arguments)
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
    """A reader who reaches rank i with probability `decay.at(i)`; documents after the cutoff count as not retrieved.

    The residual has a closed form, too: the weight of all ranks without that of the judged ones.
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
    """A reader who reaches rank i with probability `decay.at(i)` unless they stop at a document before.

    `stop` gives the probability of stopping from a document's gain and the gain so far; it is 0 without a gain.
    """
    rows = q.rows
    gain = rows.column(gains.worst, "gain")
    stopping = rows.column(stop(gain, q.so_far(gain)), "stopping")
    reach = rows.column(q.survival(stopping) * decay.at(q.rank), "reach")
    stopped = q.survival(stopping) * stopping
    depth = decay.total - q.sum(stopped * rows.column(decay.after(q.rank, rows.column), "after"), decay.last)
    value = measured(measurement, q.sum(gain * reach, decay.last), depth)
    if not residual:
        return value
    grid = RankGrid(q, decay.last, gains, best=True)
    return (
        measured_on_grid(grid, grid.reach(1.0 - stop(grid.gain, grid.total_gain)) * decay.at(grid.rank), measurement)
        - value
    )


def grid_reader(
    q: Query, gains: Gains, continuation: Callable[[RankGrid], Expr], last: int, measurement: str, *, residual: bool
) -> Expr:
    """A reader whose probability of continuing is any expression of the ranks so far, down to `last`."""
    grid = RankGrid(q, last, gains)
    value = measured_on_grid(grid, grid.reach(continuation(grid)), measurement)
    if not residual:
        return value
    best = RankGrid(q, last, gains, best=True)
    return measured_on_grid(best, best.reach(continuation(best)), measurement) - value


def measured_on_grid(grid: RankGrid, reach: Expr, measurement: str) -> Expr:
    """The measurement of a reader who reaches each rank of the grid with probability `reach`."""
    reach = grid.column(reach, "reach")
    return measured(measurement, grid.sum(grid.gain * reach), grid.sum(reach))
