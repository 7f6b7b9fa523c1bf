"""Whether rows differ in whole numbers: told from one number per row, in a fraction of the time of a group-by."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.engines.polars import counting as polars_counting
from ireval_frames.engines.polars.frame import PolarsFrame

# Below this a group-by is as fast.
ENOUGH_ROWS = 100_000
# Codes of several keys stay below this.
LARGEST = 2**62


def differ(frame: PolarsFrame, keys: Sequence[str], run: Callable[[pl.LazyFrame], pl.DataFrame]) -> bool:
    """Whether no two rows have equal keys, where that is told quickly; False says nothing.

    Args:
        frame: the rows.
        keys: columns.
        run: collects a plan.
    """
    if not polars_counting.fits(frame, keys, ()):
        return False
    rows = run(frame.select(*keys).to_native().lazy())
    if rows.height < ENOUGH_ROWS or any(rows.null_count().row(0)):
        return False
    code, places = pl.lit(0, pl.Int64), 1
    for key in keys:
        low, high = rows.select(low=pl.col(key).min().cast(pl.Int64), high=pl.col(key).max().cast(pl.Int64)).row(0)
        places *= high - low + 1
        code = code * (high - low + 1) + (pl.col(key).cast(pl.Int64) - low)
    return places <= LARGEST and rows.select(code.n_unique()).item() == rows.height
