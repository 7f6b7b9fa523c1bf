"""Tables of what gold and predictions have in common: counts, a report of types, and each row with its error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.documents.compared import Compared, Counts, averaged, f_value, summed
from ireval_frames.documents.context import DocumentContext
from ireval_frames.documents.request import DocumentRequest
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.results import Result, TableQuery

# From the tables of a plan, what is compared.
Select = Callable[[Any], Compared]
NUMBERS = ("gold", "predicted", "correct", "missed", "spurious")
VALUES = ("precision", "recall", "f1", "support")
AVERAGES = ("micro", "macro", "weighted")
# The columns of the results beside the types.
COLUMNS = (*NUMBERS, *VALUES, "error")


def counts(
    request: DocumentRequest[Any, Any],
    select: Select,
    kind: str,
    *,
    per_unit: bool,
    more: Callable[[Any], Mapping[str, Expr]] = lambda _: {},
) -> Result:
    """[keys] [item] [kind] gold predicted correct missed spurious: the numbers of each document and type.

    Args:
        request: the request.
        select: what is compared.
        kind: what the column of types is called in the result.
        per_unit: a row per document and type; else per type.
        more: further numbers of the rows that are compared.
    """

    def columns(tables: Any) -> tuple[Table, dict[str, Expr]]:
        compared = select(tables)
        n, source = compared.counts, compared.table
        keys = tables.keys if per_unit else tables.inputs.keys
        types = {} if compared.kind is None else {kind: col(compared.kind)}
        numbers = {
            "gold": n.gold,
            "predicted": n.predicted,
            "correct": n.correct,
            "missed": n.gold - n.correct,
            "spurious": n.predicted - n.correct_predicted,
            **more(tables),
        }
        numbers = {name: source.column(e) for name, e in numbers.items()}
        rows = tables.plan.selected("counted_rows", (*keys, *types), source, **types, **numbers)
        table = tables.plan.grouped("counts", rows, *keys, *types)
        sums = {name: rows.sum(col(name), into=table).cast(pl.Int64) for name in numbers}
        return table, {**{k: col(k) for k in (*keys, *types)}, **sums}

    return request.table(columns, "counts")


def report(request: DocumentRequest[Any, Any], select: Select, kind: str) -> Result:
    """[keys] kind precision recall f1 support: a row per type, then the averages, pooled over documents."""

    def query(engine: Engine) -> TableQuery:
        tables = request.tables_on(engine)
        groups = tables.plan.grouped("report_groups", tables.documents, *tables.inputs.keys)
        with tables.plan.into(groups):
            return _report(request, tables, groups, select(tables), kind)

    return request.result("report", query)


def _report(
    request: DocumentRequest[Any, Any], tables: Any, groups: Table, compared: Compared, kind: str
) -> TableQuery:
    c: DocumentContext[Any] = request.context(tables, "report()")
    names, plan = tables.inputs.names, tables.plan
    keys = {names.get(k, k): col(k) for k in groups.keys}
    columns, parts = (*keys, kind, *VALUES), []

    def row(name: Expr, values: Sequence[Expr], support: Expr, place: int) -> dict[str, Expr]:
        return {**keys, kind: name, **dict(zip(VALUES, (*values, support), strict=True)), "ireval_place": lit(place)}

    formulas = _formulas(c)
    if compared.kind is not None:
        types = c.per(f"types_of_{compared.table.name}", compared.table, compared.kind)
        n = summed(c, compared, types)
        values = [types.column(formula(n)) for formula in formulas]
        named = row(col(compared.kind).cast(pl.String), values, types.column(n.gold), 0)
        parts.append((types, named))
    total = groups.column(summed(c, compared).gold)
    for place, average in enumerate(AVERAGES if compared.kind else AVERAGES[:1], start=1):
        values = [groups.column(averaged(c, compared, formula, average)) for formula in formulas]
        parts.append((groups, row(lit(f"{average} average"), values, total, place)))
    frame = plan.engine.stage(concat([table.frame().select(**part) for table, part in parts]), "report")
    return TableQuery(plan, frame, (*keys, "ireval_place", kind), columns, request.all_checks(tables))


def _formulas(c: DocumentContext[Any]) -> list[Callable[[Counts], Expr]]:
    return [
        lambda n: c.ratio(n.correct_predicted, n.predicted),
        lambda n: c.ratio(n.correct, n.gold),
        lambda n: f_value(c, n, 1.0),
    ]


def errors(request: DocumentRequest[Any, Any], select: Select, columns: Callable[[Any], Mapping[str, Expr]]) -> Result:
    """[keys] item, what is compared, error: a row for each relation or link of the gold or of the predictions.

    Args:
        request: the request.
        select: what is compared.
        columns: from the tables, the columns that are compared, by their names in the result.
    """

    def selected(tables: Any) -> tuple[Table, dict[str, Expr]]:
        compared = select(tables)
        n, source, shown = compared.counts, compared.table, columns(tables)
        error = when(n.correct > 0).then(lit("correct")).when(n.gold > 0).then(lit("missed")).otherwise(lit("spurious"))
        keys = (*tables.keys, *shown)
        table = tables.plan.selected("errors", keys, source, **shown, error=source.column(error))
        return table, {**{k: col(k) for k in keys}, "error": col("error")}

    return request.table(selected, "errors")
