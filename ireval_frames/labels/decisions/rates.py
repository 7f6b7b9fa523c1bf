"""Rates of one class against the rest: ratios of a count and a sum of two."""

from __future__ import annotations

from ireval_frames.expr import Expr
from ireval_frames.labels.counts import Counts
from ireval_frames.labels.decisions.by_class import class_measure
from ireval_frames.parameters import UPWARDS


@class_measure(
    "Precision",
    aliases=("PPV", "precision"),
    range=(0.0, 1.0),
    higher_is_better=True,
    formula="tp / predicted",
    source="van Rijsbergen, Information Retrieval, 1979",
)
def Precision(counts: Counts) -> Expr:
    """The share of items that have the class among those predicted to have it.

    Precision = TP / (TP + FP).

    Range: 0 to 1, higher is better.  Undefined for a class that is never predicted.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("Precision(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.6667]
    """
    return counts.ratio(counts.tp, counts.predicted)


@class_measure(
    "Recall",
    aliases=("TPR", "Sensitivity", "recall"),
    range=(0.0, 1.0),
    higher_is_better=True,
    formula="tp / support",
    source="van Rijsbergen, Information Retrieval, 1979",
)
def Recall(counts: Counts) -> Expr:
    """The share of items predicted to have the class among those that have it.

    Recall = TP / (TP + FN).

    Range: 0 to 1, higher is better.  Undefined for a class that no item has.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("Recall(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.6667]
    """
    return counts.ratio(counts.tp, counts.support)


@class_measure(
    "Specificity",
    aliases=("TNR",),
    range=(0.0, 1.0),
    higher_is_better=True,
    formula="tn / negatives",
    source="Altman and Bland, BMJ 308, 1994",
)
def Specificity(counts: Counts) -> Expr:
    """The share of items predicted not to have the class among those that do not have it.

    Specificity = TN / (TN + FP).

    Range: 0 to 1, higher is better.  Undefined for a class that all items have.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("Specificity(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.8]
    """
    return counts.ratio(counts.tn, counts.negatives)


@class_measure(
    "FallOut",
    aliases=("FPR",),
    range=(0.0, 1.0),
    higher_is_better=False,
    formula="fp / negatives",
    source="van Rijsbergen, Information Retrieval, 1979",
)
def FallOut(counts: Counts) -> Expr:
    """The share of items predicted to have the class among those that do not have it.

    Fall-out = FP / (FP + TN).

    Range: 0 to 1, lower is better.  Undefined for a class that all items have.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("FallOut(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.2]
    """
    return counts.ratio(counts.fp, counts.negatives)


@class_measure(
    "MissRate",
    aliases=("FNR",),
    range=(0.0, 1.0),
    higher_is_better=False,
    formula="fn / support",
    source="Fawcett, Pattern Recognition Letters 27, 2006",
)
def MissRate(counts: Counts) -> Expr:
    """The share of items predicted not to have the class among those that have it.

    Miss rate = FN / (TP + FN).

    Range: 0 to 1, lower is better.  Undefined for a class that no item has.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("MissRate(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.3333]
    """
    return counts.ratio(counts.fn, counts.support)


@class_measure(
    "NPV",
    aliases=("NegativePredictiveValue",),
    range=(0.0, 1.0),
    higher_is_better=True,
    formula="tn / (tn + fn)",
    source="Altman and Bland, BMJ 309, 1994",
)
def NPV(counts: Counts) -> Expr:
    """The share of items without the class among those predicted not to have it.

    NPV = TN / (TN + FN).

    Range: 0 to 1, higher is better.  Undefined for a class that is predicted for all items.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("NPV(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.8]
    """
    return counts.ratio(counts.tn, counts.unpredicted)


@class_measure(
    "FDR",
    aliases=("FalseDiscoveryRate",),
    range=(0.0, 1.0),
    higher_is_better=False,
    formula="fp / predicted",
    source="Fawcett, Pattern Recognition Letters 27, 2006",
)
def FDR(counts: Counts) -> Expr:
    """The share of items without the class among those predicted to have it.

    FDR = FP / (TP + FP).

    Range: 0 to 1, lower is better.  Undefined for a class that is never predicted.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("FDR(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.3333]
    """
    return counts.ratio(counts.fp, counts.predicted)


@class_measure(
    "FOR",
    aliases=("FalseOmissionRate",),
    range=(0.0, 1.0),
    higher_is_better=False,
    formula="fn / (tn + fn)",
    source="Fawcett, Pattern Recognition Letters 27, 2006",
)
def FOR(counts: Counts) -> Expr:
    """The share of items with the class among those predicted not to have it.

    FOR = FN / (TN + FN).

    Range: 0 to 1, lower is better.  Undefined for a class that is predicted for all items.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("FOR(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.2]
    """
    return counts.ratio(counts.fn, counts.unpredicted)


@class_measure(
    "Support",
    aliases=("NumLabelled",),
    range=UPWARDS,
    higher_is_better=None,
    formula="tp + fn",
    source="scikit-learn",
)
def Support(counts: Counts) -> Expr:
    """The number of items that have the class, or their weight.

    Support = TP + FN.

    Range: 0 upwards.  Defined for every class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("Support").per_class()["value"].to_list()
        [3.0, 2.0, 3.0]
    """
    return counts.support + 0.0


@class_measure(
    "Prevalence",
    range=(0.0, 1.0),
    higher_is_better=None,
    formula="(tp + fn) / n",
    source="Altman and Bland, BMJ 308, 1994",
)
def Prevalence(counts: Counts) -> Expr:
    """The share of items that have the class.

    Prevalence = (TP + FN) / n.

    Range: 0 to 1.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("Prevalence").per_class()["value"].to_list()
        [0.375, 0.25, 0.375]
    """
    return counts.ratio(counts.support, counts.total)
