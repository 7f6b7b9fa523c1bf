"""Utility of the documents that users of a click model click, Σ P(click at k) R_k."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, lit, when
from ireval_frames.parameters import UPWARDS, whole
from ireval_frames.ranking.click_models.modelled import Modelled
from ireval_frames.ranking.click_models.options import CONTINUATION, GAIN, SATISFACTION, SHARED, UNSEEN, click_gain
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.cascade import MAX_REL
from ireval_frames.ranking.parameters import CUTOFF, JUDGED_ONLY, positive_grades

# UBM's probability of a click is a sum over all positions of the last click: a column per pair of ranks.
LONGEST = 25
GAIN_OPTIONS = {"gain": GAIN, "max_rel": MAX_REL, "unseen": UNSEEN}
LISTED = {"cutoff": CUTOFF, "judged_only": JUDGED_ONLY}


@measure(
    "ranking",
    "EBU",
    parameters={"continuation": CONTINUATION, "satisfaction": SATISFACTION, **GAIN_OPTIONS, **LISTED},
    aliases=("uDBN",),
    range=UPWARDS,
    relevant=positive_grades,
    formula="Σ_k R_k γ^(k−1) a_k Π_{i<k} (1 − a_i s_i)",
    **(SHARED | {"source": "Yilmaz, Shokouhi, Craswell and Robertson, CIKM 2010; Chuklin et al., SIGIR 2013"}),
)
def EBU(
    q: Query,
    continuation: float | None,
    satisfaction: float | None,
    gain: str,
    max_rel: int,
    unseen: float | str,
    cutoff: int | None,
) -> Expr:
    """Expected browsing utility: the value of the clicks of users of the dynamic Bayesian network.

    EBU@k = Σ_{i≤k} R_i γ^(i−1) a_i Π_{j<i} (1 − a_j s_j): a is the attraction and s the satisfaction of a document, γ
    the continuation, all of the click model; R is the worth of the grade, (2^g − 1) / 2^max_rel or g / max_rel.

    Tables: `click_model`, a fitted DBN or SDBN (for SDBN pass the continuation), or its parameters by query and
    document or by grade (columns parameter, query_id and doc_id or relevance, value).
    Range: 0 upwards, higher is better; users may click several documents.  A document without parameters attracts and
    satisfies with `unseen`; `Seen@k` is the share of documents with parameters.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(qrels, run, "EBU(continuation=0.9)@3", click_model=model).summary()["value"].round(4).item()
        0.1799
    """
    m = Modelled(q, unseen)
    attraction, stop = m.satisfied(satisfaction, cutoff)
    return q.sum(click_gain(q, gain, max_rel) * attraction * q.survival(stop) * m.continuation(continuation), cutoff)


@measure(
    "ranking",
    "uSDBN",
    parameters={"satisfaction": SATISFACTION, **GAIN_OPTIONS, **LISTED},
    range=UPWARDS,
    relevant=positive_grades,
    formula="Σ_k R_k a_k Π_{i<k} (1 − a_i s_i)",
    **SHARED,
)
def uSDBN(
    q: Query, satisfaction: float | None, gain: str, max_rel: int, unseen: float | str, cutoff: int | None
) -> Expr:
    """Utility of the simplified dynamic Bayesian network: EBU of users who continue until a document satisfies.

    uSDBN@k = Σ_{i≤k} R_i a_i Π_{j<i} (1 − a_j s_j): attraction a and satisfaction s of the click model, worth R of the
    grade as in EBU.  With `satisfaction=1` users stop at their first click, as in CM.

    Tables: `click_model`, a fitted SDBN or DBN, or its parameters by query and document or by grade.
    Range: 0 upwards, higher is better.  Documents without parameters have `unseen`, as in EBU.  A grade above `max_rel`
    is an error.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(qrels, run, "uSDBN@3", click_model=model).summary()["value"].round(4).item()
        0.2133
    """
    m = Modelled(q, unseen)
    attraction, stop = m.satisfied(satisfaction, cutoff)
    return q.sum(click_gain(q, gain, max_rel) * attraction * q.survival(stop), cutoff)


@measure(
    "ranking",
    "uDCM",
    parameters={**GAIN_OPTIONS, **LISTED},
    range=UPWARDS,
    relevant=positive_grades,
    formula="Σ_k R_k a_k Π_{i<k} (1 − a_i (1 − λ_i))",
    **SHARED,
)
def uDCM(q: Query, gain: str, max_rel: int, unseen: float | str, cutoff: int | None) -> Expr:
    """Utility of the dependent click model: users continue after a click with a probability of its position.

    uDCM@k = Σ_{i≤k} R_i a_i Π_{j<i} (1 − a_j (1 − λ_j)): attraction a of documents and continuation λ of positions, of
    the click model; worth R of the grade as in EBU.  Lists end with the last position that has a parameter.

    Tables: `click_model`, a fitted DCM, or its parameters: attraction by query and document or by grade, continuation
    by position.
    Range: 0 upwards, higher is better.  Documents without parameters have `unseen`, as in EBU.  A grade above `max_rel`
    is an error.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(qrels, run, "uDCM@3", click_model=model).summary()["value"].round(4).item()
        0.2349
    """
    m = Modelled(q, unseen)
    attraction, stop = dependent(m, cutoff)
    return q.sum(click_gain(q, gain, max_rel) * attraction * q.survival(stop), cutoff)


def dependent(m: Modelled, cutoff: int | None) -> tuple[Expr, Expr]:
    """The attraction of DCM at every row, and the probability that the document is clicked and the last one."""
    continuation = m.at_position("continuation")
    attraction = m.q.rows.column(when(~continuation.is_null()).then(m.attraction(cutoff)).otherwise(0.0), "attraction")
    return attraction, m.q.rows.column(attraction * (1.0 - continuation.fill_null(0.0)), "stop")


@measure(
    "ranking",
    "uPBM",
    parameters={**GAIN_OPTIONS, **LISTED},
    range=UPWARDS,
    relevant=positive_grades,
    formula="Σ_k R_k a_k γ_k",
    **(SHARED | {"source": "after Chuklin, Serdyukov and de Rijke, SIGIR 2013, for the position-based model"}),
)
def uPBM(q: Query, gain: str, max_rel: int, unseen: float | str, cutoff: int | None) -> Expr:
    """Utility of the position-based model: a gain whose discount, the examination of positions, is learnt from clicks.

    uPBM@k = Σ_{i≤k} R_i a_i γ_i: attraction a of documents and examination γ of positions, of the click model; worth R
    of the grade as in EBU.  Lists end with the last position that has a parameter.

    Tables: `click_model`, a fitted PBM, or its parameters: attraction by query and document or by grade, examination by
    position.
    Range: 0 upwards, higher is better.  Documents without parameters have `unseen`, as in EBU.  A grade above `max_rel`
    is an error.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(qrels, run, "uPBM@3", click_model=model).summary()["value"].round(4).item()
        0.1104
    """
    m = Modelled(q, unseen)
    examination = m.at_position("examination").fill_null(0.0)
    return q.sum(click_gain(q, gain, max_rel) * m.attraction(cutoff) * examination, cutoff)


@measure(
    "ranking",
    "uUBM",
    parameters={
        **GAIN_OPTIONS,
        "cutoff": whole(what="evaluate the top k; every pair of them is a column", high=LONGEST),
        "judged_only": JUDGED_ONLY,
    },
    range=UPWARDS,
    relevant=positive_grades,
    formula="Σ_k R_k P(C_k), P(C_k) = Σ_{j<k} P(C_j) Π_{j<i<k} (1 − a_i γ_ij) a_k γ_kj, P(C_0) = 1",
    **SHARED,
)
def uUBM(q: Query, gain: str, max_rel: int, unseen: float | str, cutoff: int) -> Expr:
    """Utility of the user browsing model, whose users examine a position depending on their last click.

    uUBM@k = Σ_{i≤k} R_i P(C_i), where P(C_i) is the sum over the position j of the last click above (0 for none) of
    P(C_j), times the probability of no click between, times a_i γ_ij: attraction a of documents and examination γ of
    positions after a last click, of the click model; worth R of the grade as in EBU.  Lists end with the last position
    that has a parameter.

    Tables: `click_model`, a fitted UBM, or its parameters: attraction by query and document or by grade, examination by
    position and last_click.
    Range: 0 upwards, higher is better.  Documents without parameters have `unseen`, as in EBU.  A grade above `max_rel`
    is an error.  The cutoff is 25 at most.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(qrels, run, "uUBM@3", click_model=model).summary()["value"].round(5).item()
        0.15125
    """
    m, units = Modelled(q, unseen), q.tables.units
    attraction, value = m.attraction(cutoff), click_gain(q, gain, max_rel)
    # By position of the last click: the probability that it is there, with no click since.
    since, terms = [lit(1.0)], []
    for rank in range(1, cutoff + 1):
        here = q.rank == float(rank)
        attracts = q.rows.sum(when(here).then(attraction).otherwise(0.0), into=units)
        examined = [t * m.after_click(rank, last).fill_null(0.0) for last, t in enumerate(since)]
        clicks = [units.column(attracts * x, "clicks") for x in examined]
        clicked = units.column(_sum(clicks), "clicked")
        terms.append(clicked * q.rows.sum(when(here).then(value).otherwise(0.0), into=units))
        since = [units.column(t - c, "since") for t, c in zip(since, clicks, strict=True)] + [clicked]
    return _sum(terms)


def _sum(terms: list[Expr]) -> Expr:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
