"""Where rows would stand if every group of a batch stood in ranking order.

What is out of order is a *segment*: a whole group whose values go the wrong way, or a run of equal values inside an
ordered group whose ids do.  Segments are intervals of positions; only those that hold a wanted row are ranked.
"""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.base import Ranking

EMPTY = pl.DataFrame(schema={"at": pl.UInt32, "segment": pl.UInt32})


def places(batch: pl.DataFrame, starts: pl.Series, ranking: Ranking, positions: pl.Series) -> pl.Series:
    """The place of the row at each of the positions: its own where its group is in order."""
    segments = _segments(batch, starts, ranking)
    if segments.is_empty():
        return positions
    at, segment = segments["at"], segments["segment"]
    if positions.len() < batch.height:
        held = segment.gather(_found(at, positions).drop_nulls()).unique()
        if held.is_empty():
            return positions
        keep = segment.is_in(held.implode())
        at, segment = at.filter(keep), segment.filter(keep)
    order, descending = as_one(ranking)
    rows = batch.select(c for c, _ in ranking.order_by)
    rows = (rows if at.len() == batch.height else rows[at]).with_columns(segment.set_sorted().alias("segment"))
    ranked = (
        rows.lazy()
        .group_by("segment", maintain_order=True)
        .agg(order.rank("ordinal", descending=descending).alias("rank"))
    )
    ranks = ranked.select(pl.col("rank").explode(empty_as_null=False)).collect().to_series()
    moved = segment + ranks.cast(pl.UInt32) - 1
    if at.len() == batch.height:
        return moved.gather(positions)
    found = _found(at, positions)
    return moved.gather(found).zip_with(found.is_not_null(), positions)


def _found(among: pl.Series, values: pl.Series) -> pl.Series:
    """The index of each value in the sorted series, null where it is not there."""
    index = among.search_sorted(values).clip(upper_bound=among.len() - 1)
    return pl.select(pl.when(among.gather(index) == values).then(index)).to_series()


def _segments(batch: pl.DataFrame, starts: pl.Series, ranking: Ranking) -> pl.DataFrame:
    """The positions that stand out of order (`at`, ascending), with the position where their segment begins."""
    wrong, tied = _steps(batch, starts, ranking)
    groups = _intervals(starts, batch.height, wrong)
    if groups.height:
        tied = tied.filter(~tied.is_in(groups["at"].implode()))
    ties = _ties(batch, tied, ranking)
    if groups.is_empty() or ties.is_empty():
        return groups if ties.is_empty() else ties
    return pl.concat([groups, ties]).sort("at")


def _steps(batch: pl.DataFrame, starts: pl.Series, ranking: Ranking) -> tuple[pl.Series, pl.Series]:
    """The positions whose value goes the wrong way after the row before in their group, and those where it is the same.

    One comparison looks at every row; what it cannot settle is little in a list that is written best first.
    """
    (column, falls), _ = ranking.order_by
    values = batch[column]
    here, before = values.slice(1), values.slice(0, max(0, batch.height - 1))
    unsettled = (~(here < before if falls else here > before)).arg_true() + 1
    unsettled = unsettled.filter(~unsettled.is_in(starts.implode()))
    here, before = values.gather(unsettled), values.gather(unsettled - 1)
    same = here == before
    return unsettled.filter(~same), unsettled.filter(same)


def _intervals(starts: pl.Series, height: int, wrong: pl.Series) -> pl.DataFrame:
    """Every position of the groups that hold a wrong step."""
    if wrong.is_empty():
        return EMPTY
    bad = (starts.search_sorted(wrong, side="right") - 1).unique().sort()
    ends = starts[1:].append(pl.Series([height], dtype=starts.dtype))
    groups = pl.DataFrame({"segment": starts.gather(bad), "end": ends.gather(bad)})
    spread = groups.with_columns(pl.int_ranges("segment", "end", dtype=pl.UInt32).alias("at"))
    return spread.select("at", pl.col("segment").cast(pl.UInt32)).explode("at", empty_as_null=False)


def _ties(batch: pl.DataFrame, tied: pl.Series, ranking: Ranking) -> pl.DataFrame:
    """The runs of equal values whose ids go the wrong way somewhere."""
    if tied.is_empty():
        return EMPTY
    last, descends = ranking.order_by[-1]
    here, before = batch[last].gather(tied), batch[last].gather(tied - 1)
    out_of_order = here > before if descends else here < before
    if not out_of_order.any():
        return EMPTY
    new = (tied.diff() != 1).fill_null(value=True)
    runs = pl.DataFrame({"at": tied, "run": new.cast(pl.UInt32).cum_sum(), "wrong": out_of_order})
    runs = runs.filter(pl.col("run").is_in(runs.filter("wrong")["run"].unique().implode()))
    firsts = runs.group_by("run", maintain_order=True).agg(pl.col("at").first() - 1).rename({"at": "segment"})
    runs = runs.join(firsts, on="run").select("at", "segment")
    return pl.concat([runs, firsts.select(at="segment", segment="segment")]).sort("at")


def as_one(ranking: Ranking) -> tuple[pl.Expr, bool]:
    """The order as one expression and one direction: numbers are negated where they run against the id; -0.0 is 0.0."""
    (column, falls), (last, descends) = ranking.order_by
    value = pl.col(column) + 0.0
    return pl.struct(value if falls == descends else -value, pl.col(last)), descends
