"""Interleaving over queries, each weighed by how sure its winner is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.interleaving.outcome_tables import SAME
from ireval_frames.stats.sign import binomial_p
from ireval_frames.stats.tails import p_of_z

WEIGHTINGS = ("significance", "pruning", "equal")


def by_query(queries: pl.DataFrame, by: Sequence[str], weighting: str, alpha: float, confidence: float) -> pl.DataFrame:
    """Δ over queries, from the wins, ties and losses of their pages."""
    wins, losses = (queries[c].cast(pl.Float64).to_numpy() for c in ("wins", "losses"))
    p = binomial_p(wins, losses, "two-sided")
    weight = {"significance": 1.0 - p, "pruning": (p < alpha).astype(np.float64), "equal": np.ones(len(p))}[weighting]
    rows = queries.select(*by, "run", "baseline").with_columns(
        weight=pl.Series(weight), outcome=pl.Series(np.sign(wins - losses) / 2.0)
    )
    keys = [*by, "run", "baseline"]
    total = pl.col("weight").sum()
    value = (pl.col("weight") * pl.col("outcome")).sum() / total
    # A ratio of two means over queries: Σ (w (o − Δ))² to first order.
    off = pl.col("weight") * (pl.col("outcome") - value)
    n = pl.len()
    found = rows.group_by(keys, maintain_order=True).agg(
        n_queries=n.cast(pl.Int64),
        n_counted=(pl.col("weight") > 0).sum().cast(pl.Int64),
        delta=pl.when(total > 0).then(value),
        se=pl.when((total > 0) & (n > 1)).then((n / (n - 1) * off.pow(2).sum()).sqrt() / total),
    )
    z = float(special.ndtri((1.0 + confidence) / 2.0))
    # Where all queries have one winner, it tells nothing of how sure that is.
    varies = pl.when(pl.col("se") > SAME).then(pl.col("se"))
    ratio = found.select(pl.col("delta") / varies).to_series().fill_null(float("nan")).to_numpy()
    return found.with_columns(
        weighting=pl.lit(weighting),
        low=pl.col("delta") - z * varies,
        high=pl.col("delta") + z * varies,
        p_value=pl.Series(p_of_z(ratio, "two-sided")).fill_nan(None),
    ).select(*keys, "weighting", "n_queries", "n_counted", "delta", "se", "low", "high", "p_value")
