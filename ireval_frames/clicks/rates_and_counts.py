"""Tables of a click log besides its measures: click-through rates of groups, and sums that can be added over days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import NormalDist

import polars as pl

from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.tables import ClickTables
from ireval_frames.declaration import Measure
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio
from ireval_frames.results import TableQuery

RATE_COLUMNS = ("n_results", "n_clicks", "ctr", "low", "high", "expected", "coec")


def rate_table(tables: ClickTables, shrinkage: float, confidence: float) -> tuple[Table, dict[str, Expr]]:
    """A row per group, and its columns: the keys, and those of `RATE_COLUMNS`."""
    places, units = tables.places, tables.units
    shown, clicked = tables.shown_in(places), tables.clicked_in(places)
    rate = places.lookup(tables.rate, of=tables.positions)
    terms = {"n_results": shown, "n_clicks": clicked, "expected": (shown * rate).fill_null(0.0)}
    sums = {name: places.sum(term) for name, term in terms.items()}
    table = tables.plan.selected("rates", tables.keys, units, sums["n_results"] > 0, **sums)
    n, clicks, expected = (col(c) for c in terms)
    share = table.column(ratio(clicks, n), "ctr")
    low, high = wilson(share, n, confidence)
    columns = {
        "n_results": n,
        "n_clicks": clicks,
        "ctr": share,
        "low": table.column(low, "low"),
        "high": table.column(high, "high"),
        "expected": expected,
        "coec": table.column(ratio(clicks + shrinkage, expected + shrinkage), "coec"),
    }
    return table, {k: col(k) for k in tables.keys} | columns


def wilson(share: Expr, n: Expr, confidence: float) -> tuple[Expr, Expr]:
    """Wilson's score interval of a share of n; `stats.proportions` has it for arrays."""
    z = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    below = 1.0 + z * z / n
    middle = (share + z * z / (2.0 * n)) / below
    # Rounding may give less than 0 where all or none were clicked.
    spread = (share * (1.0 - share) / n + z * z / (4.0 * n * n)).clip(lower_bound=0.0).sqrt()
    low, high = middle - z * spread / below, middle + z * spread / below
    return (
        when(share > 0).then(low.clip(lower_bound=0.0)).otherwise(0.0),
        when(share < 1).then(high.clip(upper_bound=1.0)).otherwise(1.0),
    )


COUNT_COLUMNS = ("measure", "numerator", "denominator")
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
