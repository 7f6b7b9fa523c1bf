"""The analysis of variance of units × systems, as tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from ireval_frames.comparison.values.grids import Grid
from ireval_frames.stats.means.variance_components import Term, Variance, analysis_of_variance


def terms(grids: Sequence[Grid], by: Sequence[str]) -> pl.DataFrame:
    """A row per measure, group and term."""
    names = [field.name for field in dataclasses.fields(Term)]
    parts = []
    for grid, analysis in _analysed(grids):
        columns = {n: np.array([getattr(term, n) for term in analysis.terms]) for n in names}
        parts.append(grid.framed(by, columns))
    return pl.concat(parts)


def reliability(grids: Sequence[Grid], by: Sequence[str], confidence: float, units: int | None) -> pl.DataFrame:
    """A row per measure and group: how reliably units order systems, and checks of the assumptions."""
    parts = []
    for grid, analysis in _analysed(grids):
        system = analysis["system"]
        values = {
            "n_units": analysis.units,
            "n_systems": analysis.systems,
            "n_replicates": analysis.replicates,
            "statistic": system.statistic,
            "p_value": system.p_value,
            "epsilon_gg": analysis.epsilon_gg,
            "p_value_gg": analysis.p_value_gg,
            "epsilon_hf": analysis.epsilon_hf,
            "p_value_hf": analysis.p_value_hf,
            "margin_of_error": analysis.margin_of_error(confidence),
            "generalizability": analysis.generalizability(units),
            "dependability": analysis.dependability(units),
        }
        columns = {name: np.array([value]) for name, value in values.items()}
        parts.append(grid.framed(by, columns | {"status": analysis.status}))
    return pl.concat(parts)


def _analysed(grids: Sequence[Grid]) -> Iterator[tuple[Grid, Variance]]:
    for grid in grids:
        yield grid, analysis_of_variance(grid.values if grid.replicates is None else grid.replicates)
