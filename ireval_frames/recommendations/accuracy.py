"""Accuracy: the measures of rankings under the names that recommenders have for them.

The functions are those of the family of rankings; names, defaults and what is divided by are here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS, choice, flag, whole
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.parameters import CUTOFF, RECOMMENDERS, RECTOOLS, REL, REPLAY

K = whole(what="the top k items of a list")
SPARK = "Spark"
COLUMNS = ("relevant",)


def _k_of_ideal(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse the best list of k items without k.

    Raises:
        InvalidParameter: there is no cutoff.
    """
    if arguments["ideal"] == "k" and arguments["cutoff"] is None:
        raise InvalidParameter(f"{measure} has no cutoff, so its best list has no length.", "Write NDCG(ideal='k')@10.")


@measure(
    "recommendations",
    "HitRate",
    parameters={"rel": REL, "cutoff": K},
    undefined=None,
    reads=COLUMNS,
    same_in="ranking",
    formula="1 if an item of the top k is relevant, else 0",
    source=f"{REPLAY}, {RECTOOLS}; Success of the family of rankings",
)
def HitRate(c: RecommendationContext, rel: float, cutoff: int) -> Expr:
    """Whether any of the top k items is relevant; its mean is the hit rate.

    Columns: user_id, item_id, and score or rank of the lists; user_id, item_id and relevance, if there is one, of the
    relevant items.

    Range: 0 or 1, higher is better.  Undefined for users without relevant items (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("HitRate@2").summary()["value"].item()
        0.75
    """
    return c.accuracy("Success", rel=rel, cutoff=cutoff)


@measure(
    "recommendations",
    "Precision",
    parameters={"rel": REL, "cutoff": K},
    undefined=None,
    reads=COLUMNS,
    same_in="ranking",
    formula="H(k) / k",
    source=f"{REPLAY}, {RECTOOLS}, {RECOMMENDERS}; P of the family of rankings",
)
def Precision(c: RecommendationContext, rel: float, cutoff: int) -> Expr:
    """The share of relevant items among the top k; shorter lists are divided by k, too.

    P@k = H(k) / k, where H(k) is the number of relevant items among the first k.

    Columns: user_id, item_id, and score or rank of the lists; user_id, item_id and relevance, if there is one, of the
    relevant items.

    Range: 0 to 1, higher is better.  Undefined for users without relevant items (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("Precision@2").summary()["value"].item()
        0.375
    """
    return c.accuracy("P", rel=rel, cutoff=cutoff)


@measure(
    "recommendations",
    "Recall",
    parameters={
        "rel": REL,
        "capped": flag(what="divide by the smaller of k and the number of relevant items"),
        "cutoff": K,
    },
    undefined=None,
    reads=COLUMNS,
    same_in="ranking",
    formula="H(k) / R, or H(k) / min(k, R)",
    source=f"{REPLAY}, {RECTOOLS}, {RECOMMENDERS}; R and P of the family of rankings",
)
def Recall(c: RecommendationContext, rel: float, capped: bool, cutoff: int) -> Expr:  # noqa: FBT001 - a parameter
    """The share of the user's relevant items that are among the top k.

    Recall@k = H(k) / R; with `capped=True` H(k) / min(k, R), so that a list of k relevant items has 1.

    Columns: user_id, item_id, and score or rank of the lists; user_id, item_id and relevance, if there is one, of the
    relevant items.

    Range: 0 to 1, higher is better.  Undefined for users without relevant items (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("Recall@2").summary()["value"].item()
        0.625
    """
    if capped:
        return c.accuracy("P", rel=rel, relative=True, cutoff=cutoff)
    return c.accuracy("R", rel=rel, cutoff=cutoff)


@measure(
    "recommendations",
    "F1",
    parameters={"rel": REL, "cutoff": K},
    undefined=None,
    reads=COLUMNS,
    same_in="ranking",
    formula="2·P@k·R@k / (P@k + R@k)",
    source=f"{RECTOOLS}; F of the family of rankings",
)
def F1(c: RecommendationContext, rel: float, cutoff: int) -> Expr:
    """The harmonic mean of precision and recall of the top k items.

    F1@k = 2·H(k) / (R + k).

    Columns: user_id, item_id, and score or rank of the lists; user_id, item_id and relevance, if there is one, of the
    relevant items.

    Range: 0 to 1, higher is better.  Undefined for users without relevant items (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("F1@2").summary()["value"].round(4).item()
        0.4583
    """
    return c.accuracy("F", rel=rel, cutoff=cutoff)


