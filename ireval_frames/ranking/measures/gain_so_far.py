"""Measures of the gain down to every rank, compared with that of the best order."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.declaration import TrecName
from ireval_frames.expr import Expr, when
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.gain import GAINS, UNJUDGED, discount_of, gaining, gains_of
from ireval_frames.ranking.measures.ideal_alignment import SideBySide, over
from ireval_frames.ranking.parameters import JUDGED_ONLY, REL, TREC_EVAL, documents
from ireval_frames.ratios import indicator

Gains = tuple[tuple[float, float], ...]
LOG2 = discount_of("log2", 2.0)


@measure(
    "ranking",
    "binG",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    trec=[TrecName("binG")],
    relevant=documents,
    formula="Σ over relevant of 1 / log2(2 + not relevant above), divided by R",
    source=TREC_EVAL,
)
def binG(q: Query, rel: float) -> Expr:
    """Binary gain, discounted by the number of documents above that are not relevant.

    binG = 1/R Σ over retrieved relevant documents at rank i of 1 / log2(2 + i − H(i)).  Documents without a judgment
    count as not relevant.  It is G for one grade.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "binG").wide()["binG"].round(4).to_list()
        [0.5436]
    """
    hit = q.relevant(rel)
    discount = q.rows.column(2.0 + q.rank - q.so_far(hit), "not_relevant_above")
    return q.ratio(q.sum(when(hit > 0).then(1.0 / discount.log(2)).otherwise(0.0)), q.num_relevant(rel))


@measure(
    "ranking",
    "G",
    parameters={"gains": GAINS, "unjudged": UNJUDGED, "judged_only": JUDGED_ONLY},
    trec=[TrecName("G")],
    relevant=gaining,
    formula="Σ g_i / log2(2 + C_i − S_i), divided by Σ g*_i",
    source=TREC_EVAL,
)
def G(q: Query, gains: Gains, unjudged: float) -> Expr:
    """Normalized gain, discounted by how much less the documents above gained than in the best order.

    G = Σ_i g_i / log2(2 + C_i − S_i) / Σ_j g*_j, where S_i = Σ_{j≤i} g_j is the gain so far, C_i = Σ_{j≤i} max(g*_j, 1)
    that of the best order (at least 1 per rank), and g*_1 ≥ g*_2 ≥ … are the query's
    positive gains.  `gains` and `unjudged` are those of DCG; if unjudged documents gained more than the best order,
    C_i − S_i counts as 0.

    Range: 0 to 1 (less with negative gains, more where unjudged documents gain), higher is better.  Without positive
    gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "G").wide()["G"].round(4).to_list()
        [0.3333]
    """
    gain, ideal = gains_of(q, gains, unjudged)
    side = SideBySide(q, gain, ideal)
    more = when(side.best_gain > 1).then(side.best_gain - 1.0).otherwise(0.0)
    behind = side.steps.column((side.rank + side.so_far(more)) - side.so_far(side.gain), "behind")
    behind = side.steps.column(when(behind > 0).then(2.0 + behind).otherwise(2.0), "behind")
    return q.ratio(side.sum(when(side.gain != 0).then(side.gain / behind.log(2)).otherwise(0.0)), q.ideal_sum(ideal))


@measure(
    "ranking",
    "nDCGrel",
    parameters={"gains": GAINS, "unjudged": UNJUDGED, "judged_only": JUDGED_ONLY},
    trec=[TrecName("ndcg_rel")],
    relevant=gaining,
    formula="mean of nDCG@i over the documents that gain",
    source=TREC_EVAL,
)
def nDCGrel(q: Query, gains: Gains, unjudged: float) -> Expr:
    """The nDCG averaged over the documents that gain, as average precision averages precision.

    nDCGrel = 1/m (Σ over retrieved documents of positive gain at rank i of DCG@i / IDCG@i + (m − h) · DCG / IDCG),
    where m is the number of judgments with a positive gain, h that of retrieved documents with one, and the last term
    is for those that were not retrieved: DCG at the end of the list.  `gains` and `unjudged` are those of DCG.

    Range: 0 to 1 (more where unjudged documents gain), higher is better; a sum below 0 counts as 0.  Without positive
    gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "nDCGrel").wide()["nDCGrel"].round(4).to_list()
        [0.4611]
    """
    gain, ideal = gains_of(q, gains, unjudged)
    side = SideBySide(q, gain, ideal)
    dcg, best = over(LOG2, side)
    at_gains = side.sum(when(side.gain > 0).then(dcg / best).otherwise(0.0))
    all_gaining, gaining_found = q.num_gaining(ideal), q.sum(indicator(gain > 0))
    not_retrieved = (all_gaining - gaining_found) * q.discounted_sum(gain, LOG2)
    total = at_gains + q.ratio(not_retrieved, q.ideal_sum(ideal, LOG2))
    return q.ratio(when(total > 0).then(total).otherwise(0.0), all_gaining)


def documents_and_gains(q: Query, rel: float, gains: Gains) -> Expr:
    """0 unless there are documents of grade `rel` or more, and documents that gain."""
    return documents(q, rel) * gaining(q, gains)


@measure(
    "ranking",
    "RnDCG",
    parameters={"rel": REL, "gains": GAINS, "unjudged": UNJUDGED, "judged_only": JUDGED_ONLY},
    trec=[TrecName("Rndcg")],
    relevant=documents_and_gains,
    formula="mean of nDCG@i over the last rank of each gain in the best order",
    source=TREC_EVAL,
)
def RnDCG(q: Query, rel: float, gains: Gains, unjudged: float) -> Expr:
    """The nDCG averaged over the last ranks of each gain in the best order, as R-precision is at rank R.

    With 5 judgments of gain 3, 3 of gain 2 and 10 of gain 1, these ranks are 5, 8 and 18; the end of the list is
    another one if the list has at least two more documents than judgments that gain.  At each it is DCG@i / IDCG@i.
    `gains` and `unjudged` are those of DCG.

    Range: 0 to 1 (less with negative gains, more where unjudged documents gain), higher is better.  Without positive
    gains, and without a judgment of grade `rel` or more, it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "RnDCG").wide()["RnDCG"].round(4).to_list()
        [0.4045]
    """
    gain, ideal = gains_of(q, gains, unjudged)
    side = SideBySide(q, gain, ideal)
    dcg, best = over(LOG2, side)
    at_falls = side.sum(when(side.last_of_its_gain > 0).then(dcg / best).otherwise(0.0))
    longer = q.num_retrieved > q.num_gaining(ideal) + 1.0
    at_end = q.ratio(q.discounted_sum(gain, LOG2), q.ideal_sum(ideal, LOG2))
    points = side.num_falls() + indicator(longer)
    mean = q.ratio(when(longer).then(at_falls + at_end).otherwise(at_falls), points)
    return when(documents(q, rel) > 0).then(mean)
