"""How much of what was used, and of what is recommended, falls on the most popular items."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import NotDefined
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.series import channels, front_last, highlight_text
from ireval_frames.plots.style import NEITHER
from ireval_frames.plots.thinning import thinned

BEFORE = "what users used before"
NUMBERS = ("place", "used", "recommended")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    names, highlight = drawing.more["names"], drawing.more["highlight"]
    kinds = channels(alt, names, highlight)
    x = alt.X("items:Q", title="share of the items, the most popular first", scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("share:Q", scale=alt.Scale(domain=[0, 1]), **upwards(alt, "share of the uses, or recommendations"))
    tips = [alt.Tooltip("run_id:N"), alt.Tooltip("items:Q", format=".3f"), alt.Tooltip("share:Q", format=".4f")]
    before = alt.Chart(drawing.frame.filter(run_id=BEFORE)).mark_area(
        color=NEITHER, opacity=0.25, line={"color": NEITHER}
    )
    before = before.encode(x=x, y=y, tooltip=tips)
    rows = front_last(drawing.frame.filter(pl.col("run_id") != BEFORE), names, highlight)
    lines = alt.Chart(rows).mark_line(strokeWidth=2).encode(x=x, y=y, detail="run_id:N", tooltip=tips, **kinds)
    return (before + lines).properties(width=sheet.width, height=sheet.high(280))


@picture(_draw)
def popularity(result: Any, *, highlight: tuple[str, ...] = (), **options: Any) -> Drawing:
    """The share of recommendations that falls on the most popular items, beside that of what users used before.

    Items of the catalogue are in the order of their uses in train, the most popular first.  A line above the area
    recommends popular items more often than they were used; the diagonal all items alike.

    Args:
        result: `Recommendations`, an evaluation of them, or their `popularity` as a result.
        highlight: runs in colour, where there are more than four.
        options: those of `Recommendations.popularity`: cutoff, by, policy.

    Returns:
        a chart; its frame is run_id, items and share: both add up over items down to here.  Where there are more items
        than columns of pixels, those that can be seen.

    Raises:
        InvalidParameter: the result has no popularity.
        NotDefined: nothing was used, or recommended.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> rows = ir.plots.popularity.frame(recs, cutoff=3)
        >>> rows.select("run_id", "items", rows["share"].round(4)).rows()[1:3]
        [('what users used before', 0.16666666666666666, 0.5), ('what users used before', 0.3333333333333333, 0.75)]
    """
    table = inputs.table_of(result, "popularity", table_name="popularity", **options)
    item = next(c for c in table.columns[::-1] if c not in NUMBERS)
    rows = inputs.series(table.drop(item), NUMBERS).sort("run_id", "place")
    names = rows["run_id"].unique().sort().to_list()
    before = rows.filter(run_id=names[0]) if names else rows
    if not (before["used"].sum() > 0 and rows["recommended"].sum() > 0):
        raise NotDefined("No item was used before, or none is recommended.", "Pass lists, and what users used.")
    parts = [_curve(before.with_columns(run_id=pl.lit(BEFORE)), "used"), _curve(rows, "recommended")]
    frame = thinned(pl.concat(parts), "items", "share", ["run_id"])
    n = words.counted(before.height, "item")
    subtitle = (f"{n} of the catalogue by their uses; area: {BEFORE}", *highlight_text(names, highlight))
    return Drawing(frame, "What is recommended, by popularity", subtitle, more={"names": names, "highlight": highlight})


def _curve(rows: pl.DataFrame, amount: str) -> pl.DataFrame:
    """The shares of items and of an amount down to each place, from none on."""
    shares = rows.select(
        "run_id",
        items=(pl.col("place") / pl.len()).over("run_id"),
        share=(pl.col(amount).cum_sum() / pl.col(amount).sum()).over("run_id"),
    )
    first = rows.select(pl.col("run_id").unique(maintain_order=True)).with_columns(items=pl.lit(0.0), share=pl.lit(0.0))
    return (
        pl.concat([first, shares])
        .sort("run_id", "items", maintain_order=True)
        .with_columns(pl.col("share").fill_nan(0.0))
    )
