"""Error rates over matched and lone spans, documents without an error, and numbers of spans."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.documents.counting import count_measure
from ireval_frames.expr import Expr, lit
from ireval_frames.parameters import UPWARDS, choice
from ireval_frames.ratios import indicator
from ireval_frames.spans.context import MODES, SpanContext, mode_flags
from ireval_frames.spans.precision import ASSIGNMENT, MUC

MODE = choice(*MODES, what="when a matched pair is correct: place and type, place, place (else partially), or type")


@measure(
    "spans",
    "SlotErrorRate",
    aliases=("SER",),
    at="",
    parameters={"errors": choice("equal", "half", what="whether a wrong type or a wrong place only is half an error")},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    aggregation="pooled",
    formula="(S + D + I) / gold",
    source="Makhoul et al., Performance measures for information extraction, 1999; half errors: ETAPE 2012",
    runs="python",
    cost=ASSIGNMENT,
)
def SlotErrorRate(c: SpanContext, errors: str) -> Expr:
    """The number of errors over that of gold spans.

    SER = (S + D + I) / number of gold spans: S matched pairs of which type or place are wrong, D gold spans without a
    match, I predicted ones.  With `errors="half"` a pair counts ½ for the type, and ½ for the place.

    Range: 0 and up, lower is better.  Undefined without gold spans.

    Example:
        >>> import ireval_frames as ir
        >>> s = ir.Spans(*ir.examples.spans())
        >>> s.evaluate("SlotErrorRate SlotErrorRate(errors='half')").summary()["value"].to_list()
        [0.8, 0.6]
    """
    correct, _ = mode_flags("strict")
    half = 1.0 - 0.5 * mode_flags("exact")[0] - 0.5 * mode_flags("type")[0]
    alone = c.num_gold + c.num_predicted - 2.0 * c.over_pairs(lit(1.0))
    return c.ratio(alone + c.over_pairs(1.0 - correct if errors == "equal" else half), c.num_gold)


@measure(
    "spans",
    "ErrorRate",
    at="",
    parameters={"match": MODE},
    higher_is_better=False,
    undefined=None,
    aggregation="pooled",
    formula="(INC + ½PAR + MIS + SPU) / (COR + INC + PAR + MIS + SPU)",
    source=MUC,
    runs="python",
    cost=ASSIGNMENT,
)
def ErrorRate(c: SpanContext, match: str) -> Expr:
    """The share of errors among all matched and lone spans: MUC's error per response fill.

    ERR = (INC + ½PAR + MIS + SPU) / (COR + INC + PAR + MIS + SPU), with the counts of `Spans.counts`.

    Range: 0 to 1, lower is better.  Undefined where neither side has spans.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("ErrorRate").summary()["value"].round(4).to_list()
        [0.6667]
    """
    correct, partial = mode_flags(match)
    pairs = c.over_pairs(lit(1.0))
    alone = c.num_gold + c.num_predicted - 2.0 * pairs
    return c.ratio(alone + c.over_pairs(1.0 - correct - 0.5 * partial), alone + pairs)


@measure(
    "spans",
    "Undergeneration",
    aliases=("UND",),
    at="",
    higher_is_better=False,
    undefined=None,
    aggregation="pooled",
    formula="MIS / POS",
    source=MUC,
    runs="python",
    cost=ASSIGNMENT,
)
def Undergeneration(c: SpanContext) -> Expr:
    """The share of gold spans that no predicted span is matched with.

    UND = MIS / POS.

    Range: 0 to 1, lower is better.  Undefined without gold spans.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("Undergeneration").summary()["value"].to_list()
        [0.2]
    """
    return c.ratio(c.num_gold - c.over_pairs(lit(1.0)), c.num_gold)


@measure(
    "spans",
    "Overgeneration",
    aliases=("OVG",),
    at="",
    higher_is_better=False,
    undefined=None,
    aggregation="pooled",
    formula="SPU / ACT",
    source=MUC,
    runs="python",
    cost=ASSIGNMENT,
)
def Overgeneration(c: SpanContext) -> Expr:
    """The share of predicted spans that no gold span is matched with.

    OVG = SPU / ACT.

    Range: 0 to 1, lower is better.  Undefined without predicted spans.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("Overgeneration").summary()["value"].to_list()
        [0.2]
    """
    return c.ratio(c.num_predicted - c.over_pairs(lit(1.0)), c.num_predicted)


@measure(
    "spans",
    "Substitution",
    aliases=("SUB",),
    at="",
    parameters={"match": MODE},
    higher_is_better=False,
    undefined=None,
    aggregation="pooled",
    formula="(INC + ½PAR) / (COR + INC + PAR)",
    source=MUC,
    runs="python",
    cost=ASSIGNMENT,
)
def Substitution(c: SpanContext, match: str) -> Expr:
    """The share of errors among matched spans.

    SUB = (INC + ½PAR) / (COR + INC + PAR), with the counts of `Spans.counts`.

    Range: 0 to 1, lower is better.  Undefined where no spans are matched.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("Substitution(match='partial')").summary()["value"].to_list()
        [0.125]
    """
    correct, partial = mode_flags(match)
    return c.ratio(c.over_pairs(1.0 - correct - 0.5 * partial), c.over_pairs(lit(1.0)))


@measure(
    "spans",
    "SubsetAccuracy",
    aliases=("ExactDocuments",),
    at="",
    undefined=None,
    aggregation="pooled",
    formula="documents without an error / documents",
    source="scikit-learn, accuracy of multi-label items",
)
def SubsetAccuracy(c: SpanContext) -> Expr:
    """The share of documents whose predicted spans are exactly the gold ones, by place and type.

    Documents without a span on either side count where `documents=` names them.

    Range: 0 to 1, higher is better.  Undefined without documents.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("SubsetAccuracy").summary()["value"].to_list()
        [0.5]
    """
    documents = c.tables.documents
    n, gold, predicted = (t.count(into=documents) for t in (c.tables.exact, c.tables.gold, c.tables.predicted))
    return c.ratio(c.over_documents(indicator((n == gold) & (n == predicted))), c.num_documents)


@count_measure("spans", "NumGold", "gold spans")
def NumGold(c: SpanContext) -> Expr:
    """The number of gold spans.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("NumGold").summary()["value"].to_list()
        [5.0]
    """
    return c.num_gold


@count_measure("spans", "NumPredicted", "predicted spans")
def NumPredicted(c: SpanContext) -> Expr:
    """The number of predicted spans.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("NumPredicted").summary()["value"].to_list()
        [5.0]
    """
    return c.num_predicted
