"""Measures as ratios of two sums, which can be added over days."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.tables import ClickTables
from ireval_frames.declaration import Measure
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit
from ireval_frames.results import TableQuery

COLUMNS = ("measure", "numerator", "denominator")
# Why some measures of several days are no sums over days.
NOT_SUMS = {
    "ClickEntropy": "the clicks of a query on all days are one distribution",
    "SessionsPerUser": "a user of several days is one user",
}
RATES = "what is expected at a position is the rate of all days: write {line}"


def why_not_sums(measure: Measure) -> str:
    """Why a measure is no ratio of sums over days; empty where it is one."""
    values = measure.arguments()
    if measure.name in NOT_SUMS:
        return NOT_SUMS[measure.name]
    if measure.name == "CTR" and values["per"] not in ("result", "page"):
        return f"a {values['per']} of several days is one {values['per']}"
    for parameter in ("rates", "examination"):
        if parameter in values and values[parameter] is None:
            return RATES.format(line=f"{measure.name}({parameter}=(0.4, 0.2, …))")
    return ""


def count_rows(
    tables: ClickTables, measures: Sequence[Measure], context_of: Callable[[str], ClickContext]
) -> list[dict[str, Expr]]:
    """Of each measure the columns of its row.

    Raises:
        NotDefined: a measure is no ratio of sums.
    """
    rows = []
    for measure in measures:
        if why := why_not_sums(measure):
            raise NotDefined(
                f"{measure} of several days is no ratio of sums: {why}.",
                "Leave it out, or evaluate the log of all days at once.",
            )
        with tables.plan.requesting(str(measure)):
            context = context_of(str(measure))
            value = measure.expression(context, measure.arguments())
            above, below = context.parts or (value, lit(None, dtype=pl.Float64))
            rows.append(
                {
                    "measure": lit(str(measure)),
                    "numerator": tables.units.column(above.cast(pl.Float64)),
                    "denominator": below if context.parts is None else tables.units.column(below.cast(pl.Float64)),
                }
            )
    return rows


def counts_query(
    tables: ClickTables, rows: Sequence[dict[str, Expr]], checks: Sequence[Callable[[], None]]
) -> TableQuery:
    """A row per unit and measure, in the order of the measures."""
    names, frame = tables.inputs.names, tables.plan.engine.stage(tables.units.frame(), "counts")
    return TableQuery.stacked(tables.plan, frame, {names.get(k, k): col(k) for k in tables.keys}, rows, checks)
