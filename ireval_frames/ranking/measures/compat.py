"""Compatibility: how similar a ranking is to an ideal one, by rank-biased overlap.

A document that the ranking and the ideal share counts from the greater of its two ranks on, at every depth d with
weight p^(d−1)/d.  So rank-biased overlap is the sum over the shared documents of the sum of these weights from that
rank on, which a table of depths has.

```
depths    a row per depth with the sum of the weights from there on
shared    a row per list and retrieved relevant document: the depth from which it is shared
ideals    a row per relevant document: its rank in the ideal order
ends      a row per list: the first depth that does not count
```
"""

from __future__ import annotations

import math

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.parameters import Parameter, flag, number, whole
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.rank_grid import DEEPEST
from ireval_frames.ranking.parameters import JUDGED_ONLY, positive_grades

# Weights after a depth are ignored if their sum is smaller than this.
NEGLIGIBLE = 1e-18


_max_depth = whole(1, high=DEEPEST).convert


def _depth(value: object) -> int | str | None:
    if value is None or value == "longest":
        return value
    try:
        return int(_max_depth(value))
    except ValueError:
        raise ValueError(f'a whole number from 1 to {DEEPEST}, None, or "longest"') from None


@measure(
    "ranking",
    "Compat",
    parameters={
        "p": number(
            0.95,
            "the persistence: the weight of a depth over that of the one before",
            low=0.0,
            high=1.0,
            open_ends=True,
        ),
        "max_depth": Parameter(
            1000, "the depth of the overlap; None for infinite, 'longest' for the longer of list and ideal", _depth
        ),
        "normalize": flag(default=True, what="divide by the value of the ideal ranking itself"),
        "judged_only": JUDGED_ONLY,
    },
    relevant=positive_grades,
    formula="RBO(list, ideal) / RBO(ideal, ideal), RBO = Σ p^(d−1) · overlap(d)/d / Σ p^(d−1)",
    source="Clarke, Vtyurina and Smucker, ACM TOIS 39(3), 2021",
)
def Compat(q: Query, p: float, max_depth: int | str | None, *, normalize: bool) -> Expr:
    """Compatibility: the greatest rank-biased overlap with an ideal ranking of the query's relevant documents.

    Compat = RBO(list, ideal) / RBO(ideal, ideal), RBO = Σ_{d≤D} p^(d−1) · |first d of both| / d / Σ_{d≤D} p^(d−1), D =
    1000 as in the authors' program.  The ideal holds the documents of positive grade, higher grades first, those of one
    grade in the list's own order, and the ones not retrieved after them.  Grades may be fractions.

    ir_measures takes D from the data: max_depth="longest"; its order of the ideal is wrong where scores are negative,
    and is not copied.  Both tools put documents of equal score in ascending order of id: policy="ties=doc_id".

    Range: 0 to 1, higher is better.  Without positive grades it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "Compat Compat(max_depth='longest')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.4806, 0.3404]
    """
    tables = q.tables
    positive = positive_grades(q)
    deepest = (
        max_depth if isinstance(max_depth, int) else max(2, math.ceil(math.log(NEGLIGIBLE * (1.0 - p)) / math.log(p)))
    )
    if deepest > DEEPEST:
        raise NotDefined(
            f"{q.measure} needs {deepest} depths, and each becomes a row; at most {DEEPEST}.", "Write max_depth=1000."
        )
    tail = _from_depth_on(_depths(q, deepest), p)
    depths, ideals, shared_documents = _depths(q, deepest), _ideals(q), _shared(q)
    overlap = shared_documents.sum(shared_documents.lookup(tail, of=depths).fill_null(0.0))
    best = tables.units.lookup(
        ideals.sum(ideals.lookup(tail, of=depths).fill_null(0.0), into=tables.judged_queries), of=tables.queries
    )
    end = lit(float(deepest))
    if max_depth == "longest":
        ends = _ends(q, positive)
        cut = tables.units.column(ends.sum(ends.lookup(tail, of=depths).fill_null(0.0)))
        overlap, best = overlap - shared_documents.count() * cut, best - positive * cut
        end = ends.sum(col("depth").cast(pl.Float64) - 1.0)
    if normalize:
        return q.ratio(overlap, best)
    return overlap * (1.0 - p) / (1.0 - lit(p) ** end)


def _depths(q: Query, deepest: int) -> Table:
    plan = q.tables.plan
    one_row = plan.grouped("one_row", q.tables.lists)
    return plan.expand_range(f"depths_{deepest}", "depth", one_row, lit(1), lit(deepest))


def _from_depth_on(depths: Table, p: float) -> Expr:
    """The sum of p^(d−1)/d from a depth on."""
    depth = col("depth").cast(pl.Float64)
    weight = depths.column(lit(p) ** (depth - 1.0) / depth, "weight")
    return depths.over(weight.cum_sum(reverse=True), (), ["depth"], "tail")


def _ideals(q: Query) -> Table:
    _, rank = q.ideal_order(_grade())
    name = f"ideals_of_{q.tables.judged_queries.name}"
    qrels = q.tables.qrels
    return q.tables.plan.selected(name, qrels.keys, qrels, where=col("relevance") > 0, depth=rank.cast(pl.Int64))


def _shared(q: Query) -> Table:
    tables, rows, qrels = q.tables, q.rows, q.tables.qrels
    gain, best = q.ideal_order(_grade())
    higher = qrels.over(best.min(), (*tables.judged_queries.keys, gain.name), name="first_of_its_grade") - 1.0
    position = rows.over(
        col("rank").cum_count().cast(pl.Float64), (*tables.units.keys, "relevance"), ["rank"], "place_in_its_grade"
    )
    ideal = rows.column(rows.lookup(higher, of=qrels) + position, "ideal_place")
    rank = q.rank
    depth = rows.column(when(rank > ideal).then(rank).otherwise(ideal), "shared_from")
    return tables.plan.selected(
        f"shared_of_{rows.name}", rows.keys, rows, where=col("relevance") > 0, depth=depth.cast(pl.Int64)
    )


def _ends(q: Query, positive: Expr) -> Table:
    """The depth after the longer of list and ideal."""
    tables = q.tables
    lists = tables.all_units(f"compared_of_{q.rows.name}", tables.units.keys, tables.queries)
    n = tables.num_retrieved(judged_only=q.judged_only, into=lists)
    ideal = lists.lookup(positive, of=tables.queries)
    end = lists.column(when(n > ideal).then(n).otherwise(ideal) + 1.0, "end")
    return tables.plan.selected(f"ends_of_{q.rows.name}", tables.units.keys, lists, depth=end.cast(pl.Int64))


def _grade() -> Expr:
    return when(col("relevance") > 0).then(col("relevance")).otherwise(0.0)
