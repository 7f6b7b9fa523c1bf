"""Precision, reciprocal rank and average precision as readers of C/W/L.

A reader of precision reads k documents; one of reciprocal rank reads until a relevant document; one of average
precision continues from rank i with the probability
C_i = (Σ_{j>i} g_j/j) / (Σ_{j≥i} g_j/j).
"""

from __future__ import annotations

from ireval_frames.expr import Expr, lit, when
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.rank_grid import RankGrid
from ireval_frames.ranking.cwl.readers import measured
from ireval_frames.ranking.cwl.scales import binary
from ireval_frames.ratios import indicator


def read_to_rank(q: Query, rel: float, cutoff: int, measurement: str, *, residual: bool) -> Expr:
    """A reader of the first k documents; sums over ranks have an expectation over ties."""
    if not residual:
        return measured(measurement, q.discounted_sum(q.relevant(rel), cutoff=cutoff), cutoff * 1.0)
    unjudged = cutoff * 1.0 - q.discounted_sum(q.judged, cutoff=cutoff)
    return unjudged / cutoff if measurement == "EU" else unjudged if measurement == "ETU" else lit(0.0)


def read_to_first(
    q: Query, rel: float, cutoff: int | None, max_depth: int, measurement: str, *, residual: bool
) -> Expr:
    """A reader who stops at the first relevant document, or after `max_depth` documents if there is none."""
    hit = q.relevant(rel) > 0 if cutoff is None else (q.relevant(rel) > 0) & (q.rank <= cutoff)
    first = q.min(when(hit).then(q.rank))
    none = first.is_null()
    depth = when(none).then(max_depth * 1.0).otherwise(first)
    total = indicator(~none)
    value = measured(measurement, total, depth)
    if not residual:
        return value
    # All ranks above the first unjudged one are judged: there the number of judged documents so far is the rank.
    prefix = q.sum(indicator((q.judged > 0) & (q.so_far(q.judged) == q.rank)), cutoff)
    best = when(first < prefix + 1.0).then(first).otherwise(prefix + 1.0)
    return measured(measurement, lit(1.0), best) - value


def read_for_each(
    q: Query, rel: float, over: str, cutoff: int | None, max_depth: int, measurement: str, *, residual: bool
) -> Expr:
    """A reader of average precision.

    With `over="relevant"` relevant documents that were not retrieved follow infinitely far below.
    """
    if not residual:
        hit = q.relevant(rel)
        shares, inverse = q.sum(hit * q.so_far(hit) / q.rank, cutoff), q.sum(hit / q.rank, cutoff)
        relevant = q.num_relevant(rel) if over == "relevant" else q.sum(hit, cutoff)
        return _of_each(q, measurement, shares, inverse, relevant)
    gains = binary(rel)
    worst, best = RankGrid(q, max_depth, gains), RankGrid(q, max_depth, gains, best=True)
    gain_of_worst, best_gain = _within(worst, worst.gain, 0.0, cutoff), _within(best, best.gain, 1.0, cutoff)
    hits, most_hits = worst.sum(gain_of_worst), best.sum(best_gain)
    missed = q.num_relevant(rel) - hits if over == "relevant" else lit(0.0)

    def value(grid: RankGrid, gain: Expr, number: Expr) -> Expr:
        shares = grid.sum(gain * grid.over(gain.cum_sum(), "hits_so_far") / grid.rank)
        return _of_each(q, measurement, shares, grid.sum(gain / grid.rank), number + missed)

    return value(best, best_gain, most_hits) - value(worst, gain_of_worst, hits)


def _of_each(q: Query, measurement: str, shares: Expr, inverse: Expr, relevant: Expr) -> Expr:
    """From Σ H(i)/i, Σ 1/i and the number of relevant documents; without relevant documents one document is read."""
    depth = q.ratio(relevant, inverse).fill_null(1.0)
    utility = q.ratio(shares, relevant).fill_null(0.0)
    return utility if measurement == "EU" else measured(measurement, utility * depth, depth)


def _within(grid: RankGrid, gain: Expr, unknown: float, cutoff: int | None) -> Expr:
    """Documents after the cutoff count as not retrieved."""
    return (
        gain if cutoff is None else grid.column(when(grid.rank <= cutoff).then(gain).otherwise(unknown), "gain_within")
    )
