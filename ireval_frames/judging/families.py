"""Whether judgments favour some systems: those of one family against all others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.stats.corrections import corrected


def favour(gains: pl.DataFrame, families: Mapping[Any, Any], confidence: float) -> pl.DataFrame:
    """Of each family the mean over queries of what its systems gain more than the others.

    Args:
        gains: run_id, query_id, `gain`: the value by one judge less that by the other.
        families: of each system.
        confidence: of Student's intervals over queries.

    Returns:
        family gain others favour se ci_low ci_high p_value p_corrected n_systems n_queries.

    Raises:
        InvalidParameter: a system has no family, or there is one family alone.
    """
    from scipy.special import stdtr, stdtrit

    systems = gains["run_id"].unique().sort().to_list()
    if not isinstance(families, Mapping) or (lacking := [s for s in systems if s not in families]):
        which = f"The system {lacking[0]!r} has no family." if isinstance(families, Mapping) else "No family is named."
        raise InvalidParameter(which, Hint("Name all: ", Argument("families", dict.fromkeys(systems[:2], "family"))))
    named = sorted({families[s] for s in systems}, key=str)
    if len(named) < 2:
        raise InvalidParameter("All systems are of one family, so there are no others.", "Name two families or more.")
    rows = []
    for family in named:
        own = pl.col("run_id").is_in([s for s in systems if families[s] == family])
        by_query = gains.drop_nulls("gain").group_by("query_id", maintain_order=True).agg(
            own=pl.col("gain").filter(own).mean(), others=pl.col("gain").filter(~own).mean()
        ).drop_nulls()  # fmt: skip
        one, other = by_query["own"].to_numpy(), by_query["others"].to_numpy()
        more, n = one - other, len(one)
        mean = more.mean() if n else np.nan
        se = more.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
        away = float(stdtrit(n - 1, (1 + confidence) / 2)) * se if n > 1 else np.nan
        p = 2 * float(stdtr(n - 1, -abs(mean) / se)) if n > 1 and se > 0 else np.nan
        size = sum(families[s] == family for s in systems)
        means = (one.mean(), other.mean()) if n else (np.nan, np.nan)
        rows.append((family, *means, mean, se, mean - away, mean + away, p, size, n))
    names = ("gain", "others", "favour", "se", "ci_low", "ci_high", "p_value")
    columns = {name: [float(r[i]) for r in rows] for i, name in enumerate(names, 1)}
    columns["p_corrected"] = corrected(np.array(columns["p_value"]), "holm").tolist()
    made = pl.DataFrame(
        {"family": named, **columns, "n_systems": [r[8] for r in rows], "n_queries": [r[9] for r in rows]}
    )
    return made.with_columns(pl.selectors.float().fill_nan(None))
