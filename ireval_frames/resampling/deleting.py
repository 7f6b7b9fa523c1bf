"""Values without one unit: the jackknife."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.resampling.draws import Counts, ranges
from ireval_frames.resampling.hashing import Whole, coefficients, hashes
from ireval_frames.resampling.population import Population

# The largest number of rows to evaluate; beyond it units are left out in groups.
MAX_ROWS = 50_000_000
GROUPS = 200


@dataclass(frozen=True, eq=False)
class GroupValues:
    """Values of one group without each of its units.

    Attributes:
        values: units left out × measures.
        times: the number of units with that value: equal items share one.
        unit: the unit that is left out, or the row of the item.
        stratum: of the unit.
    """

    values: Counts
    times: Counts
    unit: Whole
    stratum: Whole


@dataclass(frozen=True, eq=False)
class Deleted:
    """Values without some units.

    Attributes:
        values: units left out × groups × measures.
        occurs: units × groups, whether a group has items of the unit; None if one item of every group is left out.
        stratum: of the unit.
        size: the mean number of units left out at once.
        rows: of each row its position in its group, its group, and its number of items; if `occurs` is None.
    """

    values: Counts
    occurs: NDArray[np.bool_] | None
    stratum: Whole
    size: float
    rows: tuple[Whole, Whole, Counts] | None = None

    def of(self, group: int) -> GroupValues:
        """The values of a group without each of its units."""
        if self.rows is None:
            assert self.occurs is not None  # noqa: S101 - set unless rows is
            unit = np.flatnonzero(self.occurs[:, group])
            return GroupValues(self.values[unit, group], np.ones(len(unit)), unit, self.stratum[unit])
        position, group_of, total = self.rows
        row = np.flatnonzero(group_of == group)
        return GroupValues(self.values[position[row], group], total[row], row, np.zeros_like(row))

    def of_difference(self, one: int, other: int) -> GroupValues:
        """The difference of two groups without each unit of either."""
        assert self.occurs is not None  # noqa: S101 - systems share units
        unit = np.flatnonzero(self.occurs[:, one] | self.occurs[:, other])
        return GroupValues(
            self.values[unit, other] - self.values[unit, one], np.ones(len(unit)), unit, self.stratum[unit]
        )


def positions(population: Population) -> tuple[Whole, int]:
    """The position of each row in its group, and the number of positions, at each of which no group has two rows."""
    group = population.group_of_row
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group, minlength=population.n_groups)
    position = np.empty_like(group)
    position[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return position, int(sizes.max(initial=0))


def deleted(population: Population, *, one_by_one: bool = False) -> Deleted:
    """The measures' values without each unit in turn.

    Args:
        population: the units that are resampled.
        one_by_one: never in groups of units, which are otherwise used if it takes too long.

    Raises:
        NotDefined: one by one takes too long.
    """
    members = population.members
    n = members.n_units if members.unit is not None else positions(population)[1]
    if not one_by_one and n > GROUPS and n * members.n_rows > MAX_ROWS:
        return _in_groups(population)
    if n * members.n_rows > MAX_ROWS * GROUPS:
        raise NotDefined(
            f"Leaving out {n} units one by one, of {members.n_rows} different rows, would take too long.",
            Hint("Leave out larger ones: ", Argument("cluster", "user_id")),
        )
    return _items(population) if members.unit is None else _units(population)


def _items(population: Population) -> Deleted:
    """Without one item of each row: a replicate leaves out one of every group."""
    position, n = positions(population)
    total = population.members.total
    rows = np.arange(len(position))

    def counts() -> Iterator[Counts]:
        for first, last in ranges(n, population.n_at_once):
            some = np.tile(total, (last - first, 1))
            at = rows[(position >= first) & (position < last)]
            some[position[at] - first, at] -= 1.0
            yield some

    none = np.zeros(n, dtype=np.int64)
    return Deleted(population.values(counts()), None, none, 1.0, (position, population.group_of_row, total))


def _units(population: Population) -> Deleted:
    members = population.members
    assert members.unit is not None  # noqa: S101 - the caller has checked
    n = members.n_units
    strata = np.zeros(n, dtype=np.int64) if members.strata is None else members.strata
    return Deleted(_without(population, members.unit, n), _occurs(population, members.unit, n), strata, 1.0)


def _in_groups(population: Population) -> Deleted:
    """Without each of `GROUPS` groups of units, which hashes make."""
    members = population.members
    unit = members.row if members.unit is None else members.unit
    n = int(unit.max()) + 1
    rank = np.empty(n, dtype=np.int64)
    rank[np.argsort(hashes(np.arange(n, dtype=np.uint64), coefficients(0, 0)), kind="stable")] = np.arange(n)
    of = (rank % GROUPS)[unit]
    none = np.zeros(GROUPS, dtype=np.int64)
    return Deleted(_without(population, of, GROUPS), _occurs(population, of, GROUPS), none, n / GROUPS)


def _without(population: Population, unit: Whole, n: int) -> Counts:
    """The values without the members of each unit."""
    members = population.members
    order = np.argsort(unit, kind="stable")
    starts = np.searchsorted(unit[order], np.arange(n + 1))

    def counts() -> Iterator[Counts]:
        for first, last in ranges(n, population.n_at_once):
            some = np.tile(members.total, (last - first, 1))
            at = order[starts[first] : starts[last]]
            np.subtract.at(some, (unit[at] - first, members.row[at]), members.count[at])
            yield some

    return population.values(counts())


def _occurs(population: Population, unit: Whole, n: int) -> NDArray[np.bool_]:
    """Whether a unit has items of a group."""
    out = np.zeros((n, population.n_groups), dtype=np.bool_)
    out[unit, population.group_of_row[population.members.row]] = True
    return out


def acceleration(values: Counts, times: Counts, stratum: Whole) -> float:
    """The acceleration of BCa, from the values without each unit.

    a = ⅙ ΣΣ U³/n³ / (ΣΣ U²/n²)^{3/2}, U = (n − 1)(θ̄ − θ₍ᵢ₎), over strata of n units each; 0 where nothing varies.

    Args:
        values: without each unit.
        times: the number of units with each value.
        stratum: of each unit.
    """
    cubes = squares = 0.0
    for one in np.unique(stratum):
        at = (stratum == one) & (times > 0) & ~np.isnan(values)
        n = times[at].sum()
        if n < 2:
            continue
        mean = float(np.average(values[at], weights=times[at]))
        u = (n - 1) * (mean - values[at])
        cubes += float((times[at] * u**3).sum() / n**3)
        squares += float((times[at] * u**2).sum() / n**2)
    return cubes / squares**1.5 / 6 if squares > 0 else 0.0
