"""Measures of the precision-recall curve of scores: three different areas, and single points."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.thresholds import AVERAGE, CLASS_AREAS, ROUNDING, Thresholds, ThresholdTable, of_parts
from ireval_frames.parameters import choice, whole
from ireval_frames.ratios import ratio

READS = ("score",)


def best_precision(c: Thresholds, recall: float) -> Expr:
    """The highest precision of a threshold with at least this recall."""
    precision, recall_at = c.table.column(c.precision, "precision"), c.table.column(c.recall, "recall")
    return c.max(when(recall_at >= recall - ROUNDING).then(precision))


def steps(u: LabelContext, c: ThresholdTable) -> Expr:
    """The area under the steps of the curve."""
    return u.ratio(c.sum(when(c.yes > 0).then(c.yes * c.precision).otherwise(0.0)), c.positives)


def lines(u: LabelContext, c: ThresholdTable, start: str) -> Expr:
    """The area under the lines that join the points."""
    above = c.yes_before + c.no_before
    before = when(above > 0).then(ratio(c.yes_before, above)).otherwise(1.0 if start == "one" else c.precision)
    return u.ratio(c.sum(when(c.yes > 0).then(c.yes * (c.precision + before) / 2.0).otherwise(0.0)), c.positives)


CLASS_AREAS |= {"AveragePrecision": steps, "PRAUC": lines}


@measure(
    "labels",
    "AveragePrecision",
    parameters={"average": AVERAGE},
    at="",
    undefined=None,
    reads=READS,
    formula="Σ over thresholds of (recall − recall before)·precision",
    source="scikit-learn's average_precision_score",
)
def AveragePrecision(u: LabelContext, average: str | None) -> Expr:
    """The mean precision over the positive items, each at the threshold of its own score: the area under the steps.

    AP = Σ_k (R_k − R_{k−1})·P_k over the distinct scores, highest first.  Nothing is interpolated.  Two other
    areas have the same name elsewhere: `PRAUC` joins the points by lines, `InterpolatedAP` takes the best precision at
    higher recalls.

    With `probabilities` of classes it is averaged over the classes, each against all others, or over the items (see
    `ROCAUC`).

    Columns: label, score; or `probabilities`, and an average.
    Range: 0 to 1, higher is better; the share of positive items is chance.  Undefined where no item has the positive
    class (scikit-learn: 0).

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("AveragePrecision").summary()["value"].round(4).to_list()
        [0.747]
    """
    return steps(u, Thresholds(u)) if average is None else of_parts(u, average, lambda c: steps(u, c))


@measure(
    "labels",
    "PRAUC",
    parameters={
        "start": choice("one", "first", what="the precision at recall 0: 1, or that of the first threshold"),
        "average": AVERAGE,
    },
    aliases=("AUPRC",),
    at="",
    undefined=None,
    reads=READS,
    formula="Σ over thresholds of (recall − recall before)·(precision + precision before)/2",
    source="scikit-learn's auc of precision_recall_curve; Spark's areaUnderPR starts at the first precision",
)
def PRAUC(u: LabelContext, start: str, average: str | None) -> Expr:
    """The area under the precision-recall curve with its points joined by straight lines.

    Σ_k (R_k − R_{k−1})·(P_k + P_{k−1})/2, with P_0 = 1.  Straight lines are too optimistic (Davis and Goadrich,
    ICML 2006), unlike `AveragePrecision`.  With `probabilities` of classes it is averaged as `ROCAUC` is.

    Columns: label, score; or `probabilities`, and an average.
    Range: 0 to 1, higher is better.  Undefined where no item has the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("PRAUC PRAUC(start='first')").summary()["value"].round(4).to_list()
        [0.7818, 0.7818]
    """
    return lines(u, Thresholds(u), start) if average is None else of_parts(u, average, lambda c: lines(u, c, start))


@measure(
    "labels",
    "InterpolatedAP",
    parameters={"points": whole(11, "the number of recall levels, evenly spaced from 0 to 1", low=2)},
    at="",
    undefined=None,
    reads=READS,
    formula="mean over recall levels r of the highest precision at recall ≥ r",
    source="Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008",
)
def InterpolatedAP(u: LabelContext, points: int) -> Expr:
    """The mean of the interpolated precision at evenly spaced levels of recall, eleven by default.

    IAP = 1/n Σ_i max{P_k : R_k ≥ i/(n−1)} for i = 0 … n−1.

    Columns: label, score.
    Range: 0 to 1, higher is better.  Undefined where no item has the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("InterpolatedAP").summary()["value"].round(4).to_list()
        [0.7695]
    """
    c = Thresholds(u)
    levels = [best_precision(c, i / (points - 1)) for i in range(points)]
    total = levels[0]
    for level in levels[1:]:
        total = total + level
    return when(c.positives > 0).then(total / points).otherwise(u.undefined)


@measure(
    "labels",
    "BEP",
    aliases=("BreakEvenPoint",),
    at="",
    undefined=None,
    reads=READS,
    formula="positives among the first P items / P",
    source="Lewis, Representation and Learning in Information Retrieval, 1992",
)
def BEP(u: LabelContext) -> Expr:
    """The break-even point: precision and recall where they are equal, which is after as many items as are positive.

    Ties at that rank are in random order: the value is the mean over all orders.

    Columns: label, score.
    Range: 0 to 1, higher is better.  Undefined where no item has the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("BEP").summary()["value"].round(4).to_list()
        [0.75]
    """
    c = Thresholds(u)
    return u.ratio(c.positives_within(c.positives_here), c.positives)
