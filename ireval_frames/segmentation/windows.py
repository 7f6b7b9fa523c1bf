"""Measures of windows that slide over a document: Pk and WindowDiff."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS, flag, whole
from ireval_frames.ratios import indicator
from ireval_frames.segmentation.context import SegmentationContext

K = whole(None, "the width of windows, in positions; by default from the gold's boundaries", example=3)


@measure(
    "segmentation",
    "Pk",
    at="k",
    aliases=("P_k",),
    parameters={"k": K},
    higher_is_better=False,
    undefined=None,
    pools=True,
    formula="Σ_i [g(i) > 0 ≠ p(i) > 0] / (n − k)",
    source="Beeferman, Berger and Lafferty, 1999",
)
def Pk(c: SegmentationContext, k: int | None) -> Expr:
    """The share of pairs of positions k apart that one side puts into the same segment, and the other side does not.

    Pk = Σ_i [g(i) > 0 ≠ p(i) > 0] / (n − k), where g(i) and p(i) are the numbers of gold and predicted boundaries
    between positions i and i + k of a document of n positions.  Without `k` it is half the mean length of the gold's
    segments, as the policy `window` says, for each document.

    The value of several documents is their mean; `Pk(aggregation='pooled')` divides the sum of all disagreements by the
    number of all windows.

    Columns: position with both segments; or position of boundaries, and `length` of documents.
    Range: 0 to 1, lower is better.  Undefined for a document of at most k positions.

    Raises:
        MissingColumn: the lengths of documents are not known.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("Pk@2").summary()["value"].round(4).item()
        0.1667
    """
    windows = c.windows(k)
    differ = (windows.gold > 0) != (windows.predicted > 0)
    return c.ratio(windows.sum(indicator(differ)), windows.number)


@measure(
    "segmentation",
    "WindowDiff",
    at="k",
    aliases=("WD",),
    parameters={
        "k": K,
        "weighted": replace(flag(what="count by how much the numbers of boundaries differ"), ranges={True: UPWARDS}),
        "padded": flag(what="windows begin before the first position and end behind the last one, too"),
    },
    higher_is_better=False,
    undefined=None,
    pools=True,
    formula="Σ_i [g(i) ≠ p(i)] / (n − k)",
    source="Pevzner and Hearst, 2002",
)
def WindowDiff(c: SegmentationContext, k: int | None, *, weighted: bool, padded: bool) -> Expr:
    """The share of windows in which the numbers of gold and of predicted boundaries differ.

    WindowDiff = Σ_i [g(i) ≠ p(i)] / (n − k), where g(i) and p(i) are the numbers of gold and predicted boundaries
    between positions i and i + k of a document of n positions.  `weighted=True` sums |g(i) − p(i)| and may exceed 1.
    Without `k` it is half the mean length of the gold's segments, as the policy `window` says, for each document.

    Boundaries near the ends of a document are in fewer windows than others.  `padded=True` adds k positions before and
    behind it (Lamprier et al., 2007), so that each is in k windows of n + k; segeval divides by one more (the policy
    `padding`).

    The value of several documents is their mean; `WindowDiff(aggregation='pooled')` divides the sum of all differences
    by the number of all windows.

    Columns: position with both segments; or position of boundaries, and `length` of documents.
    Range: 0 to 1 (weighted: 0 to ∞), lower is better.  Undefined for a document of at most k positions, unless padded.

    Raises:
        MissingColumn: the lengths of documents are not known.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Segmentation(ir.examples.segments()).evaluate("WindowDiff@2").summary()["value"].round(4).item()
        0.3333
    """
    windows = c.windows(k, padded=padded)
    difference = (windows.gold - windows.predicted).abs()
    return c.ratio(windows.sum(difference if weighted else indicator(difference > 0)), windows.number)
