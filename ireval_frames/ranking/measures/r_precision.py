"""Measures at as many documents as there are relevant ones."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.declaration import TrecName
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import JUDGED_ONLY, REL, TREC_EVAL, documents

MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


@measure(
    "ranking",
    "Rprec",
    parameters={
        "rel": REL,
        "multiple": number(1.0, "the cutoff as a multiple of R", low=0.0),
        "judged_only": JUDGED_ONLY,
    },
    aliases=("RPrec",),
    trec=[
        TrecName("Rprec"),
        TrecName("Rprec_mult", parameter="multiple", defaults=MULTIPLES, pattern="{name}_{value:3.2f}"),
        TrecName(
            "Rprec_mult_avgjg",
            fixed={"assessors": "mean"},
            parameter="multiple",
            defaults=MULTIPLES,
            pattern="{name}_{value:3.2f}",
        ),
    ],
    relevant=documents,
    formula="H(R) / R",
    source=TREC_EVAL,
)
def Rprec(q: Query, rel: float, multiple: float) -> Expr:
    """The precision after as many documents as there are relevant ones.

    Rprec = H(R) / R.  With a multiple m it is H(c) / c at c = ⌊m·R + 0.9⌋ documents, as in trec_eval's Rprec_mult.  A
    list shorter than that counts as filled up with documents that are not relevant.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`); also where c is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Rprec").wide()["Rprec"].round(4).to_list()
        [0.6667]
    """
    relevant = q.num_relevant(rel)
    depth = relevant if multiple == 1.0 else (multiple * relevant + 0.9).floor()
    if q.expectation:
        within = when(q.any_rank <= q.of_query(depth)).then(1.0).otherwise(0.0)
        return q.ratio(q.weighted_sum(q.relevant(rel), within), depth)
    hits = q.sum(when(q.rank <= q.of_query(depth)).then(q.relevant(rel)).otherwise(0.0))
    return q.ratio(hits, depth)


@measure(
    "ranking",
    "BEP",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    aliases=("BreakEven",),
    undefined=None,
    relevant=documents,
    formula="P@k where P@k = R@k",
    source="Lewis, Representation and Learning in Information Retrieval, 1992",
)
def BEP(q: Query, rel: float) -> Expr:
    """The break-even point: precision where precision equals recall.

    H(k)/k = H(k)/R holds at k = R.  It is R-precision for lists of at least R documents.

    Range: 0 to 1, higher is better.  Undefined for lists of fewer than R documents: their
    precision and recall never meet.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "BEP").wide()["BEP"].round(4).to_list()
        [0.6667]
    """
    relevant = q.num_relevant(rel)
    value = q.ratio(q.sum(when(q.rank <= q.of_query(relevant)).then(q.relevant(rel)).otherwise(0.0)), relevant)
    return when(q.num_retrieved >= relevant).then(value)
