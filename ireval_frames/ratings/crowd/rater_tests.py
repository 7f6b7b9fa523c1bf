"""Tests of raters against chance, and other signs of careless answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array, Whole, sums
from ireval_frames.errors import Argument, Hint, InvalidValue, NotDefined, WrongType
from ireval_frames.ratings.coded import Stacked, stacked
from ireval_frames.ratings.crowd.gold import gold_of, known_in
from ireval_frames.ratings.options import RaterOptions


def raters(
    rows: pl.DataFrame,
    keys: Sequence[str],
    scale: Any,
    gold: Any,
    options: RaterOptions,
    *,
    item: str,
    order: str | None,
    time: str | None,
) -> pl.DataFrame:
    """A row per group and rater (`Ratings.raters`), groups under their aliases.

    Raises:
        NotDefined: the table has no raters.
        InvalidValue, WrongType: the order of a rating is null, or times are no numbers.
        NothingInCommon: gold knows no item that is rated.
    """
    if "rater_id" not in rows.columns:
        raise NotDefined(
            "This needs to know who rated, and the table has no raters.",
            Hint("Name their column: ", Argument("rater", "worker")),
        )
    _check_order_and_time(rows, order, time)
    if gold is not None:
        gold = gold_of(gold, rows["item_id"], item)
    of = stacked(rows, keys, scale=scale)
    table = _table(of, gold, options)
    table = table.select(*(of.groups[k].gather(of.raters["group"]) for k in keys), pl.all(), _group=of.raters["group"])
    rows = rows.with_columns(_group=pl.Series(of.group))
    if order is not None:
        table = table.join(_runs(rows, order), on=["_group", "rater_id"], how="left", maintain_order="left")
    if time is not None:
        median = rows.group_by("_group", "rater_id", maintain_order=True).agg(
            median_time=pl.col(time).cast(pl.Float64).median()
        )
        table = table.join(median, on=["_group", "rater_id"], how="left", maintain_order="left")
    return table.drop("_group")


def _table(of: Stacked, gold: pl.DataFrame | None, options: RaterOptions) -> pl.DataFrame:
    """A row per rater of each group."""
    from scipy.special import bdtrc

    from ireval_frames.stats.corrections import corrected
    from ireval_frames.stats.proportions.intervals import wilson

    r, k = of.raters.height, max(int(of.size.max(initial=0)), 1)
    group = of.raters["group"].to_numpy()
    counts = sums(of.rater * k + of.category, None, r * k).reshape(r, k)
    n = counts.sum(axis=1)
    share_of = counts / n[:, None]
    entropy = -(share_of * np.log2(np.where(share_of > 0, share_of, 1.0))).sum(axis=1) + 0.0
    votes = sums(of.item * k + of.category, None, of.items.height * k).reshape(-1, k)
    same, m = votes[of.item, of.category] - 1.0, votes.sum(axis=1)[of.item]
    others = np.where(m > 1, same / np.maximum(m - 1.0, 1.0), 0.0)
    shared = sums(of.rater, (m > 1).astype(float), r)
    truth = _majority_of_others(of, votes) if gold is None else known_in(gold, of.items, of.categories)[of.item]
    known = truth >= 0
    hits = sums(of.rater[known], (truth == of.category)[known].astype(float), r)
    tested = sums(of.rater[known], None, r)
    by_chance = 1.0 / of.size[group]
    if options.chance == "own":
        expected = sums(of.rater[known], share_of[of.rater[known], truth[known]], r)
        by_chance = np.divide(expected, tested, out=np.full(r, np.nan), where=tested > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        # The probability of at least as many hits.
        p = np.where(
            tested > 0, np.where(hits > 0, bdtrc(hits - 1, tested.astype(int), np.nan_to_num(by_chance)), 1.0), np.nan
        )
        low, high = wilson(hits, tested, options.confidence)
        accuracy, agreement = hits / tested, sums(of.rater, others, r) / shared
    ends = np.flatnonzero(np.diff(group)) + 1
    adjusted = np.concatenate([corrected(family, options.correction) for family in np.split(p, ends)])
    constant = (counts > 0).sum(axis=1) == 1
    status = [
        "constant" if c and x > 1 else "untested" if np.isnan(a) else "at_chance" if a > options.alpha else "ok"
        for c, x, a in zip(constant, n, adjusted, strict=True)
    ]
    first = np.cumsum(of.size) - of.size
    columns: dict[str, Any] = {
        "rater_id": of.raters["id"],
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
        "most_frequent": of.categories["id"].gather(first[group] + counts.argmax(axis=1)),
        "share_of_it": share_of.max(axis=1),
        "status": status,
    }
    return pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))


def _check_order_and_time(rows: pl.DataFrame, order: str | None, time: str | None) -> None:
    """Refuse null orders, and times that are no numbers."""
    if order is not None and (missing := rows[order].null_count()):
        raise InvalidValue(
            f"{missing:,} ratings have no place in the order: its column is null.",
            "Drop these rows, or leave out order=.",
        )
    if time is not None and not (rows.schema[time].is_numeric() or rows.schema[time] in (pl.Null, pl.Duration)):
        raise WrongType(
            f"The time that an answer took is {rows.schema[time]}; it must be a number.", "Cast its column to seconds."
        )


def _majority_of_others(of: Stacked, votes: Array) -> Whole:
    """For each rating the category that most other raters gave its item; −1 where there is none, or a tie."""
    out = np.full(len(of.item), -1)
    for own in range(votes.shape[1]):
        rows = of.category == own
        others = votes.copy()
        others[:, own] -= 1.0
        best = others.argmax(axis=1)
        highest = others.max(axis=1)
        unique = (highest > 0) & ((others == highest[:, None]).sum(axis=1) == 1)
        out[rows] = np.where(unique, best, -1)[of.item[rows]]
    return out


def _runs(rows: pl.DataFrame, order: str) -> pl.DataFrame:
    """The longest run of equal ratings of each rater in the order of a column."""
    rater = ["_group", "rater_id"]
    in_order = rows.sort(*rater, order, "item_id")
    run = pl.col("rating").ne_missing(pl.col("rating").shift()).cum_sum()
    runs = in_order.with_columns(run=run).group_by(*rater, "run", maintain_order=True).agg(n=pl.len())
    return runs.group_by(rater, maintain_order=True).agg(longest_run=pl.col("n").max().cast(pl.Int64))
