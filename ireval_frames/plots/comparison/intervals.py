"""Means per system with their intervals, by one GROUP BY of the engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.comparison.moments import moment_grids
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.errors import NotDefined, listed
from ireval_frames.plots.inputs import grouped, system_text
from ireval_frames.plots.verdicts import turn
from ireval_frames.stats.distributions.tails import t_interval
from ireval_frames.stats.sample import Options


def means(values: PerUnitValues, measures: Sequence[str], confidence: float) -> pl.DataFrame:
    """The mean of every system and its t interval, of all systems.

    Returns:
        run_id, group, measure, value, low, high, n_units: a row per measure, group and system.  Fewer than two units
        have no interval.

    Raises:
        NotDefined: no unit has a value.
    """
    frames = []
    options = Options(confidence=confidence)
    for grid in moment_grids(values):
        if grid.measure not in measures:
            continue
        of = grid.of_systems
        with np.errstate(invalid="ignore", divide="ignore"):
            low, high = t_interval(of.mean, np.sqrt(of.variance / of.n), of.n - 1.0, options)
        named = {
            g: pl.Series([v] * len(of.n), dtype=t)
            for g, v, t in zip(values.groups, grid.group, grid.types, strict=True)
        }
        columns = {"system": grid.systems, **named, "measure": [grid.measure] * len(of.n)}
        numbers = {"value": of.mean, "low": low, "high": high, "n_units": of.n.astype(np.int64)}
        frames.append(
            grouped(pl.DataFrame(columns | numbers).with_columns(system_text(values)), values.groups, values.by)
        )
    if not frames:
        hint = "Their intervals are those of resampling: ir.resampling.bootstrap(ev)" if values.pooled else ""
        raise NotDefined(f"No unit has a value of {listed(measures)}.", hint or "Look at the units: ev.per_unit()")
    rows = pl.concat(frames).with_columns(pl.selectors.float().fill_nan(None))
    rows = rows.sort(turn("measure", measures), maintain_order=True)
    return rows.select("run_id", "group", "measure", "value", "low", "high", "n_units")


def bar_text(confidence: float) -> str:
    """What a bar is."""
    return f"bar: {confidence * 100:g}% t interval of the mean"
