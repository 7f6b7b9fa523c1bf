"""The values themselves, and rows of results beside the groups and measures that they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from ireval_frames.displayed import read
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.resampling.draws import Counts
from ireval_frames.resampling.population import Population, numbered

TYPES = {"method": pl.String, "status": pl.String, "n_resamples": pl.Int64, "n_resampled": pl.Int64}


def estimates(evaluation: Evaluation, population: Population) -> Counts:
    """The measures' values as the evaluation has them, the data checked: groups × measures."""
    summary = evaluation.summary(wide=True)
    names = [str(m) for m in population.measures]
    out = np.full((population.n_groups, len(names)), np.nan)
    if population.by:
        # A group of which all is left out has a row there, and nothing to draw.
        summary = summary.join(population.groups, on=population.by, how="semi", nulls_equal=True)
    if summary.height:
        at = numbered(summary, population.by, population.groups)
        out[at] = summary.select(names).cast(pl.Float64).fill_null(np.nan).to_numpy()
    return out


def long(population: Population, rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> pl.DataFrame:
    """Rows under their groups and measures, the measures of a group one after another; NaN is null."""
    m = len(population.measures)
    place = np.arange(population.n_groups * m)
    told = pl.DataFrame(rows, schema={c: TYPES.get(c, pl.Float64) for c in columns}).with_columns(
        pl.selectors.float().fill_nan(None)
    )
    measures = pl.DataFrame({"measure": [str(x) for x in population.measures]})[place % m]
    parts = [population.groups[place // m]] if population.by else []
    return pl.concat([*parts, measures, told], how="horizontal")


def shown(table: pl.DataFrame) -> str:
    """A table as it prints: all columns."""
    return read(table, tbl_cols=-1, tbl_width_chars=200)
