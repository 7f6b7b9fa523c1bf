"""Tables beside the measures: counts, the report by type, the errors, and the confusion of types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.contingency import cross_table
from ireval_frames.parameters import choice
from ireval_frames.plan import Table
from ireval_frames.results import Result, TableQuery
from ireval_frames.spans.context import MODES, Shares, SpanContext, mode_flags
from ireval_frames.spans.request import SpanRequest
from ireval_frames.spans.tables import SpanTables

AVERAGES = ("micro", "macro", "weighted")
COUNTS = ("cor", "inc", "par", "mis", "spu", "pos", "act")
VALUES = ("precision", "recall", "f1")
VIEW = choice("gold", "filtered")
# The columns of a row of errors besides keys.
SIDES = tuple(f"{side}_{column}" for side in ("gold", "predicted") for column in ("start", "end", "type"))
ERRORS = ("correct", "type", "boundary", "both", "missed", "spurious", "duplicate", "split", "merged")


def counts(request: SpanRequest, modes: Sequence[str] | None, view: str, *, per_unit: bool) -> Result:
    """[run_id, by …] [doc_id] type mode cor inc par mis spu pos act.

    Raises:
        UnknownName: there is no such mode or view.
    """
    named = [choice(MODES[0], *MODES[1:]).check("modes", mode) for mode in modes or MODES]
    typed = VIEW.check("view", view) == "filtered"

    def query(engine: Engine) -> TableQuery:
        tables = request.tables_on(engine)
        plan, context = tables.plan, SpanContext(tables, "counts()")
        keys = tables.keys if per_unit else tables.inputs.keys
        of, pairs = plan.grouped("counts", tables.both, *keys, "type"), tables.aligned(typed=typed)
        one = lit(1.0)
        gold, predicted, matched, answered = (
            context.sum(table, one, of) for table in (tables.gold, tables.predicted, pairs, tables.by_prediction(pairs))
        )
        rows = []
        for mode in named:
            correct, partial = (context.sum(pairs, flag, of) for flag in mode_flags(mode))
            wrong, spurious = matched - correct - partial, predicted - answered
            values = (correct, wrong, partial, gold - matched, spurious, gold, matched + spurious)
            rows.append({"mode": lit(mode), **dict(zip(COUNTS, values, strict=True))})
        names = {tables.inputs.names.get(k, k): col(k) for k in keys} | {"type": col("type")}
        # The columns are requested before the table is built.
        rows = [{name: e if name == "mode" else of.column(e) for name, e in row.items()} for row in rows]
        return TableQuery.stacked(plan, of.frame(), names, rows, request.all_checks(tables))

    return request.result("counts", query)


def report(request: SpanRequest, match: Mapping[str, Any]) -> Result:
    """[run_id, by …] type precision recall f1 support: a row per type, then the averages."""
    arguments = catalog.parse("F1", "spans")(**match).arguments()

    def query(engine: Engine) -> TableQuery:
        tables = request.tables_on(engine)
        plan, context, types = tables.plan, SpanContext(tables, "report()"), arguments["types"]
        groups = plan.grouped("report_groups", tables.documents, *tables.inputs.keys)
        keys = {tables.inputs.names.get(k, k): col(k) for k in groups.keys}
        earned = context.credits(arguments["match"], arguments["threshold"], typed=arguments["typed"])

        def row(name: Expr, values: Sequence[Expr], support: Expr, place: int) -> dict[str, Expr]:
            of = dict(zip(VALUES, values, strict=True))
            return {**keys, "type": name, **of, "support": support, "ireval_place": lit(place)}

        with plan.into(groups):
            by_type = context.per("types", tables.both, "type")
            each = context.shares(earned, by_type)
            shows = by_type.column(context.counting(each, types))
            values = [by_type.column(value(each)) for value in OF_SHARES]
            averages = [
                [groups.column(context.averaged(earned, value, average, types)) for value in OF_SHARES]
                for average in AVERAGES
            ]
            total = by_type.sum(when(shows).then(each.gold).otherwise(0.0))
        own = row(col("type").cast(pl.String), values, by_type.column(each.gold), 0)
        parts = [by_type.frame().filter(shows).select(**own)]
        for place, (average, of_average) in enumerate(zip(AVERAGES, averages, strict=True), start=1):
            parts.append(groups.frame().select(**row(lit(f"{average} average"), of_average, total, place)))
        frame = engine.stage(concat(parts), "report")
        order = (*keys, "ireval_place", "type")
        return TableQuery(plan, frame, order, (*keys, "type", *VALUES, "support"), request.all_checks(tables))

    return request.result("report", query)


def _f1(shares: Shares) -> Expr:
    return shares.f(1.0)


OF_SHARES = (lambda shares: shares.precision, lambda shares: shares.recall, _f1)


def errors(tables: SpanTables) -> tuple[Table, dict[str, Expr]]:
    """[run_id, by …] doc_id, both spans, error, ends: a row per matched pair, and per span without a match."""
    table, inclusive = error_rows(tables), tables.inputs.inclusive
    columns = {c: col(c) - 1 if inclusive and c.endswith("_end") else col(c) for c in SIDES}
    if tables.inputs.type is None:
        columns = {c: e for c, e in columns.items() if not c.endswith("_type")}
    return table, {**{k: col(k) for k in tables.keys}, **columns, "error": col("error"), "ends": col("ends")}


def order_of_errors(tables: SpanTables) -> list[pl.Expr]:
    """By document and position, whichever side has it."""
    names = tables.inputs.names
    starts, ends = (pl.coalesce(f"gold_{c}", f"predicted_{c}") for c in ("start", "end"))
    types = [] if tables.inputs.type is None else [pl.col("gold_type"), pl.col("predicted_type")]
    return [pl.col(names["item_id"]), starts, ends, pl.col("gold_start"), pl.col("predicted_start"), *types]


def error_rows(tables: SpanTables) -> Table:
    """A row per matched pair and per span without one, with the error, and how the ends of overlapping spans differ."""
    plan, pairs = tables.plan, tables.aligned()
    document = {k: col(k) for k in tables.keys}
    no_place, no_type = lit(None, dtype=pl.Int64), lit(None, dtype=tables.inputs.type or pl.String)
    own = {f"gold_{c}": col(c) for c in ("start", "end", "type")}
    other = {f"predicted_{c}": col(f"predicted_{c}") for c in ("start", "end", "type")}
    nothing = {c: no_type if c.endswith("type") else no_place for c in SIDES}
    place, same = col("same_place") > 0, col("same_type") > 0
    wrong_place = when(same).then(lit("boundary")).otherwise(lit("both"))
    error = when(place).then(when(same).then(lit("correct")).otherwise(lit("type"))).otherwise(wrong_place)
    no_ends = lit(None, dtype=pl.String)
    matched = {**document, **own, **other, "error": error, "ends": when(~place).then(_ends()).otherwise(no_ends)}

    alone = pairs.count(into=tables.gold) == 0
    lone_gold = plan.selected("missed", tables.gold.keys, tables.gold, tables.gold.column(alone, "alone"))
    touched = tables.overlaps.count(into=lone_gold) > 0
    missed = lone_gold.column(when(touched).then(lit("merged")).otherwise(lit("missed")), "error")
    answered = tables.by_prediction(pairs).count(into=tables.predicted)
    lone = plan.selected(
        "unmatched", tables.predicted.keys, tables.predicted, tables.predicted.column(answered == 0, "alone")
    )
    touched = tables.by_prediction(tables.overlaps).count(into=lone) > 0
    again = tables.repeated(lone).count(into=lone) > 0
    extra = when(again).then(lit("duplicate")).otherwise(when(touched).then(lit("split")).otherwise(lit("spurious")))
    extra = lone.column(extra, "error")
    named = {f"predicted_{c}": col(c) for c in ("start", "end", "type")}
    return plan.compute_once(
        plan.concat(
            "errors",
            (*tables.keys, *SIDES),
            (pairs, matched),
            (lone_gold, {**document, **nothing, **own, "error": missed, "ends": no_ends}),
            (lone, {**document, **nothing, **named, "error": extra, "ends": no_ends}),
        )
    )


def _ends() -> Expr:
    """How the ends of a predicted span differ from those of the gold one."""
    left, right = col("predicted_start") - col("start"), col("predicted_end") - col("end")
    one = when(right == 0).then(lit("left")).otherwise(when(left == 0).then(lit("right")).otherwise(lit("")))
    longer, shorter = (left < 0) & (right > 0), (left > 0) & (right < 0)
    both = when(longer).then(lit("long")).otherwise(when(shorter).then(lit("short")).otherwise(lit("shifted")))
    differing = when((left == 0) | (right == 0)).then(one).otherwise(both)
    return when((left == 0) & (right == 0)).then(lit("fragments")).otherwise(differing)


def confusion(tables: SpanTables, normalize: str | None) -> tuple[Table, dict[str, Expr]]:
    """[run_id, by …] gold_type predicted_type count [share]; null is no span.

    Raises:
        InvalidParameter: `normalize` names no side.
    """
    if tables.inputs.type is None:
        raise InvalidParameter("The spans have no types.", 'Name the column: type="their_name"')
    table = error_rows(tables)
    weight = lit(1.0) if tables.weight is None else table.lookup(tables.weight, of=tables.documents)
    sides = {side: col(side) for side in ("gold_type", "predicted_type")}
    return cross_table(table, tables.inputs.keys, sides, weight, normalize)
