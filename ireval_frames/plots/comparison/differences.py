"""Unit by unit: where a system gained, where it lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import polars as pl

from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.plots import thinning, words
from ireval_frames.plots.comparison.pairs import differences_of
from ireval_frames.plots.drawing import DIGITS, Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.style import NAMED_MARKS, VERDICT, ink
from ireval_frames.plots.verdicts import gain
from ireval_frames.stats.rounding import rounding, without_huge

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.evaluation.evaluation import Evaluation

VERDICTS = ("better", "equal", "worse")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    scale = alt.Scale(domain=list(VERDICTS), range=list(VERDICT))
    x = alt.X(
        "left:Q",
        title=more["across"],
        axis=alt.Axis(labels=False, ticks=False, grid=False),
        scale=alt.Scale(nice=False, zero=False, padding=4),
    )
    y = alt.Y("difference:Q", **upwards(alt, more["up"]))
    tips = [alt.Tooltip("unit:N"), alt.Tooltip("difference:Q", format="+.4f"), alt.Tooltip("verdict:N")]
    # A bar is as wide as its place, with a gap if it can be seen.
    half = 0.5 if frame.height > NAMED_MARKS else 0.42
    sides = frame.with_columns(left=pl.col("place") - half, right=pl.col("place") + half)
    marks = alt.Chart(sides).mark_rect(aria=frame.height <= NAMED_MARKS)
    colour = alt.Color("verdict:N", scale=scale, title=None)
    bars = marks.encode(x=x, x2="right:Q", y=y, y2=alt.datum(0), tooltip=tips, color=colour)
    mean = alt.Chart(pl.DataFrame({"mean": [more["mean"]]})).mark_rule(strokeDash=[4, 3], color=ink(sheet.theme))
    line = mean.encode(y=alt.Y("mean:Q", **upwards(alt, more["up"])), tooltip=alt.Tooltip("mean:Q", format="+.4f"))
    return (bars + line).properties(width=sheet.width, height=sheet.high())


@picture(_draw)
def differences(
    result: Evaluation | Comparison,
    measure: str | None = None,
    *,
    system: str | None = None,
    baseline: str | None = None,
    bars: int = 400,
) -> Drawing:
    """The difference of two systems in every unit, sorted, with their mean as a dashed line.

    Blue bars are units in which the system is better, in the measure's direction, vermillion ones where it is worse.

    Args:
        result: a comparison, or an evaluation of several runs.
        measure: one of its measures; it may be left out where there is one.
        system: the one; it may be left out where there is one pair.
        baseline: the other, which is subtracted.
        bars: of more units this number of quantiles is drawn: bars of as many units each, as high as their mean.

    Returns:
        a chart; its frame is place, unit, difference, verdict, n_units, from the largest gain to the largest loss.

    Raises:
        UnknownName, InvalidParameter: the measure or the systems are not there, or must be named.

    Source: the per-topic bars of TREC's reports.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> columns = {"query_id": [1, 2] * 2, "run_id": [*"aabb"], "value": [0.1, 0.5, 0.4, 0.5]}
        >>> table = pl.DataFrame(columns)
        >>> frame = ir.plots.differences.frame(ir.compare(table), system="b", baseline="a")
        >>> frame.select("place", "unit", "difference", "verdict").rows()
        [(1, '1', 0.30000000000000004, 'better'), (2, '2', 0.0, 'equal')]
    """
    comparison, name, rows = differences_of(result, measure, system, baseline)
    values = comparison.values
    rows = rows.drop_nulls("difference")
    noise = rounding(rows["value_baseline"].to_numpy(), rows["value"].to_numpy())
    # A bar of several units is a mean, which is rounded too.
    width = comparison.options.tolerance or float(without_huge(noise[None])[0]) / max(1, rows.height)
    size = pl.col("difference").abs()
    rows = rows.with_columns(pl.when(size > pl.Series(noise)).then("difference").otherwise(0.0).alias("difference"))
    # What differs by its rounding stands in the order of the units.
    rows = rows.sort(-(gain(values) / size.max()).round(DIGITS), "unit").with_columns(_verdict(values, width))
    counts = ", ".join(f"{v} in {rows.filter(pl.col('verdict') == v).height:,}" for v in VERDICTS)
    n, mean = rows.height, cast("float | None", rows["difference"].mean())
    one, other = (rows["system"][0], rows["baseline"][0]) if n else ("system", "baseline")
    marks = rows.with_columns(thinning.places(n, bars)).group_by("measure", "place", maintain_order=True)
    frame = marks.agg(thinning.unit_or_several(), in_order(pl.col("difference").mean()), thinning.number())
    frame = frame.select("place", "unit", "difference", _verdict(values, width), "n_units")
    word = words.unit_word(values)
    subtitle = [f"{counts} of {words.counted(n, word)}"]
    subtitle += [f"dashed: the mean difference, {mean:+.4f}"] if mean is not None else []
    subtitle += [f"bars are means of about {words.counted(round(n / bars), word)} each"] if n > bars else []
    more = {"mean": mean, "up": f"{name}: {one} − {other}", "across": f"{words.counted(n, word)}, by difference"}
    title = f"{one} against {other} by {words.directed(name, values)}"
    return Drawing(frame, title, tuple(subtitle), more=more, fewer=("bars", 200))


def _verdict(values: PerUnitValues, width: float) -> pl.Expr:
    better = gain(values)
    verdict = pl.when(better > width).then(pl.lit(VERDICTS[0])).when(better < -width).then(pl.lit(VERDICTS[2]))
    return verdict.otherwise(pl.lit(VERDICTS[1])).alias("verdict")
