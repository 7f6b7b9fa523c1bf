"""Every system against every other one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import choice
from ireval_frames.plots import inputs, words
from ireval_frames.plots.comparison.pairs import compared
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture
from ireval_frames.plots.style import DIVERGING
from ireval_frames.plots.verdicts import NEITHER, ends, gain, significant, turn

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.evaluation.evaluation import Evaluation

# Up to this number of systems the numbers are written into the cells.
WRITTEN = 15
# Five points on a circle, and five between them nearer to its middle.
STAR = "M0,-1L.24,-.32L.95,-.31L.38,.12L.59,.81L0,.4L-.59,.81L-.38,.12L-.95,-.31L-.24,-.32Z"
KINDS = ("difference", "p_adjusted")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    order, largest = more["order"], more["largest"]
    if more["of"] == "difference":
        scale = alt.Scale(scheme=DIVERGING, domain=[-largest, largest], domainMid=0, reverse=True)
        title, written = "row − column", "+.3f"
    else:
        scale, title, written = alt.Scale(scheme="viridis", domain=[0, 1], reverse=True), "adjusted p", ".3f"
    x = alt.X("other_run_id:N", sort=order, title=None, axis=alt.Axis(orient="top", labelAngle=-45))
    y = alt.Y("run_id:N", sort=order, title=None)
    tips = [alt.Tooltip("run_id:N"), alt.Tooltip("other_run_id:N"), alt.Tooltip("difference:Q", format="+.4f")]
    tips += [alt.Tooltip("p_adjusted:Q", format=".4f"), alt.Tooltip("verdict:N")]
    value = f"{more['of']}:Q"
    base = alt.Chart(frame).encode(x=x, y=y)
    cells = base.mark_rect().encode(color=alt.Color(value, scale=scale, title=title), tooltip=tips)
    side = max(sheet.width // 2, (54 if len(order) <= WRITTEN else 14) * len(order))
    layers = [cells]
    # On dark cells text is light.
    dark = (
        f"abs(datum.difference) > {0.55 * largest}"
        if more["of"] == "difference"
        else "datum.p_adjusted < 2 && datum.p_adjusted > 0.45"
    )
    ground = alt.condition(dark, alt.value("white"), alt.value("#1a1a1a"))
    if len(order) <= WRITTEN:
        layers.append(base.mark_text(fontSize=11).encode(text=alt.Text(value, format=written), color=ground))
    below = 12 if len(order) <= WRITTEN else 1
    # A shape is drawn three times as fast as a sign of text, which has to be measured.
    starred = base.mark_point(shape=STAR, filled=True, size=64, opacity=1, yOffset=below).encode(color=ground)
    layers.append(starred.transform_filter(f"datum.verdict != '{NEITHER}'"))
    high = max(60, side * 0.6, 13 * len(order))
    return alt.layer(*layers).properties(width=side, height=sheet.high(high))


@picture(_draw)
def matrix(
    result: Evaluation | Comparison,
    measure: str | None = None,
    *,
    of: str = "difference",
    group: str | None = None,
    top: int = 60,
) -> Drawing:
    """Every system against every other one: differences of means, or corrected p-values; a star where significant.

    Args:
        result: a comparison of every pair, or an evaluation of several runs.
        measure: one of its measures; it may be left out where there is one.
        of: "difference" (row − column), or "p_adjusted".
        group: of a comparison by groups which one: "lang = en".
        top: the number of systems drawn, the best.

    Returns:
        a chart; its frame is run_id, other_run_id, difference, p_adjusted, verdict: of each pair both directions.

    Raises:
        InvalidParameter: `of` is something else, several tests were asked for, or the group must be named.
        UnknownName: the measure was not compared.

    Source: the pairwise tables of TREC's overviews.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> columns = {"query_id": [1, 2, 3] * 2, "run_id": [*"aaabbb"], "value": [1, 2, 4, 2, 3, 6]}
        >>> table = pl.DataFrame(columns)
        >>> frame = ir.plots.matrix.frame(ir.compare(table))
        >>> frame.select("run_id", "other_run_id", frame["difference"].round(4)).rows()
        [('b', 'a', 1.3333), ('a', 'b', -1.3333)]
    """
    choice(*KINDS).check("of", of)
    comparison = compared(result)
    values = comparison.values
    name = inputs.one_measure(values, measure)
    rows = inputs.grouped(comparison.table().filter(pl.col("measure") == name), values.by, values.by)
    groups = rows["group"].unique(maintain_order=True).to_list()
    if (group is None and len(groups) > 1) or (group is not None and group not in groups):
        hint = Hint("Name one: ", Argument("group", groups[0]), ".")
        raise InvalidParameter(f"group={group!r} is none of {', '.join(map(repr, groups[:5]))}.", hint)
    rows = rows.filter(pl.col("group") == (group or groups[0]))
    if rows["test"].n_unique() > 1:
        hint = Hint("Compare by one: ", Argument("test", rows["test"][0]), ".")
        raise InvalidParameter("The comparison is by several tests.", hint)
    rows = rows.with_columns(inputs.text("system"), inputs.text("baseline"))
    columns = ("measure", "p_adjusted", "significant")
    forward = rows.select(*columns, run_id="system", other_run_id="baseline", difference="difference", mean="mean")
    back = rows.select(
        *columns, run_id="baseline", other_run_id="system", difference=-pl.col("difference"), mean="mean_baseline"
    )
    both = pl.concat([forward, back])
    best = both.group_by("measure", "run_id").agg(in_order(pl.col("mean").mean())).sort(-gain(values, "mean"), "run_id")
    order = best["run_id"].head(top).to_list()
    both = both.filter(pl.col("run_id").is_in(order) & pl.col("other_run_id").is_in(order))
    both = both.sort(turn("run_id", order), turn("other_run_id", order))
    frame = both.select("run_id", "other_run_id", "difference", "p_adjusted", significant(values))
    starred = f"starred: significant by {rows['test'][0]}, corrected by {rows['correction'][0]}"
    subtitle = [f"over {words.counted_units(rows['n'], values)}; {starred}"]
    subtitle += [f"the best {top} systems of {best.height}"] if best.height > top else []
    more = {"order": order, "of": of, "largest": ends(frame["difference"].abs())[1] or 1.0}
    title = f"Every two systems by {words.directed(name, values)}"
    return Drawing(frame, title, tuple(subtitle), more=more, fewer=("top", 40))
