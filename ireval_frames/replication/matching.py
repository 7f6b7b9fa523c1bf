"""The values of an original and of its replica side by side: measures, systems and units matched by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.values.grids import ERROR, INTERSECT, Grid, grids
from ireval_frames.comparison.values.sources import SYSTEM, PerUnitValues
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    MismatchedTables,
    OverlapWarning,
    UnknownName,
    listed,
    nearest,
    warn,
)
from ireval_frames.items.inputs import same_kinds
from ireval_frames.overlap import Side, likely_cause
from ireval_frames.replication.options import PAIRED, UNPAIRED, ReproductionOptions
from ireval_frames.stats.sample import Array, Integers

SIDES = ("original", "replica")


@dataclass(frozen=True, eq=False)
class Match:
    """One measure in one group, in the original and in the replica.

    Attributes:
        grid: units × systems: the original's, then the replica's in the same order.  Different units are
            concatenated.
        paired: whether both have the same units.
    """

    grid: Grid
    paired: bool

    @property
    def size(self) -> int:
        """The number of systems that both have."""
        return len(self.grid.systems) // 2

    @property
    def originals(self) -> Grid:
        """The original's systems alone."""
        return replace(self.grid, systems=self.grid.systems[: self.size], values=self.grid.values[:, : self.size])

    @property
    def pairs(self) -> Integers:
        """Each system's column in the original and in the replica."""
        return np.stack([np.arange(self.size), np.arange(self.size) + self.size], axis=1)

    @property
    def design(self) -> str:
        """The design of the tests."""
        return PAIRED if self.paired else UNPAIRED

    def of_system(self, column: int) -> tuple[Array, Array]:
        """A system's values in the original and in the replica; NaN is missing."""
        return self.grid.values[:, column], self.grid.values[:, column + self.size]


@dataclass(frozen=True, eq=False)
class Matched:
    """The matches, and the names that were not matched.

    Attributes:
        matches: one per measure and group.
        systems: the original's systems → the replica's.
        unmatched: the names that only one of both has: systems and measures.
        by, unit: the user's names of the columns.
        system: the name of the column of systems.
    """

    matches: tuple[Match, ...]
    systems: Mapping[Any, Any]
    unmatched: Mapping[str, Sequence[str]]
    by: tuple[str, ...]
    unit: tuple[str, ...]
    system: str


def match_sides(original: PerUnitValues, replica: PerUnitValues, options: ReproductionOptions) -> Matched:
    """Match both sides.

    Raises:
        InvalidParameter: one of them is empty.
        MismatchedTables: they have no system, measure or group in common, or other units where that is an error.
        UnknownName: a named system does not exist.
    """
    for name, side in zip(SIDES, (original, replica), strict=True):
        if not side.rows.height:
            raise InvalidParameter(f"The {name} has no values.", "Pass a table with values.")
    one, other = with_equal_types(dict(zip(SIDES, (original, replica), strict=True)))
    systems = _systems(one, other, options.systems)
    one, other = (_only(side, names) for side, names in ((one, list(systems)), (other, list(systems.values()))))
    left, right = ({(g.measure, g.group): g for g in grids(side, options.missing)} for side in (one, other))
    shared = [key for key in left if key in right]
    if not shared:
        raise MismatchedTables(
            f"The original and the replica have no measure in common: {_listed(left)}; {_listed(right)}.",
            "Evaluate the same measures of both.",
        )
    paired = _paired(one, other, options)
    matches = tuple(_match(left[key], right[key], systems, options, paired=paired) for key in shared)
    unmatched = {
        "systems": _unmatched(original, systems) + _unmatched(replica, list(systems.values())),
        "measures": [_listed([key]) for key in (*left, *right) if key not in shared],
    }
    return Matched(matches, systems, unmatched, original.by, original.unit, original.system or SYSTEM)


def _listed(keys: Any) -> str:
    return listed(dict.fromkeys(f"{m}{f' of {group}' if group else ''}" for m, group in keys))


def _unmatched(values: PerUnitValues, matched_names: Any) -> list[str]:
    return [str(name) for name in _names(values) if name not in matched_names]


def with_equal_types(sides: Mapping[str, PerUnitValues]) -> tuple[PerUnitValues, PerUnitValues]:
    """Two sides with the ids of units and groups in one type.

    Args:
        sides: the two sides, by their names in errors.

    Raises:
        MismatchedTables: they have other columns of units or groups, or text and numbers in one.
    """
    (first, one), (second, other) = sides.items()
    for what, own, others in (("by", one.by, other.by), ("unit", one.unit, other.unit)):
        if len(own) != len(others):
            raise MismatchedTables(
                f"The {first} has {what}={list(own)} and the {second} {what}={list(others)}.",
                f"Give both the same columns of {what}.",
            )
    engine = PolarsEngine()
    aliases = [*one.groups, *one.units]
    if not aliases:
        return one, other
    frames = {name: engine.from_polars(side.all_rows.select(aliases).rename(one.named)) for name, side in sides.items()}
    both = same_kinds(frames, {name: name for name in one.named.values()})
    converted = []
    for side, frame in zip((one, other), both, strict=True):
        keys = engine.collect(frame).rename({name: alias for alias, name in one.named.items()})
        rows = side.all_rows.with_columns(keys.get_columns())
        converted.append(replace(side, engine=engine, frame=engine.from_polars(rows)))
    return converted[0], converted[1]


