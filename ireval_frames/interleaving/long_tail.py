"""Interleaving over queries, each weighted by the certainty of its winner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.interleaving.outcome_tables import SAME
from ireval_frames.stats.distributions.tails import p_of_z
from ireval_frames.stats.proportions.intervals import wilson
from ireval_frames.stats.ranks.sign import binomial_p
from ireval_frames.stats.resampling.exact_signs import counted
from ireval_frames.stats.sample import EPSILON, ROUNDINGS, Array

# Up to this number of queries all exchanges are enumerated; with more, the sum is nearly normal.
MAX_EXACT = 18
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
    # A ratio of two means over queries: the variance is Σ (w (o − Δ))² to first order.
    deviation = pl.col("weight") * (pl.col("outcome") - value)
    n, counts = pl.len(), pl.col("weight") > 0
    table = rows.group_by(keys, maintain_order=True).agg(
        n_queries=n.cast(pl.Int64),
        n_counted=counts.sum().cast(pl.Int64),
        delta=pl.when(total > 0).then(value),
        se=pl.when((total > 0) & (n > 1)).then((n / (n - 1) * deviation.pow(2).sum()).sqrt() / total),
        # The effective number of queries.
        size=pl.when(total > 0).then(total.pow(2) / pl.col("weight").pow(2).sum()),
        terms=pl.col("weight") * pl.col("outcome"),
    )
    share, size = ((table[c].fill_null(float("nan")).to_numpy()) for c in ("delta", "size"))
    low, high = wilson((share + 0.5) * size, size, confidence)
    return table.with_columns(
        weighting=pl.lit(weighting),
        se=pl.when(pl.col("se") <= SAME).then(0.0).otherwise("se"),
        low=pl.Series(low - 0.5).fill_nan(None),
        high=pl.Series(high - 0.5).fill_nan(None),
        p_value=pl.Series([_p(t.to_numpy()) for t in table["terms"]], dtype=pl.Float64).fill_nan(None),
    ).select(*keys, "weighting", "n_queries", "n_counted", "delta", "se", "low", "high", "p_value")


def _p(terms: Array) -> float:
    """The probability that |Σ w o| is as large if each query might as well have been won by the other ranking."""
    nonzero = terms[terms != 0.0]
    if not len(nonzero):
        return float("nan")
    exact = counted(nonzero, np.full(len(nonzero), ROUNDINGS * EPSILON), "two-sided", MAX_EXACT)
    if exact is not None:
        return exact
    return float(p_of_z(np.array([nonzero.sum() / np.sqrt(np.square(nonzero).sum())]), "two-sided")[0])
