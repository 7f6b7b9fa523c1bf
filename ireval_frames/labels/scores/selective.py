"""Measures of selective classification: uncertain predictions are rejected, and the others are evaluated."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.confidences import MEANING, Accepted
from ireval_frames.parameters import UPWARDS, number
from ireval_frames.ratios import ratio, share

READS = ("score",)
GEIFMAN = "Geifman, Uziel and El-Yaniv, ICLR 2019"


def _area(u: LabelContext, a: Accepted) -> Expr:
    """The area under the steps of the curve."""
    return u.ratio(a.table.sum(when(a.here > 0).then(a.here * a.risk).otherwise(0.0)), a.total)


def _best(a: Accepted) -> Expr:
    """The area of the best confidence, which ranks all correct predictions above all wrong ones."""
    right = share(a.right_of_all, a.total)
    return when(right > 0).then(1.0 - right + right * right.log()).otherwise(1.0)


@measure(
    "labels",
    "AURC",
    parameters={"score": MEANING},
    aliases=("AreaUnderRiskCoverage",),
    at="",
    range=(0.0, 1.0),
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="Σ over confidences of (coverage − coverage before)·risk",
    source=GEIFMAN,
)
def AURC(u: LabelContext, score: str) -> Expr:
    """The area under the risk-coverage curve: the error rate of the most confident predictions, over all coverages.

    AURC = Σ_k (c_k − c_{k−1})·r_k over the distinct confidences, highest first: c_k is the share of the items with at
    least this confidence, r_k the error rate among them.  Without ties it is the mean of r over the first 1, 2, … n
    items.  Ties are accepted together, as by a threshold; programs that order them give other numbers.  The score is
    the probability of the positive class: the more likely class is predicted, with its probability as confidence; with
    `score="confidence"` it is the confidence of the `prediction`, in any range.  With `probabilities` of classes the
    most likely one is predicted; ties are shared.

    Columns: label, score [, prediction]; or `probabilities`.
    Range: 0 to 1, lower is better; the error rate is chance.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("AURC").summary()["value"].round(4).to_list()
        [0.2206]
    """
    return _area(u, Accepted(u, score))


@measure(
    "labels",
    "EAURC",
    parameters={"score": MEANING},
    aliases=("ExcessAURC",),
    at="",
    range=(0.0, 1.0),
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="AURC − (r + (1 − r)·ln(1 − r))",
    source=GEIFMAN,
)
def EAURC(u: LabelContext, score: str) -> Expr:
    """The excess area under the risk-coverage curve: `AURC` minus that of the best confidence.

    E-AURC = AURC − (r + (1−r)·ln(1−r)), where r is the error rate: the limit of the area for many items if all correct
    predictions have a higher confidence than all wrong ones.

    Columns: label, score [, prediction]; or `probabilities` (see `AURC`).
    Range: 0 to 1, lower is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("EAURC").summary()["value"].round(4).to_list()
        [0.1657]
    """
    a = Accepted(u, score)
    excess = _area(u, a) - _best(a)
    value = when(excess > 0).then(excess).otherwise(0.0)
    return when(a.total > 0).then(value).otherwise(u.undefined)


@measure(
    "labels",
    "NAURC",
    parameters={"score": MEANING},
    aliases=("NormalizedAURC",),
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="(AURC − best) / (r − best), best = r + (1 − r)·ln(1 − r)",
    source="Cattelan and Silva, UAI 2024",
)
def NAURC(u: LabelContext, score: str) -> Expr:
    """The normalised area under the risk-coverage curve: 0 for the best confidence, 1 for one without information.

    NAURC = E-AURC / (r − (r + (1−r)·ln(1−r))), where r is the error rate, which is the area by chance.

    Columns: label, score [, prediction]; or `probabilities` (see `AURC`).
    Range: 0 upwards, lower is better.  Undefined where no prediction or all predictions are correct.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("NAURC").summary()["value"].round(4).to_list()
        [0.6433]
    """
    a = Accepted(u, score)
    excess, right = _area(u, a) - _best(a), share(a.right_of_all, a.total)
    value = when(excess > 0).then(excess / (-right * right.log())).otherwise(0.0)
    return when((a.right_of_all > 0) & (a.wrong_of_all > 0)).then(value).otherwise(u.undefined)


@measure(
    "labels",
    "AUGRC",
    parameters={"score": MEANING},
    aliases=("AreaUnderGeneralizedRiskCoverage",),
    at="",
    range=(0.0, 0.5),
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="∫ share of items that are accepted and wrong, over coverage",
    source="Traub et al., NeurIPS 2024",
)
def AUGRC(u: LabelContext, score: str) -> Expr:
    """The area under the generalised risk-coverage curve: the share of all items that are accepted and wrong.

    AUGRC = Σ_k (c_k − c_{k−1})·(g_k + g_{k−1})/2, g_k the weight of the wrong predictions of at least this confidence
    over that of all items.  It is (1 − A)·a·(1 − a) + (1 − a)²/2 with the accuracy a and the ROC AUC A of the
    confidence for correct predictions, so that mistakes among few accepted items weigh less than in `AURC`.

    Columns: label, score [, prediction]; or `probabilities` (see `AURC`).
    Range: 0 to ½, lower is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("AUGRC").summary()["value"].round(4).to_list()
        [0.1289]
    """
    a = Accepted(u, score)
    mean_wrong = a.wrong - a.wrong_here / 2.0
    parts = when(a.here > 0).then(a.here / a.total_here * mean_wrong).otherwise(0.0)
    return u.ratio(a.table.sum(parts), a.total)


@measure(
    "labels",
    "SelectiveAccuracy",
    parameters={
        "coverage": number(what="the share of the items that is accepted", low=0.0, high=1.0),
        "score": MEANING,
    },
    aliases=("AccuracyAtCoverage",),
    at="coverage",
    undefined=None,
    reads=READS,
    formula="correct ones among the c·n most confident predictions / (c·n)",
    source="El-Yaniv and Wiener, JMLR 11, 2010",
)
def SelectiveAccuracy(u: LabelContext, coverage: float, score: str) -> Expr:
    """The accuracy of the most confident share of the predictions, the coverage: 1 − the selective risk.

    Ties at the boundary are in random order: the value is the mean over all orders, and an item on the boundary counts
    in part.  At coverage 1 it is `Accuracy`.

    Columns: label, score [, prediction]; or `probabilities` (see `AURC`).
    Range: 0 to 1, higher is better.  Undefined without items, and at coverage 0.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.scores()).evaluate("SelectiveAccuracy@0.5 SelectiveAccuracy@1")
        >>> ev.summary()["value"].round(4).to_list()
        [0.75, 0.6875]
    """
    a = Accepted(u, score)
    depth = coverage * a.total_here
    part = a.table.column(when(a.here > 0).then(ratio(depth - a.accepted + a.here, a.here)).otherwise(0.0), "within")
    within = when(part > 1).then(1.0).when(part < 0).then(0.0).otherwise(part)
    return u.ratio(a.table.sum((a.here - a.wrong_here) * within), coverage * a.total)
