"""Curves of millions of points as the few that a screen can show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
# Columns of pixels that a curve is drawn in.
PIXELS = 400


def thinned(frame: pl.DataFrame, x: str, y: str, of: Sequence[str], pixels: int = PIXELS) -> pl.DataFrame:
    """Of each column of pixels the first, the last, the lowest and the highest point (M4).

    The line through them covers the same pixels as the line through all points.

    Args:
        frame: points in the order in which they are joined.
        x: the column across.
        y: the column upwards.
        of: the columns that tell curves apart.
        pixels: how many columns of pixels there are.

    Source: Jugel, Jerzak, Hackenbroich & Markl, VLDB 2014.
    """
    if frame.height <= 4 * pixels:
        return frame
    rows = frame.select(pl.int_range(pl.len()).alias("_row"), pl.col(x).alias("_x"), pl.col(y).alias("_y"), *of)
    parts = [rows] if not of or rows.select(of).n_unique() == 1 else rows.partition_by(*of, maintain_order=True)
    return frame[pl.concat([_chosen(part, pixels) for part in parts]).unique().sort()]


def _chosen(rows: pl.DataFrame, pixels: int) -> pl.Series:
    """The rows of one curve that are drawn."""
    low, high = pl.col("_x").min(), pl.col("_x").max()
    place = ((pl.col("_x") - low) / (high - low) * (pixels - 1)).fill_nan(0).fill_null(0).floor().cast(pl.Int32)
    # A curve that comes back to a column of pixels is there twice.
    lengths = rows.select(place.rle().struct.field("len").alias("n").cast(pl.Int64))["n"]
    ends = lengths.cum_sum()
    heights, begins = rows["_y"].to_numpy(), (ends - lengths).to_numpy()
    lowest, highest = np.fmin.reduceat(heights, begins), np.fmax.reduceat(heights, begins)
    at = [begins, (ends - 1).to_numpy(), *(_first(heights, wanted, lengths, begins) for wanted in (lowest, highest))]
    return rows["_row"].gather(np.concatenate(at))


def _first(heights: Numbers, wanted: Numbers, lengths: pl.Series, begins: Places) -> Places:
    """Where each column of pixels has the wanted height first."""
    found = np.flatnonzero(heights == np.repeat(wanted, lengths.to_numpy()))
    _, first = np.unique(np.searchsorted(begins, found, side="right"), return_index=True)
    return found[first]
