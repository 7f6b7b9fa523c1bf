"""Whether groups of units differ in the difference between two variants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.stats.corrections import corrected


def heterogeneity(table: pl.DataFrame, groups: Sequence[str], options: AnalysisOptions) -> pl.DataFrame:
    """Cochran's Q over the groups of an analysis (`Analysis.heterogeneity`).

    Raises:
        NotDefined: there are no groups.
    """
    if not groups:
        raise NotDefined("There are no groups to differ.", Hint("Name them: ", Argument("by", "country"), "."))
    weight = 1.0 / pl.col("se") ** 2
    mean = (pl.col("difference") * weight).sum() / weight.sum()
    found = (
        table.filter(pl.col("se") > 0)
        .group_by("metric", "baseline", "variant", maintain_order=True)
        .agg(
            n_groups=pl.len().cast(pl.Int64),
            difference=mean,
            se=1.0 / weight.sum().sqrt(),
            statistic=(weight * (pl.col("difference") - mean) ** 2).sum(),
        )
    )
    df = found["n_groups"].to_numpy() - 1.0
    q = found["statistic"].to_numpy()
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(df > 0, special.chdtrc(np.maximum(df, 1.0), q), np.nan)
        beyond = np.where((df > 0) & (q > 0), np.maximum(q - df, 0.0) / q, np.where(df > 0, 0.0, np.nan))
    return found.with_columns(
        df=pl.Series(df),
        p_value=pl.Series(p).fill_nan(None),
        p_adjusted=pl.Series(corrected(p, options.correction)).fill_nan(None),
        i_squared=pl.Series(beyond).fill_nan(None),
    )
