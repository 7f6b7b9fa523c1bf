"""Systems beside each other: a dot for the mean, a bar for its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.drawable import Estimating, estimates_of
from ireval_frames.plots import inputs, words
from ireval_frames.plots.comparison.estimated import systems_of
from ireval_frames.plots.comparison.intervals import bar_text, means
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture
from ireval_frames.plots.style import SERIES, ink
from ireval_frames.plots.verdicts import directions, gain, turn

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.evaluation.evaluation import Evaluation


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    # Groups of one system are beside each other, as systems are.
    one_system = drawing.more.get("one_system")
    row, by = ("group", ["measure"]) if one_system else ("run_id", ["measure", "group"])
    several = drawing.frame.select(by).n_unique() > 1
    width = sheet.width // 2 if several else sheet.width

    def of_one(rows: pl.DataFrame) -> Any:
        order = rows[row].to_list()
        base = alt.Chart(rows).encode(y=alt.Y(f"{row}:N", sort=order, title=None))
        tips = [alt.Tooltip(f"{c}:N") for c in (row, "measure")]
        tips += [alt.Tooltip(f"{c}:Q", format=".4f") for c in ("value", "low", "high")] + [alt.Tooltip("n_units:Q")]
        name = rows["measure"][0] + drawing.more["directions"][rows["measure"][0]]
        x = alt.X("value:Q", title=name, scale=alt.Scale(zero=False))
        bars = base.mark_rule(color=ink(sheet.theme), strokeWidth=1.5).encode(x=alt.X("low:Q", title=name), x2="high:Q")
        dots = base.mark_point(filled=True, size=60, color=SERIES[0], opacity=1).encode(x=x, tooltip=tips)
        return (bars + dots).properties(width=width, height=sheet.high(max(40, 20 * rows.height)))

    return panels(alt, drawing.frame, by, of_one)


@picture(_draw)
def systems(
    result: Evaluation | Comparison | Estimating,
    measures: Any = None,
    *,
    confidence: float | None = None,
    top: int = 40,
) -> Drawing:
    """Systems beside each other: the mean over units as a dot, its t interval as a bar, the best first.

    Args:
        result: an evaluation, or a comparison; or new rankings valued by old clicks (`ir.clicks.counterfactual`,
            `ir.clicks.off_policy`), which have intervals of their own.
        measures: some of its measures; all by default.
        confidence: of t intervals, by default 0.95.
        top: the number of systems drawn of each measure, the best.

    Returns:
        a chart; its frame is run_id, group, measure, value, low, high, n_units.  A system of one unit has no bar.
        Groups of `by=` are panels; those of a single system are beside each other.

    Raises:
        UnknownName: a measure was not evaluated.
        InvalidParameter: `confidence` of values that have their intervals.

    Source: intervals of Student's t over units.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> frame = ir.plots.systems.frame(ir.evaluate(qrels, run, "P@1 RR"))
        >>> frame.select("measure", "value", "n_units").rows()
        [('P@1', 1.0, 1), ('RR', 1.0, 1)]
    """
    if isinstance(result, Estimating):
        return systems_of(estimates_of(result), measures, confidence, top)
    confidence = 0.95 if confidence is None else confidence
    values = inputs.values_of(result)
    names = inputs.chosen_measures(values, measures)
    every = means(values, names, confidence)
    place = gain(values, "value").rank("ordinal", descending=True).over("measure", "group")
    ordered = every.sort("run_id").with_columns(_place=place).sort(turn("measure", names), "group", "_place")
    frame = ordered.filter(pl.col("_place") <= top).drop("_place")
    left = every["run_id"].n_unique() - frame["run_id"].n_unique()
    several = (every["n_units"] > 1).any()
    over = f"mean over {words.counted_units(every['n_units'], values)}; {bar_text(confidence)}"
    subtitle = [over if several else "one value of each, without an interval"]
    subtitle += [f"the best {top}; {words.counted(left, 'other system')} left out"] if left else []
    subtitle += ["pooled measures: means here, pooled values in summaries"] if values.pooled else []
    drawn = [m for m in names if m in frame["measure"]]
    if without := [m for m in names if m not in drawn]:
        subtitle.append(f"not drawn, as no {words.unit_word(values)} has a value: {', '.join(without)}")
    groups, runs = frame["group"].n_unique(), frame["run_id"].n_unique()
    one_system = runs == 1 and groups > 1
    title = f"{words.counted(groups, 'group') if one_system else words.counted(runs, 'system')} by {', '.join(drawn)}"
    more = {"directions": directions(drawn, values), "one_system": one_system}
    return Drawing(frame, title, tuple(subtitle), more=more, fewer=("top", 20))
