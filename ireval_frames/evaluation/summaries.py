"""Values per unit summarised: one number per group and measure, as a table of the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.expr import Expr, when
from ireval_frames.plan import Plan, Table

# Values below this count as this in a geometric mean, as in trec_eval.
GEOMETRIC_FLOOR = 1e-5


def summarised(
    plan: Plan,
    units: Table,
    values: Sequence[Expr],
    measures: Sequence[Measure],
    keys: Sequence[str],
    over: Sequence[str] = (),
    *,
    every: Table | None = None,
    sums: Mapping[str, Expr] | None = None,
) -> Table:
    """A row per group of units: `n_units`, and `v0`, `u0` … of each measure: its value, and how many are undefined.

    Args:
        plan: the plan of the table.
        units: a row per unit.
        values: of each measure, an expression over the units; null is undefined.
        measures: they decide the aggregation.
        keys: the columns of groups; none is all units.
        over: columns of coarser units, from coarse to fine: users and sessions, say.  The units of a session become
            one value, the sessions of a user one, and the users are the units that are summarised.
        every: a table with the keys of all groups, also of groups without a unit.
        sums: further expressions over the units, and the columns that their sums become.
    """
    finest = units
    for level in range(len(over), 0, -1):
        units, values = averaged(plan, units, values, measures, (*keys, *over[:level]))
    # One plan may have summaries over several coarser units.
    of = f"_of_{units.name}" if over else ""
    groups = plan.grouped(f"summary_groups{of}", units if every is None else every, *keys)
    columns = {"n_units": units.count(into=groups).cast(pl.Int64)}
    for i, (value, measure) in enumerate(zip(values, measures, strict=True)):
        with plan.requesting(str(measure)):
            column = units.column(value.cast(pl.Float64))
            columns[f"v{i}"] = aggregated(units, column, groups, measure.aggregation)
            columns[f"u{i}"] = units.sum(column.is_null(), into=groups).cast(pl.Int64)
    for name, expr in (sums or {}).items():
        columns[name] = finest.sum(finest.column(expr), into=groups).cast(pl.Int64)
    # One plan may have the same without the sums, too.
    return plan.selected(f"summary{'_with_sums' if sums else ''}{of}", keys, groups, **columns)


def averaged(
    plan: Plan, units: Table, values: Sequence[Expr], measures: Sequence[Measure], keys: Sequence[str]
) -> tuple[Table, list[Expr]]:
    """A coarser unit: a row per keys, and the values of the units in it, each aggregated as its measure says.

    So queries become users, and users become groups of users: every level has one value per unit of the level below.
    Where all of these are undefined the coarser unit is, a sum of them, too.
    """
    coarser = plan.grouped("_by_".join([units.name, *keys]), units, *keys)
    out = []
    for value, measure in zip(values, measures, strict=True):
        with plan.requesting(str(measure)):
            column = units.column(value.cast(pl.Float64))
            coarse = aggregated(units, column, coarser, measure.aggregation)
            if measure.aggregation == "sum":
                coarse = when(units.sum(~column.is_null(), into=coarser) > 0.0).then(coarse)
            out.append(coarse)
    return coarser, out


def aggregated(units: Table, value: Expr, groups: Table, how: str) -> Expr:
    """One number of the defined values of each group; null where there are none, but 0 for a sum."""
    match how:
        case "mean":
            return units.mean(value, into=groups)
        case "sum":
            return units.sum(value.fill_null(0.0), into=groups)
        case "geometric":
            floored = units.column(value.clip(lower_bound=GEOMETRIC_FLOOR), "floored")
            return units.mean(floored.log(), into=groups).exp()
        case "median":
            return units.quantile(value, 0.5, into=groups)
        case "min":
            return units.min(value, into=groups)
        case "max":
            return units.max(value, into=groups)
        case _:
            return units.variance(value, into=groups).sqrt()
