"""The columns of every pair of systems that no test determines: units, means, differences, wins, ties and losses."""

from __future__ import annotations

import numpy as np

from ireval_frames.comparison.values.grids import Grid
from ireval_frames.comparison.wins import parts, wins_and_ties
from ireval_frames.stats.sample import Array, Integers, Moments

PairColumns = dict[str, np.ndarray]
# Bytes of comparisons in memory at once.
BLOCK = 1 << 25


def described(grid: Grid, pairs: Integers, tolerance: float | None, threads: int, *, paired: bool) -> PairColumns:
    """Columns of the table, an element per pair.

    Args:
        grid: the values.
        pairs: two columns of it per pair: the baseline and the system.
        tolerance: largest difference that counts as a tie; None for the rounding of the values.
        threads: how many share the work.
        paired: on the units that both systems have; else each on its own.
    """
    if grid.moments is not None:
        return _of_moments(grid.moments, pairs)
    x = grid.values
    present = ~np.isnan(x)
    count = present.sum(axis=0)
    one, other = pairs[:, 0], pairs[:, 1]
    if present.all():
        both = np.full(len(pairs), len(x))
        means = x.mean(axis=0) if len(x) else np.full(x.shape[1], np.nan)
        mean_one, mean_other = means[one], means[other]
    else:
        filled, flags = np.where(present, x, 0.0), present.astype(np.float64)
        both = np.rint(_products(flags, flags, pairs)).astype(np.int64)
        if paired:
            with np.errstate(invalid="ignore"):
                mean_one = _products(filled, flags, pairs) / both
                mean_other = _products(flags, filled, pairs) / both
        else:
            with np.errstate(invalid="ignore"):
                means = filled.sum(axis=0) / count
            mean_one, mean_other = means[one], means[other]
    columns: PairColumns = {
        "n": both if paired else count[one] + count[other],
        "n_baseline_only": count[one] - both if paired else count[one],
        "n_system_only": count[other] - both if paired else count[other],
        "mean_baseline": mean_one,
        "mean": mean_other,
        "difference": mean_other - mean_one,
    }
    if paired:
        more, ties = wins_and_ties(x, pairs, tolerance, threads)
        less = both - more - ties
        columns |= {
            "wins": less if grid.lower_is_better else more,
            "ties": ties,
            "losses": more if grid.lower_is_better else less,
        }
    return columns


def of_one_only(grid: Grid, pairs: Integers) -> PairColumns:
    """How many units only one system of each pair has."""
    flags = (~np.isnan(grid.values)).astype(np.float64)
    both, count = _products(flags, flags, pairs), flags.sum(axis=0)
    only = {"n_baseline_only": count[pairs[:, 0]] - both, "n_system_only": count[pairs[:, 1]] - both}
    return {name: np.rint(n).astype(np.int64) for name, n in only.items()}


def _of_moments(of: Moments, pairs: Integers) -> PairColumns:
    one, other = pairs.T
    n = of.n.astype(np.int64)
    return {
        "n": n[one] + n[other],
        "n_baseline_only": n[one],
        "n_system_only": n[other],
        "mean_baseline": of.mean[one],
        "mean": of.mean[other],
        "difference": of.mean[other] - of.mean[one],
    }


def _products(left: Array, right: Array, pairs: Integers) -> Array:
    """Σ left[u, i] · right[u, j] of each pair (i, j)."""
    if len(pairs) * 4 >= left.shape[1] ** 2:
        products: Array = (left.T @ right)[pairs[:, 0], pairs[:, 1]]
        return products
    return np.concatenate(
        [
            np.einsum("uk,uk->k", left[:, part[:, 0]], right[:, part[:, 1]])
            for part in parts(pairs, len(left) * 16, BLOCK)
        ]
        or [np.zeros(0)]
    )
