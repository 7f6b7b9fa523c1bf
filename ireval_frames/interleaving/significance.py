"""Whether a ranking wins more often than it loses, from the counts of an interleaving test; and how many it needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import ALPHA, POWER, number
from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.distributions.tails import p_of_t, p_of_z
from ireval_frames.stats.power.counts import mcnemar_sample_size
from ireval_frames.stats.ranks.sign import binomial_p


def tested(summary: pl.DataFrame, by: Sequence[str], correction: str, *, graded: bool) -> pl.DataFrame:
    """The table of `Interleaving.tests`, from that of `summary`; with graded credits wins alone are not tested."""
    wins, losses = (summary[c].cast(pl.Float64).to_numpy() for c in ("wins", "losses"))
    if graded:
        wins = losses = np.zeros(summary.height)
    df = summary["n_clusters"].cast(pl.Float64).to_numpy() - 1.0
    delta, se, mean, mean_se = (
        summary[c].fill_null(float("nan")).to_numpy() for c in ("delta", "se", "credit_difference", "credit_se")
    )
    # No p-value without variance.
    se, mean_se = (np.where(e > 0, e, np.nan) for e in (se, mean_se))
    with np.errstate(invalid="ignore", divide="ignore"):
        p_values = {
            "sign": np.where(wins + losses > 0, binomial_p(wins, losses, "two-sided"), np.nan),
            "z": p_of_z((wins - losses) / np.sqrt(wins + losses), "two-sided"),
            "clustered": p_of_t(delta / se, df, "two-sided"),
            "t": p_of_t(mean / mean_se, df, "two-sided"),
        }
    table = summary.select(*by, "run", "baseline", "n", "wins", "losses").with_columns(
        **{f"p_{name}": p for name, p in p_values.items()}
    )
    rows = summary.select(*by).with_row_index("row") if by else None
    members = (
        [range(summary.height)] if rows is None else rows.group_by(by, maintain_order=True).agg("row")["row"].to_list()
    )
    for name, p in p_values.items():
        adjusted = np.full(len(p), np.nan)
        for group in members:
            adjusted[list(group)] = corrected(p[list(group)], correction)
        table = table.with_columns(pl.Series(f"adjusted_{name}", adjusted))
    return table.with_columns(pl.col(pl.Float64).fill_nan(None))


def matrix(summary: pl.DataFrame, runs: Sequence[str]) -> pl.DataFrame:
    """The table of `Interleaving.matrix`, from that of `summary`."""
    share_of = {}
    for row in summary.iter_rows(named=True):
        value = None if row["delta"] is None else row["delta"] + 0.5
        share_of[row["run"], row["baseline"]] = value
        share_of[row["baseline"], row["run"]] = None if value is None else 1.0 - value
    columns = {b: [share_of.get((r, b)) for r in runs] for b in runs}
    return pl.DataFrame({"run": runs, **columns}, schema_overrides=dict.fromkeys(runs, pl.Float64))


def sample_size(wins: float, losses: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """The number of pages (or users) that show which of two rankings wins, by the sign test of `tests()`.

    n is the smallest number of pages from which on Σ_m P(M = m) · P(the sign test rejects m outcomes) is at least the
    power, with M ~ Binomial(n, w + l) pages without ties, of which w / (w + l) are wins.  It is at least the number
    with which the test can reject: at α = 0.05 six.

    Args:
        wins: the share of pages that a ranking wins, from 0 to 1.
        losses: the share that it loses; the others are ties.
        power: the probability of finding the difference.
        alpha: the level of the test.

    Raises:
        InvalidParameter: they are not shares, or equal: there is no difference to find.

    Source: Radlinski and Craswell, SIGIR 2010; Chernick and Liu, American Statistician 2002.

    Example:
        >>> import ireval_frames as ir
        >>> ir.interleaving.sample_size(0.12, 0.10), ir.interleaving.sample_size(1, 0)
        (4407, 6)
    """
    POWER.check("power", power)
    ALPHA.check("alpha", alpha)
    share = number(0.12, low=0.0, high=1.0)
    wins, losses = share.check("wins", wins), share.check("losses", losses)
    if wins == losses or wins + losses > 1.0 + 1e-12:
        raise InvalidParameter(
            f"wins is {wins!r} and losses {losses!r}; they must differ, and sum to at most 1.",
            "Write ir.interleaving.sample_size(0.12, 0.10).",
        )
    return mcnemar_sample_size(wins, losses, power, alpha)
