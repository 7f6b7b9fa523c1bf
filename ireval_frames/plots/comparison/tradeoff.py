"""Systems by quality and cost, and the front of those that no other one beats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.parameters import choice
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture
from ireval_frames.plots.series import shapes
from ireval_frames.plots.style import CONTEXT, ink

if TYPE_CHECKING:
    from ireval_frames.tradeoffs.result import Tradeoff

ON, OFF = "on the front", "beaten"
SCALE = choice("log", "linear", what="how costs are drawn")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    x = alt.X("cost:Q", title=more["cost"], scale=alt.Scale(type=more["scale"], zero=False, nice=False, padding=30))
    y = alt.Y("quality:Q", title=more["quality"], scale=alt.Scale(zero=False))
    base = alt.Chart(frame).encode(x=x, y=y)
    marks = [ON, OFF]
    colour = alt.Color("place:N", scale=alt.Scale(domain=marks, range=[ink(sheet.theme), CONTEXT]), title=None)
    shape = alt.Shape("place:N", scale=shapes(alt, marks), title=None)
    tips = [alt.Tooltip(f"{name}:N") for name in ("system", "place")]
    tips += [alt.Tooltip(f"{name}:Q", format=".4g") for name in ("quality", "cost", "share_on_front")]
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(color=colour, shape=shape, tooltip=tips)
    names = base.mark_text(align="left", dx=7, dy=-6, color=ink(sheet.theme)).encode(text="label:N")
    front = alt.Chart(frame.filter(pl.col("place") == ON)).encode(x=x, y=y)
    steps = front.mark_line(interpolate="step-after", strokeWidth=1, color=ink(sheet.theme)).encode(order="cost:Q")
    layers = [steps, dots, names]
    if frame["quality_low"].null_count() < frame.height:
        across = base.mark_rule(color=CONTEXT).encode(x=alt.X("cost_low:Q", title=more["cost"]), x2="cost_high:Q")
        up = base.mark_rule(color=CONTEXT).encode(y=alt.Y("quality_low:Q", title=more["quality"]), y2="quality_high:Q")
        layers = [across, up, *layers]
    return alt.layer(*layers).properties(width=sheet.width, height=sheet.high(320))


@picture(_draw)
def tradeoff(result: Tradeoff, *, scale: str = "log", confidence: float = 0.95) -> Drawing:
    """Systems by their quality and their cost, with intervals; a line joins those that no other one beats.

    Args:
        result: what `ir.tradeoff` gives.
        scale: costs by their logarithms ("log"), or as they are ("linear").
        confidence: of the intervals.

    Systems without a finite cost are not drawn, and the subtitle counts them.

    Returns:
        a chart; its frame is system, quality, quality_low, quality_high, cost, cost_low, cost_high, place,
        share_on_front, label.

    Raises:
        InvalidParameter: a cost of 0 or less has no logarithm.

    Source: Pareto fronts, as ann-benchmarks draws recall and queries per second.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> systems = pl.DataFrame({"run_id": ["a", "b"], "quality": [0.3, 0.2], "cost": [10, 20]})
        >>> ir.plots.tradeoff.frame(ir.tradeoff(systems)).select("system", "place").rows()
        [('a', 'on the front'), ('b', 'beaten')]
    """
    SCALE.check("scale", scale)
    table = result.table(confidence=confidence)
    shown = table.filter(pl.col("cost").is_finite() & pl.col("quality").is_finite())
    if shown.is_empty():
        infinite = table.filter(pl.col("cost").is_infinite()).height
        what = f"; the cost of {infinite:,} is infinite" if infinite else ""
        recorded = Argument("policy", "failures=recorded", "ir.Timings(…, {})")
        raise NotDefined(
            f"No system has a finite quality and cost{what}.",
            Hint("Requests that failed are infinitely long; to count their own seconds: ", recorded, ".")
            if infinite
            else "Look at the table: trade.table()",
        )
    if scale == "log" and (shown["cost"] <= 0).any():
        raise InvalidParameter(
            "A cost is 0 or less, which has no logarithm.", Hint("Write ", Argument("scale", "linear"), ".")
        )
    place = pl.when("on_front").then(pl.lit(ON)).otherwise(pl.lit(OFF))
    name = pl.col("run_id").cast(pl.String)
    share = pl.format("{} ({}%)", name, (pl.col("share_on_front") * 100).round(0).cast(pl.Int64))
    label = pl.when(pl.col("share_on_front").is_null()).then(name).otherwise(share)
    ends = [c for c in shown.columns if c.startswith(("quality", "cost"))]
    # An infinite end of an interval leads out of the picture: there is none to draw.
    frame = shown.select(
        name.alias("system"),
        *(pl.when(pl.col(c).is_finite()).then(c).alias(c) for c in ends),
        place.alias("place"),
        "share_on_front",
        label.alias("label"),
    )
    subtitle = ["the line joins systems that no other one beats in both"]
    if result.paired is not None:
        subtitle.append(
            f"in brackets: the share of replicates with the system on it; bars: {confidence * 100:g}% intervals"
        )
    if table.height > shown.height:
        subtitle.append(f"not drawn: {table.height - shown.height} without a finite quality and cost")
    title = f"{result.quality_name} and {result.cost_name}"
    more = {"quality": result.quality_name, "cost": result.cost_name, "scale": scale}
    alternative = f"{frame.filter(pl.col('place') == ON).height} of {frame.height} systems are on the front."
    return Drawing(frame, title, tuple(subtitle), alternative, more=more)
