"""How many items of two tables of items are in both, and which are only in one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, NothingInCommon
from ireval_frames.evaluation.coverage import BOTH, FIRST, SECOND, Overlap
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.inputs import ItemInputs
from ireval_frames.overlap import COMPARED_IDS, SHOWN, Side, nothing_in_common
from ireval_frames.plan import Table
from ireval_frames.results import TableQuery

if TYPE_CHECKING:
    from ireval_frames.items.request import Tables


def of_items(
    tables: Tables, units: Table, counts: Sequence[Expr] | None, both: Expr | None, *, allowed: bool
) -> Overlap:
    """What two tables of items have in common.

    Args:
        tables: those of the plan, of two tables of the user.
        units: a row per unit, also of units that are left out.
        counts: the numbers of items per unit in either table, where they are known; else they are counted.
        both: the number of items per unit that are in both, where that is known; else they are joined.
        allowed: whether tables that have nothing in common are evaluated.
    """
    plan, inputs = tables.plan, tables.inputs
    keys = (*inputs.keys, "item_id")
    with plan.requesting("overlap"):
        sides = {name: plan.input(f"items_of_{name}", keys, frame) for name, (frame, _) in inputs.sides.items()}
        one, other = sides.values()
        first, second = counts or (side.count(into=units) for side in (one, other))
        if both is None:
            both = plan.joined("items_of_both", keys, one, other, on=keys).count(into=units)
    one_name, other_name = inputs.sides
    frames = {FIRST: inputs.sides[one_name][0], SECOND: inputs.sides[other_name][0]}

    def only_in(side: str, group: pl.DataFrame) -> list[object]:
        rows, others = frames[side], frames[SECOND if side == FIRST else FIRST].with_columns(in_other=lit(1.0))
        if group.width:
            rows = inputs.engine.join(rows, inputs.engine.from_polars(group), group.columns, "inner")
        unmatched = inputs.engine.join(rows, others, keys, "left").filter(col("in_other").is_null())
        return _first(inputs.engine, unmatched, "item_id", SHOWN)

    names = (one_name, other_name)
    return Overlap(units, first, both, second, inputs.ids, names, allowed, lambda: _no_overlap(inputs), only_in=only_in)


def _no_overlap(inputs: ItemInputs) -> NothingInCommon:
    """The error that no item is in both tables: ids differ, or the columns of groups and units do."""
    (one, (first, first_id)), (other, (second, second_id)) = inputs.sides.items()
    instead = Argument("policy", "overlap=allow")
    for key in (*(k for k in inputs.keys if k != "run_id"), "item_id"):
        ids = [_first(inputs.engine, frame, key, COMPARED_IDS) for frame in (first, second)]
        if key == "item_id" or not set(ids[0]) & set(ids[1]):
            names = (first_id, second_id) if key == "item_id" else (inputs.names[key],) * 2
            first_side, second_side = (Side(t, n, i) for t, n, i in zip((one, other), names, ids, strict=True))
            what = f"No {inputs.item_word} of the {one} table is in the {other} table"
            return nothing_in_common(what, first_side, second_side, instead)
    raise AssertionError("the ids of items are compared last")


def _first(engine: Engine, frame: Frame, column: str, n: int) -> list[object]:
    """The first ids of a column."""
    return engine.collect(frame.select(column).unique().sort(column).head(n))[column].sort().to_list()


def coverage(tables: Tables, overlap: Overlap, every: Table | None, checks: Sequence[Callable[[], None]]) -> TableQuery:
    """A row per group of units: the number of units, and of the items of each table and of both."""
    plan, inputs, (one, other) = tables.plan, tables.inputs, overlap.tables
    keys = [k for k in inputs.keys if k not in inputs.unit]
    groups = plan.grouped("coverage_groups", plan.unit if every is None else every, *keys)
    counted = {f"{inputs.ids}_{one}": FIRST, f"{inputs.ids}_{other}": SECOND, f"{inputs.ids}_both": BOTH}
    per_unit = overlap.columns()
    columns = {"units": plan.unit.count(into=groups)} | {
        name: overlap.units.sum(overlap.units.column(per_unit[of]), into=groups) for name, of in counted.items()
    }
    named = {inputs.names.get(k, k): col(k) for k in keys}
    frame = groups.frame().select(**named, **{name: e.fill_null(0).cast(pl.Int64) for name, e in columns.items()})
    return TableQuery(plan, frame, tuple(named), (*named, *columns), checks)
