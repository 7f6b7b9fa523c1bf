"""The confusion table, and the classification report."""

from __future__ import annotations

from typing import Any, Literal

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import stacked
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.kernels.contingency import cross_table
from ireval_frames.labels import by_class
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Table
from ireval_frames.policy import LabelPolicy
from ireval_frames.results import Ready, Result
from ireval_frames.subject import ItemBuild, finals

Normalize = Literal["label", "prediction", "all"]
AVERAGES = ("micro", "macro", "weighted")
MEASURES = ("Precision", "Recall", "F1")
# Within a confusion table's report: the classes and then the averages, the classes in their own order.
ORDER = ("ireval_place", "ireval_class")


def confusion(tables: LabelTables, normalize: Normalize | None = None) -> tuple[Table, dict[str, nw.Expr]]:
    """[keys] label prediction count [share], the cells that occur; the keys under their aliases."""
    if tables.multi:
        raise NotDefined(
            "Items with sets of labels have no confusion table.",
            Hint("Ask for ", Argument("per_class", written="per_class()"), " of measures of one class."),
        )
    sides = {side: nw.col(side) for side in ("label", "prediction")}
    return cross_table(tables.cells, tables.keys, sides, tables.cell_weight, normalize)


def order_of_cells(tables: LabelTables) -> list[pl.Expr]:
    """By the keys, then by the classes in their own order."""
    return [*map(pl.col, tables.keys), *(e for side in ("label", "prediction") for e in tables.inputs.order(side))]


def report(build: ItemBuild[Any, LabelPolicy, LabelTables]) -> Result:
    """[run_id, by …] [unit] class_id precision recall f1 support: a row per class, then the averages."""

    def made(engine: Engine) -> Ready:
        return _report(build, build.made(engine, (), None))

    def collected() -> pl.DataFrame:
        engine: Engine = build.subject.engine
        tables = build.made(engine, (), None)
        ready = _report(build, tables)
        for check in ready.checks:
            check()
        *keys, place, name = ready.order
        rows = engine.collect(ready.frame).sort(*keys, place, *tables.inputs.order(name))
        return rows.select(ready.columns)

    result: Result = build.subject.table(build, "report", made, collected)
    return result


def _report(build: ItemBuild[Any, LabelPolicy, LabelTables], tables: LabelTables) -> Ready:
    plan, units, classes, names = tables.plan, tables.units, tables.classes, tables.inputs.names
    averages = (*AVERAGES, "item") if tables.multi else AVERAGES

    def each(measure: Measure) -> nw.Expr:
        return classes.column(by_class.per_class(build.context(tables, str(measure)), measure))

    def whole(measure: Measure) -> nw.Expr:
        return units.column(measure.expression(build.context(tables, str(measure)), measure.arguments()))

    asked = [catalog.parse(f"{name}(average='macro')", "labels") for name in MEASURES]
    *values, support = finals(plan, [*asked, catalog.parse("Support", "labels")], each)
    together = {
        average: finals(plan, [catalog.parse(f"{m}(average={average!r})", "labels") for m in MEASURES], whole)
        for average in averages
    }
    total = classes.sum(support, into=units)
    keys = {names.get(k, k): nw.col(k) for k in tables.keys}
    columns = (*keys, "class_id", *map(str.lower, MEASURES), "support")
    name = nw.col("class_id")
    parts = [
        classes.frame().select(
            **keys,
            **_row(name.cast(nw.String), values, support.fill_null(0.0)),
            ireval_place=nw.lit(0),
            ireval_class=name,
        )
    ]
    nothing = nw.lit(None, dtype=tables.inputs.class_type)
    for place, (average, found) in enumerate(together.items(), start=1):
        row = _row(nw.lit(f"{average} average"), found, total)
        parts.append(units.frame().select(**keys, **row, ireval_place=nw.lit(place), ireval_class=nothing))
    frame = plan.engine.stage(stacked(parts), "report")
    return Ready(plan, frame, (*keys, *ORDER), columns, build.checks(tables))


def _row(name: nw.Expr, values: list[nw.Expr], support: nw.Expr) -> dict[str, nw.Expr]:
    return {"class_id": name, **dict(zip(map(str.lower, MEASURES), values, strict=True)), "support": support}
