"""Tables of counts as coloured cells."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair
from ireval_frames.plots.style import SEQUENTIAL

# Up to so many rows and columns numbers are written into the cells.
WRITTEN = 15


def draw_cells(drawing: Drawing, sheet: Sheet) -> Any:
    """A row per value of `label`, a column per value of another column, coloured by `share`."""
    alt = altair()
    frame, more = drawing.frame, drawing.more
    across, rows, columns = more["column"], more["rows"], more["columns"]
    x = alt.X(
        f"{across}:N",
        sort=columns,
        title=more["across"],
        axis=alt.Axis(orient="top", labelAngle=-45 if len(columns) > 4 else 0),
    )
    y = alt.Y("label:N", sort=rows, title=more["down"])
    tips = [
        alt.Tooltip("label:N"),
        alt.Tooltip(f"{across}:N"),
        alt.Tooltip("count:Q"),
        alt.Tooltip("share:Q", format=".1%"),
    ]
    # From the light end: what is rare stays pale, and text on it is dark.
    scale = alt.Scale(scheme=SEQUENTIAL, domain=[0, 1], reverse=True)
    base = alt.Chart(frame).encode(x=x, y=y)
    layers = [
        base.mark_rect().encode(
            color=alt.Color("share:Q", scale=scale, title=more["share"], legend=alt.Legend(format="%")), tooltip=tips
        )
    ]
    small = max(len(rows), len(columns)) <= WRITTEN
    if small:
        ground = alt.condition("datum.share > 0.45", alt.value("white"), alt.value("#1a1a1a"))
        layers.append(base.mark_text(fontSize=11).encode(text="text:N", color=ground))
    if more.get("diagonal"):
        edge = base.mark_rect(fillOpacity=0, stroke="#D55E00", strokeWidth=2)
        layers.append(edge.transform_filter(f"datum.label == datum.{across}"))
    step = 84 if small else 16
    return alt.layer(*layers).properties(
        width=max(sheet.width // 2, step * len(columns)), height=sheet.high(max(60, (34 if small else 16) * len(rows)))
    )


def written() -> pl.Expr:
    """A share and its count: "77% (467)"."""
    percent = (pl.col("share") * 100).round(0).cast(pl.Int64)
    whole = pl.col("count") == pl.col("count").round(0)
    count = (
        pl.when(whole)
        .then(pl.col("count").cast(pl.Int64).cast(pl.String))
        .otherwise(pl.col("count").round(2).cast(pl.String))
    )
    return pl.format("{}% ({})", percent, count).alias("text")
