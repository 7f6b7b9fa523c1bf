"""LEA: the share of each entity's links that are resolved, weighted by its size; and the CoNLL average."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.coreference.bcubed import B3F
from ireval_frames.coreference.ceaf import COST, CEAFeF
from ireval_frames.coreference.context import CoreferenceContext
from ireval_frames.coreference.muc import MUCF
from ireval_frames.coreference.tables import Side
from ireval_frames.expr import Expr, when
from ireval_frames.ratios import indicator

MOOSAVI = "Moosavi and Strube, 2016"


def _share(c: CoreferenceContext, side: Side, other: Side) -> Expr:
    """An entity's links are its pairs of mentions; a single mention is linked to itself."""
    several = when(side.at_cells > 1).then(side.at_cells - 1.0).otherwise(1.0)
    resolved = when(side.at_cells > 1).then(c.size * (c.size - 1.0) / several).otherwise(indicator(other.at_cells == 1))
    return c.ratio(c.over_cells(resolved), c.over(side, side.size))


@measure(
    "coreference",
    "LEAP",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="Σ_j b_j·(Σ_i C(n_ij, 2) / C(b_j, 2)) / Σ_j b_j",
    source=MOOSAVI,
)
def LEAP(c: CoreferenceContext) -> Expr:
    """The mean over predicted entities, weighted by their size, of the share of their links that gold entities have.

    P = Σ_j b_j·(Σ_i C(n_ij, 2) / C(b_j, 2)) / Σ_j b_j, where predicted entity j has b_j mentions, n_ij of them in gold
    entity i.  An entity of one mention counts if that is an entity of one mention in the gold, too.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without predicted mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("LEAP").summary()["value"].round(4).item()
        0.2857
    """
    return _share(c, c.predicted, c.gold)


@measure(
    "coreference",
    "LEAR",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="Σ_i a_i·(Σ_j C(n_ij, 2) / C(a_i, 2)) / Σ_i a_i",
    source=MOOSAVI,
)
def LEAR(c: CoreferenceContext) -> Expr:
    """The mean over gold entities, weighted by their size, of the share of their links that predicted entities have.

    R = Σ_i a_i·(Σ_j C(n_ij, 2) / C(a_i, 2)) / Σ_i a_i, where gold entity i has a_i mentions, n_ij of them in predicted
    entity j.  An entity of one mention counts if that was predicted as an entity of one mention, too.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without gold mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("LEAR").summary()["value"].round(4).item()
        0.1667
    """
    return _share(c, c.gold, c.predicted)


@measure(
    "coreference",
    "LEAF",
    at="",
    aggregation="pooled",
    aliases=("LEA",),
    undefined=None,
    formula="2·P·R / (P + R)",
    source=MOOSAVI,
)
def LEAF(c: CoreferenceContext) -> Expr:
    """The harmonic mean of LEA precision and recall.

    F = 2·P·R / (P + R), with LEAP and LEAR.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better; 0 where either is 0.  Undefined without any mention; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("LEAF").summary()["value"].round(4).item()
        0.2105
    """
    return c.f(_share(c, c.predicted, c.gold), _share(c, c.gold, c.predicted))


@measure(
    "coreference",
    "CoNLL",
    at="",
    aggregation="pooled",
    aliases=("CoNLLAverage",),
    undefined=None,
    formula="(MUCF + B3F + CEAFeF) / 3",
    source="Pradhan et al., 2011; Denis and Baldridge, 2009",
    runs="python",
    cost=COST,
)
def CoNLL(c: CoreferenceContext) -> Expr:
    """The mean of the F of MUC, of B³ and of CEAF by entities.

    CoNLL = (MUCF + B3F + CEAFeF) / 3.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined where one of the three is; by default that one is 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("CoNLL").summary()["value"].round(4).item()
        0.4696
    """
    muc, b3, ceaf = (m.expression(c, {}) for m in (MUCF, B3F, CEAFeF))
    return (muc + b3 + ceaf) / 3.0
