"""The possible differences of two lists once the documents without a judgment are judged.

Every way to judge them is a query of its own, a *variant*: the same two lists, with the judgments of the variant.  Four
variants give bounds, the others are all assignments of grades, if these are few.

```
variant 0  all the lowest grade      2  the highest where the run ranks the document higher, else the lowest
variant 1  all the highest grade     3  the other way round        4, 5, …  the assignments
```
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

from ireval_frames.comparison.diagnosis_tables import is_system
from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.diagnosis.contributions import RankedLists, last_rank_of
from ireval_frames.ranking.diagnosis.lists import TwoLists
from ireval_frames.ranking.diagnosis.shapes import Shape, shape
from ireval_frames.ranking.inputs.facets import reads
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final
from ireval_frames.ratios import indicator, ratio
from ireval_frames.results import TableQuery

# The variants before the assignments.
BOUNDS = 4
# Quotients of powers of small integers are integers, or differ from one by more than this.
ROUNDING = 1e-9
# From this number of documents on there are more assignments than are ever tried.
TOO_MANY = 64.0


def unjudged(both: TwoLists, measure: Measure, k: int, grades: Sequence[float] | None, most: int) -> TableQuery:
    """Per query, the number of unjudged documents, and the possible differences if they were judged.

    Args:
        both: the two lists.
        measure: the measure.
        k: the number of documents of each list that get judged.
        grades: the grades that documents may get, ascending; None is 0, 1, … up to the largest judged.
        most: the largest number of assignments that are tried.
    """
    if reads([measure]):
        raise NotDefined(
            f"{measure} reads judgments by subtopic or assessor, and a newly judged document would need several.",
            "Use a measure of plain grades.",
        )
    form, tables = shape(measure, both.tables.policy), both.tables
    if grades is not None and form is not None and form.binary:
        grades = [grades[0], grades[-1]]
    queries, table = tables.queries, both.table
    not_judged = both.relevance.is_null() | (both.relevance < 0)
    to_judge = [table.column(indicator(not_judged & (rank <= k))) for rank in (both.rank_baseline, both.rank)]
    either = table.column(indicator(to_judge[0] + to_judge[1] > 0), "to_judge")
    counts = [table.sum(flag, into=queries) for flag in (*to_judge, either)]
    values_now = [
        tables.units.max(_value_of(both, measure, system), into=queries)
        for system in (both.pair.baseline, both.pair.system)
    ]
    variants = _variants(both, form, counts[2], grades, most)
    values = _values(both, measure, form, variants, either, grades)
    plan, intervals = _intervals(both, measure, form, values)
    frame = both.plan.engine.join(
        queries.frame().select(
            query_id=col("query_id"),
            n_unjudged_baseline=counts[0].cast(pl.Int64),
            n_unjudged=counts[1].cast(pl.Int64),
            n_unjudged_either=counts[2].cast(pl.Int64),
            difference=values_now[1] - values_now[0],
        ),
        intervals,
        ("query_id",),
        "left",
    )
    checks = (tables.plan.check, plan.check)
    return TableQuery(both.plan, frame, ("query_id",), frame.columns, checks)


def _value_of(both: TwoLists, measure: Measure, system: str) -> Expr:
    """The value of a system with the judgments as they are, at its units; null at those of the other."""
    units = both.tables.units
    with both.plan.requesting(str(measure)):
        value = units.column(final(measure, both.tables).cast(pl.Float64))
    return units.column(when(is_system(system)).then(value))


def _variants(both: TwoLists, form: Shape | None, number: Expr, grades: Sequence[float] | None, most: int) -> Table:
    """A row per query and variant, with a unique number."""
    plan, queries = both.plan, both.tables.queries
    if grades is None:
        all_judgments = plan.grouped("all_judgments", both.tables.qrels)
        largest = both.tables.qrels.max(col("relevance").cast(pl.Float64), into=all_judgments)
        largest_grade = all_judgments.column(when(largest > 1.0).then(largest).otherwise(1.0), "largest_grade")
        largest_grade = queries.lookup(largest_grade, of=all_judgments)
        levels = lit(2.0) if form is not None and form.binary else largest_grade.ceil() + 1.0
    else:
        largest_grade, levels = lit(grades[-1]), lit(float(len(grades)))
    # Exact bounds need no assignments.
    exact = form is not None and form.additive and form.ideal is None
    few = when(number < TOO_MANY).then(number).otherwise(TOO_MANY)
    assignments = queries.column(levels**few, "assignments")
    n_tried = queries.column(when((assignments <= most) & lit(value=not exact)).then(assignments).otherwise(0.0))
    position = queries.over(col("query_id").cum_count(), (), ["query_id"], "place")
    columns = {"top": largest_grade, "levels": levels, "tried": n_tried, "place": position.cast(pl.Int64)}
    selected = plan.selected("queries_to_judge", ("query_id",), queries, query_id=col("query_id"), **columns)
    expanded = plan.expand_range("variants", "variant", selected, lit(0), col("tried") + (BOUNDS - 1.0))
    number_of_variant = expanded.column(col("place") * (most + BOUNDS) + col("variant").cast(pl.Int64))
    copied = {c: col(c) for c in ("query_id", "top", "levels")}
    return plan.compute_once(
        plan.selected(
            "numbered_variants",
            ("query_id", "variant"),
            expanded,
            variant=col("variant").cast(pl.Int64),
            topic=number_of_variant,
            **copied,
        )
    )


def _judgments(both: TwoLists, variants: Table, either: Expr, grades: Sequence[float] | None) -> Frame:
    """The judgments of every variant."""
    plan, table, qrels = both.plan, both.table, both.tables.qrels
    # A pooled but unjudged document (a negative grade) is judged, too.
    replaced = qrels.lookup(either, of=table).fill_null(0.0)
    columns = {"query_id": col("query_id"), "doc_id": col("doc_id")}
    grade = col("relevance").cast(pl.Float64)
    others = plan.selected("other_judgments", qrels.keys, qrels, where=replaced == 0, **columns, relevance=grade)
    repeated = plan.joined(
        "judgments_of_variants", ("query_id", "variant", "doc_id"), variants, others, on=("query_id",)
    )
    higher = both.rank_baseline.is_null() | (both.rank < both.rank_baseline)
    documents = plan.selected(
        "documents_to_judge", table.keys, table, where=either == 1, **columns, higher=indicator(higher)
    )
    number = documents.over(col("doc_id").cum_count(), ("query_id",), ["doc_id"], "number")
    index = documents.column(number.cast(pl.Float64) - 1.0, "document")
    assigned = plan.joined("assigned", ("query_id", "variant", "doc_id"), variants, documents, on=("query_id",))
    variant, levels = col("variant").cast(pl.Float64), col("levels")
    # The digits of the assignment's number, to the base of the number of grades, are the indexes of the grades.
    power = assigned.column(levels**index, "power")
    quotient = assigned.column(((variant - BOUNDS) / power + ROUNDING).floor(), "quotient")
    digit = assigned.column(quotient - levels * (quotient / levels + ROUNDING).floor(), "digit")
    high = (variant == 1) | ((variant == 2) & (col("higher") == 1)) | ((variant == 3) & (col("higher") == 0))
    last = levels - 1.0
    at = assigned.column(when(variant >= BOUNDS).then(digit).otherwise(when(high).then(last).otherwise(0.0)), "at")
    if grades is None:
        grade_of_index = when(at < levels - 1.0).then(at).otherwise(col("top"))
    else:
        grade_of_index = lit(float(grades[0]))
        for i, value in enumerate(grades[1:], 1):
            grade_of_index = when(at >= float(i)).then(float(value)).otherwise(grade_of_index)
    new = assigned.column(grade_of_index, "new_grade")
    ids = {"query_id": col("topic"), "doc_id": col("doc_id")}
    return concat(
        [
            repeated.frame().select(**ids, relevance=col("relevance")),
            assigned.frame().select(**ids, relevance=new),
        ]
    )


def _values(
    both: TwoLists,
    measure: Measure,
    form: Shape | None,
    variants: Table,
    either: Expr,
    grades: Sequence[float] | None,
) -> tuple[Plan, Frame]:
    """A row per query, variant and side, with the value and its denominator; and the plan of the measure."""
    plan, policy = both.plan, both.tables.policy
    last = last_rank_of(measure, policy)
    rows = both.sided(last)
    on, keys = ("query_id",), ("query_id", "variant", "side", "doc_id")
    lists = plan.grouped("sizes_of_lists", both.sided(), "side", "query_id")
    size = both.sided().count(into=lists)
    sides = plan.constant("sides", ("side",), pl.DataFrame({"side": [0, 1]}))
    sized = plan.joined("sides_of_variants", keys[:3], variants, sides)
    n = sized.lookup(size, of=lists).fill_null(0.0).cast(pl.Int64)
    ranked = plan.joined("rows_of_variants", keys, variants, rows, on=on)
    judgments = _judgments(both, variants, either, grades)
    list_id = {"run_id": col("side").cast(pl.Int64), "query_id": col("topic")}
    lists_frame = sized.frame().select(**list_id, n=n, of=col("query_id"), variant=col("variant"))
    if policy.missing == "skip":
        lists_frame = lists_frame.filter(col("n") > 0)
    ranked_frame = ranked.frame().select(**list_id, doc_id=col("doc_id"), rank=col("rank"))
    tables = RankingTables(RankedLists(Plan(plan.engine), judgments, ranked_frame, lists_frame, policy))
    units = tables.units
    with tables.plan.requesting(str(measure)):
        value = units.column(final(measure, tables).cast(pl.Float64), "value")
        ideal = lit(1.0) if form is None or form.ideal is None else final(form.ideal, tables).cast(pl.Float64)
    of, variant = (units.lookup(col(c), of=tables.lists) for c in ("of", "variant"))
    frame = units.frame().select(
        query_id=of, variant=variant, side=col("run_id"), value=value, ideal=ideal.fill_null(0.0)
    )
    return tables.plan, plan.engine.shared(frame)


def _intervals(both: TwoLists, measure: Measure, form: Shape | None, values: tuple[Plan, Frame]) -> tuple[Plan, Frame]:
    """A row per query: `lowest`, `highest`, and whether they are exact; and the plan with the checks of the data."""
    checked, frame = values
    plan = Plan(both.plan.engine)
    rows = plan.input("values_of_variants", ("query_id", "variant", "side"), frame)
    pairs = plan.grouped("pairs_of_variants", rows, "query_id", "variant")
    queries = plan.grouped("queries_of_variants", pairs, "query_id")
    parts = [rows.max(rows.column(when(col("side") == side).then(col("value"))), into=pairs) for side in (0, 1)]
    difference = pairs.column(parts[1] - parts[0], "difference")
    ideal = rows.max(col("ideal"), into=pairs)
    tried = pairs.column(when(col("variant") >= BOUNDS).then(difference), "tried")
    least, most = pairs.min(tried, into=queries), pairs.max(tried, into=queries)

    def value_at(variant: int, expr: Expr) -> Expr:
        return pairs.max(pairs.column(when(col("variant") == variant).then(expr)), into=queries)

    low, high = measure.range
    widest = lit(high - low if math.isfinite(high - low) else None, dtype=pl.Float64)
    lowest, highest, reached = -widest, widest, lit(0.0)
    if form is not None:
        above = [pairs.column(part * ideal) for part in parts]
        if form.additive:
            up, down = (value_at(v, pairs.column(above[1] - above[0])) for v in (2, 3))
        else:
            up, down = value_at(1, above[1]) - value_at(0, above[0]), value_at(0, above[1]) - value_at(1, above[0])
        small, large, constant = value_at(0, ideal), value_at(1, ideal), value_at(0, difference)
        highest = _smaller(ratio(up, when(up > 0).then(small).otherwise(large)), widest)
        lowest = -_smaller(ratio(-down, when(down < 0).then(small).otherwise(large)), widest)
        # Where no judgment makes the denominator positive, the policy decides about the values.
        lowest, highest = (when(large == 0).then(constant).otherwise(end) for end in (lowest, highest))
        if form.additive:
            # A variant may have no value, by policies about queries without relevant documents.
            reached = indicator((large == 0) | ((small == large) & ~up.is_null() & ~down.is_null()))
    # Null where a list has no value in any variant.
    any_difference = pairs.max(difference, into=queries)
    lowest, highest = (when(~any_difference.is_null()).then(end) for end in (lowest, highest))
    exact = queries.column(
        when(~least.is_null()).then(1.0).otherwise(when(~any_difference.is_null()).then(reached)), "exact"
    )
    columns = {
        "lowest": queries.column(when(~least.is_null()).then(least).otherwise(lowest), "lowest"),
        "highest": queries.column(when(~most.is_null()).then(most).otherwise(highest), "highest"),
        "exact": exact == 1,
    }
    bounds = queries.frame().select(query_id=col("query_id"), **columns)
    return checked, bounds


def _smaller(bound: Expr, widest: Expr) -> Expr:
    """The smaller of two bounds; nulls are ignored."""
    return when(~bound.is_null() & (widest.is_null() | (bound < widest))).then(bound).otherwise(widest)
