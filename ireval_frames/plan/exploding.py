"""Rows for the elements of lists."""

from __future__ import annotations

from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col
from ireval_frames.plan.planning import Plan
from ireval_frames.plan.tables import Frames, Origin, Table


def exploded(plan: Plan, name: str, table: Table, values: Expr, *, value: str, number: str) -> Table:
    """A row for each element of the lists of a table; none of lists that are null or empty.

    Args:
        plan: the plan.
        name: what the new table is called.
        table: the table with the lists.
        values: the lists.
        value: the column of the elements.
        number: the column of their positions, from 1.
    """
    column = table.column(values).name

    def make(frames: Frames) -> Frame:
        rows = frames(table).select(*table.keys, **{value: col(column)}).explode_lists([value], number)
        return rows.filter(~col(number).is_null())

    origin = Origin(
        f"{table.name} exploded into {value}",
        (table,),
        make,
        (value, number),
        reads=frozenset((column, *table.keys)),
        identity=(column, value, number),
    )
    return plan.add(name, (*table.keys, number), origin)
