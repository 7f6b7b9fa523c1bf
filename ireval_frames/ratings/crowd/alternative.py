"""Whether a judge can take the place of a person: the alternative annotator test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import Argument, Hint, NotDefined, UnknownName, WrongType, listed, nearest
from ireval_frames.parameters import ALPHA, BaseOptions, choice, number, option, whole
from ireval_frames.stats.corrections import corrected

SCORES = ("equal", "distance")


@dataclass(frozen=True)
class AlternativeOptions(BaseOptions):
    """How a judge is compared with each person.

    Attributes:
        epsilon: by how much a person's advantage is reduced, since a judge costs less.
        alpha: the rate of false discoveries.
        score: how close two ratings are.
        correction: of p-values over people.
        min_items: the smallest number of items of a person who counts.
    """

    epsilon: float = option(number(0.2, "the margin for what a person costs", 0.0, 1.0))
    alpha: float = option(ALPHA)
    score: str = option(choice(*SCORES, what="how close two ratings are"))
    correction: str = "by"
    min_items: int = option(whole(30, "the smallest number of items of a person who counts", low=2))


def alternative(
    rows: pl.DataFrame, keys: Sequence[str], judges: Sequence[Any], options: AlternativeOptions, *, per_rater: bool
) -> pl.DataFrame:
    """A row per group and judge, or group, judge and person (`Ratings.alternative_annotator`).

    Raises:
        NotDefined: the table has no raters, or no item is rated by a judge and two people.
        UnknownName: a judge rated nothing.
        WrongType: distances are of ratings that are no numbers.
    """
    if "rater_id" not in rows.columns:
        raise NotDefined(
            "This needs to know who rated, and the table has no raters.",
            Hint("Name their column: ", Argument("rater", "worker")),
        )
    rows = rows.with_columns(rater=pl.col("rater_id").cast(pl.String))
    names, ids = [str(j) for j in judges], rows["rater"].unique().sort().to_list()
    if unknown := [n for n in names if n not in ids]:
        raise UnknownName(f"There is no rater {unknown[0]!r}.", nearest(unknown[0], ids))
    if not names or set(names) >= set(ids):
        raise NotDefined("The raters must be judges and people.", f"The raters are {listed(ids)}; name the judges.")
    if options.score == "distance" and not rows.schema["rating"].is_numeric():
        raise WrongType(
            f"Ratings are {rows.schema['rating']}; distances are of numbers.",
            Hint("Write ", Argument("score", "equal")),
        )
    people = rows.filter(~pl.col("rater").is_in(names))
    parts = []
    for name in names:
        of_judge = rows.filter(pl.col("rater") == name).select(*keys, "item_id", judged="rating")
        pairs = _advantages(people.join(of_judge, on=[*keys, "item_id"], nulls_equal=True), keys, options.score)
        if not pairs.height:
            raise NotDefined(
                f"No item is rated by {name!r} and two people.", "The test compares a judge and a person with others."
            )
        parts.append(_tested(pairs, keys, options).with_columns(judge=pl.lit(name)))
    table = pl.concat(parts).sort(*keys, "judge", "rater_id")
    if per_rater:
        order = ("judge", "rater_id", "n_items", "advantage", "advantage_of_rater", "difference")
        return table.select(*keys, *order, "p_value", "p_corrected", "wins", "status")
    counted = pl.col("status") == "ok"
    summary = table.group_by(*keys, "judge", maintain_order=True).agg(
        winning_rate=pl.col("wins").filter(counted).mean(),
        advantage=pl.col("advantage").filter(counted).mean(),
        n_raters=counted.sum().cast(pl.Int64),
        n_left_out=(~counted).sum().cast(pl.Int64),
    )
    return summary.with_columns(replaces=pl.col("winning_rate") >= 0.5).sort(*keys, "judge")


def _advantages(rows: pl.DataFrame, keys: Sequence[str], score: str) -> pl.DataFrame:
    """For each person and item with another person: whether judge and person are as close to the others, or closer."""
    item = [*keys, "item_id"]
    rows = rows.with_columns(m=pl.len().over(item)).filter(pl.col("m") > 1)
    if score == "equal":
        # Agreements with the others, by counts of each rating of the item.
        votes = rows.group_by(*item, "rating", maintain_order=True).agg(votes=pl.len().cast(pl.Int64))
        rows = rows.join(votes, on=[*item, "rating"], nulls_equal=True, how="left")
        of_judge = votes.rename({"rating": "judged", "votes": "votes_of_judge"})
        rows = rows.join(of_judge, on=[*item, "judged"], nulls_equal=True, how="left")
        own = (pl.col("rating") == pl.col("judged")).cast(pl.Int64)
        person, judge = pl.col("votes") - 1, pl.col("votes_of_judge").fill_null(0) - own
    else:
        # Minus the sums of squared distances to the others.
        x, f = (pl.col(c).cast(pl.Float64) for c in ("rating", "judged"))
        n, total, squares = pl.col("m"), x.sum().over(item), (x**2).sum().over(item)
        person = -(n * x**2 - 2 * x * total + squares)
        judge = -(n * f**2 - 2 * f * total + squares) + (f - x) ** 2
    return rows.select(
        *keys, "rater_id", judge=(judge >= person).cast(pl.Int64), person=(person >= judge).cast(pl.Int64)
    )


def _tested(pairs: pl.DataFrame, keys: Sequence[str], options: AlternativeOptions) -> pl.DataFrame:
    """A row per group and person: the t test of the difference against the margin."""
    from scipy.special import stdtr

    d = pl.col("person") - pl.col("judge")
    table = (
        pairs.group_by(*keys, "rater_id")
        .agg(
            n_items=pl.len().cast(pl.Int64),
            advantage=in_order(pl.col("judge").mean()),
            advantage_of_rater=in_order(pl.col("person").mean()),
            difference=in_order(d.mean()),
            sd=in_order(d.std()),
        )
        .sort(*keys, "rater_id")
    )
    n, mean, sd = (table[c].cast(pl.Float64).fill_null(np.nan).to_numpy() for c in ("n_items", "difference", "sd"))
    away = mean - options.epsilon
    with np.errstate(invalid="ignore", divide="ignore"):
        # Where all differences are equal, their side of the margin decides.
        t = np.where(sd > 0, away / (sd / np.sqrt(n)), np.where(away == 0, np.nan, np.sign(away) * np.inf))
        p = np.where(n > 1, stdtr(np.maximum(n - 1, 1), t), np.nan)
    few = n < options.min_items
    p = np.where(few, np.nan, p)
    table = table.with_columns(p_value=pl.Series(p), status=pl.Series(np.where(few, "few", "ok")))
    at = table.select(pl.struct(keys).rank("dense")).to_series().to_numpy() if keys else np.ones(table.height)
    adjusted = p.copy()
    for g in np.unique(at):
        adjusted[at == g] = corrected(p[at == g], options.correction)
    wins = adjusted <= options.alpha
    table = table.with_columns(p_corrected=pl.Series(adjusted), wins=pl.Series(wins))
    return table.drop("sd").with_columns(pl.selectors.float().fill_nan(None))
