"""How much of the attention groups get, and how far that is from a target."""

from __future__ import annotations

import math
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.conventions.exposure import SAPIEZYNSKI, TREC_FAIR
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.parameters import ATTENTION, CUTOFF, GROUP
from ireval_frames.exposure.tables import within
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.browsing import attention
from ireval_frames.parameters import UPWARDS, choice, number
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio

DISTANCE = choice(
    "js",
    "js-bits",
    "l1",
    "l2",
    what="how far exposure and target are apart: Jensen-Shannon divergence in nats (at most ln 2) or in bits (at most "
    "1); half the sum of absolute differences; the Euclidean distance over √2",
)
REL = number(1.0, "the lowest grade that counts as relevant")


@measure(
    "exposure",
    "GroupExposure",
    parameters={"group": GROUP, **ATTENTION, "cutoff": CUTOFF},
    higher_is_better=None,
    undefined=None,
    pools=True,
    reads=("groups",),
    formula="Σ_{d∈g} e_d s_dg / Σ_d e_d",
    source=f"{SAPIEZYNSKI}; {TREC_FAIR}",
)
def GroupExposure(
    c: ExposureContext, group: Any, browsing: str | None, p: float, stop: float, cutoff: int | None
) -> Expr:
    """The share of the attention that a group gets.

    Σ_d e_d s_dg / Σ_d e_d over the documents that have a group, where e_d is the attention at the rank of document d
    (its mean over the lists of the query, if there are several) and s_dg its share of group g.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; with
    `browsing="cascade"` also query_id, doc_id and relevance of the judgments.

    Range: 0 to 1; neither end is better.  Undefined where no document has a group.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("GroupExposure(group='new')").summary()["value"].round(4).item()
        0.3008
    """
    name, rows = c.group(group), c.memberships
    exposure = rows.lookup(c.exposure(c.attention(browsing, p, stop, cutoff)), of=c.tables.members)
    return ratio(c.sum(rows, exposure * c.part_of(name)), c.sum(rows, exposure * col("share")))


def _awrf(c: ExposureContext, distance: str, attention: Expr) -> Expr:
    """At the queries: 1 less the distance of exposure and target."""
    grid, documents, rows = c.tables.grid, c.tables.documents, c.memberships
    exposure = rows.lookup(c.exposure(attention), of=c.tables.members) * col("share")
    total = grid.lookup(rows.sum(exposure, into=documents), of=documents)
    share = grid.column(ratio(rows.sum(exposure, into=grid), total), "exposure_share")
    target = c.target_share
    # Without any group there is no row, and nothing to compare.
    unknown, n = (grid.sum(of, into=documents) for of in (indicator(share.is_null() | target.is_null()), lit(1.0)))
    known = documents.column((unknown == 0) & (n > 0))
    if distance == "l1":
        apart = grid.sum((share - target).abs().fill_null(0.0), into=documents) / 2.0
    elif distance == "l2":
        apart = (grid.sum(((share - target) * (share - target)).fill_null(0.0), into=documents) / 2.0).sqrt()
    else:
        middle = grid.column((share + target) / 2.0, "middle")
        terms = grid.column((divergence(grid, share, middle) + divergence(grid, target, middle)) / 2.0)
        apart = grid.sum(terms.fill_null(0.0), into=documents) / (1.0 if distance == "js" else math.log(2.0))
    return documents.column(when(known & c.has_list).then(1.0 - apart), "awrf")


def divergence(table: Table, share: Expr, other: Expr) -> Expr:
    """A term of the Kullback-Leibler divergence, in nats: 0 where the share is 0, undefined where only the other is.

    Args:
        table: the table of both.
        share: a share.
        other: the share that it is compared with.
    """
    share, other = table.column(share), table.column(other)
    both = (share > 0) & (other > 0)
    quotient = table.column(when(both).then(share / when(both).then(other).otherwise(1.0)).otherwise(1.0), "quotient")
    return table.column(when(both).then(share * quotient.log()).otherwise(when(share == 0).then(0.0)))


