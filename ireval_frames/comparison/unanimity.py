"""In how many units a system is better than another one by every measure, however these are weighed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.comparison.rows import pairs_of
from ireval_frames.comparison.values.grids import Grid
from ireval_frames.comparison.wins import parts
from ireval_frames.errors import NotDefined, UnknownName, listed, nearest
from ireval_frames.stats.rounding import rounding
from ireval_frames.stats.sample import Array, Integers


def unanimous(
    grids: Iterable[Grid],
    options: ComparisonOptions,
    by: Sequence[str],
    system: str,
    measures: str | Iterable[str] | None,
) -> pl.DataFrame:
    """The table of `Comparison.unanimous`: a row per group and pair."""
    groups: dict[tuple[Any, ...], list[Grid]] = {}
    for grid in grids:
        groups.setdefault(grid.group, []).append(grid)
    return pl.concat([_of_group(_requested(of, measures), options, by, system) for of in groups.values()])


def _requested(grids: Sequence[Grid], measures: str | Iterable[str] | None) -> list[Grid]:
    """The grids of the requested measures.

    Raises:
        UnknownName: a measure was not compared.
        NotDefined: there is one.
    """
    known = {grid.measure: grid for grid in grids}
    names = list(known) if measures is None else [measures] if isinstance(measures, str) else list(measures)
    for name in names:
        if name not in known:
            raise UnknownName(f"There is no measure {name!r}.", nearest(name, known))
    if len(names) < 2:
        raise NotDefined(
            f"Unanimous improvements are by several measures, and there is {listed(map(repr, names))} alone.",
            'Compare by more of them: ev = ir.evaluate(qrels, run, "P@10 R@10")',
        )
    return [known[name] for name in dict.fromkeys(names)]


def _of_group(grids: Sequence[Grid], options: ComparisonOptions, by: Sequence[str], system: str) -> pl.DataFrame:
    """Each pair on the units that both have by all measures."""
    first = grids[0]
    units = pl.concat([grid.units for grid in grids]).unique().sort(pl.all())
    systems = pl.concat([grid.systems for grid in grids]).unique().sort()
    aligned = [_aligned(grid, units, systems) for grid in grids]
    signs = np.array([grid.better for grid in grids])[:, None, None]
    together = replace(first, systems=systems, units=units, values=aligned[0])
    pairs = pairs_of(together, options.baseline, system, by)
    counts = np.zeros((len(pairs), 4), dtype=np.int64)
    every = np.stack(aligned)
    for one in np.unique(pairs[:, 0]):
        (places,) = np.nonzero(pairs[:, 0] == one)
        for part in parts(places, every[:, :, 0].nbytes):
            baseline = np.repeat(every[:, :, [one]], len(part), axis=2)
            counts[part] = _counted(baseline, every[:, :, pairs[part, 1]], signs, options.tolerance)
    wins, ties, losses, mixed = counts.T
    n = counts.sum(axis=1)
    with np.errstate(invalid="ignore"):
        ratio = np.where(n > 0, (wins - losses) / np.maximum(n, 1), np.nan)
    columns = {
        "baseline": systems.gather(pairs[:, 0]), "system": systems.gather(pairs[:, 1]),
        "n_measures": np.full(len(pairs), len(grids)),
        "n": n, "wins": wins, "ties": ties, "losses": losses, "mixed": mixed, "uir": ratio,
    }  # fmt: skip
    return first.framed(by, columns).drop("measure")


def _aligned(grid: Grid, units: pl.DataFrame, systems: pl.Series) -> Array:
    """The values on units and systems of all measures; NaN where there is none."""
    out = np.full((units.height, len(systems)), np.nan)
    keys = units.columns
    place = units.with_row_index("_place")
    rows = grid.units.join(place, on=keys, how="left", nulls_equal=True, maintain_order="left")["_place"].to_numpy()
    columns = np.array([systems.to_list().index(name) for name in grid.systems.to_list()])
    out[np.ix_(rows, columns)] = grid.values
    return out


def _counted(baseline: Array, values: Array, signs: Array, tolerance: float | None) -> Integers:
    """In how many units systems win by all measures, tie, lose, or win by some and lose by others: a row per system.

    Args:
        baseline: measures × units × systems: the values of each system's baseline.
        values: the same of the systems.
        signs: −1 for measures of which less is better, else 1.
        tolerance: the largest difference that is a tie, besides rounding.
    """
    both = ~(np.isnan(baseline) | np.isnan(values)).any(axis=0)
    with np.errstate(invalid="ignore"):
        difference = signs * (values - baseline)
        width = rounding(baseline, values) + (tolerance or 0.0)
        not_worse, not_better = (difference >= -width).all(axis=0), (difference <= width).all(axis=0)
    outcomes = (not_worse & ~not_better, not_worse & not_better, not_better & ~not_worse, ~not_worse & ~not_better)
    return np.stack([np.count_nonzero(outcome & both, axis=0) for outcome in outcomes], axis=1)
