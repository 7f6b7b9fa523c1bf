"""Measures of links and slots: what the predictions have of the gold, and what besides."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.documents import compared as comparing
from ireval_frames.documents.compared import AVERAGE
from ireval_frames.documents.counting import count_measure
from ireval_frames.expr import Expr
from ireval_frames.links.context import LinkContext, On
from ireval_frames.links.matching import MATCH, ON, WHERE
from ireval_frames.parameters import number

NELEVAL = "Hachey, Nothman and Radford, 2014 (neleval); Cornolti et al., 2013"
KBP = "TAC KBP slot filling, 2012"
OF_LINKS = {"on": ON, "where": WHERE}
SHARED = {**OF_LINKS, "match": MATCH, "average": AVERAGE}


@measure(
    "links",
    "Precision",
    at="",
    parameters=SHARED,
    aggregation="pooled",
    undefined=None,
    formula="correct / predicted",
    source=f"{NELEVAL}; {KBP}",
)
def Precision(c: LinkContext, on: On, where: str | None, match: str, average: str) -> Expr:
    """The share of predicted links that are in the gold.

    P = correct / predicted, summed over documents.  Links of a document are equal where all columns of `on` are; null
    equals null, and so NIL equals NIL.  Of answers with classes, predictions of one class are one; under the policy
    `duplicates=spurious` (TAC KBP) every row counts, and one of a class is correct: redundant and inexact ones count
    against precision.  Where overlaps are compared (all but `strong`), equal links are one under every policy.

    | `match` | when a link is correct |
    |---|---|
    | strong | its span, if that is compared, and all else is equal |
    | weak | it shares a character with one of the other side, and all else is equal |
    | characters | links are cut into their characters, which are equal |
    | max | it counts by the share of it that the one that covers most of it covers |
    | sum | it counts by the share of it that all others together cover |

    The averages are over types, which must be compared: `macro` the mean of those that have a value, `weighted` by
    their number in the gold.  `aggregation="mean"` is the mean over documents.

    Columns: start and end (whole numbers), kb_id, type and others (text or numbers).

    Range: 0 to 1, higher is better.  Undefined without predicted links.

    Raises:
        MissingColumn: a table lacks a column that is compared.
        NotDefined: a mean over types that are not compared, or overlaps of what has no span or was judged.

    Example:
        >>> import ireval_frames as ir
        >>> links = ir.Links(*ir.examples.links())
        >>> links.evaluate("Precision Precision(match='weak')").summary()["value"].to_list()
        [0.4, 0.6]
    """
    return c.averaged(lambda n: c.ratio(n.correct_predicted, n.predicted), on, where, match, average)


@measure(
    "links",
    "Recall",
    at="",
    parameters=SHARED,
    aggregation="pooled",
    undefined=None,
    formula="correct / gold",
    source=f"{NELEVAL}; {KBP}",
)
def Recall(c: LinkContext, on: On, where: str | None, match: str, average: str) -> Expr:
    """The share of the gold's links that are predicted.

    R = correct / gold, summed over documents; `on`, `where`, `match` and the averages are those of `Precision`.  Of
    answers with classes, the gold has the classes of correct ones.  With `on="strong_link_match"` it is the TAC's
    accuracy of entities in the knowledge base, with "strong_nil_match" that of others.

    Range: 0 to 1, higher is better.  Undefined without links in the gold.

    Raises:
        MissingColumn: a table lacks a column that is compared.
        NotDefined: a mean over types that are not compared, or overlaps of what has no span or was judged.

    Example:
        >>> import ireval_frames as ir
        >>> links = ir.Links(*ir.examples.links())
        >>> links.evaluate("Recall Recall(on='strong_nil_match')").summary()["value"].to_list()
        [0.4, 0.5]
    """
    return c.averaged(lambda n: c.ratio(n.correct, n.gold), on, where, match, average)


@measure(
    "links",
    "F1",
    at="",
    parameters=SHARED,
    aggregation="pooled",
    undefined=None,
    formula="2·P·R / (P + R)",
    source=f"{NELEVAL}; {KBP}",
)
def F1(c: LinkContext, on: On, where: str | None, match: str, average: str) -> Expr:
    """The harmonic mean of precision and recall.

    F1 = 2·P·R / (P + R), of sums over documents; `on`, `where`, `match` and the averages are those of `Precision`.

    Range: 0 to 1, higher is better; 0 where nothing is correct.  Undefined without links on either side.

    Raises:
        MissingColumn: a table lacks a column that is compared.
        NotDefined: a mean over types that are not compared, or overlaps of what has no span or was judged.

    Example:
        >>> import ireval_frames as ir
        >>> links = ir.Links(*ir.examples.links())
        >>> links.evaluate("F1 F1(on='entity_match') F1(match='characters')").summary()["value"].round(4).to_list()
        [0.4, 0.6667, 0.56]
    """
    return c.averaged(lambda n: c.f_value(n, 1.0), on, where, match, average)


@measure(
    "links",
    "F",
    at="",
    aliases=("FBeta",),
    parameters={"beta": number(1.0, "the weight of recall", 0.0), **SHARED},
    aggregation="pooled",
    undefined=None,
    formula="(1+β²)·P·R / (β²·P + R)",
    source="van Rijsbergen, 1979",
)
def F(c: LinkContext, beta: float, on: On, where: str | None, match: str, average: str) -> Expr:
    """The weighted harmonic mean of precision and recall: recall counts β times as much.

    F = (1+β²)·P·R / (β²·P + R), of sums over documents; the other parameters are those of `Precision`.

    Range: 0 to 1, higher is better; 0 where nothing is correct.  Undefined without links on either side.

    Raises:
        MissingColumn: a table lacks a column that is compared.
        NotDefined: a mean over types that are not compared, or overlaps of what has no span or was judged.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Links(*ir.examples.links()).evaluate("F(beta=2)").summary()["value"].round(4).item()
        0.4
    """
    return c.averaged(lambda n: c.f_value(n, beta), on, where, match, average)


@measure(
    "links",
    "SubsetAccuracy",
    at="",
    parameters=OF_LINKS,
    aggregation="pooled",
    undefined=None,
    formula="documents with all correct / documents",
    source="Tsoumakas and Katakis, 2007",
)
def SubsetAccuracy(c: LinkContext, on: On, where: str | None) -> Expr:
    """The share of documents whose predicted links are those of the gold, and no others.

    With `on="entity_match"` these are the sets of entities of documents.  Documents without links on both sides count
    as equal; `documents=` names them.  `on` and `where` are those of `Precision`.

    Range: 0 to 1, higher is better.  Undefined without documents.

    Raises:
        MissingColumn: a table lacks a column that is compared.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Links(*ir.examples.links()).evaluate("SubsetAccuracy(on='entity_match')").summary()["value"].item()
        0.0
    """
    return c.equal_sets(on, where)


@count_measure("links", "NumGold", "gold", parameters=OF_LINKS)
def NumGold(c: LinkContext, on: On, where: str | None) -> Expr:
    """The number of links of the gold, or of classes of correct answers; equal ones count once.

    `on` and `where` are those of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Links(*ir.examples.links()).evaluate("NumGold").summary()["value"].item()
        5.0
    """
    return c.counts(on, where).gold


@count_measure("links", "NumPredicted", "predicted", parameters=OF_LINKS)
def NumPredicted(c: LinkContext, on: On, where: str | None) -> Expr:
    """The number of predicted links; equal ones count once, unless the policy calls them spurious.

    `on` and `where` are those of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Links(*ir.examples.links()).evaluate("NumPredicted").summary()["value"].item()
        5.0
    """
    return c.counts(on, where).predicted


@count_measure("links", "NumCorrect", "correct", parameters=OF_LINKS)
def NumCorrect(c: LinkContext, on: On, where: str | None) -> Expr:
    """The number of links that both the gold and the predictions have, or of classes of answers.

    `on` and `where` are those of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Links(*ir.examples.links()).evaluate("NumCorrect").summary()["value"].item()
        2.0
    """
    return c.counts(on, where).correct


@count_measure("links", "NumMissing", "gold − correct", KBP, parameters=OF_LINKS)
def NumMissing(c: LinkContext, on: On, where: str | None) -> Expr:
    """The number of links of the gold that are not predicted, or of classes of answers.

    `on` and `where` are those of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Links(*ir.examples.links()).evaluate("NumMissing").summary()["value"].item()
        3.0
    """
    n = c.counts(on, where)
    return n.gold - n.correct


@count_measure("links", "NumRedundant", "redundant", KBP, parameters=OF_LINKS)
def NumRedundant(c: LinkContext, on: On, where: str | None) -> Expr:
    """The number of predictions that say again what another one says, or what assessors call redundant.

    `on` and `where` are those of `Precision`.  Equal predictions are one, unless the policy calls them spurious.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> slots = ir.Links(*ir.examples.slots(), doc="query_id", on=["slot", "value"], policy="tac-kbp")
        >>> slots.evaluate("NumRedundant").summary()["value"].item()
        1.0
    """
    return _of_kind(c, on, where, "redundant")


@count_measure("links", "NumInexact", "inexact", KBP, parameters=OF_LINKS)
def NumInexact(c: LinkContext, on: On, where: str | None) -> Expr:
    """The number of predictions that assessors call inexact.

    `on` and `where` are those of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> slots = ir.Links(*ir.examples.slots(), doc="query_id", on=["slot", "value"], policy="tac-kbp")
        >>> slots.evaluate("NumInexact").summary()["value"].item()
        1.0
    """
    return _of_kind(c, on, where, "inexact")


@count_measure("links", "NumWrong", "predicted − correct − redundant − inexact", KBP, parameters=OF_LINKS)
def NumWrong(c: LinkContext, on: On, where: str | None) -> Expr:
    """The number of predictions that are not correct, redundant or inexact; also of those that were not judged.

    `on` and `where` are those of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> slots = ir.Links(*ir.examples.slots(), doc="query_id", on=["slot", "value"], policy="tac-kbp")
        >>> slots.evaluate("NumWrong").summary()["value"].item()
        1.0
    """
    judged = c.judged(on, where)
    n = comparing.summed(c, judged)
    return n.predicted - n.correct - c.sum(judged.table, judged.redundant) - c.sum(judged.table, judged.inexact)


def _of_kind(c: LinkContext, on: On, where: str | None, kind: str) -> Expr:
    judged = c.judged(on, where)
    return c.sum(judged.table, judged.redundant if kind == "redundant" else judged.inexact)
