"""From a measure to its value per query.

Averaged over subtopics or assessors where asked, undefined values as the policy says.
"""

from __future__ import annotations

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.errors import DuplicateRows
from ireval_frames.measure import Measure
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.rules import several_assessors
from ireval_frames.ranking.tables import RankingTables


def final(measure: Measure, tables: RankingTables) -> nw.Expr:
    """The measure's expression in the units."""
    arguments = measure.arguments()
    judged_only = arguments.pop("judged_only", False) or tables.policy.unjudged == "skip"
    assessors, subtopics = arguments.pop("assessors", None), arguments.pop("subtopics", "max")
    reads = measure.definition.reads
    over = (
        ["assessor_id"]
        if assessors == "mean" and not ("assessor_id" in reads and "assessor_id" not in tables.facets)
        else []
    )
    over += ["subtopic_id"] if subtopics == "mean" else []
    if assessors is None and "assessor_id" in tables.facets and "assessor_id" not in reads:
        _judged_once(measure, tables)
    return _averaged(measure, arguments, Query(tables, str(measure), judged_only=judged_only), over)


def _averaged(measure: Measure, arguments: dict[str, object], q: Query, over: list[str]) -> nw.Expr:
    """The value in a context: of the measure itself, or the mean of its values in finer contexts."""
    if not over:
        with q.tables.as_units():
            return _defined(measure, q, measure.definition.function(q, **arguments))
    each = q.each(over[0])
    value = _averaged(measure, arguments, each, over[1:])
    nothing = None if _counts(measure) else each.without_relevant()
    if nothing is not None:
        found = each.tables.units.sum(nw.when(nothing).then(0.0).otherwise(1.0), into=q.tables.units)
        q.needs_relevant(lambda: found)
        # A subtopic without relevant documents is none of the query's; an assessor who found none is still one of its
        # assessors.
        value = value if over[0] == "assessor_id" else nw.when(~nothing).then(value)
    return _defined(measure, q, q.mean(each, value))


def _defined(measure: Measure, q: Query, value: nw.Expr) -> nw.Expr:
    """A value with what the policy says where it is undefined."""
    policy, undefined = q.tables.policy, measure.definition.undefined
    if undefined is None and policy.missing == "zero":
        value = nw.when(q.tables.num_retrieved(judged_only=False) == 0).then(0.0).otherwise(value)
    nothing = (
        None
        if _counts(measure) or (policy.no_relevant != "null" and policy.undefined is not None)
        else q.without_relevant()
    )
    if policy.undefined == "declared" and undefined is not None:
        value = value.fill_null(undefined)
    elif nothing is not None and undefined is not None:
        value = nw.when(nothing).then(undefined).otherwise(value)
    return value if nothing is None or policy.no_relevant != "null" else nw.when(~nothing).then(value)


def _counts(measure: Measure) -> bool:
    """Whether it counts something, which has a value whatever is relevant."""
    return measure.definition.aggregation == "sum"


def _judged_once(measure: Measure, tables: RankingTables) -> None:
    """Refuse documents that several assessors judged, unless the measure says what to make of them."""
    keys = ("query_id", *(f for f in tables.facets if f == "subtopic_id"), "doc_id")
    documents = tables.plan.grouped("judged_documents", tables.judgments, *keys)

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        return several_assessors(str(measure), rows, count)

    tables.plan.require(documents, tables.judgments.count(into=documents) > 1, error)
