"""What rules are about: the values of a measure, of a baseline and a candidate, on the same units."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.values.grids import INTERSECT, grids, sorted_parts
from ireval_frames.comparison.values.sources import MEASURE, SYSTEM, VALUE, PerUnitValues
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, listed
from ireval_frames.stats.rounding import is_zero, rounding, without_huge
from ireval_frames.stats.sample import Array, Integers

# Numbers are ranked by this many decimals.
DIGITS = 12
# How many units a reason names.
NAMED = 5
BEFORE, AFTER = "_before", "_after"


@dataclass(frozen=True, eq=False)
class Cell:
    """A measure of a candidate and its baseline, of all units or of one segment.

    Attributes:
        measure: its name.
        lower_is_better: less of it is better.
        baseline, candidate: the names of the systems.
        segment: the values of the columns of by=; None for all units.
        units: the ids of the units that have both values, in order.
        before, after: these values.
        reasons: why the two cannot be compared; empty if they can.
        n_undefined: how many units have neither value.
    """

    measure: str
    lower_is_better: bool
    baseline: str
    candidate: str
    segment: tuple[Any, ...] | None
    units: pl.DataFrame
    before: Array
    after: Array
    reasons: tuple[str, ...] = ()
    n_undefined: int = 0

    @functools.cached_property
    def tolerance(self) -> Array:
        """The rounding error of each unit's difference."""
        return rounding(self.before, self.after)

    @functools.cached_property
    def difference(self) -> Array:
        """Candidate − baseline of each unit; 0 within the rounding error."""
        d = self.after - self.before
        return np.where(is_zero(d, self.tolerance), 0.0, d)

    @property
    def loss(self) -> Array:
        """By how much the candidate is worse in each unit."""
        return self.difference if self.lower_is_better else -self.difference

    @property
    def mean_tolerance(self) -> float:
        """The rounding error of the candidate's mean."""
        return _mean_error(rounding(self.after, np.zeros_like(self.after)))

    @property
    def loss_tolerance(self) -> float:
        """The rounding error of the mean loss."""
        return _mean_error(np.where(self.difference == 0, 0.0, self.tolerance))


def _mean_error(errors: Array) -> float:
    return float(without_huge(errors[None, :])[0]) / max(1, len(errors))


def cells(
    baseline: PerUnitValues | None, candidate: PerUnitValues, lower_is_better: Sequence[str], cluster: str | None = None
) -> list[Cell]:
    """A cell per measure, pair of systems, and segment; the measures in the candidate's order, all units first.

    A baseline of one system is compared with every candidate; of several, each with the candidate of its name.

    Args:
        baseline: None for rules that need none.
        candidate: with the same columns of units and segments.
        lower_is_better: the measures of which less is better.
        cluster: a column of units whose groups are compared by their means.

    Raises:
        MissingColumn: units have no such column.
        InvalidParameter: the candidate holds no values.
        DuplicateRows: a system has several values for a unit.
        InvalidValue: values are infinite, or ids are null.
    """
    for side in (baseline, candidate):
        if side is not None:
            # Checks the rows.
            list(grids(side, INTERSECT))
    if not candidate.all_rows.height:
        raise InvalidParameter("The candidate holds no values.", "Pass a table that has rows with values.")
    cluster_keys = [] if cluster is None else [_cluster_key(candidate, cluster)]
    out: list[Cell] = []
    units = candidate.units
    measures = _ordered(candidate, [] if baseline is None else [baseline])
    for old, new in _pairs(baseline, candidate):
        rows = _joined(baseline, candidate, old, new)
        names = (old or new or "baseline", new or old or "candidate")
        for measure in measures:
            for segment, part in _segments(rows.filter(pl.col(MEASURE) == measure), candidate):
                less, keys = measure in lower_is_better, [*(candidate.groups if segment is None else ()), *units]
                cell = _cell(
                    part, measure, segment, keys, names, lower_is_better=less, without_baseline=baseline is None
                )
                unmet = _unmet({"baseline": (baseline, old), "candidate": (candidate, new)}, segment)
                cell = replace(cell, reasons=(*unmet, *cell.reasons)) if unmet else cell
                out.append(_cluster_means(cell, cluster_keys))
    index = {m: i for i, m in enumerate(measures)}
    return sorted(out, key=lambda cell: index[cell.measure])


def _ordered(candidate: PerUnitValues, others: Sequence[PerUnitValues]) -> list[str]:
    known = [*candidate.measures, *sorted(candidate.all_rows[MEASURE].unique().to_list())]
    for other in others:
        known += sorted(other.all_rows[MEASURE].unique().to_list())
    return list(dict.fromkeys(known))


def _pairs(baseline: PerUnitValues | None, candidate: PerUnitValues) -> list[tuple[str | None, str | None]]:
    """Each candidate with its system of the baseline; None where there is none of that name."""
    sides = [sorted(map(str, v.all_rows[SYSTEM].unique().to_list())) for v in (baseline, candidate) if v is not None]
    if baseline is None:
        return [(None, name) for name in sides[0]]
    old, new = sides
    if len(old) == 1:
        return [(old[0], name) for name in new]
    pairs: list[tuple[str | None, str | None]] = [(name if name in old else None, name) for name in new]
    return pairs + [(name, None) for name in old if name not in new]


