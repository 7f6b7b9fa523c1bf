"""How values spread over units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing, rounded
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.series import channels, front_last, highlight_text
from ireval_frames.plots.thinning import thinned

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.evaluation.evaluation import Evaluation

# Steps of each system's line.
PIXELS = 200


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    kinds = channels(alt, drawing.more["names"], drawing.more["highlight"])
    frame = front_last(drawing.frame, drawing.more["names"], drawing.more["highlight"])
    x = alt.X("value:Q", title=drawing.more["measure"], scale=alt.Scale(nice=False))
    y = alt.Y("share:Q", **upwards(alt, "share of units with at most this value", format="%"))
    tips = [alt.Tooltip("run_id:N"), alt.Tooltip("value:Q", format=".4f"), alt.Tooltip("share:Q", format=".1%")]
    chart = alt.Chart(frame).mark_line(interpolate="step-after", strokeWidth=2)
    return chart.encode(x=x, y=y, detail="run_id:N", tooltip=tips, **kinds).properties(
        width=sheet.width, height=sheet.high()
    )


@picture(_draw)
def distribution(
    result: Evaluation | Comparison, measure: str | None = None, *, highlight: tuple[str, ...] = ()
) -> Drawing:
    """How the values of a measure spread over units: the share of units that have at most each value, as steps.

    share(v) = |{u : value(u) ≤ v}| / |{u}|, over the units that have a value.

    Args:
        result: an evaluation, or a comparison.
        measure: one of its measures; it may be left out where there is one.
        highlight: systems in colour, where there are more than four.

    Returns:
        a chart; its frame is run_id, value, share: the steps of each line, thinned to what a screen shows.

    Raises:
        UnknownName, InvalidParameter: the measure was not evaluated, or several were.

    Source: the empirical distribution function.

    Example:
        >>> import ireval_frames as ir
        >>> ir.plots.distribution.frame(ir.evaluate(*ir.examples.ranking(), "RR")).rows()
        [('run', 1.0, 0.0), ('run', 1.0, 1.0)]
    """
    values = inputs.values_of(result)
    name = inputs.one_measure(values, measure)
    rows = values.all_rows.filter(pl.col("measure") == name).select(inputs.system_text(values), "value")
    undefined = rows["value"].null_count()
    # Values that differ by their rounding are one step.
    equal = rows.drop_nulls("value").group_by("run_id", _step=rounded("value"), maintain_order=True)
    counts = equal.agg(pl.col("value").max(), pl.len()).drop("_step").sort("run_id", "value")
    total = pl.col("len").sum().over("run_id")
    steps = counts.with_columns(share=pl.col("len").cum_sum().over("run_id") / total).drop("len")
    # Each line begins at 0.
    first = steps.group_by("run_id", maintain_order=True).first().with_columns(share=pl.lit(0.0))
    frame = pl.concat([first, steps]).sort("run_id", "value", "share")
    runs = frame["run_id"].unique().sort().to_list()
    frame = thinned(frame, "value", "share", ["run_id"], max(10, min(PIXELS, 4_800 // 4 // max(1, len(runs)))))
    n = rows.drop_nulls("value").group_by("run_id", maintain_order=True).len()["len"]
    subtitle = [
        words.counted_units(n, values),
        *([f"{undefined:,} undefined values are left out"] if undefined else []),
    ]
    subtitle += [*highlight_text(runs, highlight)]
    more = {"names": runs, "highlight": highlight, "measure": words.directed(name, values)}
    return Drawing(frame, f"{name}: how it spreads over units", tuple(subtitle), more=more)
