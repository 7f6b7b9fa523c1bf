"""Measures for judgments that cover only part of what was retrieved."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.catalog import measure
from ireval_frames.measure import TrecName
from ireval_frames.ranking.context import Query, one_if
from ireval_frames.ranking.precision import CUTOFF, JUDGED_ONLY, REL

# trec_eval's smoothing of the share of relevant documents among the judged ones above.
EPSILON = 1e-5


@measure(
    "ranking",
    "Bpref",
    parameters={"rel": REL},
    aliases=("BPref",),
    trec=[TrecName("bpref"), TrecName("gm_bpref", fixed={"aggregation": "geometric"})],
    formula="1/R Σ over relevant (1 − min(nonrelevant above, R) / min(N, R))",
    source="Buckley and Voorhees, SIGIR 2004; trec_eval",
)
def Bpref(q: Query, rel: float) -> nw.Expr:
    """How seldom judged non-relevant documents stand above relevant ones.

    bpref = 1/R Σ over retrieved relevant documents of 1 − min(n_above, R) / min(N, R), where n_above counts documents
    judged non-relevant above it and N all of them; unjudged documents (negative grades among them) are skipped.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Bpref").wide()["Bpref"].round(4).to_list()
        [0.5]
    """
    relevant, nonrelevant = q.num_relevant(rel), q.num_nonrelevant(rel)
    above, here = q.so_far(q.nonrelevant(rel)), q.of_query(relevant)
    fewer = q.of_query(nw.when(nonrelevant < relevant).then(nonrelevant).otherwise(relevant))
    worse = nw.when(above < here).then(above).otherwise(here)
    term = nw.when(above > 0).then(1.0 - worse / fewer).otherwise(1.0)
    return q.per_relevant(q.sum(nw.when(q.relevant(rel) > 0).then(term).otherwise(0.0)), relevant)


@measure(
    "ranking",
    "infAP",
    parameters={"rel": REL},
    trec=[TrecName("infAP")],
    formula="1/R Σ over relevant of the expected precision at their ranks",
    source="Yilmaz and Aslam, CIKM 2006; trec_eval",
)
def infAP(q: Query, rel: float) -> nw.Expr:
    """Inferred average precision: AP estimated from a random sample of the judgments.

    For a relevant document at rank i, the expected precision is 1/i + (i−1)/i · (pooled above / (i−1)) · (relevant above
    + ε) / (judged above + 2ε), with ε = 0.00001; documents with negative grades are pooled but not judged, documents
    without any judgment are not pooled.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "infAP").wide()["infAP"].round(4).to_list()
        [0.5556]
    """
    hit = q.relevant(rel)
    relevant_above = q.so_far(hit) - 1.0
    nonrelevant_above = q.so_far(q.nonrelevant(rel))
    pooled_above = relevant_above + nonrelevant_above + q.so_far(one_if(q.relevance < 0))
    judged_above = relevant_above + nonrelevant_above
    before = q.rank - 1.0
    share = (relevant_above + EPSILON) / (judged_above + 2.0 * EPSILON)
    expected = 1.0 / (before + 1.0) + (before / (before + 1.0)) * (pooled_above / before) * share
    term = nw.when(before > 0).then(expected).otherwise(1.0)
    return q.per_relevant(q.sum(nw.when(hit > 0).then(term).otherwise(0.0)), q.num_relevant(rel))


@measure(
    "ranking",
    "Judged",
    parameters={"cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    higher_is_better=None,
    undefined=None,
    formula="judged among the first min(k, n), divided by min(k, n)",
    source="ir_measures",
)
def Judged(q: Query, cutoff: int | None) -> nw.Expr:
    """The share of judged documents among the first k (among all retrieved ones without a cutoff).

    Judged@k divides by the smaller of k and n.  Negative grades are pooled, not judged.

    Range: 0 to 1.  Undefined where nothing was retrieved.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Judged@5").wide()["Judged@5"].round(4).to_list()
        [0.8]
    """
    n = q.num_retrieved
    seen = n if cutoff is None else nw.when(n < cutoff).then(n).otherwise(float(cutoff))
    return q.ratio(q.sum(q.judged, cutoff), seen)
