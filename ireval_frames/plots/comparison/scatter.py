"""One system against another, unit by unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.plots import words
from ireval_frames.plots.comparison.pairs import differences_of
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.style import NAMED_MARKS, SEQUENTIAL, SERIES, ink
from ireval_frames.plots.verdicts import ends

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.evaluation.evaluation import Evaluation

SIDE = 320


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    scale = alt.Scale(domain=more["domain"], nice=False)
    across, up = more["across"], upwards(alt, more["up"])
    ends = pl.DataFrame({"a": more["domain"], "b": more["domain"]})
    x, y = alt.X("a:Q", scale=scale, title=across), alt.Y("b:Q", scale=scale, **up)
    line = alt.Chart(ends).mark_line(color=ink(sheet.theme), strokeDash=[4, 3], strokeWidth=1).encode(x=x, y=y)
    if more["binned"]:
        colour = alt.Color("n_units:Q", scale=alt.Scale(type="log", scheme=SEQUENTIAL), title="units (log scale)")
        cells = alt.Chart(frame).mark_rect(aria=False).encode(
            x=alt.X("a1:Q", scale=scale, title=across), x2="a2:Q", y=alt.Y("b1:Q", scale=scale, **up), y2="b2:Q",
            color=colour, tooltip=["n_units:Q"],
        )  # fmt: skip
        chart = cells + line
    else:
        tips = [alt.Tooltip("unit:N")] + [alt.Tooltip(f"{c}:Q", format=".4f") for c in ("a", "b")]
        marks = alt.Chart(frame).mark_point(filled=True, size=35, color=SERIES[0], aria=frame.height <= NAMED_MARKS)
        chart = line + marks.encode(x=x, y=y, tooltip=tips, opacity=alt.value(0.55))
    side = sheet.height or SIDE
    return chart.properties(width=side, height=side)


@picture(_draw)
def scatter(
    result: Evaluation | Comparison,
    measure: str | None = None,
    *,
    system: str | None = None,
    baseline: str | None = None,
    points: int = 1_500,
    bins: int = 40,
) -> Drawing:
    """The values of two systems in every unit: above the diagonal the system has more than the baseline.

    Args:
        result: a comparison, or an evaluation of several runs.
        measure: one of its measures; it may be left out where there is one.
        system: upwards; it may be left out where there is one pair.
        baseline: across.
        points: of more units the numbers in bins × bins squares are drawn.
        bins: their number.

    Returns:
        a chart; its frame is unit, a (baseline), b (system), or a1, a2, b1, b2, n_units of squares, which hold what is
        at least their lower bound and below the upper one; the last holds its upper bound too.

    Raises:
        UnknownName, InvalidParameter: the measure or the systems are not there, or must be named.

    Source: Voorhees and Harman's per-topic scatter plots.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> columns = {"query_id": [1, 2] * 2, "run_id": [*"aabb"], "value": [0.1, 0.5, 0.4, 0.5]}
        >>> table = pl.DataFrame(columns)
        >>> ir.plots.scatter.frame(ir.compare(table), system="b", baseline="a").rows()
        [('1', 0.1, 0.4), ('2', 0.5, 0.5)]
    """
    comparison, name, rows = differences_of(result, measure, system, baseline)
    rows = rows.drop_nulls("difference")
    one, other = (rows["system"][0], rows["baseline"][0]) if rows.height else ("system", "baseline")
    frame = rows.select("unit", a="value_baseline", b="value")
    low, high = ends(frame["a"], frame["b"])
    low, high = (0.0, 1.0) if low >= 0.0 and high <= 1.0 else (low, high if high > low else low + 1.0)
    n, binned = frame.height, frame.height > points
    if binned:
        side = (high - low) / bins
        place = {c: ((pl.col(c) - low) / side).floor().clip(0, bins - 1) for c in ("a", "b")}
        cells = (
            frame.group_by(place["a"].alias("i"), place["b"].alias("j"))
            .agg(n_units=pl.len().cast(pl.Int64))
            .sort("i", "j")
        )
        frame = cells.select(
            a1=low + pl.col("i") * side, a2=low + (pl.col("i") + 1) * side, b1=low + pl.col("j") * side,
            b2=low + (pl.col("j") + 1) * side, n_units="n_units",
        )  # fmt: skip
    above, below = rows.filter(pl.col("difference") > 0).height, rows.filter(pl.col("difference") < 0).height
    subtitle = f"{words.counted(n, words.unit_word(comparison.values))}: {above:,} above the diagonal, {below:,} below"
    more = {"domain": [low, high], "across": f"{name} of {other}", "up": f"{name} of {one}", "binned": binned}
    title = f"{one} against {other} by {words.directed(name, comparison.values)}"
    return Drawing(frame, title, (subtitle,), more=more, fewer=("bins", 40))