@measure(
    "recommendations",
    "MAP",
    parameters={
        "rel": REL,
        "capped": replace(
            flag(default=True, what="divide by the smaller of k and the number of relevant items"), written=True
        ),
        "cutoff": CUTOFF,
    },
    undefined=None,
    reads=COLUMNS,
    same_in="ranking",
    formula="Σ over relevant i ≤ k of H(i)/i, divided by min(k, R) or by R",
    source=f"{REPLAY}, {RECOMMENDERS}, {SPARK} (capped); {RECTOOLS}, trec_eval (not); AP of the family of rankings",
)
def MAP(c: RecommendationContext, rel: float, capped: bool, cutoff: int | None) -> Expr:  # noqa: FBT001 - a parameter
    """The mean of the precision at the ranks of the relevant items.

    AP@k = Σ_{i ≤ k} rel_i · H(i)/i, divided by min(k, R) (`capped=True`, as RePlay, recommenders and Spark do) or by R,
    the number of relevant items (`capped=False`, as RecTools and trec_eval do).  Which of the two it is stands in every
    output.

    Columns: user_id, item_id, and score or rank of the lists; user_id, item_id and relevance, if there is one, of the
    relevant items.

    Range: 0 to 1, higher is better.  Undefined for users without relevant items (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("MAP@3 MAP(capped=False)@1").summary().select("measure", "value").rows()
        [('MAP(capped=True)@3', 0.375), ('MAP(capped=False)@1', 0.125)]
    """
    return c.accuracy("AP", rel=rel, over="retrievable" if capped else "relevant", cutoff=cutoff)


@measure(
    "recommendations",
    "MRR",
    parameters={"rel": REL, "cutoff": CUTOFF},
    undefined=None,
    reads=COLUMNS,
    same_in="ranking",
    formula="1 / rank of the first relevant item",
    source=f"{REPLAY}, {RECTOOLS}; RR of the family of rankings",
)
def MRR(c: RecommendationContext, rel: float, cutoff: int | None) -> Expr:
    """The reciprocal of the first relevant item's rank; 0 if there is none down to the cutoff.

    Columns: user_id, item_id, and score or rank of the lists; user_id, item_id and relevance, if there is one, of the
    relevant items.

    Range: 0 to 1, higher is better.  Undefined for users without relevant items (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("MRR").summary()["value"].round(4).item()
        0.5
    """
    return c.accuracy("RR", rel=rel, cutoff=cutoff)


@measure(
    "recommendations",
    "NDCG",
    parameters={
        "gain": choice("relevance", "exponential", what="the relevance of the item, or 2^relevance − 1"),
        "ideal": replace(
            choice("relevant", "k", what="the best list of the user's relevant items, or k items of relevance 1"),
            ranges={"k": UPWARDS},
        ),
        "cutoff": CUTOFF,
    },
    undefined=None,
    reads=COLUMNS,
    same_in="ranking",
    check=_k_of_ideal,
    formula="DCG@k / DCG@k of the best list",
    source=f"{REPLAY}, {RECOMMENDERS} (relevant), {RECTOOLS} (k); nDCG and DCG of the family of rankings",
)
def NDCG(c: RecommendationContext, gain: str, ideal: str, cutoff: int | None) -> Expr:
    """Discounted cumulative gain, divided by that of the best list.

    NDCG@k = Σ_{i ≤ k} g_i / log2(i + 1), divided by the same sum of the best list: that of the user's relevant items,
    or with `ideal="k"` of k items that gain 1, whether the user has as many or not, as in RecTools.  An item gains its
    relevance, 1 where the table of relevant items has none.

    Columns: user_id, item_id, and score or rank of the lists; user_id, item_id and relevance, if there is one, of the
    relevant items.

    Range: 0 to 1 (with `ideal="k"` more where relevances are above 1), higher is better.  Undefined for users without
    relevant items (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("NDCG@3 NDCG(ideal='k')@3").summary()["value"].round(4).to_list()
        [0.4688, 0.2654]
    """
    form = "log2" if gain == "relevance" else "exp-log2"
    if ideal == "relevant":
        return c.accuracy("nDCG", dcg=form, cutoff=cutoff)
    best = sum(1.0 / math.log2(rank + 1) for rank in range(1, (cutoff or 0) + 1))
    return c.accuracy("DCG", dcg=form, cutoff=cutoff) / best
