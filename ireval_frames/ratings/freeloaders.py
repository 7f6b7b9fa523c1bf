"""Raters who may not have looked: what tells of them, and a test of each against chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.asked import share
from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.ratings.coded import Coded, coded
from ireval_frames.ratings.gold import known

CHANCES = ("own", "even")


def raters(
    rows: pl.DataFrame,
    keys: Sequence[str],
    scale: Any,
    gold: Any,
    *,
    chance: str,
    correction: str,
    alpha: float,
    confidence: float,
    order: str | None,
    time: str | None,
) -> pl.DataFrame:
    """A row per group and rater (`Ratings.raters`), groups under their aliases.

    Raises:
        InvalidParameter: `chance` or `alpha` cannot be meant.
    """
    if chance not in CHANCES:
        raise InvalidParameter(f"chance is {chance!r}.", Hint("Write ", Argument("chance", "own"), ' or "even".'))
    share(alpha, "alpha", 0.05)
    share(confidence, "confidence")
    parts = []
    for of in (g for g in coded(rows, keys, scale=scale) if len(g.unit)):
        made = _of_group(of, gold, chance, correction, alpha, confidence)
        here = rows
        for k, v in zip(keys, of.key, strict=True) if order is not None or time is not None else ():
            here = here.filter(pl.col(k).eq_missing(v))
        if order is not None:
            made = made.join(_runs(here, order), on="rater_id", how="left")
        if time is not None:
            median = here.group_by("rater_id").agg(median_time=pl.col(time).cast(pl.Float64).median())
            made = made.join(median, on="rater_id", how="left")
        key = pl.DataFrame([pl.Series(k, [v], dtype=rows.schema[k]) for k, v in zip(keys, of.key, strict=True)])
        parts.append(key.join(made, how="cross") if keys else made)
    return pl.concat(parts) if parts else pl.DataFrame()


def _of_group(of: Coded, gold: Any, chance: str, correction: str, alpha: float, confidence: float) -> pl.DataFrame:
    from scipy.special import bdtrc

    from ireval_frames.stats.corrections import corrected
    from ireval_frames.stats.proportions import wilson

    r, k = len(of.raters), len(of.categories)
    given = sums(of.rater * k + of.category, None, r * k).reshape(r, k)
    n = given.sum(axis=1)
    share_of = given / n[:, None]
    entropy = -(share_of * np.log2(np.where(share_of > 0, share_of, 1.0))).sum(axis=1) + 0.0
    votes = sums(of.unit * k + of.category, None, len(of.units) * k).reshape(-1, k)
    same, m = votes[of.unit, of.category] - 1.0, of.m[of.unit]
    others = np.where(m > 1, same / np.maximum(m - 1.0, 1.0), 0.0)
    shared = sums(of.rater, (m > 1).astype(float), r)
    truth = _of_the_rest(of, votes) if gold is None else known(gold, of)[of.unit]
    there = truth >= 0
    hits = sums(of.rater[there], (truth == of.category)[there].astype(float), r)
    tested = sums(of.rater[there], None, r)
    by_chance = np.full(r, 1.0 / k)
    if chance == "own":
        likely = sums(of.rater[there], share_of[of.rater[there], truth[there]], r)
        by_chance = np.divide(likely, tested, out=np.full(r, np.nan), where=tested > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        # The probability of so many hits or more.
        p = np.where(
            tested > 0, np.where(hits > 0, bdtrc(hits - 1, tested.astype(int), np.nan_to_num(by_chance)), 1.0), np.nan
        )
        low, high = wilson(hits, tested, confidence)
        accuracy, agreement = hits / tested, sums(of.rater, others, r) / shared
    adjusted = corrected(p[None, :].ravel(), correction)
    constant = (given > 0).sum(axis=1) == 1
    status = [
        "constant" if c and x > 1 else "untested" if np.isnan(a) else "at_chance" if a > alpha else "ok"
        for c, x, a in zip(constant, n, adjusted, strict=True)
    ]
    columns: dict[str, Any] = {
        "rater_id": of.raters,
        "n_ratings": n.astype(int),
        "n_tested": tested.astype(int),
        "accuracy": accuracy,
        "ci_low": low,
        "ci_high": high,
        "chance": by_chance,
        "p_value": p,
        "p_corrected": adjusted,
        "agreement": agreement,
        "entropy": entropy,
        "most_frequent": of.categories[given.argmax(axis=1)],
        "share_of_it": share_of.max(axis=1),
        "status": status,
    }
    return pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))


def _of_the_rest(of: Coded, votes: Array) -> Whole:
    """For each rating the category that most others gave its unit; −1 where none did, or several as often."""
    out = np.full(len(of.unit), -1)
    for own in range(votes.shape[1]):
        here = of.category == own
        left = votes.copy()
        left[:, own] -= 1.0
        best = left.argmax(axis=1)
        highest = left.max(axis=1)
        clear = (highest > 0) & ((left == highest[:, None]).sum(axis=1) == 1)
        out[here] = np.where(clear, best, -1)[of.unit[here]]
    return out


def _runs(rows: pl.DataFrame, order: str) -> pl.DataFrame:
    """The longest run of equal ratings of each rater, one after another by a column."""
    in_order = rows.sort("rater_id", order, "item_id")
    run = pl.col("rating").rle_id().over("rater_id", mapping_strategy="group_to_rows")
    runs = in_order.with_columns(run=run).group_by("rater_id", "run").agg(n=pl.len())
    return runs.group_by("rater_id").agg(longest_run=pl.col("n").max().cast(pl.Int64))
