"""Standard errors without replicates: how a value follows the weights of the units, to first order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.resampling.deleting import MOST_ROWS, positions
from ireval_frames.resampling.draws import Counts, pieces
from ireval_frames.resampling.hashing import Whole
from ireval_frames.resampling.items import Items
from ireval_frames.resampling.population import Population
from ireval_frames.resampling.units import Units

# The weight of a row is moved by these shares of itself; the errors of the quotient are of their fourth power.
STEP = 1e-3
STEPS, QUOTIENT = np.array([1.0, -1.0, 2.0, -2.0]) * STEP, np.array([8.0, -8.0, -1.0, 1.0]) / (12 * STEP)


@dataclass(frozen=True, eq=False)
class StandardErrors:
    """Standard errors, groups × measures, and of each group the degrees of freedom: its units − strata."""

    se: Counts
    df: Counts


def standard_errors(population: Population) -> StandardErrors:
    """The delta method: √(n/(n − 1) Σ_c (U_c − Ū)²), U_c = Σ_k n_ck ∂θ/∂n_k the first-order influence of the unit c.

    n_ck is how many items of the unit c look like row k.  For a ratio of sums R = ΣN/ΣD, U_c is (N_c − R·D_c)/ΣD.
    Derivatives are quotients of differences in the weights of rows.

    Raises:
        NotDefined: there are too many different rows to take a derivative by each.
    """
    members = population.members
    slopes = derivatives(population)
    group_of = population.group_of_row[members.row]
    if members.unit is None:
        unit = np.arange(len(members.row))
        strata = np.zeros(len(unit), dtype=np.int64) if members.strata is None else members.strata
        return _spread(slopes[members.row], members.count.astype(np.float64), group_of, strata, population.n_groups)
    strata = np.zeros(members.n_units, dtype=np.int64) if members.strata is None else members.strata
    n = members.n_units
    pairs, place = np.unique(group_of * n + members.unit, return_inverse=True)
    influence = _sums_of(slopes[members.row] * members.count[:, None], place, len(pairs))
    return _spread(influence, np.ones(len(pairs)), pairs // n, strata[pairs % n], population.n_groups)


def errors_of_differences(population: Population, pairs: Sequence[tuple[int, int]]) -> StandardErrors:
    """The delta method of differences of two groups with the same units: the influences of a unit are subtracted.

    Args:
        population: what is resampled, of units with ids.
        pairs: the groups, the one that is subtracted first.

    Returns:
        A row per pair instead of a group.

    Raises:
        NotDefined: there are too many different rows to take a derivative by each.
    """
    members, slopes = population.members, derivatives(population)
    assert members.unit is not None  # noqa: S101 - the caller knows
    strata = np.zeros(members.n_units, dtype=np.int64) if members.strata is None else members.strata
    group_of = population.group_of_row[members.row]
    found = []
    for one, other in pairs:
        here = np.flatnonzero((group_of == one) | (group_of == other))
        units, place = np.unique(members.unit[here], return_inverse=True)
        sign = np.where(group_of[here] == other, 1.0, -1.0) * members.count[here]
        influence = _sums_of(slopes[members.row[here]] * sign[:, None], place, len(units))
        found.append(_spread(influence, np.ones(len(units)), np.zeros_like(units), strata[units], 1))
    return StandardErrors(np.concatenate([f.se for f in found]), np.concatenate([f.df for f in found]))


def _sums_of(terms: Counts, place: Whole, n: int) -> Counts:
    """The sums of each of n places, by column."""
    return np.stack([np.bincount(place, weights=column, minlength=n) for column in terms.T], axis=1)


def _spread(influence: Counts, times: Counts, group: np.ndarray, strata: np.ndarray, n_groups: int) -> StandardErrors:
    """Of influences that hold for so many units each, the standard errors of each group."""
    variance, df = np.zeros((n_groups, influence.shape[1])), np.zeros(n_groups)
    for one in range(n_groups):
        for stratum in np.unique(strata[group == one]):
            here = (group == one) & (strata == stratum)
            n, u = times[here].sum(), influence[here]
            df[one] += n - 1
            if n > 1:
                centred = u - np.average(u, axis=0, weights=times[here])
                variance[one] += n / (n - 1) * (times[here][:, None] * centred**2).sum(axis=0)
    return StandardErrors(np.sqrt(variance), df)


def derivatives(population: Population) -> Counts:
    """∂θ/∂n_k of each row k in its own group: rows × measures."""
    if isinstance(population, Units) and not population.means:
        raise NotDefined(
            "The delta method is for means of units, arithmetic or geometric.",
            Hint("Ask for resampling: ", Argument("method", "percentile")),
        )
    place, n = positions(population)
    if n * len(STEPS) * len(place) > MOST_ROWS:
        raise NotDefined(
            f"The delta method takes a derivative by each of {len(place)} different rows, which is too many.",
            Hint("Ask for resampling: ", Argument("method", "percentile")),
        )
    if not n:
        return np.empty((0, len(population.measures)))
    total, rows = population.members.total, np.arange(len(place))

    def counts() -> Iterator[Counts]:
        for first, last in pieces(n, population.pieces):
            here = rows[(place >= first) & (place < last)]
            for step in STEPS:
                some = np.tile(total, (last - first, 1))
                some[place[here] - first, here] *= 1 + step
                yield some

    values = population.values(counts())
    # Pieces stand one after another, and of each its steps.
    blocks, start = [], 0
    for first, last in pieces(n, population.pieces):
        size = last - first
        blocks.append(values[start : start + len(STEPS) * size].reshape(len(STEPS), size, *values.shape[1:]))
        start += len(STEPS) * size
    by_share = np.tensordot(QUOTIENT, np.concatenate(blocks, axis=1), axes=1)
    slope: Counts = by_share[place, population.group_of_row] / total[:, None]
    return slope


def shares(population: Population, values: Counts) -> tuple[Counts, Counts]:
    """The items that a share counts, and those it is of: groups × measures; NaN where a measure is no share of items.

    A share of items gives 1 or 0 of a single item, or nothing where it does not count it; and its value is the mean of
    these.

    Args:
        population: items that are resampled one by one.
        values: the measures' values.
    """
    if not isinstance(population, Items) or not population.plain:
        raise NotDefined(
            "Wilson's interval is for items that are drawn one by one, without weights.",
            Hint("Ask for ", Argument("method", "delta"), "."),
        )
    population = population.bare()
    place, n = positions(population)
    total, rows = population.members.total, np.arange(len(place))

    def counts() -> Iterator[Counts]:
        for first, last in pieces(n, population.pieces):
            here = rows[(place >= first) & (place < last)]
            some = np.zeros((last - first, len(place)))
            some[place[here] - first, here] = 1.0
            yield some

    alone = population.values(counts())[place, population.group_of_row]
    plain = np.isnan(alone) | (alone == 0) | (alone == 1)
    hits, of = np.zeros_like(values), np.zeros_like(values)
    for group in range(population.n_groups):
        here = population.group_of_row == group
        hits[group] = (np.nan_to_num(alone[here]) * total[here][:, None]).sum(axis=0)
        of[group] = (~np.isnan(alone[here]) * total[here][:, None]).sum(axis=0)
        no_share = ~plain[here].all(axis=0) | (of[group] == 0)
        no_share |= np.abs(hits[group] - values[group] * of[group]) > 1e-9 * np.maximum(of[group], 1)
        hits[group, no_share] = np.nan
    return hits, of
