"""Numbers of mentions and entities."""

from __future__ import annotations

from ireval_frames.coreference.context import CoreferenceContext
from ireval_frames.documents.counting import count_measure
from ireval_frames.expr import Expr


@count_measure("coreference", "NumGoldMentions", "Σ_i a_i")
def NumGoldMentions(c: CoreferenceContext) -> Expr:
    """The number of gold mentions that count under the policy.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("NumGoldMentions").summary()["value"].item()
        6.0
    """
    return c.over(c.gold, c.gold.size)


@count_measure("coreference", "NumPredictedMentions", "Σ_j b_j")
def NumPredictedMentions(c: CoreferenceContext) -> Expr:
    """The number of predicted mentions that count under the policy.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("NumPredictedMentions").summary()["value"].item()
        7.0
    """
    return c.over(c.predicted, c.predicted.size)


@count_measure("coreference", "NumGoldEntities", "gold entities")
def NumGoldEntities(c: CoreferenceContext) -> Expr:
    """The number of gold entities that count under the policy.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("NumGoldEntities").summary()["value"].item()
        3.0
    """
    return c.over(c.gold)


@count_measure("coreference", "NumPredictedEntities", "predicted entities")
def NumPredictedEntities(c: CoreferenceContext) -> Expr:
    """The number of predicted entities that count under the policy.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("NumPredictedEntities").summary()["value"].item()
        4.0
    """
    return c.over(c.predicted)
