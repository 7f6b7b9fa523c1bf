"""Ranking few rows on Polars: a plan of few steps, which take longer to call than to do."""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.base import Ranking
from ireval_frames.engines.polars_expressions import expression
from ireval_frames.engines.polars_order import as_one
from ireval_frames.engines.polars_ranking import Ranked

AS_IT_IS = pl.QueryOptFlags.none()


def rank(frame: pl.DataFrame, ranking: Ranking, partner: pl.DataFrame | None) -> Ranked:
    """What `polars_ranking.rank` does.

    Raises:
        IrevalError: the error of the first rule that a row breaks, or of duplicates.
    """
    _check(frame, ranking)
    order, descending = as_one(ranking)
    place = order.rank("ordinal", descending=descending).over(ranking.keys).cast(pl.Int64)
    rows = frame.lazy().with_columns(place.alias("rank"))
    if partner is not None:
        rows = rows.join(partner.lazy(), on=ranking.on, how="semi", nulls_equal=True)
    n = pl.len().cast(pl.Int64)
    if ranking.depth is not None:
        rows, n = rows.filter(pl.col("rank") <= ranking.depth), n.clip(upper_bound=ranking.depth)
    groups = frame.lazy().group_by(ranking.keys, maintain_order=True).agg(n.alias("n"))
    return Ranked(_now(rows), _now(groups), frame.clear())


def _check(frame: pl.DataFrame, ranking: Ranking) -> None:
    bad = [expression(rule.bad) for rule in ranking.rules]
    found = [rows.any().alias(f"rule{i}") for i, rows in enumerate(bad)]
    ids = pl.struct(*ranking.keys, ranking.id)
    *broken, different = _now(frame.lazy().select(*found, ids.n_unique().alias("different"))).row(0)
    for rule, rows, is_broken in zip(ranking.rules, bad, broken, strict=True):
        if is_broken:
            them = frame.filter(rows)
            raise rule.error(them.head(10), them.height)
    if ranking.unique and different < frame.height:
        twice = frame.filter(ids.is_duplicated())
        raise ranking.duplicate(twice.sort(*ranking.keys, ranking.id).head(10), twice.height)


def _now(rows: pl.LazyFrame) -> pl.DataFrame:
    return rows.collect(engine="in-memory", optimizations=AS_IT_IS)
