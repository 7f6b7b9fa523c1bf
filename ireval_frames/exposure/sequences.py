"""Attention over a sequence of rankings beside the relevance of what is in them."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.declaration import POOLED
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.parameters import ATTENTION, CUTOFF
from ireval_frames.expr import Expr, lit, when
from ireval_frames.parameters import UPWARDS
from ireval_frames.ratios import ratio


@measure(
    "exposure",
    "EquityOfAttention",
    parameters={**ATTENTION, "cutoff": CUTOFF},
    aliases=("AmortizedUnfairness",),
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    aggregation=POOLED,
    reads=("relevant",),
    formula="Σ_d |Σ_t a_td − Σ_t r_td|",
    source="Biega, Gummadi and Weikum, Equity of Attention, SIGIR 2018",
)
def EquityOfAttention(c: ExposureContext, browsing: str | None, p: float, stop: float, cutoff: int | None) -> Expr:
    """How far the attention that documents get over a sequence of rankings is from their relevance.

    Σ_d |A_d − R_d|, where A_d adds the attention at the ranks of d over all lists and R_d its grades, both divided by
    their sums in each list.  All lists of a query and, for the value of a run, of all queries are one sequence.  In a
    list without a positive grade all documents count as equally relevant.

    Columns: query_id, doc_id, score or rank, and the column of `samples` if there is one, of the run; query_id, doc_id
    and relevance of the judgments.

    Range: 0 and up, at most 2 for each list; lower is better.  Undefined without a list.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> orders = pl.DataFrame({"query_id": [1, 1, 2, 2], "doc_id": [*"abba"], "rank": [1, 2, 1, 2]})
        >>> judged = orders.select("query_id", "doc_id", relevance=pl.lit(1))
        >>> fair = ir.FairExposure(orders, relevant=judged, browsing="geometric")
        >>> fair.evaluate("EquityOfAttention").summary()["value"].round(4).item()
        0.0
    """
    tables = c.tables
    rows, lists = tables.rows, tables.lists
    weight, grade = c.attention(browsing, p, stop, cutoff), c.grade
    total, n = (rows.lookup(rows.sum(of, into=lists), of=lists) for of in (grade, lit(1.0)))
    due = rows.column(ratio(grade, total).fill_null(ratio(1.0, n)), "due_of_row")
    received = rows.column(ratio(weight, rows.lookup(rows.sum(weight, into=lists), of=lists)), "received")
    documents = c.per("documents", rows, "doc_id")
    apart = documents.column(c.sum(rows, received - due, into=documents).abs(), "apart")
    return when(c.sum(lists, lit(1.0)) > 0).then(documents.sum(apart, into=c.unit))
