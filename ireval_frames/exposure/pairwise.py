"""Pairs of documents: how often those of a group are above others that are less relevant, or above all others."""

from __future__ import annotations

from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.parameters import CUTOFF, GROUP
from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import choice
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio

WITH = choice("all", "intra", "inter", what="the less relevant documents: all, those of the group, or all others")


@measure(
    "exposure",
    "PairwiseAccuracy",
    at="",
    parameters={"group": GROUP, "pairs": WITH},
    undefined=None,
    pools=True,
    reads=("groups", "relevant"),
    formula="pairs (x in g, y less relevant) with x above y / all such pairs",
    source="Beutel et al., Fairness in Recommendation Ranking through Pairwise Comparisons, KDD 2019",
)
def PairwiseAccuracy(c: ExposureContext, group: Any, pairs: str) -> Expr:
    """Of pairs of a relevant document of a group and a less relevant one: how often the relevant one is above.

    Both are in the list; x is in the group and has a higher grade than y, which has 0 if it was not judged.
    `pairs="intra"` takes y of the same group only, `"inter"` of all others.  Shares of groups weigh the pairs.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups; query_id, doc_id and
    relevance of the judgments.

    Range: 0 to 1, higher is better.  Undefined without a pair.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> ev = fair.evaluate("PairwiseAccuracy(group='new') PairwiseAccuracy(group='new',pairs='inter')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.6667, 0.5]
    """
    table, weight, above = _pairs(c, c.group(group), pairs)
    return ratio(c.sum(table, weight * above), c.sum(table, weight))


def _pairs(c: ExposureContext, group: Any, which: str) -> tuple[Table, Expr, Expr]:
    """A row per relevant document of the group and less relevant one of its list: its weight, and who is above."""
    tables, plan = c.tables, c.tables.plan
    rows, grade = tables.rows, c.grade
    share = rows.column(tables.share_of(group, rows), "share_of_group")
    known = rows.lookup(tables.groups.count(into=tables.grouped_documents), of=tables.grouped_documents)
    name = tables.name_of(group)
    own = {"grade": grade, "at": tables.rank, "part": share}
    better = plan.selected(f"relevant_of_{name}", rows.keys, rows, where=(grade > 0) & ~share.is_null(), **own)
    others = plan.selected(
        f"others_of_{name}",
        (*tables.list_keys, "other_id"),
        rows,
        other_id=col("doc_id"),
        other_grade=grade,
        other_at=tables.rank,
        other_part=share.fill_null(0.0),
        other_known=indicator(~known.is_null()),
    )
    table = plan.joined(f"pairs_of_{name}", (*rows.keys, "other_id"), better, others, on=tables.list_keys)
    weight = col("part") * indicator(col("grade") > col("other_grade"))
    if which == "intra":
        weight = weight * col("other_part")
    elif which == "inter":
        weight = weight * when(col("other_known") > 0).then(1.0 - col("other_part")).otherwise(0.0)
    return table, table.column(weight), table.column(indicator(col("at") < col("other_at")))


@measure(
    "exposure",
    "FavouredPairs",
    parameters={"group": GROUP, "cutoff": CUTOFF},
    higher_is_better=None,
    undefined=None,
    pools=True,
    reads=("groups",),
    formula="pairs (x in g, y not in g) with x above y / (n_g (n − n_g))",
    source="FairRankTune",
)
def FavouredPairs(c: ExposureContext, group: Any, cutoff: int | None) -> Expr:
    """Of all pairs of a document of a group and one of another: how often the one of the group is above.

    The documents are those of a list that have a group, with a cutoff the first k of them; shares of groups weigh the
    pairs.

    Columns: query_id, doc_id, and score or rank of the run; doc_id, group and share of the groups.

    Range: 0 to 1; 0.5 favours neither side.  Undefined where all documents, or none, are in the group.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.exposure())
        >>> fair.evaluate("FavouredPairs(group='new')").summary()["value"].round(4).item()
        0.1667
    """
    tables = c.tables
    name = c.group(group)
    placed, lists = tables.placed, tables.lists
    inside = tables.share_of(name, placed).fill_null(0.0)
    counts = 0.0 * tables.place + 1.0 if cutoff is None else indicator(tables.place <= float(cutoff))
    own, other = placed.column(inside * counts, "own"), placed.column((1.0 - inside) * counts, "other")
    n_own, n_other = placed.sum(own, into=lists), placed.sum(other, into=lists)
    below = placed.lookup(n_other, of=lists) - tables.share_up_to(other)
    won = placed.column(own * below, "won")
    return ratio(c.sum(placed, won), c.sum(lists, lists.column(n_own * n_other)))
