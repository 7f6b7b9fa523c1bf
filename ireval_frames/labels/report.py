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
# Within a confusion table's report: the classes and then the averages, the classes in their own order.
ORDER = ("ireval_place", "ireval_class")


def confusion(tables: LabelTables, normalize: Normalize | None = None) -> tuple[Table, dict[str, Expr]]:
    """[keys] label prediction count [share], the cells that occur; the keys under their aliases."""
    if tables.multi:
        raise NotDefined(
            "Items with sets of labels have no confusion table.",
            Hint("Ask for ", Argument("per_class", written="per_class()"), " of measures of one class."),
        )
    sides = {side: col(side) for side in ("label", "prediction")}
    return cross_table(tables.cells, tables.keys, sides, tables.cell_weight, normalize)


def order_of_cells(tables: LabelTables) -> list[pl.Expr]:
    """The classes in their own order."""
    return [e for side in ("label", "prediction") for e in tables.inputs.order(side)]


def report(request: LabelRequest, classes: Any = None) -> Result:
    """[run_id, by …] [unit] class_id precision recall f1 support: a row per class, then the averages.

    Raises:
        InvalidParameter: `classes` are no different classes.
    """
    catalog.parse("Precision", "labels")(classes=classes).arguments()

    def query(engine: Engine) -> TableQuery:
        return _report(request, request.tables_on(engine), classes)

    return request.result("report", query)


def _report(request: LabelRequest, tables: LabelTables, given: Any) -> TableQuery:
    plan, units, classes, names = tables.plan, tables.units, tables.classes, tables.inputs.names
    averages = (*AVERAGES, "item") if tables.multi and given != "labels" else AVERAGES

    def each(measure: Measure) -> Expr:
        return classes.column(by_class.per_class(request.context(tables, str(measure)), measure))

    def whole(measure: Measure) -> Expr:
        return units.column(measure.expression(request.context(tables, str(measure)), measure.arguments()))

    def averaged(measure: str, average: str) -> Measure:
        return catalog.parse(measure, "labels")(average=average, classes=given)

    asked = [averaged(name, "macro") for name in MEASURES]
    *values, support = finals(plan, [*asked, catalog.parse("Support", "labels")], each)
    together = {average: finals(plan, [averaged(m, average) for m in MEASURES], whole) for average in averages}
    keys = {names.get(k, k): col(k) for k in tables.keys}
    columns = (*keys, "class_id", *map(str.lower, MEASURES), "support")
    name = col("class_id")
    chosen = asked[0].arguments()["classes"]
    if given is None:
        shown, total = classes.frame(), classes.sum(support, into=units)
    elif chosen == "labels":
        shown, total = classes.frame().filter(support > 0), classes.sum(support, into=units)
    else:
        context = request.context(tables, "the report")
        wanted = [context.named_class(c, "classes") for c in chosen]
        total = classes.sum(when(name.is_in(wanted)).then(support).otherwise(0.0), into=units)
        shown = _of_named(tables, wanted, [*values, support])
        nothing = context.undefined
        values = [when(col("support").is_null()).then(nothing).otherwise(col(m)) for m in _VALUES]
        support = col("support")
    place = col("ireval_turn") if isinstance(chosen, tuple) else lit(0)
    order = lit(None, dtype=tables.inputs.class_type) if isinstance(chosen, tuple) else name
    row = _row(name.cast(pl.String), values, support.fill_null(0.0))
    parts = [shown.select(**keys, **row, ireval_place=place, ireval_class=order)]
    nothing = lit(None, dtype=tables.inputs.class_type)
    for number, (average, found) in enumerate(together.items(), start=1):
        row = _row(lit(f"{average} average"), found, total)
        parts.append(units.frame().select(**keys, **row, ireval_place=lit(number), ireval_class=nothing))
    frame = plan.engine.stage(concat(parts), "report")
    *_, within = ORDER
    sort = [*map(pl.col, (*keys, *ORDER[:-1])), *tables.inputs.order(within)]
    return TableQuery(plan, frame, (*keys, *ORDER), columns, request.all_checks(tables), sort)


def _of_named(tables: LabelTables, wanted: list[Any], values: list[Expr]) -> Frame:
    """A row of every unit and named class, in their turn; without values where the class does not occur there."""
    units, keys, of = tables.units.frame(), {k: col(k) for k in tables.keys}, tables.inputs.class_type
    rows = [
        units.select(**keys, class_id=lit(c).cast(of), ireval_turn=lit(turn - len(wanted)))
        for turn, c in enumerate(wanted)
    ]
    known = tables.classes.frame().select(
        **keys, class_id=col("class_id"), **dict(zip((*_VALUES, "support"), values, strict=True))
    )
    return tables.plan.engine.join(concat(rows), known, (*keys, "class_id"), "left")


def _row(name: Expr, values: list[Expr], support: Expr) -> dict[str, Expr]:
    return {"class_id": name, **dict(zip(map(str.lower, MEASURES), values, strict=True)), "support": support}
