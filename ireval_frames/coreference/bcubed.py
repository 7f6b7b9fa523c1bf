"""B³: precision and recall of each mention, over mentions; and of the mentions alone."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.coreference.context import CoreferenceContext
from ireval_frames.coreference.tables import Side
from ireval_frames.expr import Expr

BAGGA = "Bagga and Baldwin, 1998; CoNLL scorer 8.01"
PRADHAN = "Pradhan et al., 2014; CoNLL scorer 8.01"


def _share(c: CoreferenceContext, side: Side) -> Expr:
    return c.ratio(c.over_cells(c.size * c.size / side.at_cells), c.over(side, side.size))


def _recall(c: CoreferenceContext) -> Expr:
    """Entities that a policy adds to the gold are for precision alone."""
    gold = c.gold
    value = c.of_user(c.size * c.size / gold.at_cells)
    return c.ratio(c.over_cells(value), c.over(gold, c.of_user(gold.size)))


@measure(
    "coreference",
    "B3P",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="Σ_ij n_ij² / b_j / Σ_j b_j",
    source=BAGGA,
)
def B3P(c: CoreferenceContext) -> Expr:
    """The mean over predicted mentions of the share of their entity that is in their gold entity.

    P = Σ_ij n_ij²/b_j / Σ_j b_j, where predicted entity j has b_j mentions, n_ij of them in gold entity i; a mention
    that the gold lacks counts 0.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without predicted mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("B3P").summary()["value"].item()
        0.5
    """
    return _share(c, c.predicted)


@measure(
    "coreference",
    "B3R",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="Σ_ij n_ij² / a_i / Σ_i a_i",
    source=BAGGA,
)
def B3R(c: CoreferenceContext) -> Expr:
    """The mean over gold mentions of the share of their entity that is in their predicted entity.

    R = Σ_ij n_ij²/a_i / Σ_i a_i, where gold entity i has a_i mentions, n_ij of them in predicted entity j; a mention
    that was not predicted counts 0.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without gold mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("B3R").summary()["value"].round(4).item()
        0.5278
    """
    return _recall(c)


@measure(
    "coreference",
    "B3F",
    at="",
    aggregation="pooled",
    aliases=("B3",),
    undefined=None,
    formula="2·P·R / (P + R)",
    source=BAGGA,
)
def B3F(c: CoreferenceContext) -> Expr:
    """The harmonic mean of B³ precision and recall.

    F = 2·P·R / (P + R), with B3P and B3R.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better; 0 where either is 0.  Undefined without any mention; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("B3F").summary()["value"].round(4).item()
        0.5135
    """
    return c.f(_share(c, c.predicted), _recall(c))


def _identified(c: CoreferenceContext, side: Side) -> Expr:
    return c.ratio(c.over_cells(c.size), c.over(side, side.size))


@measure(
    "coreference",
    "MentionP",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="Σ_ij n_ij / Σ_j b_j",
    source=PRADHAN,
)
def MentionP(c: CoreferenceContext) -> Expr:
    """The share of predicted mentions that are gold mentions, in whatever entity.

    P = Σ_ij n_ij / Σ_j b_j: mentions of both sides over predicted mentions.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without predicted mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("MentionP").summary()["value"].round(4).item()
        0.7143
    """
    return _identified(c, c.predicted)


@measure(
    "coreference",
    "MentionR",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="Σ_ij n_ij / Σ_i a_i",
    source=PRADHAN,
)
def MentionR(c: CoreferenceContext) -> Expr:
    """The share of gold mentions that were predicted, in whatever entity.

    R = Σ_ij n_ij / Σ_i a_i: mentions of both sides over gold mentions.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined without gold mentions; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("MentionR").summary()["value"].round(4).item()
        0.8333
    """
    return _identified(c, c.gold)


@measure(
    "coreference",
    "MentionF",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="2·P·R / (P + R)",
    source=PRADHAN,
)
def MentionF(c: CoreferenceContext) -> Expr:
    """The harmonic mean of the precision and recall of mentions, in whatever entities.

    F = 2·P·R / (P + R), with MentionP and MentionR.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better; 0 where either is 0.  Undefined without any mention; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("MentionF").summary()["value"].round(4).item()
        0.7692
    """
    return c.f(_identified(c, c.predicted), _identified(c, c.gold))
