"""Values without one unit: the jackknife."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.resampling.draws import Counts, pieces
from ireval_frames.resampling.hashing import Whole, coefficients, hashes
from ireval_frames.resampling.population import Population

# So many rows are evaluated at most; beyond that units are left out in groups.
MOST_ROWS = 50_000_000
GROUPS = 200


@dataclass(frozen=True, eq=False)
class Of:
    """Values of one group without what belongs to it.

    Attributes:
        values: without each × measures.
        times: for how many units each value holds: items that look alike have one.
        unit: the unit that is left out, or the row of which one item is.
        stratum: of what is left out.
    """

    values: Counts
    times: Counts
    unit: Whole
    stratum: Whole


@dataclass(frozen=True, eq=False)
class Deleted:
    """Values without some units.

    Attributes:
        values: what is left out × groups × measures.
        there: whether a group has some of it; None where one item of every group is left out at once.
        stratum: of what is left out.
        size: how many units are left out at once, in the mean.
        rows: of each row its place among those of its group, its group, and its items; where `there` is None.
    """

    values: Counts
    there: NDArray[np.bool_] | None
    stratum: Whole
    size: float
    rows: tuple[Whole, Whole, Counts] | None = None

    def of(self, group: int) -> Of:
        """What a group's values are without each of its own."""
        if self.rows is None:
            assert self.there is not None  # noqa: S101 - one of both is there
            unit = np.flatnonzero(self.there[:, group])
            return Of(self.values[unit, group], np.ones(len(unit)), unit, self.stratum[unit])
        place, group_of, total = self.rows
        row = np.flatnonzero(group_of == group)
        return Of(self.values[place[row], group], total[row], row, np.zeros_like(row))

    def of_difference(self, one: int, other: int) -> Of:
        """What the difference of two groups is without each unit of either."""
        assert self.there is not None  # noqa: S101 - systems share units
        unit = np.flatnonzero(self.there[:, one] | self.there[:, other])
        return Of(self.values[unit, other] - self.values[unit, one], np.ones(len(unit)), unit, self.stratum[unit])


def positions(population: Population) -> tuple[Whole, int]:
    """The place of each row in its group, and how many places there are: groups change nothing for each other."""
    group = population.group_of_row
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group, minlength=population.n_groups)
    place = np.empty_like(group)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, int(sizes.max(initial=0))


def deleted(population: Population, *, whole: bool = False) -> Deleted:
    """The measures' values without each unit in turn.

    Args:
        population: what is resampled.
        whole: one by one; else units are left out in groups where it takes too long.

    Raises:
        NotDefined: one by one takes too long.
    """
    members = population.members
    n = members.n_units if members.unit is not None else positions(population)[1]
    if not whole and n > GROUPS and n * members.n_rows > MOST_ROWS:
        return _in_groups(population)
    if n * members.n_rows > MOST_ROWS * GROUPS:
        raise NotDefined(
            f"Leaving out {n} units one by one, of {members.n_rows} different rows, takes too long.",
            Hint("Leave out larger ones: ", Argument("cluster", "user_id")),
        )
    return _items(population) if members.unit is None else _units(population)


def _items(population: Population) -> Deleted:
    """Without one item of each row: a replicate leaves out one of every group."""
    place, n = positions(population)
    total = population.members.total
    rows = np.arange(len(place))

    def counts() -> Iterator[Counts]:
        for first, last in pieces(n, population.pieces):
            some = np.tile(total, (last - first, 1))
            here = rows[(place >= first) & (place < last)]
            some[place[here] - first, here] -= 1.0
            yield some

    none = np.zeros(n, dtype=np.int64)
    return Deleted(population.values(counts()), None, none, 1.0, (place, population.group_of_row, total))


def _units(population: Population) -> Deleted:
    members = population.members
    assert members.unit is not None  # noqa: S101 - the caller knows
    n = members.n_units
    strata = np.zeros(n, dtype=np.int64) if members.strata is None else members.strata
    return Deleted(_without(population, members.unit, n), _there(population, members.unit, n), strata, 1.0)


def _in_groups(population: Population) -> Deleted:
    """Units go to groups by their hashes, which are left out one by one."""
    members = population.members
    unit = members.row if members.unit is None else members.unit
    n = int(unit.max()) + 1
    rank = np.empty(n, dtype=np.int64)
    rank[np.argsort(hashes(np.arange(n, dtype=np.uint64), coefficients(0, 0)), kind="stable")] = np.arange(n)
    of = (rank % GROUPS)[unit]
    none = np.zeros(GROUPS, dtype=np.int64)
    return Deleted(_without(population, of, GROUPS), _there(population, of, GROUPS), none, n / GROUPS)


def _without(population: Population, unit: Whole, n: int) -> Counts:
    """The values without the members of each unit."""
    members = population.members
    order = np.argsort(unit, kind="stable")
    starts = np.searchsorted(unit[order], np.arange(n + 1))

    def counts() -> Iterator[Counts]:
        for first, last in pieces(n, population.pieces):
            some = np.tile(members.total, (last - first, 1))
            here = order[starts[first] : starts[last]]
            np.subtract.at(some, (unit[here] - first, members.row[here]), members.count[here])
            yield some

    return population.values(counts())


def _there(population: Population, unit: Whole, n: int) -> NDArray[np.bool_]:
    """Whether a unit has items of a group."""
    out = np.zeros((n, population.n_groups), dtype=np.bool_)
    out[unit, population.group_of_row[population.members.row]] = True
    return out


def acceleration(values: Counts, times: Counts, stratum: Whole) -> float:
    """The acceleration of BCa, from the values without each unit.

    a = ⅙ ΣΣ U³/n³ / (ΣΣ U²/n²)^{3/2}, U = (n − 1)(θ̄ − θ₍ᵢ₎), over strata of n units each; 0 where nothing varies.

    Args:
        values: without each unit.
        times: for how many units each value holds.
        stratum: of each unit.
    """
    cubes = squares = 0.0
    for one in np.unique(stratum):
        here = (stratum == one) & (times > 0) & ~np.isnan(values)
        n = times[here].sum()
        if n < 2:
            continue
        mean = float(np.average(values[here], weights=times[here]))
        u = (n - 1) * (mean - values[here])
        cubes += float((times[here] * u**3).sum() / n**3)
        squares += float((times[here] * u**2).sum() / n**2)
    return cubes / squares**1.5 / 6 if squares > 0 else 0.0