def _names(values: PerUnitValues) -> list[Any]:
    return values.rows[SYSTEM].unique().sort().to_list()


def _systems(original: PerUnitValues, replica: PerUnitValues, requested: Mapping[Any, Any] | None) -> dict[Any, Any]:
    """The systems of the original, by those of the replica."""
    originals, replicas = ({str(name): name for name in _names(side)} for side in (original, replica))
    if requested is not None:
        for side, known, names in (("original", originals, requested), ("replica", replicas, requested.values())):
            for name in names:
                if str(name) not in known:
                    raise UnknownName(f"The {side} has no system {name!r}.", nearest(str(name), known))
        return {originals[str(a)]: replicas[str(b)] for a, b in requested.items()}
    if len(originals) == len(replicas) == 1:
        return {next(iter(originals.values())): next(iter(replicas.values()))}
    shared = {originals[name]: replicas[name] for name in originals if name in replicas}
    if not shared:
        raise MismatchedTables(
            f"The original and the replica have no system in common: {listed(originals, 5)}; {listed(replicas, 5)}.",
            Hint("Write which is which: ", Argument("systems", {min(originals): min(replicas)})),
        )
    return shared


def _only(values: PerUnitValues, systems: list[Any]) -> PerUnitValues:
    rows = values.rows.filter(pl.col(SYSTEM).is_in(systems))
    return replace(values, frame=values.engine.from_polars(rows))


def _paired(original: PerUnitValues, replica: PerUnitValues, options: ReproductionOptions) -> bool:
    """Whether both have the same units.

    Raises:
        MismatchedTables: the design is "paired", and they share none.
    """
    keys = original.units
    if options.design == UNPAIRED or not keys:
        return options.design != UNPAIRED
    shared = original.rows.select(keys).unique().join(replica.rows.select(keys), on=keys, how="semi", nulls_equal=True)
    if options.design == PAIRED and not shared.height:
        first = (", ".join(map(str, side.rows.select(keys).sort(keys).row(0))) for side in (original, replica))
        raise MismatchedTables(
            f"The original and the replica share no unit ({' '.join(original.unit)}); their first: {'; '.join(first)}.",
            Hint("Compare different units: ", Argument("design", UNPAIRED)),
        )
    if not shared.height and options.design is None:
        _warn_of_spelling(original, replica, keys)
    return shared.height > 0


def _warn_of_spelling(original: PerUnitValues, replica: PerUnitValues, keys: Sequence[str]) -> None:
    """Warn of units that are compared as different ones, but seem to be the same in another spelling."""
    for key, name in zip(keys, original.unit, strict=True):
        one, other = (
            Side(table, name, side.rows[key].unique().sort().to_list())
            for table, side in (("original", original), ("replica", replica))
        )
        if not set(one.ids) & set(other.ids) and (causes := likely_cause(one, other)):
            warn(
                f"The original and the replica share no unit, so they are compared as different ones: {one}, "
                f"{other}; {causes[0]}. Write them alike if they are the same.",
                OverlapWarning,
            )


def _match(
    original: Grid, replica: Grid, systems: Mapping[Any, Any], options: ReproductionOptions, *, paired: bool
) -> Match:
    original_values, replica_values = _ordered(original, list(systems)), _ordered(replica, list(systems.values()))
    keys = original.units.columns
    left, right = original.units.with_row_index("_original_row"), replica.units.with_row_index("_replica_row")
    if paired:
        units = left.join(right, on=keys, how="full", nulls_equal=True, coalesce=True).sort(keys)
        if options.missing == ERROR:
            _require_same_units(units, original, keys)
    else:
        units = pl.concat([left, right], how="diagonal")
    values = np.hstack(
        [_rows_of(original_values, units["_original_row"]), _rows_of(replica_values, units["_replica_row"])]
    )
    if paired and options.missing not in (ERROR, INTERSECT):
        values = np.where(np.isnan(values), float(options.missing), values)
    names = pl.Series([*systems, *systems], dtype=original.systems.dtype)
    return Match(replace(original, systems=names, units=units.select(keys), values=values), paired)


def _ordered(grid: Grid, systems: list[Any]) -> Array:
    """The columns of the systems; NaN for those without values here."""
    known = grid.systems.to_list()
    missing = np.full(len(grid.values), np.nan)
    return np.stack([grid.values[:, known.index(s)] if s in known else missing for s in systems], axis=1)


def _rows_of(values: Array, rows: pl.Series) -> Array:
    """The values of these rows; NaN is missing."""
    exists = rows.is_not_null().to_numpy()
    result = np.full((len(rows), values.shape[1]), np.nan)
    result[exists] = values[rows.drop_nulls().to_numpy()]
    return result


def _require_same_units(units: pl.DataFrame, grid: Grid, keys: list[str]) -> None:
    for index, present_in, missing_in in (("_replica_row", *SIDES), ("_original_row", *reversed(SIDES))):
        units_of_one = units.filter(pl.col(index).is_null())
        if units_of_one.height:
            examples = [", ".join(map(str, row)) for row in units_of_one.select(keys).head(5).iter_rows()]
            raise MismatchedTables(
                f"{units_of_one.height} of {units.height} units with values of {grid.measure} are in the {present_in} "
                f"only, not in the {missing_in}: {listed(examples, 5, units_of_one.height)}.",
                Hint(
                    "Compare the units that both have: ",
                    Argument("missing", INTERSECT),
                    "; or, if they are different ones: ",
                    Argument("design", UNPAIRED),
                ),
            )
