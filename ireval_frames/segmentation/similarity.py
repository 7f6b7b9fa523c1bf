"""Boundary similarity: how little must be edited to make one side of the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import Runs
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import whole
from ireval_frames.ratios import ratio
from ireval_frames.segmentation.context import SegmentationContext


def _runs(parameters: Mapping[str, Any]) -> Runs:
    return "python" if parameters["transpositions"] > 2 else "relational"


@measure(
    "segmentation",
    "BoundarySimilarity",
    at="",
    aliases=("B",),
    parameters={"transpositions": whole(2, "boundaries at a smaller distance are near misses; 1: none are", example=3)},
    undefined=None,
    pools=True,
    runs=_runs,
    cost="one pass over the unmatched boundaries of each document, with transpositions above 2 only",
    formula="1 − (A + Σ d/n_t) / (A + T + M)",
    source="Fournier, 2013",
)
def BoundarySimilarity(c: SegmentationContext, transpositions: int) -> Expr:
    """1 less the cost of the edits that make one side's boundaries of the other's, by the number of edits and matches.

    B = 1 − (A + Σ_T d/n_t) / (A + T + M), where M boundaries are on both sides, T are near misses, which are moved, and
    A are added or removed.  A near miss is a boundary of one side and one of the other that are d positions apart, d
    less than `transpositions` (n_t), neither of which matches: the nearest ones first, from the left, each boundary
    once.  It costs d/n_t, and an addition 1.

    The value of several documents is their mean; `BoundarySimilarity(aggregation='pooled')` sums the numerator and the
    denominator.

    Columns: position with both segments; or position of boundaries.
    Range: 0 to 1, higher is better.  1 for documents without any boundary, under every policy.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("BoundarySimilarity").summary()["value"].round(4).item()
        0.6667
    """
    edits = c.edits(transpositions)
    all_edits = edits.matches + edits.moved + edits.added
    same = edits.matches + edits.moved - edits.distance / float(transpositions)
    return when(all_edits > 0).then(ratio(same, all_edits)).otherwise(1.0)
