"""Diagnostic measures of one class: informedness, likelihood ratios, odds."""

from __future__ import annotations

import math

from ireval_frames.expr import Expr, when
from ireval_frames.labels.counts import Counts
from ireval_frames.labels.decisions.by_class import class_measure
from ireval_frames.parameters import number
from ireval_frames.ratios import ratio

INFINITE = math.inf


@class_measure(
    "Informedness",
    aliases=("Youden",),
    range=(-1.0, 1.0),
    higher_is_better=True,
    formula="tp/support + tn/negatives − 1",
    source="Youden, Cancer 3, 1950; Powers 2011",
)
def Informedness(counts: Counts) -> Expr:
    """How much better than chance the class is recognised: recall + specificity − 1.

    Informedness = TPR − FPR = (TP·TN − FP·FN) / ((TP+FN)(FP+TN)).

    Range: -1 to 1, higher is better.  Undefined for a class that no item or all items have.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("Informedness(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.4667]
    """
    c = counts.scaled
    return c.ratio(c.association, c.support * c.negatives)


@class_measure(
    "Markedness",
    aliases=(),
    range=(-1.0, 1.0),
    higher_is_better=True,
    formula="tp/predicted + tn/(tn+fn) − 1",
    source="Powers, Journal of Machine Learning Technologies 2, 2011",
)
def Markedness(counts: Counts) -> Expr:
    """How much better than chance predictions are correct: precision + NPV − 1.

    Markedness = PPV + NPV − 1 = (TP·TN − FP·FN) / ((TP+FP)(TN+FN)).

    Range: -1 to 1, higher is better.  Undefined for a class that is never predicted, or for all items.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("Markedness(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.4667]
    """
    c = counts.scaled
    return c.ratio(c.association, c.predicted * c.unpredicted)


@class_measure(
    "LRPlus",
    aliases=("PositiveLikelihoodRatio",),
    range=(0.0, INFINITE),
    higher_is_better=True,
    formula="TPR / FPR",
    source="Altman and Bland, BMJ 309, 1994",
)
def LRPlus(counts: Counts) -> Expr:
    """The positive likelihood ratio: how much more often the class is predicted for items that have it.

    LR+ = TPR / FPR.

    Range: 0 upwards, higher is better.  Undefined where the fall-out is 0, and for a class
    that no item or all items have.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("LRPlus(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [3.3333]
    """
    c = counts.scaled
    return c.ratio(c.tp * c.negatives, c.support * c.fp)


@class_measure(
    "LRMinus",
    aliases=("NegativeLikelihoodRatio",),
    range=(0.0, INFINITE),
    higher_is_better=False,
    formula="FNR / TNR",
    source="Altman and Bland, BMJ 309, 1994",
)
def LRMinus(counts: Counts) -> Expr:
    """The negative likelihood ratio: how much more often the class is not predicted for items that have it.

    LR− = FNR / TNR.

    Range: 0 upwards, lower is better.  Undefined where the specificity is 0, and for a class
    that no item or all items have.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("LRMinus(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.4167]
    """
    c = counts.scaled
    return c.ratio(c.fn * c.negatives, c.support * c.tn)


@class_measure(
    "DOR",
    aliases=("DiagnosticOddsRatio",),
    range=(0.0, INFINITE),
    higher_is_better=True,
    formula="tp·tn / (fp·fn)",
    source="Glas et al., Journal of Clinical Epidemiology 56, 2003",
)
def DOR(counts: Counts) -> Expr:
    """The diagnostic odds ratio: the odds of predicting the class for items with it over those without it.

    DOR = TP·TN / (FP·FN) = LR+ / LR−.

    Range: 0 upwards, higher is better.  Undefined without false positives or without false negatives.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("DOR(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [8.0]
    """
    c = counts.scaled
    return c.ratio(c.tp * c.tn, c.fp * c.fn)


