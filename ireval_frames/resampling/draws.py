"""How many copies of each row stand in each replicate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ireval_frames.resampling.hashing import Whole, coefficients, poisson_weights, stratified_weights

Counts = NDArray[np.float64]
Weights = Literal["cells", "hash"]


@dataclass(frozen=True, eq=False)
class Members:
    """What is drawn, and which rows come with it.

    A row stands for all that look alike to the measures asked: items of one label and prediction, say.

    Attributes:
        n_rows: how many rows there are.
        row: of each member, the row it counts for.
        unit: of each member, the unit it belongs to, from 0, in the order of the units' ids; none where every item is a
            unit of its own.
        count: how many items each member is.
        strata: of each unit its stratum, from 0; of each member, where items are units.  None without strata.
    """

    n_rows: int
    row: Whole
    unit: Whole | None
    count: Whole
    strata: Whole | None

    @property
    def n_units(self) -> int:
        """How many units are drawn from."""
        if self.unit is None:
            return int(self.count.sum())
        return int(self.unit.max()) + 1 if len(self.unit) else 0

    @property
    def total(self) -> Counts:
        """How many items each row stands for."""
        return _sums(self.row, self.count, self.n_rows)


def drawn(members: Members, seed: int, first: int, last: int) -> Counts:
    """The items of each row in the replicates first … last − 1, replicates × rows.

    Units of their own, the items of a row are drawn together: the sum of n Poisson(1) numbers is Poisson(n), and
    within a stratum the rows' sums are multinomial.  Otherwise every unit has a hash of its own (`hashing`).
    """
    out = np.empty((last - first, members.n_rows))
    for i, replicate in enumerate(range(first, last)):
        out[i] = _of_items(members, seed, replicate) if members.unit is None else _of_units(members, seed, replicate)
    return out


def _of_items(members: Members, seed: int, replicate: int) -> Counts:
    rng = np.random.Generator(np.random.PCG64([seed, replicate]))
    n = members.count
    if members.strata is None:
        items = rng.poisson(n)
    else:
        items = np.zeros(len(n), dtype=np.int64)
        for stratum in range(int(members.strata.max(initial=-1)) + 1):
            here = np.flatnonzero(members.strata == stratum)
            items[here] = rng.multinomial(n[here].sum(), n[here] / n[here].sum())
    return _sums(members.row, items, members.n_rows)


def _of_units(members: Members, seed: int, replicate: int) -> Counts:
    return counted(members, unit_weights(members, seed, replicate))


def unit_weights(members: Members, seed: int, replicate: int) -> Whole:
    """How often each unit is drawn into a replicate."""
    of, n = coefficients(seed, replicate), members.n_units
    if members.strata is None:
        return poisson_weights(n, of)
    order = np.argsort(members.strata, kind="stable")
    out = np.empty(n, dtype=np.int64)
    out[order] = stratified_weights(np.bincount(members.strata), of)
    return out


def counted(members: Members, weights: NDArray[np.int64] | Counts) -> Counts:
    """The items of each row where units count so many times."""
    if members.unit is None:
        raise TypeError
    return _sums(members.row, weights[members.unit] * members.count, members.n_rows)


def _sums(at: Whole, of: NDArray[np.int64] | Counts, n: int) -> Counts:
    """The sum of each of n places."""
    return np.bincount(at, weights=of, minlength=n).astype(np.float64, copy=False)
