"""Measures of the ROC curve: areas under it, and single points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.thresholds import AVERAGE, CLASS_AREAS, Thresholds, ThresholdTable, of_parts
from ireval_frames.parameters import UPWARDS, choice, number

READS = ("score",)
SHARE = number(what="the share of the items, highest scores first", low=0.0, high=1.0)


def check_bounds(measure: Measure, values: Mapping[str, Any]) -> None:
    """Refuse a lower bound that is not below the upper one."""
    if values["low"] >= values["high"]:
        raise InvalidParameter(
            f"{measure} begins at {values['low']} and ends at {values['high']}.", "Write LogAUC(low=0.001, high=0.1)."
        )


FAWCETT = "Fawcett, Pattern Recognition Letters 27, 2006"


def area(u: LabelContext, c: ThresholdTable, max_fpr: float | None) -> Expr:
    """The area under the ROC curve, or up to a fall-out."""
    return u.ratio(c.pairs_in_order, c.pairs) if max_fpr is None else partial_area(u, c, max_fpr)


def partial_area(u: LabelContext, c: ThresholdTable, max_fpr: float) -> Expr:
    """The area up to a fall-out, scaled by McClish."""
    low, high = c.table.column(c.fall_out_before, "fpr_before"), c.table.column(c.fall_out, "fpr")
    left, right = c.table.column(c.recall_before, "tpr_before"), c.table.column(c.recall, "tpr")
    at_limit = left + (right - left) * (max_fpr - low) / (high - low)
    partly = when(low < max_fpr).then((max_fpr - low) * (left + at_limit) / 2.0).otherwise(0.0)
    area = c.sum(when(high <= max_fpr).then((high - low) * (left + right) / 2.0).otherwise(partly))
    least = max_fpr * max_fpr / 2.0
    return when(c.mixed).then(0.5 * (1.0 + (area - least) / (max_fpr - least))).otherwise(u.undefined)


CLASS_AREAS["ROCAUC"] = area


@measure(
    "labels",
    "ROCAUC",
    parameters={
        "max_fpr": number(
            None,
            "only the curve up to this fall-out, scaled by McClish so that chance is 0.5",
            low=0.0,
            high=1.0,
            open_ends=True,
        ),
        "average": AVERAGE,
    },
    aliases=("AUC", "AUROC"),
    at="",
    undefined=None,
    reads=READS,
    formula="(pairs in order + ½ pairs of equal scores) / pairs",
    source=f"{FAWCETT}; McClish, Medical Decision Making 9, 1989; scikit-learn",
)
def ROCAUC(u: LabelContext, max_fpr: float | None, average: str | None) -> Expr:
    """The area under the ROC curve: how often an item of the positive class has a higher score than another item.

    AUC = Σ over pairs (positive, negative) of [s⁺ > s⁻] + ½[s⁺ = s⁻], divided by the number of pairs; this is the rank
    sum of the positives with midranks for ties.  With `max_fpr` = m it is ½(1 + (A − m²/2)/(m − m²/2)), where A is the
    area up to m, with the curve interpolated at m.

    With `probabilities` of classes, of one label per item or of sets, it is averaged: `macro` over the classes, each
    against all others; `weighted` by their numbers of items; `micro` over all pairs of item and class at once; `item`
    over the items, each with its order of classes.  `HandTill` compares pairs of classes.

    Columns: label, score; `positive` names the class.  Or `probabilities`, and an average.
    Range: 0 to 1, higher is better; 0.5 is chance.  Undefined where no item or all items have the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("ROCAUC ROCAUC(max_fpr=0.5)").summary()["value"].round(4).to_list()
        [0.75, 0.7083]
    """
    return area(u, Thresholds(u), max_fpr) if average is None else of_parts(u, average, lambda c: area(u, c, max_fpr))


@measure(
    "labels",
    "LogAUC",
    parameters={
        "low": number(0.001, "the fall-out at which the area begins", low=0.0, high=1.0, open_ends=True),
        "high": number(1.0, "the fall-out at which it ends", low=0.0, high=1.0),
    },
    at="",
    undefined=None,
    reads=READS,
    check=check_bounds,
    formula="∫ TPR d ln FPR / ln(high/low)",
    source="Mysinger and Shoichet, Journal of Chemical Information and Modeling 50, 2010",
)
def LogAUC(u: LabelContext, low: float, high: float) -> Expr:
    """The area under the ROC curve over the logarithm of the fall-out, which emphasises the first items.

    LogAUC = ∫ TPR(x) dx/x from low to high, divided by ln(high/low).  Between thresholds the curve is a straight line
    over x, and the integral is that of the line; torchmetrics takes straight lines over ln x, and ends at 0.1.

    Columns: label, score.
    Range: 0 to 1, higher is better; chance is (high − low)/ln(high/low), 0.1446 by default.  Undefined where no item
    or all items have the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("LogAUC LogAUC(high=0.1)").summary()["value"].round(4).to_list()
        [0.4036, 0.2715]
    """
    c = Thresholds(u)
    x0, x1 = c.table.column(c.fall_out_before, "fpr_before"), c.table.column(c.fall_out, "fpr")
    y0, y1 = c.table.column(c.recall_before, "tpr_before"), c.table.column(c.recall, "tpr")
    left = c.table.column(when(x0 < low).then(low).otherwise(x0), "left")
    right = c.table.column(when(x1 > high).then(high).otherwise(x1), "right")
    within = right > left
    slope = c.table.column(when(within).then((y1 - y0) / (x1 - x0)), "slope")
    times = c.table.column(when(within).then(right / left).otherwise(1.0), "times")
    area = c.sum(when(within).then(slope * (right - left) + (y0 - slope * x0) * times.log()).otherwise(0.0))
    return when(c.mixed).then(area / math.log(high / low)).otherwise(u.undefined)


@measure(
    "labels",
    "Gini",
    at="",
    range=(-1.0, 1.0),
    undefined=None,
    reads=READS,
    formula="2·AUC − 1",
    source="Hand and Till, Machine Learning 45, 2001",
)
def Gini(u: LabelContext) -> Expr:
    """The Gini coefficient of the ROC curve: 2·AUC − 1, which is Somers' D of the scores.

    Columns: label, score.
    Range: −1 to 1, higher is better; 0 is chance.  Undefined where no item or all items have the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("Gini").summary()["value"].round(4).to_list()
        [0.5]
    """
    c = Thresholds(u)
    return u.ratio(2.0 * c.pairs_in_order - c.pairs, c.pairs)


@measure(
    "labels",
    "KS",
    parameters={
        "sided": choice("one", "two", what="the largest TPR − FPR, or the largest difference in either direction")
    },
    aliases=("KolmogorovSmirnov",),
    at="",
    undefined=None,
    reads=READS,
    formula="max over thresholds of TPR − FPR",
    source="Kolmogorov 1933; Smirnov 1948",
)
def KS(u: LabelContext, sided: str) -> Expr:
    """The Kolmogorov-Smirnov statistic of the scores of the positive class and of the others.

    KS = max over thresholds of TPR − FPR, at least 0: the highest informedness of a threshold.
    Two-sided it is the largest |TPR − FPR|, as in the two-sample test.

    Columns: label, score.
    Range: 0 to 1, higher is better.  Undefined where no item or all items have the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("KS").summary()["value"].round(4).to_list()
        [0.5]
    """
    c = Thresholds(u)
    difference = c.table.column(c.recall - c.fall_out, "apart")
    largest = c.max(difference.abs() if sided == "two" else difference)
    return when(c.mixed).then(when(largest > 0).then(largest).otherwise(0.0)).otherwise(u.undefined)


@measure(
    "labels",
    "EER",
    aliases=("EqualErrorRate",),
    at="",
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="FPR where it equals the miss rate",
    source="Martin et al., The DET Curve in Assessment of Detection Task Performance, 1997",
)
def EER(u: LabelContext) -> Expr:
    """The equal error rate: the fall-out at the point of the ROC curve where it equals the miss rate.

    The curve is interpolated between thresholds, so the point always exists.

    Columns: label, score.
    Range: 0 to 1, lower is better.  Undefined where no item or all items have the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("EER").summary()["value"].round(4).to_list()
        [0.25]
    """
    c = Thresholds(u)
    low, high = c.table.column(c.fall_out_before, "fpr_before"), c.table.column(c.fall_out, "fpr")
    before = c.table.column(low + c.recall_before - 1.0, "balance_before")
    after = c.table.column(high + c.recall - 1.0, "balance")
    crossed = when((before < 0) & (after >= 0)).then(low - before * (high - low) / (after - before))
    return when(c.mixed).then(c.max(crossed)).otherwise(u.undefined)


@measure(
    "labels",
    "Gain",
    parameters={"share": SHARE},
    aliases=("CumulativeGain", "CaptureRate"),
    at="share",
    undefined=None,
    reads=READS,
    formula="positives among the first share of the items / positives",
    source="Berry and Linoff, Data Mining Techniques, 1997",
)
def Gain(u: LabelContext, share: float) -> Expr:
    """The share of the positive items that are among the highest scores: `Gain@0.1` is of the first tenth of the items.

    Ties at the boundary are in random order: the value is the mean over all orders.

    Columns: label, score.
    Range: 0 to 1, higher is better; the share itself is chance.  Undefined where no item has the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("Gain@0.25").summary()["value"].round(4).to_list()
        [0.375]
    """
    c = Thresholds(u)
    depth = share * (c.positives_here + c.negatives_here)
    return u.ratio(c.positives_within(depth), c.positives)


@measure(
    "labels",
    "Lift",
    parameters={"share": number(what="the share of the items, highest scores first", low=1e-9, high=1.0)},
    at="share",
    range=UPWARDS,
    undefined=None,
    reads=READS,
    formula="gain / share",
    source="Berry and Linoff, Data Mining Techniques, 1997",
)
def Lift(u: LabelContext, share: float) -> Expr:
    """How much more frequent the positive class is among the highest scores than among all items.

    Lift@q = Gain@q / q.

    Columns: label, score.
    Range: 0 to 1/share, higher is better; 1 is chance.  Undefined where no item has the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("Lift@0.25").summary()["value"].round(4).to_list()
        [1.5]
    """
    c = Thresholds(u)
    depth = share * (c.positives_here + c.negatives_here)
    return u.ratio(c.positives_within(depth), share * c.positives)
