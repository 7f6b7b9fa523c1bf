"""MUC: precision and recall of the links that entities need."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.coreference.context import CoreferenceContext
from ireval_frames.coreference.tables import Side
from ireval_frames.expr import Expr

VILAIN = "Vilain et al., 1995; CoNLL scorer 8.01"


def _share(c: CoreferenceContext, side: Side) -> Expr:
    return c.ratio(c.over_cells(c.size - 1.0), c.over(side, side.size - 1.0))


@measure(
    "coreference",
    "MUCP",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="Σ_ij (n_ij − 1) / Σ_j (b_j − 1)",
    source=VILAIN,
)
def MUCP(c: CoreferenceContext) -> Expr:
    """The share of the links of predicted entities that gold entities have, too.

    An entity of n mentions needs n − 1 links.  P = Σ_ij (n_ij − 1) / Σ_j (b_j − 1) over the cells where n_ij > 0, where
    predicted entity j has b_j mentions, n_ij of them in gold entity i.  Entities of one mention have no links.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined where no predicted entity has two mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("MUCP").summary()["value"].round(4).item()
        0.3333
    """
    return _share(c, c.predicted)


@measure(
    "coreference",
    "MUCR",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="Σ_ij (n_ij − 1) / Σ_i (a_i − 1)",
    source=VILAIN,
)
def MUCR(c: CoreferenceContext) -> Expr:
    """The share of the links of gold entities that predicted entities have, too.

    An entity of n mentions needs n − 1 links.  R = Σ_ij (n_ij − 1) / Σ_i (a_i − 1) over the cells where n_ij > 0, where
    gold entity i has a_i mentions, n_ij of them in predicted entity j.  Entities of one mention have no links.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined where no gold entity has two mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("MUCR").summary()["value"].round(4).item()
        0.3333
    """
    return _share(c, c.gold)


@measure(
    "coreference",
    "MUCF",
    at="",
    aggregation="pooled",
    aliases=("MUC",),
    undefined=None,
    formula="2·P·R / (P + R)",
    source=VILAIN,
)
def MUCF(c: CoreferenceContext) -> Expr:
    """The harmonic mean of MUC precision and recall.

    F = 2·P·R / (P + R), with MUCP and MUCR.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better; 0 where either is 0.  Undefined where no entity of either side has two mentions; by
    default 0 then, also where both sides have the same single mentions.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("MUCF").summary()["value"].round(4).item()
        0.3333
    """
    return c.f(_share(c, c.predicted), _share(c, c.gold))
