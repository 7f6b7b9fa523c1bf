"""From a measure to its value per query.

Averaged over subtopics or assessors where asked, undefined values as the policy says.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.declaration import NOT_SAID, Measure
from ireval_frames.errors import DuplicateRows, NotDefined
from ireval_frames.expr import Expr, when
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.inputs.rules import several_assessors
from ireval_frames.ranking.tables import RankingTables


def final(measure: Measure, tables: RankingTables) -> Expr:
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


def _averaged(measure: Measure, arguments: dict[str, object], q: Query, over: list[str]) -> Expr:
    """The value in a context: of the measure itself, or the mean of its values in finer contexts."""
    if not over:
        with q.tables.plan.into(q.tables.units):
            value = measure.expression(q, arguments)
            return _defined(measure, q, value, lambda: _nothing_relevant(measure, arguments, q, over))
    each = q.each(over[0])
    value = _averaged(measure, arguments, each, over[1:])
    if over[0] == "subtopic_id" and (nothing := _nothing_relevant(measure, arguments, each, over[1:])) is not None:
        # A subtopic without relevant documents is none of the query's; an assessor who found none is still one of its
        # assessors.
        value = when(~nothing).then(value)
    return _defined(measure, q, q.mean(each, value), lambda: _nothing_relevant(measure, arguments, q, over))


def _defined(measure: Measure, q: Query, value: Expr, nothing_relevant: Callable[[], Expr | None]) -> Expr:
    """A value with what the policy says where it is undefined."""
    policy, undefined = q.tables.policy, measure.definition.undefined
    if undefined is None and policy.missing == "zero":
        value = when(q.tables.num_retrieved(judged_only=False) == 0).then(0.0).otherwise(value)
    if policy.undefined == "declared" and undefined is not None:
        value = value.fill_null(undefined)
    elif undefined is not None and measure.definition.relevant is not NOT_SAID:
        nothing = nothing_relevant()
        value = value if nothing is None else when(nothing).then(undefined).otherwise(value)
    if policy.no_relevant != "null":
        return value
    nothing = nothing_relevant()
    return value if nothing is None else when(~nothing).then(value)


def _nothing_relevant(measure: Measure, arguments: dict[str, object], q: Query, over: Sequence[str]) -> Expr | None:
    """Whether the unit has nothing that the measure calls relevant; None for measures that do not ask."""
    found = _relevant(measure, arguments, q, over)
    return None if found is None else found == 0


def _relevant(measure: Measure, arguments: dict[str, object], q: Query, over: Sequence[str]) -> Expr | None:
    """How much there is to find; with finer contexts, how many of them have something."""
    relevant = measure.definition.relevant
    if relevant is None:
        return None
    if relevant is NOT_SAID:
        raise _not_said(measure)
    if not over:
        named = inspect.signature(relevant).parameters
        with q.tables.plan.into(q.tables.units):
            return relevant(q, **{name: value for name, value in arguments.items() if name in named})
    each = q.each(over[0])
    found = _relevant(measure, arguments, each, over[1:])
    return (
        None if found is None else each.tables.units.sum(when(found == 0).then(0.0).otherwise(1.0), into=q.tables.units)
    )


def _not_said(measure: Measure) -> NotDefined:
    """A measure of the user's own does not declare what it looks for."""
    return NotDefined(
        f"{measure} does not declare what it calls relevant, so neither policy no_relevant=null nor subtopics='mean' "
        "has a meaning for it.",
        f'Declare it: @measure("ranking", "{measure.name}", relevant=lambda q: q.num_relevant(1.0)), or relevant=None '
        "if it has a value whatever is relevant.",
    )


def _judged_once(measure: Measure, tables: RankingTables) -> None:
    """Refuse documents that several assessors judged, unless the measure says what to make of them."""
    keys = ("query_id", *(f for f in tables.facets if f == "subtopic_id"), "doc_id")
    documents = tables.plan.grouped("judged_documents", tables.judgments, *keys)

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        return several_assessors(str(measure), rows, count)

    tables.plan.require(documents, tables.judgments.count(into=documents) > 1, error)
