"""Values per unit summarised: one number per group and measure, as a table of the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from ireval_frames.declaration import POOLED, Measure
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import ratio

# Values below this count as this in a geometric mean, as in trec_eval.
GEOMETRIC_FLOOR = 1e-5
# Aggregations of units with weights.
WEIGHTED = ("mean", "sum", "geometric", "min", "max", POOLED)


def summarised(
    plan: Plan,
    units: Table,
    values: Sequence[Expr | None],
    measures: Sequence[Measure],
    keys: Sequence[str],
    over: Sequence[str] = (),
    *,
    every: Table | None = None,
    sums: Mapping[str, Expr] | None = None,
    pooled: Callable[[Measure], Expr] | None = None,
    weight: Expr | None = None,
) -> Table:
    """A row per group of units: `n_units`, and `v0`, `u0` … of each measure: its value, and how many are undefined.

    Args:
        plan: the plan of the table.
        units: a row per unit.
        values: of each measure, an expression over the units, where null is undefined; None for pooled measures.
        measures: they decide the aggregation.
        keys: the columns of groups; none is all units.
        over: columns of coarser units, from coarse to fine: users and sessions, say.  The units of a session become
            one value, the sessions of a user one, and the users are the units that are summarised.
        every: a table with the keys of all groups, also of groups without a unit.
        sums: further expressions over the units, and the columns that their sums become.
        pooled: gives the value of a pooled measure at the plan's current unit, which is then a group; undefined there,
            it counts as undefined for all units.
        weight: the weight of a unit.

    Raises:
        NotDefined: an aggregation has no meaning for units with weights.
    """
    finest = units
    if weight is not None:
        _check_weighted(measures)
    for level in range(len(over), 0, -1):
        units, values = averaged(plan, units, values, measures, (*keys, *over[:level]), weight)
        weight = None
    # One plan may have summaries over several coarser units.
    of = f"_of_{units.name}" if over else ""
    groups = plan.grouped(f"summary_groups{of}", units if every is None else every, *keys)
    columns = {"n_units": units.count(into=groups).cast(pl.Int64)}
    for i, (value, measure) in enumerate(zip(values, measures, strict=True)):
        with plan.requesting(str(measure)):
            if value is None:
                columns[f"v{i}"], undefined = _pooled(plan, groups, measure, pooled, columns["n_units"])
            else:
                column = units.column(value.cast(pl.Float64))
                columns[f"v{i}"] = aggregated(units, column, groups, measure.aggregation, weight)
                undefined = units.sum(column.is_null(), into=groups)
            columns[f"u{i}"] = undefined.cast(pl.Int64)
    for name, expr in (sums or {}).items():
        columns[name] = finest.sum(finest.column(expr), into=groups).cast(pl.Int64)
    # One plan may have the same without the sums, too.
    return plan.selected(f"summary{'_with_sums' if sums else ''}{of}", keys, groups, **columns)


def _pooled(
    plan: Plan, groups: Table, measure: Measure, pooled: Callable[[Measure], Expr] | None, n_units: Expr
) -> tuple[Expr, Expr]:
    """The value of all units of a group together, and how many units it is undefined for: all, or none."""
    if pooled is None:
        raise NotDefined(
            f"{measure} is pooled over the units, and only their values are here.",
            f"Evaluate {measure(aggregation='mean')}.",
        )
    with plan.into(groups):
        value = groups.column(pooled(measure).cast(pl.Float64))
    return value, when(value.is_null()).then(n_units).otherwise(0)


def _check_weighted(measures: Sequence[Measure]) -> None:
    for measure in measures:
        if measure.aggregation not in WEIGHTED:
            raise NotDefined(
                f"{measure} of units with weights is not defined: there is no weighted {measure.aggregation} here.",
                f"Leave the weights out, or evaluate {measure(aggregation='mean')}.",
            )


def averaged(
    plan: Plan,
    units: Table,
    values: Sequence[Expr | None],
    measures: Sequence[Measure],
    keys: Sequence[str],
    weight: Expr | None = None,
) -> tuple[Table, list[Expr | None]]:
    """A coarser unit: a row per keys, and the values of the units in it, each aggregated as its measure says.

    So queries become users, and users become groups of users: every level has one value per unit of the level below.
    Where all of these are undefined the coarser unit is, a sum of them, too.
    """
    coarser = plan.grouped("_by_".join([units.name, *keys]), units, *keys)
    out: list[Expr | None] = []
    for value, measure in zip(values, measures, strict=True):
        if value is None:
            out.append(None)
            continue
        with plan.requesting(str(measure)):
            column = units.column(value.cast(pl.Float64))
            coarse = aggregated(units, column, coarser, measure.aggregation, weight)
            if measure.aggregation == "sum":
                coarse = when(units.sum(~column.is_null(), into=coarser) > 0.0).then(coarse)
            out.append(coarse)
    return coarser, out


def aggregated(units: Table, value: Expr, groups: Table, how: str, weight: Expr | None = None) -> Expr:
    """One number of the defined values of each group; null where there are none, but 0 for a sum."""
    match how:
        case "mean":
            return _mean(units, value, groups, weight)
        case "sum":
            return units.sum(value.fill_null(0.0) if weight is None else (value * weight).fill_null(0.0), into=groups)
        case "geometric":
            floored = units.column(value.clip(lower_bound=GEOMETRIC_FLOOR), "floored")
            return _mean(units, floored.log(), groups, weight).exp()
        case "median":
            return units.quantile(value, 0.5, into=groups)
        case "min":
            return units.min(value, into=groups)
        case "max":
            return units.max(value, into=groups)
        case _:
            return units.variance(value, into=groups).sqrt()


def _mean(units: Table, value: Expr, groups: Table, weight: Expr | None) -> Expr:
    if weight is None:
        return units.mean(value, into=groups)
    known = when(~value.is_null()).then(weight).otherwise(0.0)
    total = units.sum(known, into=groups)
    return when(total > 0.0).then(ratio(units.sum((value * weight).fill_null(0.0), into=groups), total))
