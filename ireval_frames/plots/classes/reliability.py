"""Probabilities against what happened."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.series import channels, shapes
from ireval_frames.plots.style import SERIES, ink
from ireval_frames.stats.proportions.intervals import wilson


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    names = more["names"]
    few = len(names) <= len(SERIES)
    colour = channels(alt, names)["color"]
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("probability:Q", scale=scale, title="mean probability of the bin")
    y = alt.Y("observed:Q", scale=scale, **upwards(alt, f"share of {more['outcome']}"))
    tips = [alt.Tooltip("run_id:N"), alt.Tooltip("bin:Q"), alt.Tooltip("n:Q")]
    tips += [alt.Tooltip(f"{c}:Q", format=".4f") for c in ("probability", "observed", "low", "high")]
    ends = alt.Chart(pl.DataFrame({"probability": [0.0, 1.0], "observed": [0.0, 1.0]}))
    line = ends.mark_line(color=ink(sheet.theme), strokeDash=[4, 3], strokeWidth=1).encode(x=x, y=y)
    base = alt.Chart(frame).encode(x=x, color=colour)
    bars = base.mark_rule().encode(
        y=alt.Y("low:Q", scale=scale, **upwards(alt, f"share of {more['outcome']}")), y2="high:Q"
    )
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(y=y, tooltip=tips)
    if few and len(names) > 1:
        dots = dots.encode(shape=alt.Shape("run_id:N", scale=shapes(alt, names), title="run"))
    side = sheet.height or 320
    above = (line + bars + dots).properties(width=side, height=side)
    counts = base.mark_bar(opacity=0.6, size=max(3, min(12, side // (2 * more["bins"]))))
    below = counts.encode(y=alt.Y("n:Q", stack=None, **upwards(alt, more["counts"])), tooltip=tips)
    return alt.vconcat(above, below.properties(width=side, height=60))


@picture(_draw)
def reliability(
    labels: Any, *, bins: int | None = None, binning: str | None = None, confidence: float = 0.95, **options: Any
) -> Drawing:
    """Reliability: in every bin of probabilities the share of positive items, with Wilson's interval; and how many.

    On the diagonal what is said to have probability p happens in a share p of the cases.  The mean distance from it,
    by how many items the bins hold, is `ECE`, which stands above the picture.  Weights are taken for numbers of items.
    Of probabilities of several classes, that of the most likely class is drawn, and the share of items that have it.

    Args:
        labels: `Labels` with probabilities, or an evaluation of such.
        bins: how many; by default as the first measure of calibration of the evaluation has, else 15 as `ECE` has.
        binning: bins of equal "mass" (as many items each), or of equal "width"; by default as that measure has, else
            "width".
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
        [(0, 3.0, 0.3333333333333333), (1, 5.0, 0.6)]
    """
    asked_bins = {"bins": bins, "binning": binning}
    binned = _measured(labels) | {name: value for name, value in asked_bins.items() if value is not None} | options
    table = inputs.result_of(labels, "curve", "calibration", table_name="calibration curve", **binned)
    rows = inputs.series(table.collect(), ("bin", "n", "probability", "observed")).filter(pl.col("n") > 0)
    n = rows["n"].to_numpy()
    low, high = wilson(rows["observed"].to_numpy() * n, n, confidence)
    frame = rows.with_columns(low=low, high=high).sort("run_id", "bin")
    frame = frame.select("run_id", "bin", "n", "probability", "observed", "low", "high")
    counts = frame.group_by("run_id", maintain_order=True).agg(pl.col("n").sum())["n"]
    line = (
        f"{words.counted_items(counts, weighted=table.weighted())}; {table.details['bins']} bins of equal "
        f"{table.details['binning']}; bar: {confidence * 100:g}% interval of Wilson"
    )
    names = frame["run_id"].unique().sort().to_list()
    more = {
        "names": names,
        "bins": table.details["bins"],
        "counts": "weight" if table.weighted() else "items",
        "outcome": table.details.get("outcome", "positive items"),
    }
    subtitle = (line, *([_errors(frame)] if len(names) <= len(SERIES) else []))
    return Drawing(frame, "Do probabilities hold?", subtitle, more=more, fewer=("bins", 50))


def _measured(labels: Any) -> dict[str, Any]:
    """The bins of the first measure of calibration that an evaluation has."""
    for measure in getattr(labels, "measures", ()):
        values = measure.arguments()
        if {"bins", "kind", "closed"} <= values.keys():
            return {"bins": values["bins"], "binning": values["kind"], "closed": values["closed"]}
    return {}


def _errors(frame: pl.DataFrame) -> str:
    """The expected calibration error of what is drawn, for each of a few."""
    apart = ((pl.col("probability") - pl.col("observed")).abs() * pl.col("n")).sum() / pl.col("n").sum()
    errors = frame.group_by("run_id").agg(apart.alias("ECE")).sort("run_id").rows()
    return "ECE " + ", ".join(f"{value:.4f}" if len(errors) == 1 else f"{run}: {value:.4f}" for run, value in errors)
