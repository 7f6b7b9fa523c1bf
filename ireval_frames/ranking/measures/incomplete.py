"""Measures for judgments that cover only part of what was retrieved."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.declaration import TrecName
from ireval_frames.expr import Expr, lit, when
from ireval_frames.parameters import number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import CUTOFF, JUDGED_ONLY, REL, REQUIRED_CUTOFF, documents
from ireval_frames.ratios import indicator

# trec_eval's smoothing of the share of relevant documents among the judged ones above.
EPSILON = 1e-5


@measure(
    "ranking",
    "Bpref",
    parameters={"rel": REL},
    aliases=("BPref",),
    trec=[TrecName("bpref"), TrecName("gm_bpref", fixed={"aggregation": "geometric"})],
    relevant=documents,
    formula="1/R Σ over relevant (1 − min(nonrelevant above, R) / min(N, R))",
    source="Buckley and Voorhees, SIGIR 2004; trec_eval",
)
def Bpref(q: Query, rel: float) -> Expr:
    """Binary preference: how rarely judged non-relevant documents are ranked above relevant ones.

    bpref = 1/R Σ over retrieved relevant documents of 1 − min(n_above, R) / min(N, R), where n_above counts documents
    judged non-relevant above it and N all of them; unjudged documents (negative grades among them) are skipped.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Bpref").wide()["Bpref"].round(4).to_list()
        [0.5]
    """
    relevant, nonrelevant = q.num_relevant(rel), q.num_nonrelevant(rel)
    above, n_relevant = q.so_far(q.nonrelevant(rel)), q.of_query(relevant)
    fewer = q.of_query(when(nonrelevant < relevant).then(nonrelevant).otherwise(relevant))
    worse = when(above < n_relevant).then(above).otherwise(n_relevant)
    term = when(above > 0).then(1.0 - worse / fewer).otherwise(1.0)
    return q.ratio(q.sum(when(q.relevant(rel) > 0).then(term).otherwise(0.0)), relevant)


@measure(
    "ranking",
    "infAP",
    parameters={"rel": REL},
    trec=[TrecName("infAP")],
    relevant=documents,
    formula="1/R Σ over relevant of the expected precision at their ranks",
    source="Yilmaz and Aslam, CIKM 2006; trec_eval",
)
def infAP(q: Query, rel: float) -> Expr:
    """Inferred average precision: AP estimated from a random sample of the judgments of one pool.

    For a relevant document at rank i, the expected precision is 1/i + (i−1)/i · (pooled above / (i−1)) · (relevant
    above + ε) / (judged above + 2ε), with ε = 0.00001; documents with negative grades are pooled but not judged,
    documents without any judgment are not pooled.  It is trec_eval's; what sample_eval prints as infAP is xinfAP, which
    reads the strata of a sample.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "infAP").wide()["infAP"].round(4).to_list()
        [0.5556]
    """
    hit = q.relevant(rel)
    relevant_above = q.so_far(hit) - 1.0
    nonrelevant_above = q.so_far(q.nonrelevant(rel))
    pooled_above = relevant_above + nonrelevant_above + q.so_far(indicator(q.relevance < 0))
    judged_above = relevant_above + nonrelevant_above
    before = q.rank - 1.0
    share = (relevant_above + EPSILON) / (judged_above + 2.0 * EPSILON)
    expected = 1.0 / (before + 1.0) + (before / (before + 1.0)) * (pooled_above / before) * share
    term = when(before > 0).then(expected).otherwise(1.0)
    return q.ratio(q.sum(when(hit > 0).then(term).otherwise(0.0)), q.num_relevant(rel))


@measure(
    "ranking",
    "Judged",
    parameters={"cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    higher_is_better=None,
    undefined=None,
    relevant=None,
    formula="judged among the first min(k, n), divided by min(k, n)",
    source="ir_measures",
)
def Judged(q: Query, cutoff: int | None) -> Expr:
    """The share of judged documents among the first k (among all retrieved ones without a cutoff).

    Judged@k divides by the smaller of k and n.  Negative grades are pooled, not judged.

    Range: 0 to 1.  Undefined where nothing was retrieved.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Judged@5").wide()["Judged@5"].round(4).to_list()
        [0.8]
    """
    n = q.num_retrieved
    depth = n if cutoff is None else when(n < cutoff).then(n).otherwise(cutoff * 1.0)
    return q.ratio(q.sum(q.judged, cutoff), depth)


@measure(
    "ranking",
    "Unjudged",
    parameters={"cutoff": REQUIRED_CUTOFF, "judged_only": JUDGED_ONLY},
    higher_is_better=None,
    trec=[TrecName("unj", parameter="cutoff", defaults=(5, 10, 20))],
    relevant=None,
    formula="unjudged among the first k, divided by k",
    source="trec_eval 10",
)
def Unjudged(q: Query, cutoff: int) -> Expr:
    """The share of documents without a judgment among the first k.

    Unjudged@k = (min(k, n) − judged among the first k) / k.  A list shorter than k counts as filled up with judged
    documents.  Negative grades are pooled, not judged.  High values mean that the judgments do not cover the run.

    Range: 0 to 1.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Unjudged@5").wide()["Unjudged@5"].round(4).to_list()
        [0.2]
    """
    n = q.num_retrieved
    depth = when(n < cutoff).then(n).otherwise(cutoff * 1.0)
    return (depth - q.sum(q.judged, cutoff)) / cutoff


@measure(
    "ranking",
    "RBPresid",
    parameters={
        "p": number(0.9, "the probability of continuing to the next document", low=0.0, high=1.0, open_ends=True),
        "judged_only": JUDGED_ONLY,
    },
    higher_is_better=None,
    trec=[TrecName("rbp_resid")],
    relevant=None,
    formula="1 − (1−p) Σ over judged of p^(i−1); 0 if all are judged",
    source="trec_eval 10; Moffat and Zobel, ACM TOIS 27(1), 2008",
)
def RBPresid(q: Query, p: float) -> Expr:
    """How much rank-biased precision could rise if unjudged documents, in or below the list, had the largest gain.

    RBPresid = p^n + (1−p) Σ over unjudged retrieved documents at rank i of p^(i−1), which equals 1 − (1−p)
    Σ over judged ones of p^(i−1).  As in trec_eval it is 0 where every retrieved document is judged,
    though p^n remains there, too.

    Range: 0 to 1; the uncertainty of RBP with the same p.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "RBPresid").wide()["RBPresid"].round(4).to_list()
        [0.6634]
    """
    weight = q.rows.column(lit(p) ** (q.rank - 1.0))
    residual = 1.0 - (1.0 - p) * q.sum(q.judged * weight)
    return when(q.num_retrieved > q.sum(q.judged)).then(residual).otherwise(0.0)
