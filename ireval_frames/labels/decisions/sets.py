"""Measures of items with sets of labels."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr
from ireval_frames.labels.context import LabelContext


@measure(
    "labels",
    "SubsetAccuracy",
    aliases=("ExactMatch",),
    at="",
    undefined=None,
    formula="sets that are right / all",
    source="scikit-learn",
)
def SubsetAccuracy(u: LabelContext) -> Expr:
    """The share of items whose predicted set of labels is exactly theirs.

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
