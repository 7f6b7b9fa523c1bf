"""Measures of users who read down to a rank: precision, recall and what is built from them."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames.catalog import measure
from ireval_frames.measure import Parameter, TrecName, flag, number, whole
from ireval_frames.ranking.context import Query, one_if

REL = number(1.0, "the lowest grade that counts as relevant")
CUTOFF = whole(None, "only the first so many documents count")
NEEDED = whole(what="only the first so many documents count")
JUDGED_ONLY = flag(what="take unjudged documents out before ranks are given")
DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TREC_EVAL = "trec_eval (NIST)"


@measure(
    "ranking",
    "P",
    parameters={"rel": REL, "cutoff": NEEDED, "judged_only": JUDGED_ONLY},
    aliases=("Precision",),
    trec=[TrecName("P", parameter="cutoff", defaults=DEPTHS)],
    formula="H(k) / k",
    source=TREC_EVAL,
)
def P(q: Query, rel: float, cutoff: int) -> nw.Expr:
    """The share of relevant documents among the first k.

    P@k = H(k) / k, where H(k) is the number of relevant documents among the first k.  A list shorter than k is filled
    up with documents that are not relevant.

    Range: 0 to 1, higher is better.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "P@2").wide()["P@2"].round(4).to_list()
        [0.5]
    """
    return q.discounted_sum(q.relevant(rel), cutoff=cutoff) / cutoff


@measure(
    "ranking",
    "R",
    parameters={"rel": REL, "cutoff": NEEDED, "judged_only": JUDGED_ONLY},
    aliases=("Recall",),
    trec=[TrecName("recall", parameter="cutoff", defaults=DEPTHS)],
    formula="H(k) / R",
    source=TREC_EVAL,
)
def R(q: Query, rel: float, cutoff: int) -> nw.Expr:
    """The share of the query's relevant documents that stand among the first k.

    R@k = H(k) / R, where R is the number of documents judged relevant.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "R@3").wide()["R@3"].round(4).to_list()
        [0.6667]
    """
    return q.per_relevant(q.discounted_sum(q.relevant(rel), cutoff=cutoff), q.num_relevant(rel))


@measure(
    "ranking",
    "F",
    parameters={"rel": REL, "beta": number(1.0, "how much more recall weighs than precision", low=0.0), "cutoff": NEEDED, "judged_only": JUDGED_ONLY},
    formula="(1+β²)·P@k·R@k / (β²·P@k + R@k)",
    source="van Rijsbergen, Information Retrieval, 1979",
)
def F(q: Query, rel: float, beta: float, cutoff: int) -> nw.Expr:
    """The weighted harmonic mean of precision and recall at a cutoff.

    F@k = (1+β²)·H(k) / (β²·R + k), which equals (1+β²)·P@k·R@k / (β²·P@k + R@k).

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "F@3").wide()["F@3"].round(4).to_list()
        [0.6667]
    """
    relevant = q.num_relevant(rel)
    hits = q.sum(q.relevant(rel), cutoff)
    return q.per_relevant((1.0 + beta * beta) * hits * relevant / (beta * beta * relevant + float(cutoff)), relevant)


@measure(
    "ranking",
    "Success",
    parameters={"rel": REL, "cutoff": NEEDED, "judged_only": JUDGED_ONLY},
    trec=[TrecName("success", parameter="cutoff", defaults=(1, 5, 10))],
    formula="1 if H(k) > 0 else 0",
    source=TREC_EVAL,
)
def Success(q: Query, rel: float, cutoff: int) -> nw.Expr:
    """Whether any of the first k documents is relevant; its mean is the hit rate.

    Range: 0 or 1, higher is better.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Success@1").wide()["Success@1"].round(4).to_list()
        [1.0]
    """
    return one_if(q.sum(q.relevant(rel), cutoff) > 0)


@measure(
    "ranking",
    "RR",
    parameters={"rel": REL, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("MRR",),
    trec=[TrecName("recip_rank")],
    formula="1 / rank of the first relevant document",
    source="Voorhees, The TREC-8 Question Answering Track Report, 1999; trec_eval",
)
def RR(q: Query, rel: float, cutoff: int | None) -> nw.Expr:
    """The reciprocal of the first relevant document's rank.

    RR = 1 / min{i : document i is relevant}; 0 if there is none (down to the cutoff).

    Range: 0 to 1, higher is better.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "RR(rel=2)").wide()["RR(rel=2)"].round(4).to_list()
        [0.3333]
    """
    found = q.relevant(rel) > 0 if cutoff is None else (q.relevant(rel) > 0) & (q.rank <= cutoff)
    return 1.0 / q.min(nw.when(found).then(q.rank))


@measure(
    "ranking",
    "AP",
    parameters={"rel": REL, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("MAP",),
    trec=[
        TrecName("map"),
        TrecName("map_cut", parameter="cutoff", defaults=DEPTHS),
        TrecName("gm_map", fixed={"aggregation": "geometric"}),
    ],
    formula="Σ over relevant i of H(i)/i, divided by R",
    source="trec_eval; Harman, Overview of TREC-1, 1992",
)
def AP(q: Query, rel: float, cutoff: int | None) -> nw.Expr:
    """The mean, over the query's relevant documents, of the precision at their ranks.

    AP = Σ_i rel_i · H(i)/i / R.  Relevant documents that were not retrieved count 0.  With a cutoff the sum stops there
    and is still divided by R (other tools divide by the smaller of k and R).

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "AP").wide()["AP"].round(4).to_list()
        [0.5556]
    """
    hit = q.relevant(rel)
    return q.per_relevant(q.sum(hit * q.so_far(hit) / q.rank, cutoff), q.num_relevant(rel))


@measure(
    "ranking",
    "Rprec",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    aliases=("RPrec",),
    trec=[TrecName("Rprec")],
    formula="H(R) / R",
    source=TREC_EVAL,
)
def Rprec(q: Query, rel: float) -> nw.Expr:
    """The precision after as many documents as there are relevant ones.

    Rprec = H(R) / R.  A list shorter than R is filled up with documents that are not relevant.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Rprec").wide()["Rprec"].round(4).to_list()
        [0.6667]
    """
    relevant = q.num_relevant(rel)
    return q.per_relevant(q.sum(nw.when(q.rank <= q.of_query(relevant)).then(q.relevant(rel)).otherwise(0.0)), relevant)


@measure(
    "ranking",
    "BEP",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    aliases=("BreakEven",),
    undefined=None,
    formula="P@k where P@k = R@k",
    source="Lewis, Representation and Learning in Information Retrieval, 1992",
)
def BEP(q: Query, rel: float) -> nw.Expr:
    """The break-even point: precision where precision equals recall.

    H(k)/k = H(k)/R holds at k = R.  It is R-precision for lists that get so far.

    Range: 0 to 1, higher is better.  Undefined for lists of fewer than R documents: their precision and recall never meet.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "BEP").wide()["BEP"].round(4).to_list()
        [0.6667]
    """
    relevant = q.num_relevant(rel)
    value = q.per_relevant(q.sum(nw.when(q.rank <= q.of_query(relevant)).then(q.relevant(rel)).otherwise(0.0)), relevant)
    return nw.when(q.num_retrieved >= relevant).then(value)


def reached(q: Query, rel: float, recall: float) -> nw.Expr:
    """How many relevant documents must be seen for a recall level to count as reached, at every row."""
    relevant = q.of_query(q.num_relevant(rel))
    match q.tables.policy.interpolation:
        case "trec_eval-9":
            return (recall * relevant + 0.9).floor()
        case "trec_eval-10":
            return (recall * relevant + 0.5).floor()
        case _:
            return recall * relevant - 1e-9


def interpolated(q: Query, rel: float, recall: float) -> nw.Expr:
    """The largest precision at or after the rank where the recall level is reached."""
    seen = q.so_far(q.relevant(rel))
    return q.max(nw.when(seen >= reached(q, rel, recall)).then(seen / q.rank)).fill_null(0.0)


@measure(
    "ranking",
    "IPrec",
    parameters={"rel": REL, "recall": number(what="the recall level", low=0.0, high=1.0), "judged_only": JUDGED_ONLY},
    at="recall",
    trec=[
        TrecName(
            "iprec_at_recall", parameter="recall", defaults=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), pattern="{name}_{value:3.2f}"
        )
    ],
    formula="max precision at any rank where recall ≥ x",
    source="trec_eval; Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, 8.4",
)
def IPrec(q: Query, rel: float, recall: float) -> nw.Expr:
    """The interpolated precision at a recall level.

    IPrec@x is the largest precision at or after the rank where x·R relevant documents are seen; 0 if that never happens.
    How x·R is made whole is the policy `interpolation`: rounded (trec_eval 10), ⌊x·R+0.9⌋ (trec_eval 9), or not at all
    (`exact`: recall ≥ x, as in textbooks).

    Range: 0 to 1, higher is better.  Without relevant documents it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "IPrec@0.5").wide()["IPrec@0.5"].round(4).to_list()
        [0.6667]
    """
    q.needs_relevant(lambda: q.num_relevant(rel))
    return interpolated(q, rel, recall)


def levels(value: Any) -> tuple[float, ...]:
    """Recall levels as a tuple of floats."""
    try:
        out = tuple(float(v) for v in value)
    except (TypeError, ValueError):
        out = ()
    if not out or any(not 0 <= v <= 1 for v in out):
        raise ValueError("recall levels between 0 and 1, such as [0.2, 0.5, 0.8]")
    return out


ELEVEN = tuple(i / 10 for i in range(11))


@measure(
    "ranking",
    "IAP",
    parameters={"rel": REL, "recalls": Parameter(ELEVEN, "the recall levels", levels), "judged_only": JUDGED_ONLY},
    trec=[TrecName("11pt_avg")],
    formula="mean of IPrec over the recall levels",
    source="trec_eval (11pt_avg); Salton and McGill 1983",
)
def IAP(q: Query, rel: float, recalls: tuple[float, ...]) -> nw.Expr:
    """Interpolated average precision: the mean of the interpolated precision at 11 recall levels (0, 0.1, …, 1).

    Range: 0 to 1, higher is better.  Without relevant documents it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "IAP").wide()["IAP"].round(4).to_list()
        [0.697]
    """
    q.needs_relevant(lambda: q.num_relevant(rel))
    total = interpolated(q, rel, recalls[0])
    for recall in recalls[1:]:
        total = total + interpolated(q, rel, recall)
    return total / float(len(recalls))
