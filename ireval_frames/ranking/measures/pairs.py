"""Measures of pairs: how often a relevant document is ranked above one that is not."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import flag
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import CUTOFF, JUDGED_ONLY, REL, documents


@measure(
    "ranking",
    "Accuracy",
    parameters={"rel": REL, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    undefined=None,
    relevant=documents,
    formula="1 − Σ over relevant of not relevant above / (relevant · not relevant), among the first k",
    source="ir_measures",
)
def Accuracy(q: Query, rel: float, cutoff: int | None) -> Expr:
    """The probability that a relevant document is ranked above one that is not, among the top k.

    Accuracy@k = 1 − Σ (i − H(i)) / (H(k) · (min(k, n) − H(k))) over the relevant documents at ranks i ≤ k.  Unjudged
    documents count as not relevant.  ir_measures leaves out queries without a relevant document in the top k, and
    fails where all are relevant; here both are undefined.

    Range: 0 to 1, higher is better.  Undefined where all of the top k documents are relevant, or none is.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Accuracy Accuracy@3").summary()["value"].round(4).to_list()
        [0.8333, 0.5]
    """
    hit, n = q.relevant(rel), q.num_retrieved
    hits = q.sum(hit, cutoff)
    depth = n if cutoff is None else when(n < cutoff).then(n).otherwise(cutoff * 1.0)
    return 1.0 - q.ratio(q.sum(hit * q.rank, cutoff) - hits * (hits + 1.0) / 2.0, hits * (depth - hits))


@measure(
    "ranking",
    "AUC",
    parameters={
        "rel": REL,
        "unretrieved": flag(what="append judged documents that were not retrieved to the list, as ties"),
        "judged_only": JUDGED_ONLY,
    },
    aliases=("ROC_AUC",),
    undefined=None,
    relevant=documents,
    formula="pairs with the relevant document above / (relevant · not relevant)",
    source="Hanley and McNeil, Radiology 143, 1982",
)
def AUC(q: Query, rel: float, *, unretrieved: bool) -> Expr:
    """The area under the ROC curve of the list: of relevant against other documents.

    AUC = 1 − (Σ i − H(H+1)/2) / (H · (n − H)) over the ranks i of the H relevant documents retrieved.  Unjudged
    documents count as not relevant; `judged_only=True` removes them.  Documents that were not retrieved do not
    count, so a short list of relevant documents is as good as a long one; with `unretrieved=True` the judged ones
    among them follow the list, each pair of them counts half, and the area is over all judged and retrieved
    documents.  Tied scores are ordered as in all measures; under policy="ties=expectation" a tied pair counts
    half, as usual for this measure.

    Range: 0 to 1, higher is better; 0.5 is a random order.  Undefined where all documents are relevant, none is,
    or nothing was retrieved.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "AUC AUC(judged_only=True) AUC(unretrieved=True)")
        >>> ev.summary()["value"].round(4).to_list()
        [0.8333, 0.75, 0.5556]
    """
    hits, n = q.discounted_sum(q.relevant(rel)), q.num_retrieved
    ranks = q.discounted_sum(q.relevant(rel), lambda rank: 1.0 / rank)
    above = hits * (n - hits) - (ranks - hits * (hits + 1.0) / 2.0)
    if not unretrieved:
        return q.ratio(above, hits * (n - hits))
    relevant, missed = q.num_relevant(rel), q.num_nonrelevant(rel) - q.discounted_sum(q.nonrelevant(rel))
    value = q.ratio(above + hits * missed + (relevant - hits) * missed / 2.0, relevant * (n - hits + missed))
    return when(n > 0).then(value)
