"""Curves of millions of points as the few that a screen can show."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

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
    low, high = pl.col(x).min(), pl.col(x).max()
    place = ((pl.col(x) - low) / (high - low) * (pixels - 1)).fill_nan(0).fill_null(0).floor().cast(pl.Int64)
    rows = frame.with_row_index("_row").with_columns(
        place.over(list(of)).alias("_pixel") if of else place.alias("_pixel")
    )
    # A curve that comes back to a column of pixels is there twice.
    pixel = pl.col("_pixel").rle_id()
    rows = rows.with_columns(pixel.over(list(of)).alias("_run") if of else pixel.alias("_run"))
    keys = [*of, "_run"]
    kept = rows.group_by(keys, maintain_order=True).agg(
        pl.col("_row").first().alias("first"),
        pl.col("_row").last().alias("last"),
        pl.col("_row").get(pl.col(y).arg_min()).alias("low"),
        pl.col("_row").get(pl.col(y).arg_max()).alias("high"),
    )
    chosen = kept.select(pl.concat_list("first", "last", "low", "high").explode().unique().sort()).to_series()
    return rows.filter(pl.col("_row").is_in(chosen.drop_nulls().implode())).select(frame.columns)
