"""Whether a ranking wins more often than it loses, from the counts of an interleaving test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.distributions.tails import p_of_t, p_of_z
from ireval_frames.stats.ranks.sign import binomial_p


def tested(found: pl.DataFrame, by: Sequence[str], correction: str, *, graded: bool) -> pl.DataFrame:
    """The table of `Interleaving.tests`, from that of `summary`; where credits are graded, wins alone tell nothing."""
    wins, losses = (found[c].cast(pl.Float64).to_numpy() for c in ("wins", "losses"))
    if graded:
        wins = losses = np.zeros(found.height)
    df = found["n_clusters"].cast(pl.Float64).to_numpy() - 1.0
    delta, se, mean, mean_se = (
        found[c].fill_null(float("nan")).to_numpy() for c in ("delta", "se", "credit_difference", "credit_se")
    )
    # No p-value of what does not vary.
    se, mean_se = (np.where(e > 0, e, np.nan) for e in (se, mean_se))
    with np.errstate(invalid="ignore", divide="ignore"):
        told = {
            "sign": np.where(wins + losses > 0, binomial_p(wins, losses, "two-sided"), np.nan),
            "z": p_of_z((wins - losses) / np.sqrt(wins + losses), "two-sided"),
            "clustered": p_of_t(delta / se, df, "two-sided"),
            "t": p_of_t(mean / mean_se, df, "two-sided"),
        }
    out = found.select(*by, "run", "baseline", "n", "wins", "losses").with_columns(
        **{f"p_{name}": p for name, p in told.items()}
    )
    rows = found.select(*by).with_row_index("row") if by else None
    members = [range(found.height)] if rows is None else rows.group_by(by).agg("row")["row"].to_list()
    for name, p in told.items():
        adjusted = np.full(len(p), np.nan)
        for mine in members:
            adjusted[list(mine)] = corrected(p[list(mine)], correction)
        out = out.with_columns(pl.Series(f"adjusted_{name}", adjusted))
    return out.with_columns(pl.col(pl.Float64).fill_nan(None))


def matrix(found: pl.DataFrame, runs: Sequence[str]) -> pl.DataFrame:
    """The table of `Interleaving.matrix`, from that of `summary`."""
    share_of = {}
    for row in found.iter_rows(named=True):
        value = None if row["delta"] is None else row["delta"] + 0.5
        share_of[row["run"], row["baseline"]] = value
        share_of[row["baseline"], row["run"]] = None if value is None else 1.0 - value
    columns = {b: [share_of.get((r, b)) for r in runs] for b in runs}
    return pl.DataFrame({"run": runs, **columns}, schema_overrides=dict.fromkeys(runs, pl.Float64))
