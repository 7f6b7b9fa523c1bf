"""Measures of retrieved sets, and the counts."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.declaration import TrecName
from ireval_frames.expr import Expr, lit, when
from ireval_frames.parameters import flag, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import JUDGED_ONLY, REL, TREC_EVAL, documents
from ireval_frames.ranking.tables import relevant as is_relevant

INFINITY = float("inf")


def num_hits(q: Query, rel: float) -> Expr:
    """The number of relevant documents that were retrieved."""
    return q.sum(q.relevant(rel))


@measure(
    "ranking",
    "SetP",
    parameters={"rel": REL, "relative": flag(what="divide by the smaller of n and R"), "judged_only": JUDGED_ONLY},
    trec=[TrecName("set_P"), TrecName("set_relative_P", fixed={"relative": True})],
    relevant=documents,
    formula="H / n",
    source=TREC_EVAL,
)
def SetP(q: Query, rel: float, *, relative: bool) -> Expr:
    """The share of relevant documents in the retrieved set.

    SetP = H / n; with `relative=True` H / min(n, R).

    Range: 0 to 1, higher is better.  Where nothing was retrieved it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "SetP").wide()["SetP"].round(4).to_list()
        [0.4]
    """
    if not relative:
        return q.ratio(num_hits(q, rel), q.num_retrieved)
    n, relevant = q.num_retrieved, q.num_relevant(rel)
    return q.ratio(num_hits(q, rel), when(n < relevant).then(n).otherwise(relevant))


@measure(
    "ranking",
    "SetR",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    trec=[TrecName("set_recall")],
    relevant=documents,
    formula="H / R",
    source=TREC_EVAL,
)
def SetR(q: Query, rel: float) -> Expr:
    """The share of the query's relevant documents that are in the retrieved set.

    SetR = H / R.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "SetR").wide()["SetR"].round(4).to_list()
        [0.6667]
    """
    return q.ratio(num_hits(q, rel), q.num_relevant(rel))


@measure(
    "ranking",
    "SetF",
    parameters={
        "rel": REL,
        "beta": number(1.0, "how much more recall weighs than precision", low=0.0),
        "judged_only": JUDGED_ONLY,
    },
    trec=[TrecName("set_F")],
    relevant=documents,
    formula="(1+β²)·P·R / (β²·P + R)",
    source="van Rijsbergen, Information Retrieval, 1979",
)
def SetF(q: Query, rel: float, beta: float) -> Expr:
    """The weighted harmonic mean of set precision and set recall.

    SetF = (1+β²)·P·R / (β²·P + R).  `beta` is β; the number that trec_eval and ir_measures take is β².

    Range: 0 to 1, higher is better.  Where nothing relevant was retrieved it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "SetF(beta=2)").wide()["SetF(beta=2)"].round(4).to_list()
        [0.5882]
    """
    relevant = q.num_relevant(rel)
    precision, recall = q.ratio(num_hits(q, rel), q.num_retrieved), q.ratio(num_hits(q, rel), relevant)
    square = beta * beta
    return q.ratio((square + 1.0) * precision * recall, square * precision + recall)


@measure(
    "ranking",
    "SetAP",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    trec=[TrecName("set_map")],
    relevant=documents,
    formula="H² / (n·R)",
    source=TREC_EVAL,
)
def SetAP(q: Query, rel: float) -> Expr:
    """Set precision times set recall: average precision without order.

    SetAP = H² / (n·R).

    Range: 0 to 1, higher is better.  Where nothing was retrieved or nothing is relevant it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "SetAP").wide()["SetAP"].round(4).to_list()
        [0.2667]
    """
    n_hits = num_hits(q, rel)
    # One division, as in trec_eval: two would round twice.
    return q.ratio(n_hits * n_hits, q.num_retrieved * q.num_relevant(rel))


@measure(
    "ranking",
    "NumQ",
    range=(0.0, INFINITY),
    higher_is_better=None,
    aggregation="sum",
    trec=[TrecName("num_q", whole=True)],
    relevant=None,
    formula="1",
    source=TREC_EVAL,
)
def NumQ(_: Query) -> Expr:
    """The number of evaluated queries: 1 for each.

    Range: 1.  Summed over queries.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NumQ").wide()["NumQ"].round(4).to_list()
        [1.0]
    """
    return lit(1.0)


@measure(
    "ranking",
    "NumRet",
    parameters={
        "rel": number(None, "count only documents of this grade or more"),
        "judged_only": JUDGED_ONLY,
    },
    range=(0.0, INFINITY),
    higher_is_better=None,
    aggregation="sum",
    trec=[TrecName("num_ret", whole=True)],
    relevant=None,
    formula="n",
    source=TREC_EVAL,
)
def NumRet(q: Query, rel: float | None) -> Expr:
    """The number of retrieved documents; with `rel`, of those of this grade or more.

    Range: 0 upwards.  Summed over queries, missing ones included.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NumRet").wide()["NumRet"].round(4).to_list()
        [5.0]
    """
    return q.num_retrieved if rel is None else num_hits(q, rel)


@measure(
    "ranking",
    "NumRel",
    parameters={"rel": REL},
    range=(0.0, INFINITY),
    higher_is_better=None,
    aggregation="sum",
    trec=[TrecName("num_rel", whole=True)],
    relevant=None,
    formula="R",
    source=TREC_EVAL,
)
def NumRel(q: Query, rel: float) -> Expr:
    """The number of documents judged relevant.

    Range: 0 upwards.  Summed over queries, missing ones included.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NumRel").wide()["NumRel"].round(4).to_list()
        [3.0]
    """
    return q.num_relevant(rel)


@measure(
    "ranking",
    "NumRelRet",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    range=(0.0, INFINITY),
    aggregation="sum",
    trec=[TrecName("num_rel_ret", whole=True)],
    relevant=None,
    formula="H",
    source=TREC_EVAL,
)
def NumRelRet(q: Query, rel: float) -> Expr:
    """The number of relevant documents that were retrieved.

    Range: 0 upwards, higher is better.  Summed over queries.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NumRelRet").wide()["NumRelRet"].round(4).to_list()
        [2.0]
    """
    return num_hits(q, rel)


@measure(
    "ranking",
    "NumNonRelRet",
    parameters={"rel": REL, "judged_only": JUDGED_ONLY},
    range=(0.0, INFINITY),
    higher_is_better=None,
    aggregation="sum",
    trec=[TrecName("num_nonrel_judged_ret", whole=True)],
    relevant=None,
    formula="number of retrieved documents judged below rel",
    source=TREC_EVAL,
)
def NumNonRelRet(q: Query, rel: float) -> Expr:
    """The number of documents judged not relevant that were retrieved.

    Documents without a judgment, or of a negative grade, are not judged and not counted.

    Range: 0 upwards.  Summed over queries.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "NumNonRelRet").wide()["NumNonRelRet"].round(4).to_list()
        [2.0]
    """
    return q.sum(q.nonrelevant(rel))


@measure(
    "ranking",
    "Utility",
    parameters={
        "rel": REL,
        "hit": number(1.0, "the utility of a retrieved relevant document"),
        "noise": number(-1.0, "the utility of a retrieved document that is not relevant"),
        "miss": number(0.0, "the utility of a relevant document that was not retrieved"),
        "rest": number(0.0, "the utility of a document that is neither relevant nor retrieved"),
        "n_docs": number(0.0, "the number of documents in the collection, for `rest`", low=0.0),
        "judged_only": JUDGED_ONLY,
    },
    range=(-INFINITY, INFINITY),
    trec=[TrecName("utility")],
    relevant=None,
    formula="hit·H + noise·(n−H) + miss·(R−H) + rest·(N+H−n−R)",
    source="Hull, The TREC-6 Filtering Track, 1997; trec_eval",
)
def Utility(q: Query, rel: float, hit: float, noise: float, miss: float, rest: float, n_docs: float) -> Expr:
    """The utility of a retrieved set: a weighted sum of the cells of its contingency table.

    Utility = hit·H + noise·(n − H) + miss·(R − H) + rest·(N + H − n − R), with n documents retrieved, H of them
    relevant, R relevant ones in all and N documents in the collection.  Documents without a judgment count as not
    relevant.  The filtering track's linear utilities are `Utility(hit=3, noise=-2)` and `Utility(hit=2, noise=-1)`.

    Range: −∞ to ∞, higher is better.  Defined for every query.  A missing query has an empty set.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "Utility(hit=3, noise=-2)").wide().row(0)
        (0.0,)
    """
    # Queries without relevant documents have a utility, too.
    hits, retrieved, relevant = q.sum(is_relevant(rel)), q.num_retrieved, q.num_relevant(rel)
    value = hit * hits + noise * (retrieved - hits) + miss * (relevant - hits)
    return value if rest == 0 else value + rest * (n_docs + hits - retrieved - relevant)
