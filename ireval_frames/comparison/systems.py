"""Systems one by one, terms of variance, and square tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.comparison.asked import Asked
from ireval_frames.comparison.grids import Grid, framed
from ireval_frames.stats.moments import moments_of
from ireval_frames.stats.sample import Options, Sample
from ireval_frames.stats.tails import t_interval

# Columns of which the other triangle is the negative.
SIGNED = ("difference", "estimate", "statistic", "effect", "relative")


def table(grids: Sequence[Grid], asked: Asked, rows: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """A row per measure, group and system, the best first."""
    return pl.concat([_of_grid(grid, asked, by) for grid in grids])


def _of_grid(grid: Grid, asked: Asked, by: Sequence[str]) -> pl.DataFrame:
    of = moments_of(Sample(grid.values, np.zeros((0, 2), dtype=np.int64), grid.moments))
    n, mean = of.n.astype(np.int64), of.mean
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.asarray(np.sqrt(of.variance / n))
        low, high = t_interval(mean, se, of.n - 1.0, Options(confidence=asked.options.confidence))
    columns = {"system": grid.systems, "n": n, "mean": mean, "se": se, "ci_low": low, "ci_high": high}
    frame = framed(grid.keys(by) | columns)
    return frame.sort("mean", descending=not grid.falling, maintain_order=True)


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
