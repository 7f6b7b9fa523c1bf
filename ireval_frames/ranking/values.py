"""From a measure to its value per query, averaged over subtopics or assessors where requested.

The policy decides about undefined values.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.declaration import UNSPECIFIED, Measure
from ireval_frames.errors import DuplicateRows, NotDefined
from ireval_frames.expr import Expr, when
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.inputs.rules import several_assessors
from ireval_frames.ranking.tables import RankingTables


def final(measure: Measure, tables: RankingTables) -> Expr:
    """The measure's expression in the units."""
    arguments, judged_only, over = options_of(measure, tables)
    return _averaged(measure, arguments, Query(tables, str(measure), judged_only=judged_only), over)


def options_of(measure: Measure, tables: RankingTables) -> tuple[dict[str, object], bool, list[str]]:
    """The arguments of a measure's function, whether lists are condensed, and the facets that are averaged over."""
    arguments = measure.arguments()
    judged_only = bool(arguments.pop("judged_only", False)) or tables.policy.unjudged == "skip"
    assessors, subtopics = arguments.pop("assessors", None), arguments.pop("subtopics", "max")
    reads = measure.definition.reads
    over = (
        ["assessor_id"]
        if assessors == "mean" and not ("assessor_id" in reads and "assessor_id" not in tables.facets)
        else []
    )
    over += ["subtopic_id"] if subtopics == "mean" else []
    if assessors is None and "assessor_id" in tables.facets and "assessor_id" not in reads:
        _require_one_assessor(measure, tables)
    return arguments, judged_only, over


def _averaged(measure: Measure, arguments: dict[str, object], q: Query, over: list[str]) -> Expr:
    """The value in a context: of the measure itself, or the mean of its values per subtopic or assessor."""
    if not over:
        with q.tables.plan.into(q.tables.units):
            value = measure.expression(q, arguments)
            return _defined(measure, q, value, lambda: _none_relevant(measure, arguments, q, over))
    each = q.each(over[0])
    value = _averaged(measure, arguments, each, over[1:])
    if over[0] == "subtopic_id" and (none := _none_relevant(measure, arguments, each, over[1:])) is not None:
        # A subtopic without relevant documents does not count; an assessor who judged none relevant does.
        value = when(~none).then(value)
    return _defined(measure, q, q.mean(each, value), lambda: _none_relevant(measure, arguments, q, over))


def _defined(measure: Measure, q: Query, value: Expr, none_relevant: Callable[[], Expr | None]) -> Expr:
    """The value; where it is undefined, what the policy says."""
    policy, undefined = q.tables.policy, measure.definition.undefined
    if undefined is None and policy.missing == "zero":
        value = when(q.tables.num_retrieved(judged_only=False) == 0).then(0.0).otherwise(value)
    if policy.undefined == "declared" and undefined is not None:
        value = value.fill_null(undefined)
    elif undefined is not None and measure.definition.relevant is not UNSPECIFIED:
        none = none_relevant()
        value = value if none is None else when(none).then(undefined).otherwise(value)
    if policy.no_relevant != "null":
        return value
    none = none_relevant()
    return value if none is None else when(~none).then(value)


def _none_relevant(measure: Measure, arguments: dict[str, object], q: Query, over: Sequence[str]) -> Expr | None:
    """Whether the unit has nothing relevant to the measure; None for measures without relevance."""
    number = _relevant(measure, arguments, q, over)
    return None if number is None else number == 0


def _relevant(measure: Measure, arguments: dict[str, object], q: Query, over: Sequence[str]) -> Expr | None:
    """The number of relevant documents; with `over`, the number of subtopics or assessors that have some."""
    relevant = measure.definition.relevant
    if relevant is None:
        return None
    if relevant is UNSPECIFIED:
        raise _not_said(measure)
    if not over:
        names = inspect.signature(relevant).parameters
        with q.tables.plan.into(q.tables.units):
            return relevant(q, **{name: value for name, value in arguments.items() if name in names})
    each = q.each(over[0])
    number = _relevant(measure, arguments, each, over[1:])
    return (
        None
        if number is None
        else each.tables.units.sum(when(number == 0).then(0.0).otherwise(1.0), into=q.tables.units)
    )


def _not_said(measure: Measure) -> NotDefined:
    """The error that a user's measure does not declare what is relevant."""
    return NotDefined(
        f"{measure} does not declare what is relevant, so policy no_relevant=null and subtopics='mean' are not "
        "defined for it.",
        f'Declare it: @measure("ranking", "{measure.name}", relevant=lambda q: q.num_relevant(1.0)), or relevant=None '
        "if it does not depend on relevance.",
    )


def _require_one_assessor(measure: Measure, tables: RankingTables) -> None:
    """Refuse documents that several assessors judged; a measure with `assessors=` allows them."""
    keys = ("query_id", *(f for f in tables.facets if f == "subtopic_id"), "doc_id")
    documents = tables.plan.grouped("judged_documents", tables.judgments, *keys)

    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        return several_assessors(str(measure), rows, count)

    tables.plan.require(documents, tables.judgments.count(into=documents) > 1, error)
