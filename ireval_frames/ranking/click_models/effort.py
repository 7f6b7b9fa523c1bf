"""Effort of users of a click model until a document satisfies them, Σ P(satisfied at k) / k; and coverage."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import number
from ireval_frames.ranking.click_models.modelled import Modelled
from ireval_frames.ranking.click_models.options import CONTINUATION, SATISFACTION, SHARED, UNSEEN
from ireval_frames.ranking.click_models.utility import LISTED, dependent
from ireval_frames.ranking.context import Query
from ireval_frames.ratios import indicator


@measure(
    "ranking",
    "rrDBN",
    parameters={"continuation": CONTINUATION, "satisfaction": SATISFACTION, "unseen": UNSEEN, **LISTED},
    relevant=None,
    formula="Σ_k 1/k · γ^(k−1) a_k s_k Π_{i<k} (1 − a_i s_i)",
    **SHARED,
)
def rrDBN(
    q: Query,
    continuation: float | None,
    satisfaction: float | None,
    unseen: float | str,
    cutoff: int | None,
) -> Expr:
    """Expected reciprocal rank of the document that satisfies a user of the dynamic Bayesian network.

    rrDBN@k = Σ_{i≤k} 1/i · γ^(i−1) a_i s_i Π_{j<i} (1 − a_j s_j): attraction a, satisfaction s and continuation γ of
    the click model.  With `continuation=1` it is ERR whose R_i = a_i s_i is estimated from clicks, that of SDBN; with
    `satisfaction=1` besides, that of the cascade model CM.

    Tables: `click_model`, a fitted DBN or SDBN (for SDBN pass the continuation), or its parameters by query and
    document or by grade.  Judgments give the queries, and grades.
    Range: 0 to 1, higher is better.  Defined for every query.  A document without parameters attracts and satisfies
    with `unseen`; `Seen@k` is the share of documents with parameters.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(qrels, run, "rrDBN(continuation=1)@3", click_model=model).summary()["value"].round(4).item()
        0.2953
    """
    m = Modelled(q, unseen)
    _, stop = m.satisfied(satisfaction, cutoff)
    return q.sum(stop * q.survival(stop) * m.continuation(continuation) / q.rank, cutoff)


@measure(
    "ranking",
    "rrDCM",
    parameters={"unseen": UNSEEN, **LISTED},
    relevant=None,
    formula="Σ_k 1/k · a_k (1 − λ_k) Π_{i<k} (1 − a_i (1 − λ_i))",
    **SHARED,
)
def rrDCM(q: Query, unseen: float | str, cutoff: int | None) -> Expr:
    """Expected reciprocal rank of the last click of a user of the dependent click model.

    rrDCM@k = Σ_{i≤k} 1/i · a_i (1 − λ_i) Π_{j<i} (1 − a_j (1 − λ_j)): attraction a of documents and continuation λ of
    positions, of the click model.  Lists end with the last position that has a parameter.

    Tables: `click_model`, a fitted DCM, or its parameters: attraction by query and document or by grade, continuation
    by position.  Judgments give the queries, and grades.
    Range: 0 to 1, higher is better.  Defined for every query.  Documents without parameters have `unseen`, as in rrDBN.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(qrels, run, "rrDCM@3", click_model=model).summary()["value"].round(4).item()
        0.1239
    """
    m = Modelled(q, unseen)
    _, stop = dependent(m, cutoff)
    return q.sum(stop * q.survival(stop) / q.rank, cutoff)


@measure(
    "ranking",
    "Seen",
    parameters={"min_n": number(0.0, "documents with fewer impressions do not count as seen", low=0.0), **LISTED},
    higher_is_better=None,
    undefined=None,
    relevant=None,
    formula="documents with parameters among the first min(k, n), divided by min(k, n)",
    **(SHARED | {"source": "coverage of click models, as Judged is of judgments"}),
)
def Seen(q: Query, min_n: float, cutoff: int | None) -> Expr:
    """The share of documents with parameters of the click model among the first k, or among all.

    Seen@k divides by the smaller of k and n.  A document has parameters if the click model has a value of its
    attraction, from `min_n` impressions or more (column `n`).  With parameters by grade it is the share of documents
    whose grade has some.

    Tables: `click_model`, a fitted model or a table of its parameters.
    Range: 0 to 1.  Undefined where nothing was retrieved.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> model = ir.examples.click_model()
        >>> ir.evaluate(qrels, run, "Seen@5 Seen(min_n=10)@5", click_model=model).wide().row(0)
        (0.8, 0.6)
    """
    m = Modelled(q, 0.0)
    n = q.num_retrieved
    depth = n if cutoff is None else when(n < cutoff).then(n).otherwise(cutoff * 1.0)
    return q.ratio(q.sum(indicator(m.seen(min_n)), cutoff), depth)
