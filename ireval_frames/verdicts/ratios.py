"""The ratios of suites for generated answers, under their names."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS, choice, number
from ireval_frames.verdicts.context import VerdictContext

UNSURE = number(0.0, "the value of an unsure verdict (idk)", low=0.0, high=1.0)
EMPTY = choice("undefined", "zero", "one", what="the value of an answer without such verdicts")
OF_VERDICTS = {"unsure": UNSURE, "empty": EMPTY}
MEAN = "Σ of verdicts / verdicts"


@measure(
    "verdicts",
    "ContextPrecision",
    at="",
    aliases=("ContextualPrecision", "ContextUtilization"),
    parameters={
        "epsilon": number(0.0, "what is added to the denominator; ragas adds 1e-10", low=0.0, high=1.0),
        **OF_VERDICTS,
    },
    undefined=None,
    formula="Σ_k v_k · (v_1 + … + v_k) / k / (Σ v + ε)",
    source="ragas (context precision), DeepEval (contextual precision)",
)
def ContextPrecision(c: VerdictContext, epsilon: float, unsure: float, empty: str) -> Expr:
    """Average precision of the retrieved passages, divided by the number of relevant ones that were retrieved.

    It is no precision, and it is AP only if all relevant passages were retrieved: relevant ones that were not do not
    count, so that one relevant passage at rank 1 has 1.  `epsilon=1e-10` gives ragas' value, which is never quite 1;
    DeepEval adds nothing.  ragas' IDBasedContextPrecision is another measure: `P` of ranked retrieval.  Where the
    verdicts are about the answer, not the reference, ragas calls it context utilization.

    Columns: verdict, rank (from 1); kind context.
    Range: 0 to 1, higher is better.  0 if nothing is relevant; undefined without verdicts, or `empty`.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("ContextPrecision")
        >>> ev.per_unit()["value"].round(4).to_list()
        [0.8333, 1.0]
    """
    return c.average_precision("context", unsure, epsilon, empty)


@measure(
    "verdicts",
    "ContextRelevance",
    at="",
    parameters=OF_VERDICTS,
    undefined=None,
    formula=MEAN,
    source="TruLens (context relevance)",
)
def ContextRelevance(c: VerdictContext, unsure: float, empty: str) -> Expr:
    """The mean relevance of the retrieved passages: the precision of the list, if verdicts are 0 and 1.

    TruLens rates passages from 0 to 3, and divides by 3 before it takes the mean.

    Columns: verdict; kind context.
    Range: 0 to 1, higher is better.  Undefined without verdicts, or `empty`.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("ContextRelevance")
        >>> ev.per_unit()["value"].round(4).to_list()
        [0.6667, 0.5]
    """
    return c.mean("context", unsure, empty)


@measure(
    "verdicts",
    "ContextualRelevancy",
    at="",
    parameters=OF_VERDICTS,
    undefined=None,
    formula=MEAN,
    source="DeepEval (contextual relevancy)",
)
def ContextualRelevancy(c: VerdictContext, unsure: float, empty: str) -> Expr:
    """The share of the statements of all retrieved passages that are relevant to the question.

    It is a precision by statements: long passages weigh more.  DeepEval's value without statements is 0
    (`empty="zero"`).

    Columns: verdict; kind context_statement.
    Range: 0 to 1, higher is better.  Undefined without verdicts, or `empty`.

    Example:
        >>> import ireval_frames as ir
        >>> frame = ir.examples.verdicts()
        >>> ir.verdicts.Verdicts(frame).evaluate("ContextualRelevancy(empty='zero')").summary()["value"].item()
        0.25
    """
    return c.mean("context_statement", unsure, empty)


@measure(
    "verdicts",
    "ContextRecall",
    at="",
    aliases=("ContextualRecall",),
    parameters=OF_VERDICTS,
    undefined=None,
    formula=MEAN,
    source="ragas (context recall), DeepEval (contextual recall)",
)
def ContextRecall(c: VerdictContext, unsure: float, empty: str) -> Expr:
    """The share of the claims of the reference answer that the retrieved passages show.

    It is the recall of claims, not of passages, and depends on how the reference was cut into claims; nugget recall of
    what was retrieved.  Without claims ragas' value is undefined, DeepEval's 0 (`empty="zero"`).

    Columns: verdict; kind reference_claim.
    Range: 0 to 1, higher is better.  Undefined without verdicts, or `empty`.

    Example:
        >>> import ireval_frames as ir
        >>> ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("ContextRecall").per_unit()["value"].to_list()
        [0.5, 1.0]
    """
    return c.mean("reference_claim", unsure, empty)


@measure(
    "verdicts",
    "Faithfulness",
    at="",
    aliases=("Groundedness",),
    parameters=OF_VERDICTS,
    undefined=None,
    formula=MEAN,
    source="ragas, DeepEval (faithfulness), TruLens (groundedness)",
)
def Faithfulness(c: VerdictContext, unsure: float, empty: str) -> Expr:
    """The share of the claims of the answer that the retrieved passages show: the precision of its claims.

    ragas counts claims that can be inferred, and is undefined without claims.  DeepEval counts those that are not
    contradicted, also what passages do not speak of, and has 1 without claims: `Faithfulness(unsure=1, empty="one")`.
    TruLens' groundedness is the mean over sentences of a rating from 0 to 3, divided by 3, abstentions as 1, and 0
    without sentences (`empty="zero"`).

    Columns: verdict; kind answer_claim.
    Range: 0 to 1, higher is better.  Undefined without verdicts, or `empty`.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("Faithfulness Faithfulness(unsure=1)")
        >>> ev.per_unit().pivot("measure", index="query_id", values="value").rows()
        [('q1', 0.6666666666666666, 0.6666666666666666), ('q2', 0.5, 1.0)]
    """
    return c.mean("answer_claim", unsure, empty)


@measure(
    "verdicts",
    "AnswerRelevancy",
    at="",
    aliases=("AnswerRelevance",),
    parameters={**OF_VERDICTS, "unsure": number(1.0, "the value of an unsure verdict (idk)", low=0.0, high=1.0)},
    undefined=None,
    formula=MEAN,
    source="DeepEval (answer relevancy), TruLens (answer relevance)",
)
def AnswerRelevancy(c: VerdictContext, unsure: float, empty: str) -> Expr:
    """The share of the statements of the answer that are relevant to the question; what is unsure counts as relevant.

    DeepEval has 1 without statements (`empty="one"`), and counts what is unsure as irrelevant if it is told to penalise
    that (`unsure=0`).  TruLens rates the whole answer: one row.  It says nothing of whether the answer is
    right.  ragas' answer relevancy is no ratio of verdicts: it is the mean cosine of the question and of questions that
    a model makes from the answer; pass these cosines as verdicts, 0 if every one of them was noncommittal.

    Columns: verdict; kind answer_statement.
    Range: 0 to 1, higher is better.  Undefined without verdicts, or `empty`.

    Example:
        >>> import ireval_frames as ir
        >>> ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("AnswerRelevancy").per_unit()["value"].to_list()
        [0.5, 1.0]
    """
    return c.mean("answer_statement", unsure, empty)


@measure(
    "verdicts",
    "Hallucination",
    at="",
    parameters=OF_VERDICTS,
    higher_is_better=False,
    undefined=None,
    formula="1 − Σ of verdicts / verdicts",
    source="DeepEval (hallucination)",
)
def Hallucination(c: VerdictContext, unsure: float, empty: str) -> Expr:
    """The share of the passages that the answer does not agree with.

    It counts passages, not claims: what the answer makes up and no passage speaks of does not
    count.  `HallucinationRate` of citations counts sentences.  DeepEval's value without passages is 0 (`empty="zero"`).

    Columns: verdict (1: it agrees); kind context_agreement.
    Range: 0 to 1, lower is better.  Undefined without verdicts, or `empty`.

    Example:
        >>> import ireval_frames as ir
        >>> ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("Hallucination").per_unit()["value"].to_list()
        [0.5, None]
    """
    return c.disagreement("context_agreement", unsure, empty)


@measure(
    "verdicts",
    "NumVerdicts",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="verdicts",
    source="counted",
)
def NumVerdicts(c: VerdictContext) -> Expr:
    """The number of verdicts of an answer, of all kinds.

    Range: 0 upwards.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("NumVerdicts").per_unit()["value"].to_list()
        [14.0, 7.0]
    """
    return c.tables.verdicts.count()
