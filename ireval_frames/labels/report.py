"""The confusion table, and the classification report."""

from __future__ import annotations

from typing import Any, Literal

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.evaluation.request import finals
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.contingency import cross_table
from ireval_frames.labels.decisions import by_class
from ireval_frames.labels.request import LabelRequest
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Table
from ireval_frames.results import Result, TableQuery

Normalize = Literal["label", "prediction", "all"]
AVERAGES = ("micro", "macro", "weighted")
MEASURES = ("Precision", "Recall", "F1")
_VALUES = tuple(map(str.lower, MEASURES))
# The classes in their own order, then the averages.
ORDER = ("ireval_place", "ireval_class")


def confusion(tables: LabelTables, normalize: Normalize | None = None) -> tuple[Table, dict[str, Expr]]:
    """[keys] label prediction count [share], the cells that occur; the keys under their aliases."""
    if tables.multi:
        raise NotDefined(
            "Items with sets of labels have no confusion table.",
            Hint("Call ", Argument("per_class", written="per_class()"), " of measures of one class."),
        )
    sides = {side: col(side) for side in ("label", "prediction")}
    return cross_table(tables.cells, tables.keys, sides, tables.cell_weight, normalize)


def order_of_cells(tables: LabelTables) -> list[pl.Expr]:
    """The classes in their own order."""
    return [e for side in ("label", "prediction") for e in tables.inputs.order(side)]


def report(request: LabelRequest, classes: Any = None) -> Result:
    """[run_id, by …] [unit] class_id precision recall f1 support: a row per class, then the averages.

    Raises:
        InvalidParameter: `classes` are no list of different classes.
    """
    catalog.parse("Precision", "labels")(classes=classes).arguments()

    def query(engine: Engine) -> TableQuery:
        return _report(request, request.tables_on(engine), classes)

    return request.result("report", query)


def _report(request: LabelRequest, tables: LabelTables, requested: Any) -> TableQuery:
    plan, units, classes, names = tables.plan, tables.units, tables.classes, tables.inputs.names
    averages = (*AVERAGES, "item") if tables.multi and requested != "labels" else AVERAGES

    def of_classes(measure: Measure) -> Expr:
        return classes.column(by_class.per_class(request.context(tables, str(measure)), measure))

    def of_units(measure: Measure) -> Expr:
        return units.column(measure.expression(request.context(tables, str(measure)), measure.arguments()))

    def averaged(measure: str, average: str) -> Measure:
        return catalog.parse(measure, "labels")(average=average, classes=requested)

    measures = [averaged(name, "macro") for name in MEASURES]
    *values, support = finals(plan, [*measures, catalog.parse("Support", "labels")], of_classes)
    average_values = {average: finals(plan, [averaged(m, average) for m in MEASURES], of_units) for average in averages}
    keys = {names.get(k, k): col(k) for k in tables.keys}
    columns = (*keys, "class_id", *map(str.lower, MEASURES), "support")
    name = col("class_id")
    selected = measures[0].arguments()["classes"]
    if requested is None:
        rows, total = classes.frame(), classes.sum(support, into=units)
    elif selected == "labels":
        rows, total = classes.frame().filter(support > 0), classes.sum(support, into=units)
    else:
        context = request.context(tables, "the report")
        named = [context.named_class(c, "classes") for c in selected]
        total = classes.sum(when(name.is_in(named)).then(support).otherwise(0.0), into=units)
        rows = _of_named(tables, named, [*values, support])
        values = [when(col("support").is_null()).then(context.undefined).otherwise(col(m)) for m in _VALUES]
        support = col("support")
    place = col("ireval_turn") if isinstance(selected, tuple) else lit(0)
    order = lit(None, dtype=tables.inputs.class_type) if isinstance(selected, tuple) else name
    row = _row(name.cast(pl.String), values, support.fill_null(0.0))
    parts = [rows.select(**keys, **row, ireval_place=place, ireval_class=order)]
    no_class = lit(None, dtype=tables.inputs.class_type)
    for number, (average, of_average) in enumerate(average_values.items(), start=1):
        row = _row(lit(f"{average} average"), of_average, total)
        parts.append(units.frame().select(**keys, **row, ireval_place=lit(number), ireval_class=no_class))
    frame = plan.engine.stage(concat(parts), "report")
    *_, within = ORDER
    sort = [*map(pl.col, (*keys, *ORDER[:-1])), *tables.inputs.order(within)]
    return TableQuery(plan, frame, (*keys, *ORDER), columns, request.all_checks(tables), sort)


def _of_named(tables: LabelTables, named: list[Any], values: list[Expr]) -> Frame:
    """A row per unit and named class, in their order, without values if the class does not occur in the unit."""
    units, keys, of = tables.units.frame(), {k: col(k) for k in tables.keys}, tables.inputs.class_type
    rows = [
        units.select(**keys, class_id=lit(c).cast(of), ireval_turn=lit(turn - len(named)))
        for turn, c in enumerate(named)
    ]
    known = tables.classes.frame().select(
        **keys, class_id=col("class_id"), **dict(zip((*_VALUES, "support"), values, strict=True))
    )
    return tables.plan.engine.join(concat(rows), known, (*keys, "class_id"), "left")


def _row(name: Expr, values: list[Expr], support: Expr) -> dict[str, Expr]:
    return {"class_id": name, **dict(zip(map(str.lower, MEASURES), values, strict=True)), "support": support}
