"""Values of two systems side by side, as tables of a plan: units by difference, hardest units, segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.columns.schema import grouping_column
from ireval_frames.comparison.meta_evaluation.robust_and_strict import ROUNDING
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.engines.row_checks import run_checks, unique_key
from ireval_frames.errors import DuplicateRows, MismatchedTables, MissingColumn, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.io.reading import TABLE
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import indicator
from ireval_frames.results import Result, TableQuery

SYSTEM = "run_id"
# Values are sorted in steps of 1 / SORTING_STEPS.
SORTING_STEPS = 1e10


@dataclass(frozen=True, eq=False)
class Units:
    """Values of one measure in a plan: a row per system, group and unit, with the column `value`.

    Attributes:
        plan: where the table is.
        table: its keys are run_id and the aliases of groups and units.
        by, unit: the user's names of groups and units, by their aliases.
        checks: raise the errors of the data.
    """

    plan: Plan
    table: Table
    by: Mapping[str, str]
    unit: Mapping[str, str]
    checks: Sequence[Callable[[], None]] = ()

    @property
    def keys(self) -> list[str]:
        """The aliases of groups and units."""
        return [*self.by, *self.unit]

    def named(self, keys: Sequence[str]) -> dict[str, Expr]:
        """These keys under the user's names."""
        return {{**self.by, **self.unit}[k]: col(k) for k in keys}


@dataclass(frozen=True, eq=False)
class PerUnitQuery:
    """The values per unit of an evaluation, which are computed when they are read.

    Attributes:
        result: a row per system, group and unit, a column per measure.
        by, unit: the columns of groups and units.
        several: whether there is a column run_id.
    """

    result: Result
    by: tuple[str, ...]
    unit: tuple[str, ...]
    several: bool

    def units(self, engine: Engine, measure: str) -> Units:
        """In a plan on the engine, nothing read."""
        query = self.result.query(engine)
        plan, aliases = Plan(engine), self._aliases
        columns = {alias: col(name) for alias, name in aliases.items()}
        frame = query.frame.select(**columns, value=col(measure))
        return self._units(plan, plan.input("values", tuple(aliases), frame), query.checks)

    def collected(self, measure: str) -> Units:
        """In memory, the data checked."""
        frame, plan = self.result.collect(), Plan(PolarsEngine())
        aliased = frame.select(**{alias: pl.col(name) for alias, name in self._aliases.items()}, value=pl.col(measure))
        return self._units(plan, plan.input("values", tuple(self._aliases), plan.engine.from_polars(aliased)))

    @property
    def _aliases(self) -> dict[str, str]:
        by = {f"by_{i}": name for i, name in enumerate(self.by)}
        return {SYSTEM: SYSTEM} | by | {f"unit_{i}": name for i, name in enumerate(self.unit)}

    def _units(self, plan: Plan, table: Table, checks: Sequence[Callable[[], None]] = ()) -> Units:
        by, unit = (
            {alias: name for alias, name in self._aliases.items() if alias.startswith(kind)}
            for kind in ("by_", "unit_")
        )
        return Units(plan, table, by, unit, checks)


@dataclass(frozen=True)
class Pair:
    """Two systems, and which values are better.

    Attributes:
        system, baseline: their run_ids, as text.
        higher_is_better: None where neither is.
    """

    system: str
    baseline: str
    higher_is_better: bool | None

    @property
    def sign(self) -> float:
        """What makes a better value a larger one."""
        return -1.0 if self.higher_is_better is False else 1.0


def is_system(name: str) -> Expr:
    """Whether a row is of this system; a run_id that is a number is compared as text."""
    return col(SYSTEM).cast(pl.String) == name


def placed(value: Expr) -> Expr:
    """The sort key of rows: values that differ by rounding are equal, and undefined ones are last."""
    return (value * SORTING_STEPS + 0.5).floor().fill_null(float("inf"))


class Paired:
    """A row per unit of either system, with both values and their difference.

    Attributes:
        table: the rows.
        baseline, value, difference: its columns; undefined is null.
        better, worse: whether the run's value is better or worse by more than rounding, as 1 and 0; null where a value
            is undefined.
    """

    def __init__(self, units: Units, pair: Pair) -> None:
        self.units, self.pair = units, pair
        of = units.table
        two = units.plan.selected("two_systems", of.keys, of, where=is_system(pair.system) | is_system(pair.baseline))
        table = self.table = units.plan.grouped("pairs_of_values", two, *units.keys)
        self.baseline, self.value = (
            two.max(two.column(when(is_system(name)).then(col("value"))), into=table)
            for name in (pair.baseline, pair.system)
        )
        self.difference = table.column(self.value - self.baseline, "difference")
        rounding = ROUNDING * (self.value.abs() + self.baseline.abs())
        gain = table.column(self.difference * pair.sign, "gain")
        self.gain = gain
        known = ~self.difference.is_null()
        self.better = table.column(when(known).then(indicator(gain > rounding)), "better")
        self.worse = table.column(when(known).then(indicator(gain < -rounding)), "worse")

    def share(self, table: Table, part: Expr) -> Expr:
        """A sum of differences as a share of the sum of all; null where that is 0 but for rounding."""
        every = self.units.plan.grouped("all_pairs", self.table)
        total = self.table.sum(self.difference.fill_null(0.0), into=every)
        size = self.table.sum(self.difference.abs().fill_null(0.0), into=every)
        nonzero_total = every.column(when(total.abs() > ROUNDING * size).then(total), "total_difference")
        return part / table.lookup(nonzero_total, of=every)


