"""BLANC: precision and recall of links within entities and of links between them, averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from ireval_frames.catalog import measure
from ireval_frames.coreference.context import CoreferenceContext
from ireval_frames.expr import Expr, when
from ireval_frames.ratios import indicator

LUO = "Luo et al., 2014; Recasens and Hovy, 2011; CoNLL scorer 8.01"


@dataclass(frozen=True)
class Links:
    """The numbers of links of one kind: on both sides, in the gold, and in the predictions."""

    common: Expr
    gold: Expr
    predicted: Expr


def _pairs(n: Expr) -> Expr:
    return n * (n - 1.0) / 2.0


def _links(c: CoreferenceContext) -> tuple[Links, Links]:
    """The links within entities, and those between entities of a document."""
    documents, sides = c.tables.documents, (c.gold, c.predicted)
    # Pairs of mentions that both sides have, less those that either has within an entity, which count twice if both do.
    shared, squares = c.over_cells(c.size, documents), c.over_cells(c.size * c.size, documents)
    of_sides = [c.over(side, side.matched * side.matched, documents) for side in sides]
    within = [c.over_cells(_pairs(c.size))]
    between = [c.over_documents((shared * shared - of_sides[0] - of_sides[1] + squares) / 2.0)]
    for side in sides:
        within.append(c.over(side, _pairs(side.size)))
        all_pairs = _pairs(c.over(side, side.size, documents))
        between.append(c.over_documents(all_pairs - c.over(side, _pairs(side.size), documents)))
    return Links(*within), Links(*between)


def _mean(c: CoreferenceContext, kinds: Sequence[Links], values: Sequence[Expr]) -> Expr:
    """The mean over the kinds of links that count."""
    both = c.policy.no_links == "both"
    counts = [(k.gold > 0) | (k.predicted > 0) if both else k.gold > 0 for k in kinds]
    total = reduce(add, [when(some).then(value).otherwise(0.0) for some, value in zip(counts, values, strict=True)])
    return c.ratio(total, reduce(add, map(indicator, counts)))


@measure(
    "coreference",
    "BLANCP",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="(common links within / predicted links within + common links between / predicted links between) / 2",
    source=LUO,
)
def BLANCP(c: CoreferenceContext) -> Expr:
    """The mean of the precision of links within entities and of that of links between entities.

    Two mentions of a document are linked within an entity, or between two.  P is the mean of both kinds' share of
    predicted links that are gold links of the same kind.  If the gold has no links of a kind, the other alone counts;
    `policy="no_links=both"` leaves a kind out only where neither side has any.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined where neither kind counts or one that counts has no predicted links; by
    default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("BLANCP").summary()["value"].round(4).item()
        0.3333
    """
    kinds = _links(c)
    return _mean(c, kinds, [c.ratio(k.common, k.predicted) for k in kinds])


@measure(
    "coreference",
    "BLANCR",
    at="",
    aggregation="pooled",
    undefined=None,
    formula="(common links within / gold links within + common links between / gold links between) / 2",
    source=LUO,
)
def BLANCR(c: CoreferenceContext) -> Expr:
    """The mean of the recall of links within entities and of that of links between entities.

    Two mentions of a document are linked within an entity, or between two.  R is the mean of both kinds' share of gold
    links that are predicted links of the same kind.  If the gold has no links of a kind, the other alone counts;
    `policy="no_links=both"` leaves a kind out only where neither side has any.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined where neither kind counts; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("BLANCR").summary()["value"].round(4).item()
        0.3977
    """
    kinds = _links(c)
    return _mean(c, kinds, [c.ratio(k.common, k.gold) for k in kinds])


@measure(
    "coreference",
    "BLANCF",
    at="",
    aggregation="pooled",
    aliases=("BLANC",),
    undefined=None,
    formula="(F of links within + F of links between) / 2",
    source=LUO,
)
def BLANCF(c: CoreferenceContext) -> Expr:
    """The mean of the F of links within entities and of that of links between entities.

    Each kind of link has its own F = 2·P·R / (P + R), and BLANCF is their mean: it is not the F of BLANCP and BLANCR.
    If the gold has no links of a kind, the other alone counts; `policy="no_links=both"` leaves a kind out only where
    neither side has any.

    Columns: the document, start and end or mention_id, and cluster_id, of both tables.

    Range: 0 to 1, higher is better.  Undefined where neither kind counts; by default 0 then.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Coreference(*ir.examples.coreference()).evaluate("BLANCF").summary()["value"].round(4).item()
        0.3498
    """
    kinds = _links(c)
    return _mean(c, kinds, [c.f(c.ratio(k.common, k.predicted), c.ratio(k.common, k.gold)) for k in kinds])
