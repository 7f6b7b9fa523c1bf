"""Measures of the confusion matrix, and of sets of labels as one decision."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.decisions.association import Cells
from ireval_frames.parameters import UPWARDS, choice, flag, number
from ireval_frames.ratios import indicator, ratio


@measure(
    "labels", "Accuracy", aliases=("accuracy",), at="", undefined=None, formula="correct / all", source="scikit-learn"
)
def Accuracy(u: LabelContext) -> Expr:
    """The share of items whose prediction is their label.

    Accuracy = Σ_k n_kk / n.  An item without a label is correct without a prediction.  For items with sets of
    labels it is the share of equal sets, which is `SubsetAccuracy`.

    Range: 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("Accuracy").summary()["value"].round(4).to_list()
        [0.625]
    """
    return u.ratio(u.correct, u.total)


@measure(
    "labels",
    "ErrorRate",
    aliases=("ZeroOneLoss",),
    at="",
    higher_is_better=False,
    undefined=None,
    formula="1 − correct / all",
    source="scikit-learn",
)
def ErrorRate(u: LabelContext) -> Expr:
    """The share of items whose prediction is not their label: 1 − accuracy.

    Range: 0 to 1, lower is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("ErrorRate").summary()["value"].round(4).to_list()
        [0.375]
    """
    return u.ratio(u.total - u.correct, u.total)


@measure(
    "labels",
    "BalancedAccuracy",
    parameters={"adjusted": flag(what="rescale so that chance is 0 and perfection 1")},
    at="",
    range=(-1.0, 1.0),
    undefined=None,
    formula="mean over classes of recall",
    source="Brodersen et al., ICPR 2010; scikit-learn",
)
def BalancedAccuracy(u: LabelContext, *, adjusted: bool) -> Expr:
    """The mean recall of the classes that occur as labels.

    BA = 1/K Σ_k n_kk / a_k over the K classes with a label; adjusted, (BA − 1/K) / (1 − 1/K).

    Range: 0 to 1 (adjusted: from −1/(K−1)), higher is better.  Undefined without labels; adjusted, also with one class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("BalancedAccuracy").summary()["value"].round(4).to_list()
        [0.6111]
    """
    u.single_only()
    counts = u.of_classes()
    labelled = u.classes.sum(indicator(counts.support > 0))
    recall = u.classes.sum(when(counts.support > 0).then(ratio(counts.tp, counts.support)).otherwise(0.0))
    if not adjusted:
        return u.ratio(recall, labelled)
    return when(labelled > 1).then((recall - 1.0) / (labelled - 1.0)).otherwise(u.undefined)


@measure(
    "labels",
    "MCC",
    aliases=("MatthewsCorrelation", "Phi"),
    at="",
    range=(-1.0, 1.0),
    undefined=None,
    formula="(c·n − Σ t_k·p_k) / √((n² − Σ p_k²)(n² − Σ t_k²))",
    source="Matthews 1975; Gorodkin, Computational Biology and Chemistry 28, 2004, for several classes",
)
def MCC(u: LabelContext) -> Expr:
    """Matthews' correlation coefficient, for any number of classes.

    R_K = (c·n − Σ_k t_k·p_k) / √((n² − Σ_k p_k²)(n² − Σ_k t_k²)), with c correct items, t_k labels and p_k predictions
    of class k; items without a label or a prediction are a class of their own.  It is computed as
    Σ_k (TP·TN − FP·FN) / √(Σ_k p_k(n − p_k) · Σ_k t_k(n − t_k)), without overflow or loss of precision.

    Range: −1 to 1, higher is better.  Undefined where all labels, or all predictions, are one class (scikit-learn: 0).

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("MCC").summary()["value"].round(4).to_list()
        [0.4286]
    """
    u.single_only()
    labels, predictions = u.summed(lambda c: c.support * c.negatives), u.summed(lambda c: c.predicted * c.unpredicted)
    return u.ratio(u.summed(lambda c: c.association), (labels * predictions).sqrt())


@measure(
    "labels",
    "Kappa",
    parameters={
        "weights": choice(
            "none",
            "linear",
            "quadratic",
            what="the weight of a disagreement between classes i and j: 1, |i−j|, (i−j)²",
        )
    },
    aliases=("CohenKappa",),
    at="",
    range=(-1.0, 1.0),
    undefined=None,
    formula="1 − observed / expected disagreement",
    source="Cohen, Educational and Psychological Measurement 20, 1960; Psychological Bulletin 70, 1968",
)
def Kappa(u: LabelContext, weights: str) -> Expr:
    """Cohen's kappa: agreement of labels and predictions beyond chance.

    κ = 1 − Σ w_ij·O_ij / Σ w_ij·E_ij with E from the margins; w is 0 on the diagonal and 1 elsewhere, or |i−j|, or
    (i−j)², where i is the place of a class on the scale: `categories=` of `ir.Labels`, or the type of an enum, or else
    the numbers that occur.  Text has no order by itself (scikit-learn takes the alphabetical one).  Without weights,
    items without a label or a prediction are a class of their own; with weights they are left out, since that class has
    no place.

    Range: −1 to 1, higher is better.  Undefined where all labels and predictions are one class.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("Kappa").summary()["value"].round(4).to_list()
        [0.4286]
    """
    u.single_only()
    if weights == "none":
        return u.ratio(u.summed(lambda c: c.association), u.summed(lambda c: c.support * c.unpredicted))
    observed, expected = Cells(u).disagreement(1 if weights == "linear" else 2)
    return when(expected > 0).then(1.0 - ratio(observed, expected)).otherwise(u.undefined)


@measure(
    "labels",
    "GMean",
    parameters={"correction": number(0.0, "the value that replaces a recall of 0", low=0.0, high=1.0)},
    aliases=("GeometricMean",),
    at="",
    undefined=None,
    formula="(Π recall_k)^(1/K)",
    source="Kubat and Matwin, ICML 1997; imbalanced-learn",
)
def GMean(u: LabelContext, correction: float) -> Expr:
    """The geometric mean of the classes' recalls.

    G = (Π_k n_kk/a_k)^(1/K) over the classes with a label; with two classes √(TPR·TNR).

    Range: 0 to 1, higher is better; 0 if one recall is 0, unless `correction` replaces it.
    Undefined without labels.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("GMean").summary()["value"].round(4).to_list()
        [0.6057]
    """
    u.single_only()
    counts = u.of_classes()
    labelled = counts.support > 0
    recall = u.classes.column(when(labelled).then(counts.tp / counts.support), "class_recall")
    raised = when(recall > 0).then(recall).otherwise(correction if correction > 0 else 1.0)
    logs = u.classes.sum(when(labelled).then(u.classes.column(raised, "raised_recall").log()).otherwise(0.0))
    n = u.classes.sum(indicator(labelled))
    value = when(n > 0).then((ratio(logs, n)).exp()).otherwise(u.undefined)
    if correction > 0:
        return value
    zeros = u.classes.sum(indicator(recall == 0))
    return when(zeros > 0).then(0.0).otherwise(value)


@measure(
    "labels",
    "MacroF",
    parameters={"beta": number(1.0, "the weight of recall relative to precision", low=0.0)},
    aliases=("FOfMeans",),
    at="",
    undefined=None,
    formula="F of the mean precision and the mean recall",
    source="Opitz and Burst, Macro F1 and Macro F1, 2019",
)
def MacroF(u: LabelContext, beta: float) -> Expr:
    """F of the mean precision and the mean recall of the classes; the mean of the classes' F is `F(average='macro')`.

    MacroF = (1+β²)·P·R / (β²·P + R), where P and R are the macro averages.

    Range: 0 to 1, higher is better.  Undefined where P or R is, and where both are 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("MacroF").summary()["value"].round(4).to_list()
        [0.6111]
    """
    precision = u.averaged(lambda c: c.ratio(c.tp, c.predicted), "macro", None)
    recall = u.averaged(lambda c: c.ratio(c.tp, c.support), "macro", None)
    square = beta * beta
    return u.ratio((1.0 + square) * precision * recall, square * precision + recall)


@measure(
    "labels",
    "NumItems",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    aggregation="sum",
    formula="n",
    source="scikit-learn",
)
def NumItems(u: LabelContext) -> Expr:
    """The number of items, or their weight.

    Range: 0 upwards.  Defined for every unit.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("NumItems").summary()["value"].to_list()
        [8.0]
    """
    return u.total


@measure(
    "labels",
    "NumClasses",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="K",
    source="scikit-learn",
)
def NumClasses(u: LabelContext) -> Expr:
    """The number of classes that occur as label or prediction.

    Range: 0 upwards.  Defined for every unit.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("NumClasses").summary()["value"].to_list()
        [3.0]
    """
    return u.num_classes


@measure(
    "labels",
    "SubsetAccuracy",
    aliases=("ExactMatch",),
    at="",
    undefined=None,
    formula="equal sets / all",
    source="scikit-learn",
)
def SubsetAccuracy(u: LabelContext) -> Expr:
    """The share of items whose predicted set of labels equals theirs.

    Range: 0 to 1, higher is better.  Undefined without items.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": [["a", "b"], ["c"]], "prediction": [["b", "a"], ["a"]]})
        >>> ir.Labels(frame).evaluate("SubsetAccuracy").summary()["value"].to_list()
        [0.5]
    """
    return u.ratio(u.correct, u.total)


@measure(
    "labels",
    "HammingLoss",
    at="",
    higher_is_better=False,
    undefined=None,
    formula="Σ |Y△Z| / (n·L)",
    source="scikit-learn; Schapire and Singer 2000",
)
def HammingLoss(u: LabelContext) -> Expr:
    """The share of (item, class) decisions that are wrong.

    HL = Σ_i |Y_i △ Z_i| / (n·L), where L is the number of classes that occur as label or prediction.  For items with
    one label each it is the error rate: there a wrong item is one wrong decision.

    Range: 0 to 1, lower is better.  Undefined without items, and without classes.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": [["a", "b"], ["c"]], "prediction": [["b", "a"], ["a"]]})
        >>> ir.Labels(frame).evaluate("HammingLoss").summary()["value"].round(4).to_list()
        [0.3333]
    """
    if not u.tables.multi:
        return u.ratio(u.total - u.correct, u.total)
    pooled = u.pooled()
    return u.ratio(pooled.fp + pooled.fn, pooled.total)
