"""Probabilities against what happened."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.plots import asked, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.series import channels, shapes
from ireval_frames.plots.style import SERIES, ink
from ireval_frames.results import Result
from ireval_frames.stats.proportions import wilson


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    names = more["names"]
    few = len(names) <= len(SERIES)
    colour = channels(alt, names)["color"]
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("probability:Q", scale=scale, title="mean probability of the bin")
    y = alt.Y("observed:Q", scale=scale, **upwards(alt, "share of positive items"))
    told = [alt.Tooltip("run_id:N"), alt.Tooltip("bin:Q"), alt.Tooltip("n:Q")]
    told += [alt.Tooltip(f"{c}:Q", format=".4f") for c in ("probability", "observed", "low", "high")]
    ends = alt.Chart(pl.DataFrame({"probability": [0.0, 1.0], "observed": [0.0, 1.0]}))
    line = ends.mark_line(color=ink(sheet.theme), strokeDash=[4, 3], strokeWidth=1).encode(x=x, y=y)
    base = alt.Chart(frame).encode(x=x, color=colour)
    bars = base.mark_rule().encode(
        y=alt.Y("low:Q", scale=scale, **upwards(alt, "share of positive items")), y2="high:Q"
    )
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(y=y, tooltip=told)
    if few and len(names) > 1:
        dots = dots.encode(shape=alt.Shape("run_id:N", scale=shapes(alt, names), title="run"))
    side = sheet.height or 320
    above = (line + bars + dots).properties(width=side, height=side)
    counts = base.mark_bar(opacity=0.6, size=max(3, min(12, side // (2 * more["bins"]))))
    below = counts.encode(y=alt.Y("n:Q", stack=None, **upwards(alt, "items")), tooltip=told)
    return alt.vconcat(above, below.properties(width=side, height=60))


@picture(_draw)
def reliability(
    labels: Any, *, bins: int = 10, binning: str = "mass", confidence: float = 0.95, **options: Any
) -> Drawing:
    """Reliability: in every bin of probabilities the share of positive items, with Wilson's interval; and how many.

    On the diagonal what is said to have probability p happens in a share p of the cases.

    Args:
        labels: `Labels` with probabilities, or an evaluation of such.
        bins: how many.
        binning: bins of equal "mass" (as many items each), or of equal "width".
        confidence: of the intervals.
        options: those of `Labels.curve`: closed, by, policy, per_unit.

    Returns:
        a chart; its frame is run_id, bin, n, probability, observed, low, high.  Bins without items are not there.

    Raises:
        InvalidParameter, UnknownName: as `Labels.curve`.

    Source: Murphy & Winkler, Applied Statistics 1977; intervals of Wilson, JASA 1927.

    Example:
        >>> import ireval_frames as ir
        >>> frame = ir.plots.reliability.frame(ir.Labels(ir.examples.scores()), bins=2)
        >>> frame.select("bin", "n", "observed").rows()
        [(0, 4.0, 0.25), (1, 4.0, 0.75)]
    """
    binned = {} if isinstance(labels, Result) else {"bins": bins, "binning": binning}
    rows = asked.table_of(labels, "curve", "calibration", says="calibration curve", **binned, **options)
    rows = asked.series(rows, ("bin", "n", "probability", "observed")).filter(pl.col("n") > 0)
    n = rows["n"].to_numpy()
    low, high = wilson(rows["observed"].to_numpy() * n, n, confidence)
    frame = rows.with_columns(low=low, high=high).sort("run_id", "bin")
    frame = frame.select("run_id", "bin", "n", "probability", "observed", "low", "high")
    told = (
        words.range_told(frame.group_by("run_id").agg(pl.col("n").sum())["n"], "item")
        + ("" if isinstance(labels, Result) else f" in bins of equal {binning}")
        + f"; bar: {confidence:.0%} interval of Wilson"
    )
    more = {"names": frame["run_id"].unique().sort().to_list(), "bins": bins}
    return Drawing(frame, "Do probabilities hold?", (told,), more=more, fewer=("bins", 50))
