"""Numbers of mentions and entities."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.coreference.context import CoreferenceContext
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS


@measure(
    "coreference",
    "NumGoldMentions",
    at="",
    aggregation="sum",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="Σ_i a_i",
    source="counted",
)
def NumGoldMentions(c: CoreferenceContext) -> Expr:
    """The number of gold mentions that count under the policy.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("NumGoldMentions").summary()["value"].item()
        6.0
    """
    return c.over(c.gold, c.gold.size)


@measure(
    "coreference",
    "NumPredictedMentions",
    at="",
    aggregation="sum",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="Σ_j b_j",
    source="counted",
)
def NumPredictedMentions(c: CoreferenceContext) -> Expr:
    """The number of predicted mentions that count under the policy.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("NumPredictedMentions").summary()["value"].item()
        7.0
    """
    return c.over(c.predicted, c.predicted.size)


@measure(
    "coreference",
    "NumGoldEntities",
    at="",
    aggregation="sum",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="gold entities",
    source="counted",
)
def NumGoldEntities(c: CoreferenceContext) -> Expr:
    """The number of gold entities that count under the policy.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("NumGoldEntities").summary()["value"].item()
        3.0
    """
    return c.over(c.gold)


@measure(
    "coreference",
    "NumPredictedEntities",
    at="",
    aggregation="sum",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="predicted entities",
    source="counted",
)
def NumPredictedEntities(c: CoreferenceContext) -> Expr:
    """The number of predicted entities that count under the policy.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("NumPredictedEntities").summary()["value"].item()
        4.0
    """
    return c.over(c.predicted)
