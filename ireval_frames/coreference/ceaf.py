"""CEAF: entities of both sides assigned one to one, by the mentions they share."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.coreference.context import CoreferenceContext
from ireval_frames.coreference.tables import Side
from ireval_frames.expr import Expr

LUO = "Luo, 2005; CoNLL scorer 8.01"
COST = "an optimal assignment of entities within each document, cubic in those that share mentions"


def _of_mentions(c: CoreferenceContext, side: Side) -> Expr:
    return c.ratio(c.assigned("size"), c.over(side, side.size))


def _of_entities(c: CoreferenceContext, side: Side) -> Expr:
    return c.ratio(c.assigned("similarity"), c.over(side))


@measure(
    "coreference",
    "CEAFmP",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="max over one-to-one σ of Σ_i n_{i,σ(i)} / Σ_j b_j",
    source=LUO,
    runs="python",
    cost=COST,
)
def CEAFmP(c: CoreferenceContext) -> Expr:
    """The share of predicted mentions in the best one-to-one assignment of predicted to gold entities.

    P = max_σ Σ_i n_{i,σ(i)} / Σ_j b_j over the assignments σ of a document's entities, where gold entity i and
    predicted entity j share n_ij mentions of b_j.  The assignment is computed in Python from the cells.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without predicted mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("CEAFmP").summary()["value"].round(4).item()
        0.5714
    """
    return _of_mentions(c, c.predicted)


@measure(
    "coreference",
    "CEAFmR",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="max over one-to-one σ of Σ_i n_{i,σ(i)} / Σ_i a_i",
    source=LUO,
    runs="python",
    cost=COST,
)
def CEAFmR(c: CoreferenceContext) -> Expr:
    """The share of gold mentions in the best one-to-one assignment of predicted to gold entities.

    R = max_σ Σ_i n_{i,σ(i)} / Σ_i a_i over the assignments σ of a document's entities, where gold entity i and
    predicted entity j share n_ij mentions of a_i.  The assignment is computed in Python from the cells.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without gold mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("CEAFmR").summary()["value"].round(4).item()
        0.6667
    """
    return _of_mentions(c, c.gold)


@measure(
    "coreference",
    "CEAFmF",
    at="",
    aggregation="pooled",
    aliases=("CEAFm",),
    undefined=None,
    formula="2·P·R / (P + R)",
    source=LUO,
    runs="python",
    cost=COST,
)
def CEAFmF(c: CoreferenceContext) -> Expr:
    """The harmonic mean of CEAF precision and recall by mentions.

    F = 2·P·R / (P + R), with CEAFmP and CEAFmR.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better; 0 where either is 0.  Undefined without any mention; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("CEAFmF").summary()["value"].round(4).item()
        0.6154
    """
    return c.f(_of_mentions(c, c.predicted), _of_mentions(c, c.gold))


@measure(
    "coreference",
    "CEAFeP",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="max over one-to-one σ of Σ_i 2·n_{i,σ(i)} / (a_i + b_σ(i)) / number of predicted entities",
    source=LUO,
    runs="python",
    cost=COST,
)
def CEAFeP(c: CoreferenceContext) -> Expr:
    """The mean over predicted entities of their similarity to the gold entity that they are assigned to.

    P = max_σ Σ_i 2·n_{i,σ(i)} / (a_i + b_σ(i)) over the number of predicted entities, for one-to-one assignments σ of a
    document's entities; gold entity i has a_i mentions, predicted entity j has b_j, and they share n_ij.  The
    assignment is computed in Python from the cells.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without predicted entities; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("CEAFeP").summary()["value"].round(4).item()
        0.4917
    """
    return _of_entities(c, c.predicted)


@measure(
    "coreference",
    "CEAFeR",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="max over one-to-one σ of Σ_i 2·n_{i,σ(i)} / (a_i + b_σ(i)) / number of gold entities",
    source=LUO,
    runs="python",
    cost=COST,
)
def CEAFeR(c: CoreferenceContext) -> Expr:
    """The mean over gold entities of their similarity to the predicted entity that they are assigned to.

    R = max_σ Σ_i 2·n_{i,σ(i)} / (a_i + b_σ(i)) over the number of gold entities, for one-to-one assignments σ of a
    document's entities; gold entity i has a_i mentions, predicted entity j has b_j, and they share n_ij.  The
    assignment is computed in Python from the cells.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without gold entities; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("CEAFeR").summary()["value"].round(4).item()
        0.6556
    """
    return _of_entities(c, c.gold)


@measure(
    "coreference",
    "CEAFeF",
    at="",
    aggregation="pooled",
    aliases=("CEAFe",),
    undefined=None,
    formula="2·P·R / (P + R)",
    source=LUO,
    runs="python",
    cost=COST,
)
def CEAFeF(c: CoreferenceContext) -> Expr:
    """The harmonic mean of CEAF precision and recall by entities.

    F = 2·P·R / (P + R), with CEAFeP and CEAFeR.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better; 0 where either is 0.  Undefined without any entity; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("CEAFeF").summary()["value"].round(4).item()
        0.5619
    """
    return c.f(_of_entities(c, c.predicted), _of_entities(c, c.gold))
