"""Systems one by one, terms of variance, and square tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.asked import Asked
from ireval_frames.comparison.grids import Grid, framed
from ireval_frames.stats.letters import compact_letters
from ireval_frames.stats.sample import Array, Options
from ireval_frames.stats.stability import rank_stability
from ireval_frames.stats.tails import t_interval

# Columns of which the other triangle is the negative.
SIGNED = ("difference", "estimate", "statistic", "effect", "relative")


def table(grids: Sequence[Grid], asked: Asked, rows: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """A row per measure, group and system, the best first."""
    first = rows.filter(pl.col("test") == asked.tests[0].name)
    return pl.concat([_of_grid(grid, asked, first, by) for grid in grids])


def _of_grid(grid: Grid, asked: Asked, rows: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    of = grid.of_systems
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.asarray(np.sqrt(of.variance / of.n))
        low, high = t_interval(of.mean, se, of.n - 1.0, Options(confidence=asked.options.confidence))
    columns: dict[str, Any] = {"system": grid.systems, "n": of.n.astype(np.int64), "mean": of.mean, "se": se}
    columns |= {"ci_low": low, "ci_high": high, **_ranked(grid, of.mean, asked)}
    columns["letters"] = _letters(grid, of.mean, rows, by) if asked.baseline is None else None
    frame = framed(grid.keys(by) | columns).with_columns(pl.col("letters").cast(pl.String))
    return frame.sort("mean", descending=not grid.falling, maintain_order=True)


def _ranked(grid: Grid, means: Array, asked: Asked) -> dict[str, Any]:
    """The rank of each system, and what resampled units make of it, where all units are here."""
    if grid.moments is not None or not len(grid.whole().values):
        better = -means if grid.falling else means
        above, alike = better[None, :] > better[:, None], better[None, :] == better[:, None]
        rank = above.sum(axis=1) + (alike.sum(axis=1) + 1.0) / 2.0
        nothing = np.full(len(means), np.nan)
        return {"rank": rank, "rank_low": nothing, "rank_high": nothing, "p_best": nothing}
    found = rank_stability(grid.values, asked.options, higher_is_better=not grid.falling)
    return {"rank": found.rank, "rank_low": found.rank_low, "rank_high": found.rank_high, "p_best": found.best}


def _letters(grid: Grid, means: Array, rows: pl.DataFrame, by: Sequence[str]) -> pl.Series:
    """Letters that systems share which do not differ."""
    here = rows.filter(significant=True, measure=grid.measure)
    for name, value in zip(by, grid.group, strict=True):
        here = here.filter(pl.col(name).eq_missing(value))
    place = {name: i for i, name in enumerate(grid.systems)}
    different = [(place[one], place[other]) for one, other in here.select("baseline", "system").iter_rows()]
    return pl.Series(compact_letters(-means if grid.falling else means, different), dtype=pl.String)


def matrix(rows: pl.DataFrame, of: str, by: Sequence[str]) -> pl.DataFrame:
    """A row and a column per system; of signed columns the other triangle is the negative."""
    sign = -1.0 if of in SIGNED else None
    value = pl.col(of) * sign if sign is not None else pl.col(of)
    upper = rows.select(*by, row="system", column="baseline", value=of)
    lower = rows.select(*by, row="baseline", column="system", value=value)
    both = pl.concat([upper, lower]).sort(*by, "row", "column")
    names = [str(n) for n in both["column"].unique().sort()]
    columns = both.with_columns(pl.col("column").cast(pl.String))
    square = columns.pivot(on="column", index=[*by, "row"], values="value", on_columns=names, maintain_order=True)
    return square.rename({"row": "system"})
