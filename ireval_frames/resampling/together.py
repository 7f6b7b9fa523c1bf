"""Populations of the same units that are drawn together: a query is in a replicate of one as often as of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from ireval_frames.resampling.population import sorted_rows
from ireval_frames.resampling.result import Bootstrap


def draw_together(bootstraps: Sequence[Bootstrap]) -> bool:
    """Give units of equal ids equal draws; false, and nothing changes, where ids are of two sorts or none is shared.

    Bootstraps that are not drawn together should have different seeds.
    """
    populations = [b.population for b in bootstraps]
    if any(p.members.unit is None or len(p.units.columns) != 1 for p in populations):
        return False
    ids = [p.units.to_series().rename("unit") for p in populations]
    ids = [s.cast(pl.String) if isinstance(s.dtype, pl.Categorical | pl.Enum) else s for s in ids]
    ids = [s.cast(pl.Int64) if s.dtype.is_integer() and s.dtype != pl.UInt64 else s for s in ids]
    first = ids[0]
    if any(s.dtype != first.dtype or not s.is_in(first.implode()).any() for s in ids[1:]):
        return False
    numbers = sorted_rows(pl.concat(ids).to_frame()).with_row_index("number")
    for population, own in zip(populations, ids, strict=True):
        number = own.to_frame().join(numbers, on="unit", maintain_order="left")["number"].cast(pl.Int64).to_numpy()
        members = population.members
        # Ids are in the same order in each population, so members stay in that of their units.
        population.members = replace(members, unit=number[np.asarray(members.unit)])
    for b in bootstraps[1:]:
        b.options = replace(b.options, seed=bootstraps[0].options.seed)
    return True
