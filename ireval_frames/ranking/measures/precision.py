"""Precision, recall and measures that are built from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import Measure, TrecName
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import ANY_NUMBER, choice, flag, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.classic_readers import read_for_each, read_to_first, read_to_rank
from ireval_frames.ranking.cwl.readers import DEPTH, MEASUREMENT, RESIDUAL
from ireval_frames.ranking.parameters import (
    CUTOFF,
    DEPTHS,
    JUDGED_ONLY,
    N_DOCS,
    REL,
    REQUIRED_CUTOFF,
    TREC_EVAL,
    documents,
    require_collection,
)
from ireval_frames.ranking.tied import Tied
from ireval_frames.ratios import indicator

READER = {"max_depth": DEPTH, "measurement": MEASUREMENT, "residual": RESIDUAL}


def _require_user_model(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse other measurements with over="retrievable", which is no user model."""
    if arguments["over"] == "retrievable" and (arguments["measurement"] != "EU" or arguments["residual"]):
        raise InvalidParameter(
            f"{measure}: over='retrievable' is not a user model, so it has no such measurement.",
            'Leave over="retrievable" out.',
        )


def _require_plain_precision(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse other measurements of relative precision, which is no user model."""
    if arguments["relative"] and (arguments["measurement"] != "EU" or arguments["residual"]):
        raise InvalidParameter(
            f"{measure}: relative precision is not a user model, so it has no such measurement.",
            "Leave relative=True out.",
        )


@measure(
    "ranking",
    "P",
    parameters={
        "rel": REL,
        "cutoff": REQUIRED_CUTOFF,
        "relative": flag(what="divide by the smaller of k and R"),
        "measurement": MEASUREMENT,
        "residual": RESIDUAL,
        "judged_only": JUDGED_ONLY,
    },
    aliases=("Precision",),
    trec=[
        TrecName("P", parameter="cutoff", defaults=DEPTHS),
        TrecName("relative_P", fixed={"relative": True}, parameter="cutoff", defaults=DEPTHS),
        TrecName("P_avgjg", fixed={"assessors": "mean"}, parameter="cutoff", defaults=DEPTHS),
    ],
    relevant=documents,
    formula="H(k) / k",
    source=TREC_EVAL,
    check=_require_plain_precision,
)
def P(q: Query, rel: float, cutoff: int, *, relative: bool, measurement: str, residual: bool) -> Expr:
    """The share of relevant documents among the top k.

    P@k = H(k) / k, where H(k) is the number of relevant documents among the first k.  A list shorter than k counts
    as filled up with documents that are not relevant.  With `relative=True` it is H(k) / min(k, R), the share of the
    largest possible number: precision up to k = R, recall from there on (also called capped recall).

    As a user model it is a reader of k documents; the five measurements and the residual are those of the C/W/L family.

    Range: 0 to 1, higher is better.  Defined for every query; relative precision without relevant documents is 0
    (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "P@2").wide()["P@2"].round(4).to_list()
        [0.5]
    """
    if not relative:
        return read_to_rank(q, rel, cutoff, measurement, residual=residual)
    hits = q.discounted_sum(q.relevant(rel), cutoff=cutoff)
    relevant = q.num_relevant(rel)
    return q.ratio(hits, when(relevant < cutoff).then(relevant).otherwise(cutoff * 1.0))


@measure(
    "ranking",
    "R",
    parameters={"rel": REL, "cutoff": REQUIRED_CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("Recall",),
    trec=[TrecName("recall", parameter="cutoff", defaults=DEPTHS)],
    relevant=documents,
    formula="H(k) / R",
    source=TREC_EVAL,
)
def R(q: Query, rel: float, cutoff: int) -> Expr:
    """The share of the query's relevant documents that are among the top k.

    R@k = H(k) / R, where R is the number of documents judged relevant.  Capped recall, H(k) / min(k, R), is
    P(relative=True)@k.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "R@3").wide()["R@3"].round(4).to_list()
        [0.6667]
    """
    return q.ratio(q.discounted_sum(q.relevant(rel), cutoff=cutoff), q.num_relevant(rel))


@measure(
    "ranking",
    "FallOut",
    parameters={
        "rel": REL,
        "cutoff": CUTOFF,
        "n_docs": N_DOCS,
        "judged_only": JUDGED_ONLY,
    },
    higher_is_better=False,
    undefined=None,
    relevant=None,
    formula="(retrieved that are not relevant) / (all that are not relevant)",
    source="van Rijsbergen, Information Retrieval, 1979; trec_eval 8 for judged documents",
)
def FallOut(q: Query, rel: float, cutoff: int | None, n_docs: float) -> Expr:
    """The share of documents that are not relevant which are among the top k, or in the list.

    FallOut@k = F(k) / (N − R).  Without `n_docs` only judged documents count: F(k) is the number of documents judged
    not relevant among the top k, N − R that of all such documents.  With `n_docs` N is the size of the collection,
    every document without a judgment counts as not relevant, and F(k) is min(k, n) − H(k).

    Range: 0 to 1, lower is better; 0 where nothing was retrieved.  Undefined for a query without documents that are not
    relevant.  Raises InvalidValue if `n_docs` is smaller than the number of known documents.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "FallOut FallOut@2 FallOut(n_docs=1003)@2")
        >>> ev.summary()["value"].round(4).to_list()
        [1.0, 0.5, 0.001]
    """
    if not n_docs:
        return q.ratio(q.discounted_sum(q.nonrelevant(rel), cutoff=cutoff), q.num_nonrelevant(rel))
    n, relevant = q.num_retrieved, q.num_relevant(rel)
    retrieved = n if cutoff is None else when(n < cutoff).then(n).otherwise(cutoff * 1.0)
    others = n_docs - relevant
    retrieved_others = n - q.discounted_sum(q.relevant(rel))
    require_collection(q, "FallOut", n_docs, retrieved_others > others)
    return q.ratio(retrieved - q.discounted_sum(q.relevant(rel), cutoff=cutoff), others)


@measure(
    "ranking",
    "F",
    parameters={
        "rel": REL,
        "beta": number(1.0, "how much more recall weighs than precision", low=0.0),
        "cutoff": REQUIRED_CUTOFF,
        "judged_only": JUDGED_ONLY,
    },
    relevant=documents,
    formula="(1+β²)·P@k·R@k / (β²·P@k + R@k)",
    source="van Rijsbergen, Information Retrieval, 1979",
)
def F(q: Query, rel: float, beta: float, cutoff: int) -> Expr:
    """The weighted harmonic mean of precision and recall at a cutoff.

    F@k = (1+β²)·H(k) / (β²·R + k), which equals (1+β²)·P@k·R@k / (β²·P@k + R@k).

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "F@3").wide()["F@3"].round(4).to_list()
        [0.6667]
    """
    relevant = q.num_relevant(rel)
    hits = q.discounted_sum(q.relevant(rel), cutoff=cutoff)
    return q.ratio((1.0 + beta * beta) * hits * relevant / (beta * beta * relevant + cutoff * 1.0), relevant)


@measure(
    "ranking",
    "Success",
    parameters={"rel": REL, "cutoff": REQUIRED_CUTOFF, "judged_only": JUDGED_ONLY},
    trec=[TrecName("success", parameter="cutoff", defaults=(1, 5, 10))],
    relevant=documents,
    formula="1 if H(k) > 0 else 0",
    source=TREC_EVAL,
)
def Success(q: Query, rel: float, cutoff: int) -> Expr:
    """Whether any of the top k documents is relevant; its mean is the hit rate.

    Range: 0 or 1, higher is better.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Success@1").wide()["Success@1"].round(4).to_list()
        [1.0]
    """
    if q.expectation:
        return q.sum_of_ranks(Tied(q, rel).first(), cutoff)
    return indicator(q.sum(q.relevant(rel), cutoff) > 0)


@measure(
    "ranking",
    "RR",
    parameters={"rel": REL, "cutoff": CUTOFF, **READER, "judged_only": JUDGED_ONLY},
    aliases=("MRR",),
    trec=[TrecName("recip_rank")],
    relevant=documents,
    formula="1 / rank of the first relevant document",
    source="Voorhees, The TREC-8 Question Answering Track Report, 1999; trec_eval",
)
def RR(q: Query, rel: float, cutoff: int | None, max_depth: int, measurement: str, *, residual: bool) -> Expr:
    """The reciprocal of the first relevant document's rank.

    RR = 1 / min{i : document i is relevant}; 0 if there is none (down to the cutoff).

    As a user model it is a reader who stops at the first relevant document, and after `max_depth` documents where there
    is none; the five measurements and the residual are those of the C/W/L family.

    Range: 0 to 1, higher is better.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "RR(rel=2)").wide()["RR(rel=2)"].round(4).to_list()
        [0.3333]
    """
    if measurement != "EU" or residual:
        return read_to_first(q, rel, cutoff, max_depth, measurement, residual=residual)
    if q.expectation:
        total = q.sum_of_ranks(Tied(q, rel).first() / q.any_rank, cutoff)
        return when(total > 0).then(total)
    hit = q.relevant(rel) > 0 if cutoff is None else (q.relevant(rel) > 0) & (q.rank <= cutoff)
    return 1.0 / q.min(when(hit).then(q.rank))


@measure(
    "ranking",
    "AP",
    parameters={
        "rel": REL,
        "over": choice(
            "relevant",
            "retrieved",
            "retrievable",
            what="divide by the number of relevant documents, of those that were retrieved, or that k ranks can have",
        ),
        "cutoff": CUTOFF,
        **READER,
        "judged_only": JUDGED_ONLY,
    },
    aliases=("MAP",),
    trec=[
        TrecName("map"),
        TrecName("map_cut", parameter="cutoff", defaults=DEPTHS),
        TrecName("gm_map", fixed={"aggregation": "geometric"}),
        TrecName("map_avgjg", fixed={"assessors": "mean"}),
    ],
    relevant=documents,
    formula="Σ over relevant i of H(i)/i, divided by R",
    source="trec_eval; Harman, Overview of TREC-1, 1992",
    check=_require_user_model,
)
def AP(
    q: Query, rel: float, over: str, cutoff: int | None, max_depth: int, measurement: str, *, residual: bool
) -> Expr:
    """The mean, over the query's relevant documents, of the precision at their ranks.

    AP = Σ_i rel_i · H(i)/i / R.  Relevant documents that were not retrieved count as 0.  With a cutoff the sum stops
    there and is still divided by R.  With over="retrievable" it is divided by min(k, R), as RePlay, Spark and
    Microsoft's recommenders do: a list whose first k documents are all relevant has 1.

    As a user model it is a reader who continues from rank i with probability C_i = (Σ_{j>i} rel_j/j) / (Σ_{j≥i}
    rel_j/j); relevant documents that were not retrieved follow infinitely far below.  With over="retrieved" they do not
    exist, as in cwl_eval.  The five measurements and the residual are those of the C/W/L family; the residual looks at
    every rank down to `max_depth`.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "AP").wide()["AP"].round(4).to_list()
        [0.5556]
    """
    if measurement != "EU" or residual or over == "retrieved":
        return read_for_each(q, rel, over, cutoff, max_depth, measurement, residual=residual)
    hit, relevant = q.relevant(rel), q.num_relevant(rel)
    if over == "retrievable" and cutoff is not None:
        relevant = when(relevant < cutoff).then(relevant).otherwise(cutoff * 1.0)
    if q.expectation:
        return q.ratio(q.sum_of_ranks(Tied(q, rel).precision(), cutoff), relevant)
    return q.ratio(q.sum(hit * q.so_far(hit) / q.rank, cutoff), relevant)


@measure(
    "ranking",
    "YAAP",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    range=ANY_NUMBER,
    trec=[TrecName("yaap")],
    relevant=documents,
    formula="ln((1 + S) / (1 + R − S)), S = R·AP",
    source="Robertson, On Smoothing Average Precision, ECIR 2012; trec_eval",
)
def YAAP(q: Query, rel: float) -> Expr:
    """Yet another average precision: the smoothed log odds of average precision.

    YAAP = ln((1 + S) / (1 + R − S)), where S = Σ H(i)/i over the retrieved relevant documents is the numerator of
    average precision.  It rises with AP on one query, and its mean over queries is less dominated by easy ones.

    Range: −∞ to ∞, higher is better; from −ln(1+R) to ln(1+R) on one query.  Without relevant documents it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "YAAP").wide()["YAAP"].round(4).to_list()
        [0.1335]
    """
    hit, relevant = q.relevant(rel), q.num_relevant(rel)
    total = q.sum(hit * q.so_far(hit) / q.rank)
    odds = q.tables.units.column((1.0 + total) / (1.0 + relevant - total), "odds")
    return odds.log()
