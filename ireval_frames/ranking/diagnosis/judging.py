"""What the difference of two lists can be once the documents without a judgment are judged.

Every way to judge them is a topic of its own, a *variant*: the same two lists, and the judgments with those of the
variant.  Four variants stand for bounds, the others are all assignments of grades, where these are few.

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
from ireval_frames.ranking.diagnosis.contributions import RankedLists, last_that_counts
from ireval_frames.ranking.diagnosis.lists import TwoLists
from ireval_frames.ranking.diagnosis.shapes import Shape, shape
from ireval_frames.ranking.inputs.facets import reads
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final
from ireval_frames.ratios import indicator, ratio
from ireval_frames.results import TableQuery

# The variants before the assignments.
BOUNDS = 4
# Powers of small whole numbers divide without a rest, or leave one that is larger.
ROUNDING = 1e-9
# Of so many documents there are more assignments than are ever tried.
MANY = 64.0


def unjudged(both: TwoLists, measure: Measure, k: int, grades: Sequence[float] | None, most: int) -> TableQuery:
    """Per topic, how many documents are not judged, and what the difference can be if they were.

    Args:
        both: the two lists.
        measure: what is measured.
        k: how many documents of each list are judged.
        grades: the grades that documents may get, ascending; None is 0, 1, … up to the largest judged.
        most: how many assignments are tried at most.
    """
    if reads([measure]):
        raise NotDefined(
            f"{measure} reads judgments by subtopic or assessor, and a document that is judged would need several.",
            "Take a measure of plain grades.",
        )
    known, tables = shape(measure, both.tables.policy), both.tables
    if grades is not None and known is not None and known.binary:
        grades = [grades[0], grades[-1]]
    topics, table = tables.topics, both.table
    not_judged = both.relevance.is_null() | (both.relevance < 0)
    flags = [table.column(indicator(not_judged & (rank <= k))) for rank in (both.rank_baseline, both.rank)]
    either = table.column(indicator(flags[0] + flags[1] > 0), "to_judge")
    counts = [table.sum(flag, into=topics) for flag in (*flags, either)]
    now = [
        tables.units.max(_value_of(both, measure, system), into=topics)
        for system in (both.pair.baseline, both.pair.run)
    ]
    variants = _variants(both, known, counts[2], grades, most)
    values = _values(both, measure, known, variants, either, grades)
    plan, found = _intervals(both, measure, known, values)
    frame = both.plan.engine.join(
        topics.frame().select(
            query_id=col("query_id"),
            n_unjudged_baseline=counts[0].cast(pl.Int64),
            n_unjudged=counts[1].cast(pl.Int64),
            n_unjudged_either=counts[2].cast(pl.Int64),
            difference=now[1] - now[0],
        ),
        found,
        ("query_id",),
        "left",
    )
    checks = (tables.plan.check, plan.check)
    return TableQuery(both.plan, frame, ("query_id",), frame.columns, checks)


def _value_of(both: TwoLists, measure: Measure, system: str) -> Expr:
    """The value of a system as the judgments are, at its units; null at those of the other."""
    units = both.tables.units
    with both.plan.requesting(str(measure)):
        value = units.column(final(measure, both.tables).cast(pl.Float64))
    return units.column(when(is_system(system)).then(value))


def _variants(both: TwoLists, known: Shape | None, number: Expr, grades: Sequence[float] | None, most: int) -> Table:
    """A row per topic and variant, with a number of its own."""
    plan, topics = both.plan, both.tables.topics
    if grades is None:
        every = plan.grouped("all_judgments", both.tables.qrels)
        largest = both.tables.qrels.max(col("relevance").cast(pl.Float64), into=every)
        top = every.column(when(largest > 1.0).then(largest).otherwise(1.0), "largest_grade")
        top = topics.lookup(top, of=every)
        levels = lit(2.0) if known is not None and known.binary else top.ceil() + 1.0
    else:
        top, levels = lit(grades[-1]), lit(float(len(grades)))
    # What a bound says exactly needs no assignments.
    enough = known is not None and known.additive and known.ideal is None
    few = when(number < MANY).then(number).otherwise(MANY)
    assignments = topics.column(levels**few, "assignments")
    tried = topics.column(when((assignments <= most) & lit(value=not enough)).then(assignments).otherwise(0.0))
    place = topics.over(col("query_id").cum_count(), (), ["query_id"], "place")
    columns = {"top": top, "levels": levels, "tried": tried, "place": place.cast(pl.Int64)}
    chosen = plan.selected("topics_to_judge", ("query_id",), topics, query_id=col("query_id"), **columns)
    spread = plan.expand_range("variants", "variant", chosen, lit(0), col("tried") + (BOUNDS - 1.0))
    topic = spread.column(col("place") * (most + BOUNDS) + col("variant").cast(pl.Int64))
    named = {c: col(c) for c in ("query_id", "top", "levels")}
    return plan.once(
        plan.selected(
            "numbered_variants",
            ("query_id", "variant"),
            spread,
            variant=col("variant").cast(pl.Int64),
            topic=topic,
            **named,
        )
    )


def _judgments(both: TwoLists, variants: Table, either: Expr, grades: Sequence[float] | None) -> Frame:
    """The judgments of every variant."""
    plan, table, qrels = both.plan, both.table, both.tables.qrels
    # A document that is pooled and not judged (a negative grade) may be judged now.
    replaced = qrels.lookup(either, of=table).fill_null(0.0)
    columns = {"query_id": col("query_id"), "doc_id": col("doc_id")}
    grade = col("relevance").cast(pl.Float64)
    kept = plan.selected("kept_judgments", qrels.keys, qrels, where=replaced == 0, **columns, relevance=grade)
    again = plan.joined("judgments_again", ("query_id", "variant", "doc_id"), variants, kept, on=("query_id",))
    higher = both.rank_baseline.is_null() | (both.rank < both.rank_baseline)
    chosen = plan.selected(
        "documents_to_judge", table.keys, table, where=either == 1, **columns, higher=indicator(higher)
    )
    number = chosen.over(col("doc_id").cum_count(), ("query_id",), ["doc_id"], "number")
    place = chosen.column(number.cast(pl.Float64) - 1.0, "document")
    assigned = plan.joined("assigned", ("query_id", "variant", "doc_id"), variants, chosen, on=("query_id",))
    variant, levels = col("variant").cast(pl.Float64), col("levels")
    # The digits of the assignment's number, to the base of the number of grades, are the grades' places.
    power = assigned.column(levels**place, "power")
    quotient = assigned.column(((variant - BOUNDS) / power + ROUNDING).floor(), "quotient")
    digit = assigned.column(quotient - levels * (quotient / levels + ROUNDING).floor(), "digit")
    high = (variant == 1) | ((variant == 2) & (col("higher") == 1)) | ((variant == 3) & (col("higher") == 0))
    last = levels - 1.0
    at = assigned.column(when(variant >= BOUNDS).then(digit).otherwise(when(high).then(last).otherwise(0.0)), "at")
    if grades is None:
        given = when(at < levels - 1.0).then(at).otherwise(col("top"))
    else:
        given = lit(float(grades[0]))
        for i, value in enumerate(grades[1:], 1):
            given = when(at >= float(i)).then(float(value)).otherwise(given)
    new = assigned.column(given, "given")
    ids = {"query_id": col("topic"), "doc_id": col("doc_id")}
    return concat(
        [
            again.frame().select(**ids, relevance=col("relevance")),
            assigned.frame().select(**ids, relevance=new),
        ]
    )


def _values(
    both: TwoLists,
    measure: Measure,
    known: Shape | None,
    variants: Table,
    either: Expr,
    grades: Sequence[float] | None,
) -> tuple[Plan, Frame]:
    """A row per topic, variant and side, with the value and what stands below it; and the plan of the measure."""
    plan, policy = both.plan, both.tables.policy
    last = last_that_counts(measure, policy)
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
        ideal = lit(1.0) if known is None or known.ideal is None else final(known.ideal, tables).cast(pl.Float64)
    of, variant = (units.lookup(col(c), of=tables.lists) for c in ("of", "variant"))
    frame = units.frame().select(
        query_id=of, variant=variant, side=col("run_id"), value=value, ideal=ideal.fill_null(0.0)
    )
    return tables.plan, plan.engine.shared(frame)


def _intervals(both: TwoLists, measure: Measure, known: Shape | None, values: tuple[Plan, Frame]) -> tuple[Plan, Frame]:
    """A row per topic: `lowest`, `highest`, and whether they are reached; and the plan whose data are to be checked."""
    checked, frame = values
    plan = Plan(both.plan.engine)
    rows = plan.input("values_of_variants", ("query_id", "variant", "side"), frame)
    pairs = plan.grouped("pairs_of_variants", rows, "query_id", "variant")
    topics = plan.grouped("topics_of_variants", pairs, "query_id")
    parts = [rows.max(rows.column(when(col("side") == side).then(col("value"))), into=pairs) for side in (0, 1)]
    difference = pairs.column(parts[1] - parts[0], "difference")
    ideal = rows.max(col("ideal"), into=pairs)
    tried = pairs.column(when(col("variant") >= BOUNDS).then(difference), "tried")
    least, most = pairs.min(tried, into=topics), pairs.max(tried, into=topics)

    def at(variant: int, expr: Expr) -> Expr:
        return pairs.max(pairs.column(when(col("variant") == variant).then(expr)), into=topics)

    low, high = measure.range
    widest = lit(high - low if math.isfinite(high - low) else None, dtype=pl.Float64)
    lowest, highest, reached = -widest, widest, lit(0.0)
    if known is not None:
        above = [pairs.column(part * ideal) for part in parts]
        if known.additive:
            up, down = (at(v, pairs.column(above[1] - above[0])) for v in (2, 3))
        else:
            up, down = at(1, above[1]) - at(0, above[0]), at(0, above[1]) - at(1, above[0])
        small, large, constant = at(0, ideal), at(1, ideal), at(0, difference)
        highest = _smaller(ratio(up, when(up > 0).then(small).otherwise(large)), widest)
        lowest = -_smaller(ratio(-down, when(down < 0).then(small).otherwise(large)), widest)
        # Where no judgment can make anything to divide by, the values are what the policy says.
        lowest, highest = (when(large == 0).then(constant).otherwise(end) for end in (lowest, highest))
        if known.additive:
            # A variant may have no value, by policies about topics without relevant documents.
            reached = indicator((large == 0) | ((small == large) & ~up.is_null() & ~down.is_null()))
    # Nothing where a list has no value whatever is judged.
    some = pairs.max(difference, into=topics)
    lowest, highest = (when(~some.is_null()).then(end) for end in (lowest, highest))
    exact = topics.column(when(~least.is_null()).then(1.0).otherwise(when(~some.is_null()).then(reached)), "exact")
    columns = {
        "lowest": topics.column(when(~least.is_null()).then(least).otherwise(lowest), "lowest"),
        "highest": topics.column(when(~most.is_null()).then(most).otherwise(highest), "highest"),
        "exact": exact == 1,
    }
    found = topics.frame().select(query_id=col("query_id"), **columns)
    return checked, found


def _smaller(bound: Expr, widest: Expr) -> Expr:
    """The smaller of two bounds that is there."""
    return when(~bound.is_null() & (widest.is_null() | (bound < widest))).then(bound).otherwise(widest)