def topics(paired: Paired) -> TableQuery:
    """Units from the largest gain to the largest loss."""
    table, units = paired.table, paired.units
    place = table.column(placed(-paired.gain), "place").name
    share = table.column(paired.share(table, paired.difference), "share")
    running = table.over(table.column(share.fill_null(0.0)).cum_sum(), (), [place, *units.keys], "cumulative_share")
    known = when(~share.is_null()).then(running)
    verdict = (
        lit(None, dtype=pl.Boolean)
        if paired.pair.higher_is_better is None
        else when(paired.better + paired.worse > 0).then(paired.better > 0)
    )
    keys = units.named(units.keys)
    columns = {
        **keys,
        "value_baseline": paired.baseline,
        "value": paired.value,
        "difference": paired.difference,
        "better": verdict,
        "share": share,
        "cumulative_share": known,
    }
    # Columns must be requested before the frame is made.
    frame = table.frame().select(**columns, ireval_place=col(place))
    return TableQuery(units.plan, frame, ("ireval_place", *keys), tuple(columns), units.checks)


def hardest(units: Units, pair: Pair) -> TableQuery:
    """Units over all systems, the hardest first."""
    of, value = units.table, col("value")
    table = units.plan.grouped("units_of_all_systems", of, *units.keys)
    high, low = of.max(value, into=table), of.min(value, into=table)
    best, worst = (high, low) if pair.sign > 0 else (low, high)
    columns = {
        "mean": of.mean(value, into=table),
        "best": best,
        "median": of.quantile(value, 0.5, into=table),
        "worst": worst,
        "spread": of.variance(value, into=table).sqrt(),
        "n": of.sum(indicator(~value.is_null()), into=table).cast(pl.Int64),
    }
    place = table.column(placed(columns["mean"] * pair.sign), "place")
    keys = units.named(units.keys)
    frame = table.frame().select(**keys, **columns, ireval_place=place)
    return TableQuery(units.plan, frame, ("ireval_place", *keys), (*keys, *columns), units.checks)


def segments(paired: Paired, table: Table, names: Mapping[str, str]) -> TableQuery:
    """Groups of units from the largest gain to the largest loss.

    Args:
        paired: the units.
        table: these, with the columns that group them; they may be other rows of the same keys.
        names: the columns' names by their aliases; none is one group of all.
    """
    plan = paired.units.plan
    groups = plan.grouped("segments", table, *names)
    difference = paired.difference
    known, directed = when(~difference.is_null()), paired.pair.higher_is_better is not None
    nothing = lit(None, dtype=pl.Int64)
    total = table.sum(difference.fill_null(0.0), into=groups)
    better, worse, defined = (
        table.sum(flag.fill_null(0.0), into=groups)
        for flag in (paired.better, paired.worse, indicator(~difference.is_null()))
    )
    columns = {
        "n": defined.cast(pl.Int64),
        "mean_baseline": table.mean(known.then(paired.baseline), into=groups),
        "mean": table.mean(known.then(paired.value), into=groups),
        "difference": table.mean(difference, into=groups),
        "share": when(defined > 0).then(paired.share(groups, total)),
        "n_better": better.cast(pl.Int64) if directed else nothing,
        "n_worse": worse.cast(pl.Int64) if directed else nothing,
        "n_equal": (defined - better - worse).cast(pl.Int64),
        "n_undefined": (table.count(into=groups) - defined).cast(pl.Int64),
    }
    place = groups.column(placed(-total * paired.pair.sign), "place")
    keys = {name: col(alias) for alias, name in names.items()}
    frame = groups.frame().select(**keys, **columns, ireval_place=place)
    return TableQuery(plan, frame, ("ireval_place", *keys), (*keys, *columns), paired.units.checks)


def in_segments(paired: Paired, source: Any, segments: Mapping[str, str]) -> tuple[Table, Callable[[], None]]:
    """The pairs with the columns of a table of units, and the check that it holds each unit once.

    Args:
        paired: the pairs.
        source: the table, as it was passed.
        segments: the names of its columns, by the aliases they get.

    Raises:
        MissingColumn, MismatchedTables: it lacks a column, or its ids have another type.
    """
    units, plan = paired.units, paired.units.plan
    frame = open_source(Source(source, "queries", TABLE), plan.engine)
    for name in (*units.unit.values(), *segments.values()):
        if name not in frame.columns:
            raise MissingColumn(
                f"The table of units has no column {name!r} (it has: {listed(frame.columns, 20)}).",
                f'Rename it: frame.rename({{"their_name": "{name}"}})',
            )
    types, ours, ids = frame.collect_schema(), units.table.frame().collect_schema(), {}
    for alias, name in units.unit.items():
        mine, other = ours[alias], types[name]
        if mine not in (other, pl.String) and not (mine.is_numeric() and other.is_numeric()):
            raise MismatchedTables(
                f"Column {name!r} is {other} in the table of units and {mine} in the evaluation.",
                f'Give both one type: frame.with_columns(pl.col("{name}").cast(pl.{mine}))',
            )
        ids[alias] = col(name) if mine == other else col(name).cast(mine)
    columns = {alias: grouping_column("queries", frame, name) for alias, name in segments.items()}
    rows = frame.select(**ids, **columns).unique()

    def several(repeated: pl.DataFrame, count: int) -> DuplicateRows:
        first = ", ".join(str(repeated[alias][0]) for alias in units.unit)
        return DuplicateRows(
            f"The table puts {count} units into several segments; the first: {first}.", "Keep one row of each unit."
        )

    table = plan.input("table_of_units", tuple(units.unit), rows)
    joined = plan.joined("pairs_in_segments", units.keys, paired.table, table, on=tuple(units.unit), how="left")
    return joined, lambda: run_checks(plan.engine, [unique_key(rows, tuple(units.unit), several, ordered=True)])
