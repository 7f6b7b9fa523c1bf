"""Where rows would stand if every group of a batch stood in ranking order.

What is out of order is a *segment*: a whole group whose values go the wrong way, or a run of equal values inside an
ordered group whose ids do.  Segments are intervals of positions; only those that hold a wanted row are ranked.  Where
few rows are wanted, those of whole groups are not put in order: the better rows are counted, which makes an evaluation
of lists in random order 2.7 times as fast (7 M rows, text and integers).
"""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.base import Ranking, Way
from ireval_frames.engines.polars.ranking import rank_by_counting

EMPTY = pl.DataFrame(schema={"at": pl.UInt32, "segment": pl.UInt32})


def places(batch: pl.DataFrame, starts: pl.Series, ranking: Ranking, positions: pl.Series) -> tuple[pl.Series, Way]:
    """The place of the row at each of the positions, its own where its group is in order; and how most were found."""
    bad, tied = _disorder(batch, starts, ranking)
    ties = _ties(batch, tied, ranking)
    if bad.is_empty():
        return _placed(batch, ties, ranking, positions), "read"
    counted = _counted(batch, starts, ranking, positions, bad) if positions.len() < batch.height else None
    if counted is None:
        groups = _intervals(starts, batch.height, bad)
        return _placed(batch, pl.concat([groups, ties]).sort("at"), ranking, positions), "sorted"
    return _placed(batch, ties, ranking, positions).scatter(*counted), "counted"


def _counted(
    batch: pl.DataFrame, starts: pl.Series, ranking: Ranking, positions: pl.Series, bad: pl.Series
) -> tuple[pl.Series, pl.Series] | None:
    """Which of the positions are in groups out of order, and their places; None if it is faster to sort."""
    import numpy as np

    group = starts.search_sorted(positions, side="right") - 1
    concerned = group.is_in(bad.implode()).arg_true()
    rows = rank_by_counting.compared(batch, ranking) if concerned.len() else None
    if rows is None:
        return None if concerned.len() else (concerned, concerned)
    begins = starts.gather(bad).to_numpy().astype(np.int64)
    sizes = (_ends(starts, batch.height).gather(bad) - starts.gather(bad)).to_numpy().astype(np.int64)
    before = rank_by_counting.rows_before(rows, begins, sizes, positions.gather(concerned).to_numpy().astype(np.int64))
    if before is None:
        return None
    return concerned, starts.gather(group.gather(concerned)) + pl.Series(before, dtype=starts.dtype)


def _placed(batch: pl.DataFrame, segments: pl.DataFrame, ranking: Ranking, positions: pl.Series) -> pl.Series:
    """The places where the rows of segments are put in order."""
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


def _disorder(batch: pl.DataFrame, starts: pl.Series, ranking: Ranking) -> tuple[pl.Series, pl.Series]:
    """The groups in which a value is behind a worse one, and the positions in others whose value repeats."""
    (column, falls), _ = ranking.order_by
    # Pieces of memory that do not match would be copied by each of the comparisons.
    values = batch[column].rechunk()
    here, before = values.slice(1), values.slice(0, max(0, batch.height - 1))
    bad = _holding((here > before) if falls else (here < before), starts)
    same = (here == before).arg_true() + 1
    same = same.filter(~same.is_in(starts.implode()))
    if bad.is_empty():
        return bad, same
    inside = starts.search_sorted(same, side="right") - 1
    return bad, same.filter(~inside.is_in(bad.implode()))


def _holding(steps: pl.Series, starts: pl.Series) -> pl.Series:
    """The groups with a step that is true; those into a group do not count."""
    import numpy as np

    begins = starts.to_numpy()
    flags = np.zeros(steps.len() + 1, dtype=bool)
    flags[1:] = steps.fill_null(value=False).to_numpy()
    flags[begins] = False
    return pl.Series(np.flatnonzero(np.logical_or.reduceat(flags, begins)), dtype=pl.UInt32)


def _ends(starts: pl.Series, height: int) -> pl.Series:
    return starts[1:].append(pl.Series([height], dtype=starts.dtype))


def _intervals(starts: pl.Series, height: int, bad: pl.Series) -> pl.DataFrame:
    """Every position of some groups."""
    groups = pl.DataFrame({"segment": starts.gather(bad), "end": _ends(starts, height).gather(bad)})
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
