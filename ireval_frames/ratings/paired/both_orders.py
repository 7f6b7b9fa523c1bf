"""Two items compared in both orders as one comparison, and how often neither of two was good."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.errors import Argument, Hint, NotDefined


def merged(rows: pl.DataFrame, keys: Sequence[str], inconsistent: str) -> pl.DataFrame:
    """A row per unit and two items, with the score of the first by name (`PairedComparisons.merged`).

    A tie is one of two bad items (`both_bad`) if that is what all comparisons of both orders say.

    Raises:
        NotDefined: comparisons have no units.
    """
    if "unit_id" not in rows.columns:
        raise NotDefined(
            "Comparisons in both orders are those of one unit, and there are no units.",
            Hint("Name their column: ", Argument("unit", "prompt_id")),
        )
    low, high = (f("item_a", "item_b") for f in (pl.min_horizontal, pl.max_horizontal))
    turned = pl.col("item_a") > pl.col("item_b")
    points = pl.when(turned).then(1 - pl.col("score")).otherwise(pl.col("score"))
    lengths = {}
    if {"length_a", "length_b"} <= set(rows.columns):
        sides = (("length_a", "length_b"), ("length_b", "length_a"))
        lengths = {one: pl.when(turned).then(pl.col(other)).otherwise(pl.col(one)) for one, other in sides}
    rows = rows.with_columns(low=low, high=high, turned=turned, points=points, **lengths)
    group, n = [*keys, "unit_id", "low", "high"], pl.col("n")
    means = [(pl.col(c) * n).sum() / n.sum() for c in lengths]
    orders = rows.group_by(*group, "turned", maintain_order=True).agg(
        (pl.col("points") * n).sum() / n.sum(), n.sum(), pl.col("bad").all(), *means
    )
    agreed = pl.col("points").n_unique() == 1
    out = orders.group_by(group, maintain_order=True).agg(
        score=pl.col("points").mean(),
        both_bad=pl.col("bad").all(),
        agreed=agreed,
        **{c: (pl.col(c) * n).sum() / n.sum() for c in lengths},
    )
    if inconsistent == "left-out":
        out = out.filter(pl.col("agreed"))
    else:
        out = out.with_columns(score=pl.when("agreed").then("score").otherwise(0.5))
    return out.rename({"low": "item_a", "high": "item_b"}).drop("agreed").sort(*group[:-2], "item_a", "item_b")


def outcomes_of_items(rows: pl.DataFrame, confidence: float) -> pl.DataFrame:
    """How often each item won, lost, and tied (`PairedComparisons.outcomes`)."""
    from ireval_frames.stats.proportions.intervals import wilson

    sides = pl.concat(
        [
            rows.select("n", "bad", item_id="item_a", score="score"),
            rows.select("n", "bad", item_id="item_b", score=1 - pl.col("score")),
        ]
    )
    n, score, bad = pl.col("n"), pl.col("score"), pl.col("bad")
    counted = {"n": n.sum(), "wins": n.filter(score > 0.5).sum(), "losses": n.filter(score < 0.5).sum()}
    counted |= {"good_ties": n.filter((score == 0.5) & ~bad).sum(), "bad_ties": n.filter(bad).sum()}
    table = sides.group_by("item_id").agg(**{k: v.cast(pl.Int64) for k, v in counted.items()}).sort("item_id")
    hits, total = (table[c].to_numpy().astype(float) for c in ("bad_ties", "n"))
    low, high = wilson(hits, total, confidence)
    share = np.divide(hits, total, out=np.full(len(hits), np.nan), where=total > 0)
    return table.with_columns(share_of_bad=pl.Series(share), ci_low=pl.Series(low), ci_high=pl.Series(high))
