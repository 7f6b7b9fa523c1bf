"""What is told of every pair of systems whatever test is asked: units, means, differences, wins, ties and losses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ireval_frames.comparison.grids import Grid
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array, Integers

Told = dict[str, np.ndarray]
# Bytes of comparisons that are held at once.
BLOCK = 1 << 25


def described(grid: Grid, pairs: Integers, tolerance: float | None, *, paired: bool) -> Told:
    """Columns of the table, an element per pair.

    Args:
        grid: the values.
        pairs: two columns of it per pair: the baseline and the system.
        tolerance: what differences may be and still be ties; none is the rounding of the values.
        paired: on the units that both systems have; else each on its own.
    """
    x = grid.values
    there = ~np.isnan(x)
    count = there.sum(axis=0)
    one, other = pairs[:, 0], pairs[:, 1]
    if there.all():
        both = np.full(len(pairs), len(x))
        means = x.mean(axis=0) if len(x) else np.full(x.shape[1], np.nan)
        mean_one, mean_other = means[one], means[other]
    else:
        filled, flags = np.where(there, x, 0.0), there.astype(np.float64)
        both = np.rint(_products(flags, flags, pairs)).astype(np.int64)
        if paired:
            with np.errstate(invalid="ignore"):
                mean_one = _products(filled, flags, pairs) / both
                mean_other = _products(flags, filled, pairs) / both
        else:
            with np.errstate(invalid="ignore"):
                means = filled.sum(axis=0) / count
            mean_one, mean_other = means[one], means[other]
    told: Told = {
        "n": both if paired else count[one] + count[other],
        "n_baseline_only": count[one] - both if paired else count[one],
        "n_system_only": count[other] - both if paired else count[other],
        "mean_baseline": mean_one,
        "mean": mean_other,
        "difference": mean_other - mean_one,
    }
    if paired:
        wins, losses = _won(x, pairs, rounding(x) if tolerance is None else tolerance)
        wins, losses = (losses, wins) if grid.falling else (wins, losses)
        told |= {"wins": wins, "ties": both - wins - losses, "losses": losses}
    return told


def rounding(values: Array) -> float:
    """By how much two of the values may differ and still be one value."""
    largest = np.nanmax(np.abs(values), initial=0.0) if values.size else 0.0
    return float(ROUNDINGS * EPSILON * largest)


def _products(left: Array, right: Array, pairs: Integers) -> Array:
    """Σ left[u, i] · right[u, j] of each pair (i, j)."""
    if len(pairs) * 4 >= left.shape[1] ** 2:
        made: Array = (left.T @ right)[pairs[:, 0], pairs[:, 1]]
        return made
    return np.concatenate(
        [np.einsum("uk,uk->k", left[:, part[:, 0]], right[:, part[:, 1]]) for part in _parts(pairs, len(left) * 16)]
        or [np.zeros(0)]
    )


def _won(x: Array, pairs: Integers, tolerance: float) -> tuple[Integers, Integers]:
    """In how many units each system is above its baseline by more than the tolerance, and below it."""
    wins, losses = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64)
    systems = np.ascontiguousarray(x.T)
    order = np.argsort(pairs[:, 0], kind="stable")
    starts = np.flatnonzero(np.diff(pairs[order, 0], prepend=-1))
    for places in np.split(order, starts[1:]) if len(order) else ():
        baseline = systems[pairs[places[0], 0]]
        high, low = baseline + tolerance, baseline - tolerance
        for part in _parts(places, 8 * len(x)):
            rows = systems[pairs[part, 1]]
            wins[part] = _counted(rows > high)
            losses[part] = _counted(rows < low)
    return wins, losses


def _counted(flags: np.ndarray) -> Integers:
    """How many are true in each row.

    Bytes are added eight at a time, as lanes of one integer, so few that no lane overflows.
    """
    rows, width = flags.shape
    whole = width // 8 * 8
    out = flags[:, whole:].sum(axis=1)
    lanes = np.ascontiguousarray(flags[:, :whole]).view(np.uint64)
    for start in range(0, lanes.shape[1], 255):
        sums = lanes[:, start : start + 255].sum(axis=1)
        out = out + sums.view(np.uint8).reshape(rows, 8).sum(axis=1)
    found: Integers = out.astype(np.int64)
    return found


def _parts(places: np.ndarray, bytes_each: int) -> Iterator[np.ndarray]:
    """The places in parts that fill no more than a block."""
    step = max(1, BLOCK // max(1, bytes_each))
    for start in range(0, len(places), step):
        yield places[start : start + step]
