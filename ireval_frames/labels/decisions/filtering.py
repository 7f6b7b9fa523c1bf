"""Measures of filters with one class to accept, of weighted mistakes, and of dependence."""

from __future__ import annotations

import math
from dataclasses import replace

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, lit, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.decisions.association import Cells
from ireval_frames.parameters import flag, number

INFINITE = math.inf
HIT = number(2.0, "the gain of a true positive")
FALSE_ALARM = number(1.0, "the cost of a false positive")


@measure(
    "labels",
    "Lam",
    parameters={"smoothed": flag(default=True, what="add half a mistake and one item to each class")},
    at="",
    higher_is_better=False,
    undefined=None,
    formula="logit⁻¹((logit(FNR) + logit(FPR)) / 2)",
    source="Cormack and Lynam, TREC 2005 Spam Track Overview; CEAS 2007 for the smoothing",
)
def Lam(u: LabelContext, *, smoothed: bool) -> Expr:
    """The logistic average of the two classes' error rates (lam%, as a share).

    lam = logit⁻¹((logit(h) + logit(s))/2), where h and s are the shares of wrong items among those with and without the
    positive class; smoothed, (mistakes + 0.5)/(items + 1).  It is 1/(1 + √DOR).  Outputs without information have ½
    without smoothing; smoothed, it depends slightly on the number of items that they return.

    Range: 0 to 1, lower is better.  Without smoothing it is 0 where either rate is 0 (and the other is not 1), and
    undefined for a class that no item or all items have.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels(), positive="cat").evaluate("Lam").summary()["value"].round(4).to_list()
        [0.309]
    """
    counts, extra = u.of_positive(), lit(0.5 if smoothed else 0.0)
    if smoothed and counts.scale is not None:
        # With half a mistake added, small weights need no scale.
        counts = replace(counts, scale=when(counts.scale < 1.0).then(counts.scale).otherwise(1.0))
    c = counts.scaled
    extra = extra if counts.scale is None else extra * counts.scale
    fn, tp, fp, tn = c.fn + extra, c.tp + extra, c.fp + extra, c.tn + extra
    value = u.ratio((fn * fp).sqrt(), (fn * fp).sqrt() + (tp * tn).sqrt())
    return value if smoothed else when((c.support > 0) & (c.negatives > 0)).then(value).otherwise(u.undefined)


@measure(
    "labels",
    "Utility",
    parameters={"hit": HIT, "false_alarm": FALSE_ALARM},
    at="",
    range=(-INFINITE, INFINITE),
    undefined=None,
    formula="hit·tp − false_alarm·fp",
    source="Robertson and Soboroff, The TREC 2002 Filtering Track Report",
)
def Utility(u: LabelContext, hit: float, false_alarm: float) -> Expr:
    """Linear utility: the gain of true positives minus the cost of false positives.

    U = hit·TP − false_alarm·FP; the default, 2 and 1, is the T11U of TREC 2002.

    Range: unbounded, higher is better.  Defined for every unit.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels(), positive="cat").evaluate("Utility").summary()["value"].to_list()
        [3.0]
    """
    c = u.of_positive()
    return hit * c.tp - false_alarm * c.fp


@measure(
    "labels",
    "T11SU",
    parameters={
        "hit": number(2.0, HIT.what, low=0.0, open_ends=True),
        "false_alarm": FALSE_ALARM,
        "floor": number(-0.5, "the lowest normalized utility", high=0.0),
    },
    at="",
    undefined=None,
    formula="(max(U/(hit·support), floor) − floor) / (1 − floor)",
    source="Robertson and Soboroff, The TREC 2002 Filtering Track Report",
)
def T11SU(u: LabelContext, hit: float, false_alarm: float, floor: float) -> Expr:
    """Linear utility, scaled by its largest value and bounded below.

    T11SU = (max(U / (hit·(TP+FN)), floor) − floor) / (1 − floor).

    Range: 0 to 1, higher is better.  Undefined for a class that no item has.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels(), positive="cat").evaluate("T11SU").summary()["value"].round(4).to_list()
        [0.6667]
    """
    c = u.of_positive()
    share = when(c.support > 0).then((hit * c.tp - false_alarm * c.fp) / (hit * c.support))
    cut = when(share < floor).then(floor).otherwise(share)
    return when(c.support > 0).then((cut - floor) / (1.0 - floor)).otherwise(u.undefined)


@measure(
    "labels",
    "WeightedAccuracy",
    parameters={"weight": number(1.0, "the weight of items without the class", low=0.0)},
    at="",
    undefined=None,
    formula="(λ·tn + tp) / (λ·negatives + support)",
    source="Androutsopoulos et al., 2000",
)
def WeightedAccuracy(u: LabelContext, weight: float) -> Expr:
    """Accuracy in which items without the positive class count λ times.

    WA = (λ·TN + TP) / (λ·(TN+FP) + TP+FN).

    Range: 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("WeightedAccuracy(weight=9)")
        >>> ev.summary()["value"].round(4).to_list()
        [0.7917]
    """
    c = u.of_positive()
    return u.ratio(weight * c.tn + c.tp, weight * c.negatives + c.support)


@measure(
    "labels",
    "TCR",
    parameters={"weight": number(1.0, "the cost of a false positive relative to a false negative", low=0.0)},
    aliases=("TotalCostRatio",),
    at="",
    range=(0.0, INFINITE),
    undefined=None,
    formula="support / (λ·fp + fn)",
    source="Androutsopoulos et al., 2000",
)
def TCR(u: LabelContext, weight: float) -> Expr:
    """Total cost ratio: the cost of no filter over the cost with it.

    TCR = (TP+FN) / (λ·FP + FN); above 1 the filter is better than none.

    Range: 0 upwards, higher is better.  Undefined without a mistake.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels(), positive="cat").evaluate("TCR").summary()["value"].round(4).to_list()
        [1.5]
    """
    c = u.of_positive()
    return u.ratio(c.support, weight * c.fp + c.fn)


@measure(
    "labels",
    "MI",
    parameters={"base": number(2.0, "the base of the logarithm", low=1.0, high=1e6, open_ends=True)},
    aliases=("MutualInformation",),
    at="",
    range=(0.0, INFINITE),
    undefined=None,
    formula="Σ p(x,g)·log(p(x,g) / (p(x)·p(g)))",
    source="Shannon 1948; Cover and Thomas, Elements of Information Theory",
)
def MI(u: LabelContext, base: float) -> Expr:
    """The mutual information of labels and predictions, in bits.

    MI = Σ_{ij} n_ij/n · log₂(n·n_ij / (t_i·p_j)).

    Range: 0 upwards, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("MI").summary()["value"].round(4).to_list()
        [0.6226]
    """
    return Cells(u).mutual_information(base)


@measure(
    "labels",
    "ChiSquare",
    at="",
    range=(0.0, INFINITE),
    undefined=None,
    formula="n·(Σ n_ij²/(t_i·p_j) − 1)",
    source="Pearson 1900",
)
def ChiSquare(u: LabelContext) -> Expr:
    """Pearson's chi-square of labels and predictions; with two classes it is n·MCC².

    χ² = n·(Σ_{ij} n_ij² / (t_i·p_j) − 1).

    Range: 0 upwards, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("ChiSquare").summary()["value"].round(4).to_list()
        [4.6667]
    """
    return Cells(u).chi_square()
