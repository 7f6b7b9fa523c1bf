"""Measures as two sums, so that the values of several days are those of one: sums of both, then their ratio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.tables import ClickTables
from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import concat
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Table

COLUMNS = ("measure", "numerator", "denominator")
# What several days of a measure have in common, which no sum tells.
WHOLE: dict[str, str] = {
    "ClickEntropy": "the clicks of a query on all days are one distribution",
    "SessionsPerUser": "a user of several days is one user",
}
RATES = "what is expected at a position is the rate of all days: give it, {line}"


def refused(measure: Measure) -> str:
    """Why a measure is not the ratio of sums over days; nothing where it is."""
    given = measure.arguments()
    if measure.name in WHOLE:
        return WHOLE[measure.name]
    if measure.name == "CTR" and given["per"] not in ("result", "page"):
        return f"a {given['per']} of several days is one {given['per']}"
    for parameter in ("rates", "examination"):
        if parameter in given and given[parameter] is None:
            return RATES.format(line=f"{measure.name}({parameter}=(0.4, 0.2, …))")
    return ""


def merged(tables: ClickTables, measures: Sequence[Measure], final: Any) -> tuple[Table, list[dict[str, Expr]]]:
    """The units, and of each measure the columns of its row.

    Raises:
        NotDefined: a measure is no ratio of sums.
    """
    rows = []
    for measure in measures:
        if why := refused(measure):
            raise NotDefined(
                f"{measure} of several days is not made of sums: {why}.",
                "Leave it out, or evaluate the log of all days at once.",
            )
        with tables.plan.requesting(str(measure)):
            context: ClickContext = final(measure)
            value = measure.expression(context, measure.arguments())
            above, below = context.parts or (value, lit(None, dtype=pl.Float64))
            rows.append(
                {
                    "measure": lit(str(measure)),
                    "numerator": tables.units.column(above.cast(pl.Float64)),
                    "denominator": below if context.parts is None else tables.units.column(below.cast(pl.Float64)),
                }
            )
    return tables.units, rows


def parts(tables: ClickTables, units: Table, rows: Sequence[dict[str, Expr]]) -> Any:
    """A row per unit and measure, in the order asked."""
    names, frame = tables.inputs.names, tables.plan.engine.stage(units.frame(), "counts")
    keys = {names.get(k, k): col(k) for k in tables.keys}
    return concat([frame.select(**keys, **row, ireval_place=lit(i)) for i, row in enumerate(rows)])
