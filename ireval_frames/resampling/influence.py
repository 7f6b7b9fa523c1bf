"""Standard errors by the delta method: derivatives of a value by the weights of the units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.resampling.deleting import MAX_ROWS, positions
from ireval_frames.resampling.draws import Counts, ranges
from ireval_frames.resampling.hashing import Whole
from ireval_frames.resampling.population import Population
from ireval_frames.resampling.units import Units

# Relative changes of a row's weight; the error of the quotient is of their fourth power.
STEP = 1e-3
STEPS, QUOTIENT = np.array([1.0, -1.0, 2.0, -2.0]) * STEP, np.array([8.0, -8.0, -1.0, 1.0]) / (12 * STEP)


@dataclass(frozen=True, eq=False)
class StandardErrors:
    """Standard errors, groups × measures, and of each group the degrees of freedom: its units − strata."""

    se: Counts
    df: Counts


def standard_errors(population: Population) -> StandardErrors:
    """The delta method: √(n/(n − 1) Σ_c (U_c − Ū)²), U_c = Σ_k n_ck ∂θ/∂n_k the first-order influence of the unit c.

    n_ck is the number of items of the unit c in row k.  For a ratio of sums R = ΣN/ΣD, U_c is (N_c − R·D_c)/ΣD.
    Derivatives are difference quotients in the weights of rows.

    Raises:
        NotDefined: there are too many different rows.
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
    pairs, position = np.unique(group_of * n + members.unit, return_inverse=True)
    influence = _sums_of(slopes[members.row] * members.count[:, None], position, len(pairs))
    return _spread(influence, np.ones(len(pairs)), pairs // n, strata[pairs % n], population.n_groups)


def errors_of_differences(population: Population, pairs: Sequence[tuple[int, int]]) -> StandardErrors:
    """The delta method for differences of two groups with the same units: the influences of a unit are subtracted.

    Args:
        population: with ids of units.
        pairs: of groups, the subtracted one first.

    Returns:
        A row per pair instead of a group.

    Raises:
        NotDefined: there are too many different rows.
    """
    members, slopes = population.members, derivatives(population)
    assert members.unit is not None  # noqa: S101 - the caller has checked
    strata = np.zeros(members.n_units, dtype=np.int64) if members.strata is None else members.strata
    group_of = population.group_of_row[members.row]
    parts = []
    for one, other in pairs:
        at = np.flatnonzero((group_of == one) | (group_of == other))
        units, position = np.unique(members.unit[at], return_inverse=True)
        sign = np.where(group_of[at] == other, 1.0, -1.0) * members.count[at]
        influence = _sums_of(slopes[members.row[at]] * sign[:, None], position, len(units))
        parts.append(_spread(influence, np.ones(len(units)), np.zeros_like(units), strata[units], 1))
    return StandardErrors(np.concatenate([f.se for f in parts]), np.concatenate([f.df for f in parts]))


def _sums_of(terms: Counts, position: Whole, n: int) -> Counts:
    """The sums at each of n positions, by column."""
    return np.stack([np.bincount(position, weights=column, minlength=n) for column in terms.T], axis=1)


def _spread(influence: Counts, times: Counts, group: np.ndarray, strata: np.ndarray, n_groups: int) -> StandardErrors:
    """The standard errors of each group, from influences and the number of units that have each."""
    variance, df = np.zeros((n_groups, influence.shape[1])), np.zeros(n_groups)
    for one in range(n_groups):
        for stratum in np.unique(strata[group == one]):
            at = (group == one) & (strata == stratum)
            n, u = times[at].sum(), influence[at]
            df[one] += n - 1
            if n > 1:
                centred = u - np.average(u, axis=0, weights=times[at])
                variance[one] += n / (n - 1) * (times[at][:, None] * centred**2).sum(axis=0)
    return StandardErrors(np.sqrt(variance), df)


def derivatives(population: Population) -> Counts:
    """∂θ/∂n_k of each row k in its own group: rows × measures."""
    if isinstance(population, Units) and not population.means:
        raise NotDefined(
            "The delta method is for means of units, arithmetic or geometric.",
            Hint("Resample instead: ", Argument("method", "percentile")),
        )
    position, n = positions(population)
    if n * len(STEPS) * len(position) > MAX_ROWS:
        raise NotDefined(
            f"The delta method needs a derivative for each of {len(position)} different rows, which is too many.",
            Hint("Resample instead: ", Argument("method", "percentile")),
        )
    if not n:
        return np.empty((0, len(population.measures)))
    total, rows = population.members.total, np.arange(len(position))

    def counts() -> Iterator[Counts]:
        for first, last in ranges(n, population.n_at_once):
            at = rows[(position >= first) & (position < last)]
            for step in STEPS:
                some = np.tile(total, (last - first, 1))
                some[position[at] - first, at] *= 1 + step
                yield some

    values = population.values(counts())
    # Blocks follow each other; a block has its values at the first step, then at the second …
    blocks, start = [], 0
    for first, last in ranges(n, population.n_at_once):
        size = last - first
        blocks.append(values[start : start + len(STEPS) * size].reshape(len(STEPS), size, *values.shape[1:]))
        start += len(STEPS) * size
    by_share = np.tensordot(QUOTIENT, np.concatenate(blocks, axis=1), axes=1)
    slope: Counts = by_share[position, population.group_of_row] / total[:, None]
    return slope
