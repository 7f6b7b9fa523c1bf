"""The best rate of a threshold that meets a bound of another rate."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, lit, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.precision_recall import READS, best_precision
from ireval_frames.labels.scores.thresholds import ROUNDING, Thresholds
from ireval_frames.parameters import number


def least_fall_out(c: Thresholds, recall: float) -> Expr:
    """The lowest fall-out of a threshold with at least this recall; above all scores both are 0."""
    if recall <= 0:
        return lit(0.0)
    recall_at = c.table.column(c.recall, "recall")
    return c.min(when(recall_at >= recall - ROUNDING).then(c.fall_out))


@measure(
    "labels",
    "PrecisionAtRecall",
    parameters={"recall": number(what="the lowest recall", low=0.0, high=1.0)},
    at="recall",
    undefined=None,
    reads=READS,
    formula="max{P_k : R_k ≥ r}",
    source="torchmetrics",
)
def PrecisionAtRecall(u: LabelContext, recall: float) -> Expr:
    """The highest precision of a threshold with at least the recall r: the interpolated precision.

    Columns: label, score.
    Range: 0 to 1, higher is better.  Undefined where no item has the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("PrecisionAtRecall@0.7").summary()["value"].round(4).to_list()
        [0.75]
    """
    c = Thresholds(u)
    return when(c.positives > 0).then(best_precision(c, recall)).otherwise(u.undefined)


@measure(
    "labels",
    "RecallAtPrecision",
    parameters={"precision": number(what="the lowest precision", low=0.0, high=1.0)},
    at="precision",
    undefined=None,
    reads=READS,
    formula="max{R_k : P_k ≥ p}, or 0",
    source="torchmetrics",
)
def RecallAtPrecision(u: LabelContext, precision: float) -> Expr:
    """The highest recall of a threshold with at least the precision p; 0 if there is none.

    Columns: label, score.
    Range: 0 to 1, higher is better.  Undefined where no item has the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("RecallAtPrecision@0.7").summary()["value"].round(4).to_list()
        [0.75]
    """
    c = Thresholds(u)
    precision_at = c.table.column(c.precision, "precision")
    best = c.max(when(precision_at >= precision - ROUNDING).then(c.cum_positives)).fill_null(0.0)
    return u.ratio(best, c.positives)


@measure(
    "labels",
    "FallOutAtRecall",
    parameters={"recall": number(what="the lowest recall", low=0.0, high=1.0)},
    aliases=("FPRAtTPR",),
    at="recall",
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="min{FPR_k : R_k ≥ r}",
    source="Hendrycks and Gimpel, ICLR 2017, for r = 0.95",
)
def FallOutAtRecall(u: LabelContext, recall: float) -> Expr:
    """The lowest fall-out of a threshold with at least the recall r: 1 − `SpecificityAtRecall`.

    Columns: label, score.
    Range: 0 to 1, lower is better.  Undefined where no item or all items have the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("FallOutAtRecall@0.7").summary()["value"].round(4).to_list()
        [0.25]
    """
    c = Thresholds(u)
    return when(c.mixed).then(least_fall_out(c, recall)).otherwise(u.undefined)


@measure(
    "labels",
    "SpecificityAtRecall",
    parameters={"recall": number(what="the lowest recall", low=0.0, high=1.0)},
    aliases=("SpecificityAtSensitivity",),
    at="recall",
    undefined=None,
    reads=READS,
    formula="max{1 − FPR_k : R_k ≥ r}",
    source="torchmetrics",
)
def SpecificityAtRecall(u: LabelContext, recall: float) -> Expr:
    """The highest specificity of a threshold with at least the recall (sensitivity) r.

    Columns: label, score.
    Range: 0 to 1, higher is better.  Undefined where no item or all items have the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("SpecificityAtRecall@0.7").summary()["value"].round(4).to_list()
        [0.75]
    """
    c = Thresholds(u)
    return when(c.mixed).then(1.0 - least_fall_out(c, recall)).otherwise(u.undefined)


@measure(
    "labels",
    "RecallAtSpecificity",
    parameters={"specificity": number(what="the lowest specificity", low=0.0, high=1.0)},
    aliases=("SensitivityAtSpecificity",),
    at="specificity",
    undefined=None,
    reads=READS,
    formula="max{R_k : 1 − FPR_k ≥ s}, or 0",
    source="torchmetrics",
)
def RecallAtSpecificity(u: LabelContext, specificity: float) -> Expr:
    """The highest recall (sensitivity) of a threshold with at least the specificity s; 0 if there is none.

    Columns: label, score.
    Range: 0 to 1, higher is better.  Undefined where no item or all items have the positive class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("RecallAtSpecificity@0.7").summary()["value"].round(4).to_list()
        [0.75]
    """
    c = Thresholds(u)
    fall_out = c.table.column(c.fall_out, "fall_out")
    best = c.max(when(fall_out <= 1.0 - specificity + ROUNDING).then(c.recall)).fill_null(0.0)
    return when(c.mixed).then(best).otherwise(u.undefined)
