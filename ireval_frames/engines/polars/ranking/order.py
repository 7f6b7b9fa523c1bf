"""The positions of rows if every group of a batch were sorted in ranking order.

What is out of order is a *segment*: a complete group whose values are not sorted, or a run of equal values inside a
sorted group whose ids are not.  Segments are intervals of positions; only those with a requested row are sorted.  For
few requested rows unsorted groups stay as they are and the better rows are counted, which makes an evaluation of lists
in random order 2.7 times as fast (7 M rows, text and integers).
"""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.base import Ranking, Way
from ireval_frames.engines.polars.ranking import rank_by_counting

EMPTY = pl.DataFrame(schema={"at": pl.UInt32, "segment": pl.UInt32})


def sorted_positions(
    batch: pl.DataFrame, starts: pl.Series, ranking: Ranking, positions: pl.Series
) -> tuple[pl.Series, Way]:
    """The sorted position of the row at each of the positions, and how most of them were computed."""
    bad, tied = _disorder(batch, starts, ranking)
    ties = _ties(batch, tied, ranking)
    if bad.is_empty():
        return _sort_segments(batch, ties, ranking, positions), "read"
    counted = _count_unsorted(batch, starts, ranking, positions, bad) if positions.len() < batch.height else None
    if counted is None:
        groups = _intervals(starts, batch.height, bad)
        return _sort_segments(batch, pl.concat([groups, ties]).sort("at"), ranking, positions), "sorted"
    return _sort_segments(batch, ties, ranking, positions).scatter(*counted), "counted"


def _count_unsorted(
    batch: pl.DataFrame, starts: pl.Series, ranking: Ranking, positions: pl.Series, bad: pl.Series
) -> tuple[pl.Series, pl.Series] | None:
    """The positions in unsorted groups, by index, and their sorted positions; None if sorting is faster."""
    import numpy as np

    group = starts.search_sorted(positions, side="right") - 1
    unsorted = group.is_in(bad.implode()).arg_true()
    rows = rank_by_counting.compared(batch, ranking) if unsorted.len() else None
    if rows is None:
        return None if unsorted.len() else (unsorted, unsorted)
    begins = starts.gather(bad).to_numpy().astype(np.int64)
    sizes = (ends(starts, batch.height).gather(bad) - starts.gather(bad)).to_numpy().astype(np.int64)
    before = rank_by_counting.rows_before(rows, begins, sizes, positions.gather(unsorted).to_numpy().astype(np.int64))
    if before is None:
        return None
    return unsorted, starts.gather(group.gather(unsorted)) + pl.Series(before, dtype=starts.dtype)


def _sort_segments(batch: pl.DataFrame, segments: pl.DataFrame, ranking: Ranking, positions: pl.Series) -> pl.Series:
    """The sorted positions, by sorting the rows of segments."""
    if segments.is_empty():
        return positions
    at, segment = segments["at"], segments["segment"]
    if positions.len() < batch.height:
        requested = segment.gather(_index(at, positions).drop_nulls()).unique()
        if requested.is_empty():
            return positions
        is_requested = segment.is_in(requested.implode())
        at, segment = at.filter(is_requested), segment.filter(is_requested)
    order, descending = order_expression(ranking)
    rows = batch.select(c for c, _ in ranking.order_by)
    rows = (rows if at.len() == batch.height else rows[at]).with_columns(segment.set_sorted().alias("segment"))
    ranked = (
        rows.lazy()
        .group_by("segment", maintain_order=True)
        .agg(order.rank("ordinal", descending=descending).alias("rank"))
    )
    ranks = ranked.select(pl.col("rank").explode(empty_as_null=False)).collect().to_series()
    targets = segment + ranks.cast(pl.UInt32) - 1
    if at.len() == batch.height:
        return targets.gather(positions)
    index = _index(at, positions)
    return targets.gather(index).zip_with(index.is_not_null(), positions)


def _index(among: pl.Series, values: pl.Series) -> pl.Series:
    """The index of each value in a sorted series; null if it is missing."""
    index = among.search_sorted(values).clip(upper_bound=among.len() - 1)
    return pl.select(pl.when(among.gather(index) == values).then(index)).to_series()


def _disorder(batch: pl.DataFrame, starts: pl.Series, ranking: Ranking) -> tuple[pl.Series, pl.Series]:
    """The groups in which a value follows a worse one, and the positions in others where a value repeats."""
    (column, value_descends), _ = ranking.order_by
    # Comparisons would copy columns of differently chunked memory.
    values = batch[column].rechunk()
    here, before = values.slice(1), values.slice(0, max(0, batch.height - 1))
    bad = _groups_with((here > before) if value_descends else (here < before), starts)
    same = (here == before).arg_true() + 1
    same = same.filter(~same.is_in(starts.implode()))
    if bad.is_empty():
        return bad, same
    inside = starts.search_sorted(same, side="right") - 1
    return bad, same.filter(~inside.is_in(bad.implode()))


def _groups_with(steps: pl.Series, starts: pl.Series) -> pl.Series:
    """The groups with a true step between two of their rows."""
    import numpy as np

    begins = starts.to_numpy()
    flags = np.zeros(steps.len() + 1, dtype=bool)
    flags[1:] = steps.fill_null(value=False).to_numpy()
    flags[begins] = False
    return pl.Series(np.flatnonzero(np.logical_or.reduceat(flags, begins)), dtype=pl.UInt32)


def ends(starts: pl.Series, height: int) -> pl.Series:
    """Where the groups end, one after their last row."""
    return starts[1:].append(pl.Series([height] if starts.len() else [], dtype=starts.dtype))


def _intervals(starts: pl.Series, height: int, bad: pl.Series) -> pl.DataFrame:
    """All positions of some groups."""
    groups = pl.DataFrame({"segment": starts.gather(bad), "end": ends(starts, height).gather(bad)})
    spread = groups.with_columns(pl.int_ranges("segment", "end", dtype=pl.UInt32).alias("at"))
    return spread.select("at", pl.col("segment").cast(pl.UInt32)).explode("at", empty_as_null=False)


def _ties(batch: pl.DataFrame, tied: pl.Series, ranking: Ranking) -> pl.DataFrame:
    """The runs of equal values whose ids are not sorted."""
    if tied.is_empty():
        return EMPTY
    last, id_descends = ranking.order_by[-1]
    here, before = batch[last].gather(tied), batch[last].gather(tied - 1)
    out_of_order = here > before if id_descends else here < before
    if not out_of_order.any():
        return EMPTY
    new = (tied.diff() != 1).fill_null(value=True)
    runs = pl.DataFrame({"at": tied, "run": new.cast(pl.UInt32).cum_sum(), "wrong": out_of_order})
    runs = runs.filter(pl.col("run").is_in(runs.filter("wrong")["run"].unique().implode()))
    firsts = runs.group_by("run", maintain_order=True).agg(pl.col("at").first() - 1).rename({"at": "segment"})
    runs = runs.join(firsts, on="run").select("at", "segment")
    return pl.concat([runs, firsts.select(at="segment", segment="segment")]).sort("at")


def order_expression(ranking: Ranking) -> tuple[pl.Expr, bool]:
    """The order as one expression and direction: values are negated if theirs is not the ids' one; -0.0 is 0.0."""
    (column, value_descends), (last, id_descends) = ranking.order_by
    value = pl.col(column) + 0.0
    return pl.struct(value if value_descends == id_descends else -value, pl.col(last)), id_descends
