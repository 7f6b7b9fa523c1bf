"""Measures of pairs: how often the better of two documents is ranked above the other."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import choice, flag
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import CUTOFF, JUDGED_ONLY, N_DOCS, REL, documents, require_collection
from ireval_frames.ranking.preferences.implied import Preferences

UNRETRIEVED = flag(what="append judged documents that were not retrieved to the list, as ties")


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
        "unretrieved": UNRETRIEVED,
        "n_docs": N_DOCS,
        "judged_only": JUDGED_ONLY,
    },
    aliases=("ROC_AUC",),
    undefined=None,
    relevant=documents,
    formula="pairs with the relevant document above / (relevant · not relevant)",
    source="Hanley and McNeil, Radiology 143, 1982",
)
def AUC(q: Query, rel: float, *, unretrieved: bool, n_docs: float) -> Expr:
    """The area under the ROC curve of the list: of relevant against other documents.

    AUC = 1 − (Σ i − H(H+1)/2) / (H · (n − H)) over the ranks i of the H relevant documents retrieved.  Unjudged
    documents count as not relevant; `judged_only=True` removes them.  Documents that were not retrieved do not
    count, so a short list of relevant documents is as good as a long one; with `unretrieved=True` the judged ones
    among them follow the list, each pair of them counts half, and the area is over all judged and retrieved
    documents; with `n_docs` all others of a collection of that size do, so that lists of any length are compared over
    the same documents, of which those without a judgment are not relevant.  Tied scores are ordered as in all
    measures; under policy="ties=expectation" a tied pair counts half, as usual for this measure.

    Range: 0 to 1, higher is better; 0.5 is a random order.  Undefined where all documents are relevant, none is,
    or nothing was retrieved.  Raises InvalidValue if `n_docs` is smaller than the number of known documents.

    Example:
        >>> import ireval_frames as ir
        >>> measures = "AUC AUC(judged_only=True) AUC(unretrieved=True) AUC(n_docs=100)"
        >>> ev = ir.evaluate(*ir.examples.ranking(), measures)
        >>> ev.summary()["value"].round(4).to_list()
        [0.8333, 0.75, 0.5556, 0.8247]
    """
    hits, n = q.discounted_sum(q.relevant(rel)), q.num_retrieved
    ranks = q.discounted_sum(q.relevant(rel), lambda rank: 1.0 / rank)
    above = hits * (n - hits) - (ranks - hits * (hits + 1.0) / 2.0)
    if not unretrieved and not n_docs:
        return q.ratio(above, hits * (n - hits))
    relevant = q.num_relevant(rel)
    if n_docs:
        missed = n_docs - relevant - (n - hits)
        require_collection(q, "AUC", n_docs, missed < 0)
    else:
        missed = q.num_nonrelevant(rel) - q.discounted_sum(q.nonrelevant(rel))
    value = q.ratio(above + hits * missed + (relevant - hits) * missed / 2.0, relevant * (n - hits + missed))
    return when(n > 0).then(value)


@measure(
    "ranking",
    "GradeTau",
    parameters={
        "variant": choice("b", "a", what="'b' corrects for ties, 'a' divides by all pairs of documents"),
        "unretrieved": UNRETRIEVED,
    },
    range=(-1.0, 1.0),
    undefined=None,
    relevant=None,
    formula="a: (C − D) / (n(n−1)/2); b: (C − D) / √((n(n−1)/2 − T)(n(n−1)/2 − U))",
    source="Kendall, Biometrika 30, 1938, and 33, 1945",
)
def GradeTau(q: Query, variant: str, *, unretrieved: bool) -> Expr:
    """Kendall's τ of the list against the grades: whether better documents are ranked above worse ones.

    C counts the pairs of judged documents of which the list has the one of the larger grade first, D those with the
    other one first; T are the pairs that the list ties, U those of equal grades.  τ_a divides C − D by all n(n−1)/2
    pairs, τ_b by the geometric mean of the pairs that the list and the grades do not tie.  Documents without a
    judgment, or with a negative grade, have no grade and do not count.  The list ties nothing, unless
    `unretrieved=True` appends the judged documents that were not retrieved, which it ties with each other.  For binary
    grades both are multiples of 2 AUC(judged_only=True) − 1.  `ir.Similarity` has the τ of two rankings.

    Range: −1 (worst first) to 1 (best first), higher is better.  Undefined for fewer than two such documents; τ_b
    also where all have one grade.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "GradeTau GradeTau(variant='a') GradeTau(unretrieved=True)")
        >>> ev.summary()["value"].round(4).to_list()
        [0.1826, 0.1667, -0.1054]
    """
    order = Preferences(q, of_grades=True)
    judged = order.num_retrieved
    n, least = (q.num_relevant(0.0), 1) if unretrieved else (judged, 2)
    excess, pairs = 2.0 * order.fulfilled(least) - order.possible(least), n * (n - 1.0) / 2.0
    if variant == "a":
        return when(judged > 0).then(q.ratio(excess, pairs))
    missed = n - judged
    untied = (pairs - missed * (missed - 1.0) / 2.0) * order.possible(0 if unretrieved else 2)
    return when(judged > 0).then(q.ratio(excess, untied.sqrt()))
