"""Millions of points or units as the few marks that a screen can show."""

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
        of: the columns that distinguish curves.
        pixels: how many columns of pixels there are.

    Source: Jugel, Jerzak, Hackenbroich & Markl, VLDB 2014.
    """
    if frame.height <= 4 * pixels:
        return frame
    if not of or frame.select(of).n_unique() == 1:
        return frame[_chosen(frame[x], frame[y], pixels)]
    rows = frame.select(pl.int_range(pl.len()).alias("_row"), pl.col(x).alias("_x"), pl.col(y).alias("_y"), *of)
    parts = rows.partition_by(*of, maintain_order=True)
    return frame[pl.concat([p["_row"].gather(_chosen(p["_x"], p["_y"], pixels)) for p in parts]).unique().sort()]


def _chosen(x: pl.Series, y: pl.Series, pixels: int) -> Places:
    """The places of the points of one curve that are drawn, ascending."""
    heights = y.cast(pl.Float64).to_numpy()
    begins = _sorted_columns(x, pixels)
    if begins is not None:
        ends = np.append(begins[1:], len(x))
        parts = [heights[i:j] for i, j in zip(begins, ends, strict=True)]
        if y.null_count() or np.isnan(heights.min()):
            extremes = [begins + [np.argmin(np.where(np.isnan(p), f, s * p)) for p in parts] for s, f in _ENDS]
        else:
            extremes = [begins + [f(p) for p in parts] for f in (np.argmin, np.argmax)]
        return np.unique(np.concatenate([begins, ends - 1, *extremes]))
    lengths = _columns(x, pixels)
    ends = lengths.cum_sum().to_numpy()
    begins = ends - lengths.to_numpy()
    lowest, highest = np.fmin.reduceat(heights, begins), np.fmax.reduceat(heights, begins)
    at = [begins, ends - 1, *(_first(heights, extreme, lengths, begins) for extreme in (lowest, highest))]
    return np.unique(np.concatenate(at))


# What stands for an undefined height where the lowest and the highest are looked for, and the sign that turns them.
_ENDS = ((1.0, np.inf), (-1.0, np.inf))


def _sorted_columns(x: pl.Series, pixels: int) -> Places | None:
    """Where each column of pixels begins, if the curve goes one way: by bisection."""
    up = x.is_sorted()
    if x.null_count() or not (up or x.is_sorted(descending=True)):
        return None
    values = x.to_numpy()
    low, high = sorted((float(values[0]), float(values[-1])))
    if not np.isfinite([low, high]).all():
        return None
    if low == high:
        return np.zeros(1, dtype=np.int64)
    columns = np.arange(1, pixels)
    first, last = np.zeros(pixels - 1, dtype=np.int64), np.full(pixels - 1, len(values))
    for _ in range(len(values).bit_length()):
        open_, middle = first < last, (first + last) // 2
        place = np.floor((values[np.minimum(middle, len(values) - 1)] - low) / (high - low) * (pixels - 1))
        reached = (place >= columns) == up
        last = np.where(open_ & reached, middle, last)
        first = np.where(open_ & ~reached, middle + 1, first)
    return np.unique(np.append(first[first < len(values)], 0))


def _columns(x: pl.Series, pixels: int) -> pl.Series:
    """How many points stand in each column of pixels; one that a curve comes back to is there twice."""
    low, high = pl.col("x").min(), pl.col("x").max()
    place = ((pl.col("x") - low) / (high - low) * (pixels - 1)).fill_nan(0).fill_null(0).floor().cast(pl.Int32)
    return x.alias("x").to_frame().select(place.rle().struct.field("len").alias("n").cast(pl.Int64))["n"]


def _first(heights: Numbers, extremes: Numbers, lengths: pl.Series, begins: Places) -> Places:
    """Where each column of pixels first has its extreme height."""
    reached = np.flatnonzero(heights == np.repeat(extremes, lengths.to_numpy()))
    _, first = np.unique(np.searchsorted(begins, reached, side="right"), return_index=True)
    return reached[first]


def places(n: int, marks: int) -> pl.Expr:
    """The mark, from 1, of each of n rows in their order: its own where there are enough, else shared with others."""
    row = pl.int_range(pl.len())
    return (row + 1 if n <= marks else row * marks // n + 1).alias("place")


def unit_or_several() -> pl.Expr:
    """The unit of a mark, or the first and the last of those that share it."""
    several = pl.format("{} … {}", pl.col("unit").first(), pl.col("unit").last())
    return pl.when(pl.len() > 1).then(several).otherwise(pl.col("unit").first()).alias("unit")


def number() -> pl.Expr:
    """The number of units that share a mark."""
    return pl.len().cast(pl.Int64).alias("n_units")
