"""The overlap of the items that have a class and those predicted to have it: F and Jaccard."""

from __future__ import annotations

from ireval_frames.expr import Expr
from ireval_frames.labels.counts import Counts
from ireval_frames.labels.decisions.by_class import class_measure
from ireval_frames.parameters import number


@class_measure(
    "F",
    parameters={
        "beta": number(1.0, "the weight of recall relative to precision", low=0.0),
        "alpha": number(None, "the weight of precision instead: beta² = (1−alpha)/alpha", low=0.0, high=1.0),
    },
    aliases=("FBeta",),
    formula="(1+β²)·tp / (β²·support + predicted)",
    source="van Rijsbergen, Information Retrieval, 1979",
)
def F(counts: Counts, beta: float, alpha: float | None) -> Expr:
    """The weighted harmonic mean of precision and recall.

    F = (1+β²)·TP / (β²·(TP+FN) + TP+FP).  It is computed from the counts, so it is 0, not undefined, where only one of
    precision and recall is undefined; `policy="undefined=propagate"` leaves it undefined there.  β = 0 is precision.
    `alpha` replaces `beta`: β² = (1−α)/α; α = 1 is precision, α = 0 recall.
    The average `macro` is the mean of the classes' F; F of the means is `MacroF`.

    Range: 0 to 1, higher is better.  Undefined for a class that is neither a label nor a prediction.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("F(beta=2, average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.6667]
    """
    recalls, precisions = _shares(beta, alpha)
    hits = counts.tp if alpha is not None else (1.0 + recalls) * counts.tp
    f = counts.ratio(hits, recalls * counts.support + precisions * counts.predicted)
    return counts.propagated(f, *_denominators(counts, beta, alpha))


@class_measure(
    "E",
    parameters={
        "beta": number(1.0, "the weight of recall relative to precision", low=0.0),
        "alpha": number(None, "the weight of precision instead: beta² = (1−alpha)/alpha", low=0.0, high=1.0),
    },
    aliases=("Effectiveness",),
    higher_is_better=False,
    formula="1 − F",
    source="van Rijsbergen, Information Retrieval, 1979",
)
def E(counts: Counts, beta: float, alpha: float | None) -> Expr:
    """Van Rijsbergen's E: 1 − F.

    E = 1 − 1/(α/precision + (1−α)/recall) = (β²·FN + FP) / ((1+β²)·TP + β²·FN + FP).

    Range: 0 to 1, lower is better.  Undefined for a class that is neither a label nor a prediction.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("E(alpha=0.5, average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.3333]
    """
    recalls, precisions = _shares(beta, alpha)
    below = recalls * counts.support + precisions * counts.predicted
    e = counts.ratio(recalls * counts.fn + precisions * counts.fp, below)
    return counts.propagated(e, *_denominators(counts, beta, alpha))


@class_measure("F1", formula="2·tp / (support + predicted)", source="van Rijsbergen, Information Retrieval, 1979")
def F1(counts: Counts) -> Expr:
    """The harmonic mean of precision and recall.

    F1 = 2·TP / (2·TP + FP + FN).  Where one of precision and recall is undefined, it is 0 by this formula;
    `policy="undefined=propagate"` leaves it undefined.

    Range: 0 to 1, higher is better.  Undefined for a class that is neither a label nor a prediction.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.labels()).evaluate("F1(average='macro')").summary()["value"].round(4).to_list()
        [0.6111]
    """
    f1 = counts.ratio(2.0 * counts.tp, counts.support + counts.predicted)
    return counts.propagated(f1, counts.support, counts.predicted)


@class_measure(
    "Jaccard",
    aliases=("CSI", "IoU"),
    range=(0.0, 1.0),
    higher_is_better=True,
    formula="tp / (tp + fp + fn)",
    source="Jaccard, 1901; scikit-learn",
)
def Jaccard(counts: Counts) -> Expr:
    """The share of correct items among those that have the class or are predicted to have it.

    Jaccard = TP / (TP + FP + FN).  Some texts print it as a percentage.

    Range: 0 to 1, higher is better.  Undefined for a class that is neither a label nor a prediction.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Labels(ir.examples.labels(), positive="cat").evaluate("Jaccard(average='binary')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.5]
    """
    return counts.ratio(counts.tp, counts.support + counts.predicted - counts.tp)


def _shares(beta: float, alpha: float | None) -> tuple[float, float]:
    """The weights of support and predictions in the denominator of F: β² and 1, or 1 − α and α."""
    return (beta * beta, 1.0) if alpha is None else (1.0 - alpha, alpha)


def _denominators(counts: Counts, beta: float, alpha: float | None) -> list[Expr]:
    """The denominators of recall and precision, of those with a weight in F."""
    recalls, precisions = _shares(beta, alpha)
    return [n for n, share in ((counts.support, recalls), (counts.predicted, precisions)) if share > 0]