def _joined(baseline: PerUnitValues | None, candidate: PerUnitValues, old: str | None, new: str | None) -> pl.DataFrame:
    """A row per measure, segment and unit of either, with both values and whether each side has the unit."""
    keys = [MEASURE, *candidate.groups, *candidate.units]
    after = _of_system(candidate, new).select(*keys, pl.col(VALUE).alias(AFTER), _new=True)
    source = candidate.all_rows.clear() if baseline is None else _of_system(baseline, old)
    before = source.select(*keys, pl.col(VALUE).alias(BEFORE), _old=True)
    rows = before.join(after, on=keys, how="full", nulls_equal=True, coalesce=True)
    return rows.with_columns(pl.col("_old", "_new").fill_null(value=False)).sort(keys)


def _of_system(values: PerUnitValues, name: str | None) -> pl.DataFrame:
    """The rows of a system; no rows without a name."""
    rows = values.all_rows
    return rows.clear() if name is None else rows.filter(pl.col(SYSTEM).cast(pl.String) == name)


def _segments(rows: pl.DataFrame, values: PerUnitValues) -> Iterator[tuple[tuple[Any, ...] | None, pl.DataFrame]]:
    """All units, then each segment.  Segments that are a single value each have no mean over all of them."""
    if values.units or not values.groups:
        yield None, rows
    if values.groups and rows.height:
        yield from sorted_parts(rows, values.groups)


def _unmet(sides: Mapping[str, tuple[PerUnitValues | None, str | None]], segment: tuple[Any, ...] | None) -> list[str]:
    """The sides whose evaluation had no ids in common, in a segment or in all of them."""
    reasons = []
    for side, (values, name) in sides.items():
        keys = [] if values is None else [key for key in values.unmet if str(key[-1]) == str(name)]
        if values is None or not keys:
            continue
        groups = values.all_rows.filter(pl.col(SYSTEM).cast(pl.String) == name).select(values.groups).unique().height
        if (segment is None and len(keys) >= max(groups, 1)) or any(key[:-1] == segment for key in keys):
            reasons.append(f"the {side} has no id in common with what it was evaluated against")
    return reasons


def _cell(
    rows: pl.DataFrame,
    measure: str,
    segment: tuple[Any, ...] | None,
    keys: list[str],
    names: tuple[str, str],
    *,
    lower_is_better: bool,
    without_baseline: bool,
) -> Cell:
    alone = pl.lit(without_baseline)
    both = rows.filter(pl.col(AFTER).is_not_null() & (alone | pl.col(BEFORE).is_not_null()))
    neither = rows.filter(pl.col("_new"), pl.col(AFTER).is_null(), alone | pl.col(BEFORE).is_null())
    reasons = [] if without_baseline else list(_reasons(rows, keys, measure, names))
    if not both.height and not reasons:
        reasons = ["no unit has a value"]
    units = both.select(keys) if keys else pl.DataFrame({"unit_0": [""] * both.height})
    before, after = (both[c].cast(pl.Float64).fill_null(np.nan).to_numpy() for c in (BEFORE, AFTER))
    return Cell(measure, lower_is_better, *names, segment, units, before, after, tuple(reasons), neither.height)


def _reasons(rows: pl.DataFrame, keys: list[str], measure: str, names: tuple[str, str]) -> Iterator[str]:
    """Why the units of both sides are not the same."""
    present = {"baseline": "_old", "candidate": "_new"}
    value = {"baseline": BEFORE, "candidate": AFTER}
    for side, name in zip(present, names, strict=True):
        if not rows[present[side]].any():
            yield f"the {side} has no values of {measure} here" + ("" if name == side else f" ({name})")
            return
    for side, other in (("baseline", "candidate"), ("candidate", "baseline")):
        if (extra := rows.filter(pl.col(present[side]), ~pl.col(present[other]))).height:
            yield f"{_units(extra.height)} only in the {side}: {_ids(extra, keys)}"
        both = pl.col(present[side]) & pl.col(present[other])
        nulls = rows.filter(both, pl.col(value[side]).is_null(), pl.col(value[other]).is_not_null())
        if nulls.height:
            yield f"{_units(nulls.height)} undefined in the {side} only: {_ids(nulls, keys)}"


def largest_first(numbers: Array) -> Integers:
    """The positions of numbers, the largest first; equal up to rounding, in their order."""
    return np.argsort(-np.round(numbers, DIGITS), kind="stable")


def _units(count: int) -> str:
    return f"{count} unit{'' if count == 1 else 's'}"


def _ids(rows: pl.DataFrame, keys: list[str]) -> str:
    return listed([", ".join(map(str, row)) for row in rows.select(keys).head(NAMED).iter_rows()], NAMED, rows.height)


def _cluster_key(values: PerUnitValues, cluster: str) -> str:
    """Our name of the column of clusters.

    Raises:
        MissingColumn: units have no such column.
    """
    if cluster not in values.unit:
        raise MissingColumn(
            f"Units have no column {cluster!r} (they have: {', '.join(values.unit) or 'none'}).",
            Hint("Name it among them: ", Argument("unit", [cluster, *values.unit]), "."),
        )
    return values.units[values.unit.index(cluster)]


def _cluster_means(cell: Cell, keys: list[str]) -> Cell:
    """The cell with the means of clusters as its units."""
    if not keys:
        return cell
    rows = cell.units.with_columns(pl.Series(BEFORE, cell.before), pl.Series(AFTER, cell.after))
    means = rows.group_by(keys, maintain_order=True).agg(in_order(pl.col(BEFORE, AFTER).mean())).sort(keys)
    return replace(cell, units=means.select(keys), before=means[BEFORE].to_numpy(), after=means[AFTER].to_numpy())