@class_measure(
    "P4",
    aliases=(),
    range=(0.0, 1.0),
    higher_is_better=True,
    formula="4·tp·tn / (4·tp·tn + (tp+tn)(fp+fn))",
    source="Sitarz, Extending F1 metric, 2022",
)
def P4(counts: Counts) -> Expr:
    """The harmonic mean of precision, recall, specificity and NPV.

    P4 = 4·TP·TN / (4·TP·TN + (TP+TN)(FP+FN)).

    Range: 0 to 1, higher is better; 0 where every prediction is wrong.  Undefined where every prediction is correct and
    no item, or every item, has the class.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("P4(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.7273]
    """
    c = counts.scaled
    correct, wrong, both = c.tp + c.tn, c.fp + c.fn, 4.0 * c.tp * c.tn
    # Without correct predictions all four rates are 0, and so is their mean; the formula alone would give 0/0.
    p4 = c.ratio(both, both + when(correct > 0).then(correct).otherwise(1.0) * wrong)
    return c.propagated(p4, c.support, c.negatives, c.predicted, c.unpredicted)


@class_measure(
    "IBA",
    parameters={"alpha": number(0.1, "the weight of the difference between recall and specificity", low=0.0, high=1.0)},
    aliases=("IndexBalancedAccuracy",),
    formula="(1 + α(TPR − TNR))·TPR·TNR",
    source="García, Mollineda and Sánchez, IbPRIA 2009; imbalanced-learn",
)
def IBA(counts: Counts, alpha: float) -> Expr:
    """The index of balanced accuracy: recall times specificity, weighted by their difference.

    IBA = (1 + α·(TPR − TNR))·TPR·TNR.

    Range: 0 to 1, higher is better.  Undefined for a class that no item or all items have.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("IBA(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.5262]
    """
    c = counts.scaled
    both = c.support * c.negatives
    higher = ratio(c.tp * c.negatives - c.tn * c.support, both)
    return c.ratio((1.0 + alpha * higher) * c.tp * c.tn, both)


@class_measure(
    "PrevalenceThreshold",
    higher_is_better=False,
    formula="(√(TPR·FPR) − FPR) / (TPR − FPR)",
    source="Balayla, PLOS ONE 15(10), 2020",
)
def PrevalenceThreshold(counts: Counts) -> Expr:
    """The prevalence below which precision declines most sharply.

    PT = (√(TPR·FPR) − FPR) / (TPR − FPR), which is √FPR / (√TPR + √FPR).

    Range: 0 to 1, lower is better.  Undefined for a class that no item or all items have, and where TPR and FPR are 0.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("PrevalenceThreshold(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.3539]
    """
    c = counts.scaled
    hits, alarms = (c.tp * c.negatives).sqrt(), (c.fp * c.support).sqrt()
    return c.ratio(alarms, hits + alarms)


@class_measure(
    "FRS",
    parameters={"alpha": number(0.5, "the weight of reliability", low=0.0, high=1.0)},
    formula="tp·tn / (α·predicted·(tn+fn) + (1−α)·support·negatives)",
    source="Amigó, Gonzalo and Verdejo, SIGIR 2013, for filtering",
)
def FRS(counts: Counts, alpha: float) -> Expr:
    """F of reliability and sensitivity: for a filter, the product of both precisions and that of both recalls.

    R = precision·NPV, S = recall·specificity, F(R,S) = 1/(α/R + (1−α)/S).  A filter that accepts
    everything, or nothing, has 0.

    Range: 0 to 1, higher is better.  Undefined where no item, or every item, has the class and is
    predicted to have it.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("FRS(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.5333]
    """
    c = counts.scaled
    precisions, recalls = c.predicted * c.unpredicted, c.support * c.negatives
    f = c.ratio(c.tp * c.tn, alpha * precisions + (1.0 - alpha) * recalls)
    parts = ((precisions, alpha), (recalls, 1.0 - alpha))
    return c.propagated(f, *(below for below, share in parts if share > 0))
