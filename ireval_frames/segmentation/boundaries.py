"""Measures of the boundaries themselves: precision, recall and F, and counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import POOLED, Runs
from ireval_frames.documents.counting import count_measure
from ireval_frames.expr import Expr
from ireval_frames.parameters import choice, number, whole
from ireval_frames.segmentation.context import SegmentationContext

TOLERANCE = whole(0, "the largest distance of boundaries that match, in positions", low=0, example=1)
SOURCE = "Van Rijsbergen, 1979"


def _runs(parameters: Mapping[str, Any]) -> Runs:
    return "python" if parameters["tolerance"] else "relational"


COST = "one pass over the boundaries of each document, with a tolerance only"


@measure(
    "segmentation",
    "BoundaryP",
    at="",
    aliases=("BoundaryPrecision",),
    parameters={"tolerance": TOLERANCE},
    undefined=None,
    aggregation=POOLED,
    runs=_runs,
    cost=COST,
    formula="matches / predicted boundaries",
    source=SOURCE,
)
def BoundaryP(c: SegmentationContext, tolerance: int) -> Expr:
    """The share of the predicted boundaries that match one of the gold.

    P = m / |predicted|.  A boundary matches one boundary of the other side at most; with a `tolerance` of t, one that
    is up to t positions away, and m is the largest possible number of matches.  The ends of a document are no
    boundaries.

    The value of several documents is pooled: matches and boundaries are summed.  `BoundaryP(aggregation='mean')` is the
    mean over documents.

    Columns: position with both segments; or position of boundaries.
    Range: 0 to 1, higher is better.  Undefined without predicted boundaries.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("BoundaryP").summary()["value"].round(4).item()
        0.6667
    """
    return c.ratio(c.matches(tolerance), c.num_boundaries("predicted"))


@measure(
    "segmentation",
    "BoundaryR",
    at="",
    aliases=("BoundaryRecall",),
    parameters={"tolerance": TOLERANCE},
    undefined=None,
    aggregation=POOLED,
    runs=_runs,
    cost=COST,
    formula="matches / gold boundaries",
    source=SOURCE,
)
def BoundaryR(c: SegmentationContext, tolerance: int) -> Expr:
    """The share of the gold's boundaries that match a predicted one.

    R = m / |gold|.  A boundary matches one boundary of the other side at most; with a `tolerance` of t, one that is up
    to t positions away, and m is the largest possible number of matches.  The ends of a document are no boundaries.

    The value of several documents is pooled: matches and boundaries are summed.  `BoundaryR(aggregation='mean')` is the
    mean over documents.

    Columns: position with both segments; or position of boundaries.
    Range: 0 to 1, higher is better.  Undefined without boundaries in the gold.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("BoundaryR").summary()["value"].item()
        1.0
    """
    return c.ratio(c.matches(tolerance), c.num_boundaries("gold"))


@measure(
    "segmentation",
    "BoundaryF",
    at="",
    parameters={
        "tolerance": TOLERANCE,
        "beta": number(1.0, "how much more recall counts than precision", low=0.0),
    },
    undefined=None,
    aggregation=POOLED,
    runs=_runs,
    cost=COST,
    formula="(1+β²)·matches / (β²·gold boundaries + predicted boundaries)",
    source=SOURCE,
)
def BoundaryF(c: SegmentationContext, tolerance: int, beta: float) -> Expr:
    """The harmonic mean of the precision and recall of boundaries.

    F = (1+β²)·m / (β²·|gold| + |predicted|), which is 0 without a match.  A boundary matches one boundary of the other
    side at most; with a `tolerance` of t, one that is up to t positions away, and m is the largest possible number of
    matches.

    The value of several documents is pooled: matches and boundaries are summed.  `BoundaryF(aggregation='mean')` is the
    mean over documents.

    Columns: position with both segments; or position of boundaries.
    Range: 0 to 1, higher is better.  Undefined without boundaries on both sides.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("BoundaryF").summary()["value"].round(4).item()
        0.8
    """
    square = beta * beta
    return c.ratio(
        (1.0 + square) * c.matches(tolerance), square * c.num_boundaries("gold") + c.num_boundaries("predicted")
    )


@count_measure(
    "segmentation",
    "NumBoundaries",
    "number of boundaries",
    parameters={"side": choice("gold", "predicted", what="whose boundaries")},
)
def NumBoundaries(c: SegmentationContext, side: str) -> Expr:
    """The number of boundaries of a side.

    Columns: position with both segments; or position of boundaries.
    Range: 0 to ∞.  Always defined.

    Example:
        >>> import ireval_frames as ir
        >>> subject = ir.Segmentation(ir.examples.segments())
        >>> subject.evaluate("NumBoundaries NumBoundaries(side='predicted')").summary()["value"].to_list()
        [2.0, 3.0]
    """
    return c.num_boundaries(side)


@count_measure("segmentation", "NumPositions", "number of positions")
def NumPositions(c: SegmentationContext) -> Expr:
    """The number of positions of a document: sentences, tokens, or whatever is segmented.

    Columns: position with both segments; or `length` of documents.
    Range: 0 to ∞.  Undefined for a document of unknown length.

    Raises:
        MissingColumn: the lengths of documents are not known.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("NumPositions").summary()["value"].item()
        8.0
    """
    return c.num_positions
