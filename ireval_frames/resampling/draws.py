"""The number of copies of each row in each replicate."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ireval_frames.resampling.hashing import Whole, coefficients, poisson_weights, stratified_weights

Counts = NDArray[np.float64]
Weights = Literal["cells", "hash"]

# Members to add up at once: they fit the cache of a core.
BLOCK = 1 << 16
THREADS = 8


@dataclass(frozen=True, eq=False)
class Members:
    """The units that are drawn, and the rows of each.

    A row stands for all items that the measures cannot distinguish, such as those of one label and prediction.

    Attributes:
        n_rows: the number of rows.
        row: of each member, the row it counts for.
        unit: of each member, the unit it belongs to, from 0, in the order of the units' ids; ascending.  None where
            every item is a unit.
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
        """The number of units."""
        if self.unit is None:
            return int(self.count.sum())
        return int(self.unit[-1]) + 1 if len(self.unit) else 0

    @functools.cached_property
    def single(self) -> bool:
        """Whether every unit has one member, which is one item."""
        return self.unit is not None and self.n_units == len(self.unit) and bool((self.count == 1).all())

    @functools.cached_property
    def total(self) -> Counts:
        """The number of items of each row."""
        return _sums(self.row, self.count, self.n_rows)

    @functools.cached_property
    def blocks(self) -> list[tuple[int, int, int, int]]:
        """Units and their members in blocks: first unit, last unit + 1, first member, last member + 1."""
        if self.unit is None or not len(self.unit):
            return []
        # With many rows, the sums of each block cost more than they save.
        size = BLOCK if self.n_rows <= BLOCK else len(self.unit)
        units = [0, *(int(u) for u in np.unique(self.unit[size::size])), self.n_units]
        starts = np.searchsorted(self.unit, units)
        edges = [(u, int(start)) for u, start in zip(units, starts, strict=True)]
        return [(u, v, i, j) for (u, i), (v, j) in itertools.pairwise(edges) if v > u]


def draw(members: Members, seed: int, first: int, last: int) -> Counts:
    """The items of each row in the replicates first … last − 1, replicates × rows.

    If items are units, those of a row are drawn together: the sum of n Poisson(1) numbers is Poisson(n), and
    within a stratum the rows' sums are multinomial.  Otherwise every unit has a hash of its own (`hashing`).
    """
    one = functools.partial(_of_items if members.unit is None else _of_units, members, seed)
    workers = min(THREADS, os.cpu_count() or 1, last - first)
    if workers < 2 or len(members.row) < BLOCK:
        return np.stack([one(replicate) for replicate in range(first, last)])
    with ThreadPoolExecutor(workers) as pool:
        return np.stack(list(pool.map(one, range(first, last))))


def ranges(n: int, size: int) -> Iterator[tuple[int, int]]:
    """Ranges that cover the numbers below n: first, last + 1."""
    for first in range(0, n, size):
        yield first, min(n, first + size)


def _of_items(members: Members, seed: int, replicate: int) -> Counts:
    rng = np.random.Generator(np.random.PCG64([seed, replicate]))
    n = members.count
    if members.strata is None:
        items = rng.poisson(n)
    else:
        items = np.zeros(len(n), dtype=np.int64)
        for stratum in range(int(members.strata.max(initial=-1)) + 1):
            at = np.flatnonzero(members.strata == stratum)
            items[at] = rng.multinomial(n[at].sum(), n[at] / n[at].sum())
    return _sums(members.row, items, members.n_rows)


def _of_units(members: Members, seed: int, replicate: int) -> Counts:
    assert members.unit is not None  # noqa: S101 - the caller has checked
    of = coefficients(seed, replicate)
    if members.strata is not None:
        times = unit_weights(members, seed, replicate)
        return _sums(members.row, times[members.unit] * members.count, members.n_rows)
    out = np.zeros(members.n_rows)
    for u, v, i, j in members.blocks:
        # The weights of one block only, to save memory.
        weights = poisson_weights(u, v, of)
        items = weights if members.single else weights[members.unit[i:j] - u] * members.count[i:j]
        out += _sums(members.row[i:j], items, members.n_rows)
    return out


def unit_weights(members: Members, seed: int, replicate: int) -> Whole:
    """How often each unit is drawn into a replicate."""
    of, n = coefficients(seed, replicate), members.n_units
    if members.strata is None:
        return poisson_weights(0, n, of).astype(np.int64)
    order = np.argsort(members.strata, kind="stable")
    out = np.empty(n, dtype=np.int64)
    out[order] = stratified_weights(np.bincount(members.strata), of)
    return out


def _sums(at: Whole, weights: NDArray[np.int64] | NDArray[np.uint8] | Counts, n: int) -> Counts:
    """The sum at each of n positions."""
    return np.bincount(at, weights=weights, minlength=n).astype(np.float64, copy=False)