@measure(
    "exposure",
    "AWRF",
    parameters={"distance": DISTANCE, **ATTENTION, "cutoff": CUTOFF},
    aliases=("AttentionWeightedRankFairness",),
    undefined=None,
    reads=("groups", "target"),
    formula="1 − distance(exposure of groups, target)",
    source=f"{SAPIEZYNSKI}; {TREC_FAIR}",
)
def AWRF(c: ExposureContext, distance: str, browsing: str | None, p: float, stop: float, cutoff: int | None) -> Expr:
    """Attention-weighted rank fairness: 1 less the distance between the exposure of groups and their target.

    AWRF = 1 − Δ(ε, t), with ε_g = Σ_d e_d s_dg / Σ_d e_d as in GroupExposure.  `distance="js"` is the Jensen-Shannon
    divergence in nats, as in TREC Fair Ranking: the smallest value is then 1 − ln 2 = 0.3069.  `"js-bits"`, `"l1"`
    (half the sum of |ε_g − t_g|) and `"l2"` (√(Σ (ε_g − t_g)² / 2)) reach 0.  With the policy `trecfair` ranks 1 and 2
    weigh the same.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; group and share, and
    query_id if they differ, of the target.

    Range: 0 to 1, higher is better; 1 where exposure and target are equal.  Undefined where no document of a query
    has a group, or the target does not have the query.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("AWRF AWRF(distance='js-bits') AWRF(distance='l1')").summary()["value"].round(4).to_list()
        [0.9792, 0.9699, 0.8008]
    """
    return c.of_query(_awrf(c, distance, c.attention(browsing, p, stop, cutoff)))


@measure(
    "exposure",
    "nDCG_AWRF",
    parameters={"rel": REL, "distance": DISTANCE, **ATTENTION, "cutoff": CUTOFF},
    undefined=None,
    reads=("groups", "target", "relevant"),
    formula="nDCG · AWRF",
    source=TREC_FAIR,
)
def nDCG_AWRF(
    c: ExposureContext, rel: float, distance: str, browsing: str | None, p: float, stop: float, cutoff: int | None
) -> Expr:
    """The score of TREC Fair Ranking: nDCG times attention-weighted rank fairness, of each query.

    nDCG = Σ over the relevant documents of the attention at their ranks, divided by the sum of the attention at the
    first min(k, R) ranks, where R is the number of relevant documents.  With `browsing="cascade"` the best list has the
    relevant documents first.  The track has `policy="trecfair"` and k = 500.  Several lists of a query count as their
    mean.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; group and share of
    the target; query_id, doc_id and relevance of the judgments.

    Range: 0 to 1, higher is better.  Undefined where AWRF is, and in queries without a relevant document.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure(), policy="trecfair")
        >>> fair.evaluate("nDCG_AWRF AWRF").summary()["value"].round(4).to_list()
        [0.798, 0.9786]
    """
    tables = c.tables
    weight, documents = c.attention(browsing, p, stop, cutoff), tables.documents
    hits = c.exposure(tables.rows.column(weight * indicator(c.grade >= rel)), tables.retrieved)
    gain = tables.retrieved.sum(hits, into=documents)
    # The best list: a row per relevant document, at its place among them.
    best = tables.plan.selected(
        f"relevant_from_{rel:g}".replace(".", "_"), tables.judged.keys, tables.judged,
        where=col("grade") >= rel, one=lit(1.0),
    )  # fmt: skip
    place = best.over(col("one").cum_sum(), tables.keys, ["doc_id"], "place")
    model = browsing or c.policy.browsing
    value = within(attention(model, place, p=p, stop=stop, above=place - 1.0), place, cutoff)
    ideal = best.sum(best.column(value), into=documents)
    ndcg = ratio(gain, ideal)
    return c.of_query(documents.column(ndcg * _awrf(c, distance, weight)))


@measure(
    "exposure",
    "NumRetrieved",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    pools=True,
    formula="documents of lists",
    source="counted",
)
def NumRetrieved(c: ExposureContext) -> Expr:
    """The number of different documents in a query's lists.

    Columns: query_id, doc_id, and score or rank of the run.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.FairExposure(**ir.examples.exposure()).evaluate("NumRetrieved").summary()["value"].item()
        5.0
    """
    return c.sum(c.tables.retrieved, lit(1.0))
