"""Measures of relations and events: what the predictions have of the gold, and what besides."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.documents.compared import AVERAGE
from ireval_frames.documents.counting import count_measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import Parameter, choice, flag, number
from ireval_frames.relations.context import RelationContext
from ireval_frames.relations.tables import MATCHES

ACE = "Doddington et al., 2004 (ACE); Taillé et al., 2020"
EVENTS = "Ji and Grishman, 2008; Huang et al., 2024 (TextEE)"
SOURCE = f"{ACE}; of events {EVENTS}"
MATCH: Parameter = choice(
    *MATCHES,
    what="what must be equal: of relations the label and both arguments with their types (strict), spans (boundary), "
    "last or head tokens (head) or entities; of events the trigger or the argument, without or with its type or role",
)
ATTACHED = flag(what="an event's argument is that of one trigger: its span must be equal, too")
SHARED = {"match": MATCH, "attached": ATTACHED, "average": AVERAGE}
OF_SETS = {"match": MATCH, "attached": ATTACHED}


@measure(
    "relations",
    "Precision",
    at="",
    parameters=SHARED,
    aggregation="pooled",
    undefined=None,
    formula="correct / predicted",
    source=SOURCE,
)
def Precision(c: RelationContext, match: str, average: str, *, attached: bool) -> Expr:
    """The share of predicted relations that are in the gold.

    P = correct / predicted, summed over documents.  Relations are equal where all is equal that `match` compares:

    | `match` | what must be equal |
    |---|---|
    | strict | label, and start, end and type of both arguments |
    | boundary | label, and start and end of both arguments |
    | head | label, and the head token of both arguments; by default the last one, which `end` tells |
    | entities | label, `head_id` and `tail_id`: a document is a set of relations between entities |
    | trigger-identification | of events, start and end of the trigger |
    | trigger-classification | the same, and the event's type |
    | argument-identification | start and end of the argument, and the event's type |
    | argument-classification | the same, and the argument's role |

    With `attached=True` an argument counts for its trigger's span only.  The averages are over labels, event types or
    roles, which the gold or the predictions have: `macro` the mean of those that have a value, `weighted` by their
    number in the gold.  `aggregation="mean"` is the mean over documents.

    Columns: label (text or numbers), starts, ends and tokens (whole numbers), types and ids (text or numbers).

    Range: 0 to 1, higher is better.  Undefined without predicted relations.

    Raises:
        MissingColumn: a table lacks a column that is compared.
        NotDefined: a mean over types of triggers without types.

    Example:
        >>> import ireval_frames as ir
        >>> relations = ir.Relations(*ir.examples.relations())
        >>> relations.evaluate("Precision Precision(match='boundary')").summary()["value"].to_list()
        [0.4, 0.6]
    """
    return c.averaged(lambda n: c.ratio(n.correct_predicted, n.predicted), match, average, attached=attached)


@measure(
    "relations",
    "Recall",
    at="",
    parameters=SHARED,
    aggregation="pooled",
    undefined=None,
    formula="correct / gold",
    source=SOURCE,
)
def Recall(c: RelationContext, match: str, average: str, *, attached: bool) -> Expr:
    """The share of the gold's relations that are predicted.

    R = correct / gold, summed over documents; `match` and the averages are those of `Precision`.

    Range: 0 to 1, higher is better.  Undefined without relations in the gold.

    Raises:
        MissingColumn: a table lacks a column that is compared.
        NotDefined: a mean over types of triggers without types.

    Example:
        >>> import ireval_frames as ir
        >>> relations = ir.Relations(*ir.examples.relations())
        >>> relations.evaluate("Recall Recall(match='head')").summary()["value"].to_list()
        [0.4, 0.8]
    """
    return c.averaged(lambda n: c.ratio(n.correct, n.gold), match, average, attached=attached)


@measure(
    "relations",
    "F1",
    at="",
    parameters=SHARED,
    aggregation="pooled",
    undefined=None,
    formula="2·correct / (gold + predicted)",
    source=SOURCE,
)
def F1(c: RelationContext, match: str, average: str, *, attached: bool) -> Expr:
    """The harmonic mean of precision and recall.

    F1 = 2·correct / (gold + predicted), summed over documents; `match` and the averages are those of `Precision`.

    Range: 0 to 1, higher is better; 0 where nothing is correct.  Undefined without relations on either side.

    Raises:
        MissingColumn: a table lacks a column that is compared.
        NotDefined: a mean over types of triggers without types.

    Example:
        >>> import ireval_frames as ir
        >>> events = ir.Relations(*ir.examples.events())
        >>> matches = ["trigger-classification", "argument-identification", "argument-classification"]
        >>> measures = [ir.relations.F1(match=m) for m in matches]
        >>> events.evaluate(measures).summary()["value"].round(4).to_list()
        [0.6667, 0.75, 0.5]
    """
    return c.averaged(lambda n: c.f_value(n, 1.0), match, average, attached=attached)


@measure(
    "relations",
    "F",
    at="",
    aliases=("FBeta",),
    parameters={"beta": number(1.0, "the weight of recall", 0.0), **SHARED},
    aggregation="pooled",
    undefined=None,
    formula="(1+β²)·correct / (β²·gold + predicted)",
    source="van Rijsbergen, 1979",
)
def F(c: RelationContext, beta: float, match: str, average: str, *, attached: bool) -> Expr:
    """The weighted harmonic mean of precision and recall: recall counts β times as much.

    F = (1+β²)·correct / (β²·gold + predicted), summed over documents; `match` and the averages are those of
    `Precision`.

    Range: 0 to 1, higher is better; 0 where nothing is correct.  Undefined without relations on either side.

    Raises:
        MissingColumn: a table lacks a column that is compared.
        NotDefined: a mean over types of triggers without types.

    Example:
        >>> import ireval_frames as ir
        >>> relations = ir.Relations(*ir.examples.relations())
        >>> relations.evaluate("F(beta=2, match='boundary')").summary()["value"].round(4).item()
        0.6
    """
    return c.averaged(lambda n: c.f_value(n, beta), match, average, attached=attached)


@measure(
    "relations",
    "ArgumentScore",
    at="",
    aliases=("EAArg",),
    parameters={
        "penalty": number(0.25, "what a spurious argument costs", 0.0),
        "match": choice("argument-classification", *MATCHES, what=MATCH.what),
        "attached": ATTACHED,
    },
    aggregation="pooled",
    undefined=None,
    formula="Σ max(0, correct − penalty·spurious) / gold",
    source="TAC KBP 2015, event arguments",
)
def ArgumentScore(c: RelationContext, penalty: float, match: str, *, attached: bool) -> Expr:
    """The correct arguments of events less a part of the spurious ones, as a share of the gold.

    Σ_d max(0, correct_d − penalty·spurious_d) / Σ_d gold_d over documents d: no document counts less than 0.
    `match` is that of `Precision`.

    Range: 0 to 1, higher is better.  Undefined without arguments in the gold.

    Raises:
        MissingColumn: a table lacks a column that is compared.

    Example:
        >>> import ireval_frames as ir
        >>> events = ir.Relations(*ir.examples.events())
        >>> events.evaluate("ArgumentScore ArgumentScore(penalty=0)").summary()["value"].round(4).to_list()
        [0.375, 0.5]
    """
    compared = c.compared(match, attached=attached)
    n, documents = compared.counts, c.tables.documents
    correct, predicted = (compared.table.sum(e, into=documents) for e in (n.correct, n.predicted))
    score = documents.column(correct - penalty * (predicted - correct), "score")
    above = c.over_documents(when(score > 0).then(score).otherwise(0.0))
    return c.ratio(above, c.sum(compared.table, n.gold))


@measure(
    "relations",
    "SubsetAccuracy",
    at="",
    parameters=OF_SETS,
    aggregation="pooled",
    undefined=None,
    formula="documents with all correct / documents",
    source="Tsoumakas and Katakis, 2007",
)
def SubsetAccuracy(c: RelationContext, match: str, *, attached: bool) -> Expr:
    """The share of documents whose predicted relations are those of the gold, and no others.

    Documents without relations on both sides count as equal; `documents=` names them.  `match` is that of `Precision`.

    Range: 0 to 1, higher is better.  Undefined without documents.

    Raises:
        MissingColumn: a table lacks a column that is compared.

    Example:
        >>> import ireval_frames as ir
        >>> relations = ir.Relations(*ir.examples.relations())
        >>> relations.evaluate("SubsetAccuracy(match='entities')").summary()["value"].item()
        0.5
    """
    return c.equal_sets(match, attached=attached)


@count_measure("relations", "NumGold", "gold", parameters=OF_SETS)
def NumGold(c: RelationContext, match: str, *, attached: bool) -> Expr:
    """The number of relations of the gold; equal ones count once.

    `match` is that of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Relations(*ir.examples.relations()).evaluate("NumGold").summary()["value"].item()
        5.0
    """
    return c.counts(match, attached=attached).gold


@count_measure("relations", "NumPredicted", "predicted", parameters=OF_SETS)
def NumPredicted(c: RelationContext, match: str, *, attached: bool) -> Expr:
    """The number of predicted relations; equal ones count once, unless the policy calls them spurious.

    `match` is that of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Relations(*ir.examples.relations()).evaluate("NumPredicted").summary()["value"].item()
        5.0
    """
    return c.counts(match, attached=attached).predicted


@count_measure("relations", "NumCorrect", "correct", parameters=OF_SETS)
def NumCorrect(c: RelationContext, match: str, *, attached: bool) -> Expr:
    """The number of relations that both the gold and the predictions have.

    `match` is that of `Precision`.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Relations(*ir.examples.relations()).evaluate("NumCorrect").summary()["value"].item()
        2.0
    """
    return c.counts(match, attached=attached).correct
