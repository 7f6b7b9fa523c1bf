"""Systems against a baseline: differences with their intervals, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.drawable import Estimating, estimates_of
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.parameters import number
from ireval_frames.plots import inputs, words
from ireval_frames.plots.comparison.estimated import effects_of, variants_of
from ireval_frames.plots.comparison.pairs import compared
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture
from ireval_frames.plots.series import shapes
from ireval_frames.plots.style import CONTEXT, VERDICT, ink
from ireval_frames.plots.verdicts import BETTER, NEITHER, WORSE, directions, gain, significant, turn

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.evaluation.evaluation import Evaluation

VERDICTS = (BETTER, NEITHER, WORSE)


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, margin = drawing.frame, drawing.more["margin"]
    # The groups of one pair are rows of one panel, so that they can be compared.
    row, keys = "pair", ["measure", "group"]
    if frame["pair"].n_unique() == 1 and frame["group"].n_unique() > 1:
        row, keys = "group", ["measure"]
    several = frame.select(keys).n_unique() > 1
    colours = alt.Scale(domain=list(VERDICTS), range=list(VERDICT))
    legend = alt.Legend(title=None)
    # One key tells both: shapes must differ where colours do.
    colour = alt.Color("verdict:N", scale=colours, legend=legend)
    shape = alt.Shape("verdict:N", scale=shapes(alt, VERDICTS), legend=legend)

    def of_one(rows: pl.DataFrame) -> Any:
        order = rows[row].to_list()
        what = "difference" if row == "pair" else rows["pair"][0]
        title = f"{rows['measure'][0]}{drawing.more['directions'][rows['measure'][0]]}: {what}"
        x = alt.X("low:Q", title=title, scale=alt.Scale(zero=True))
        base = alt.Chart(rows).encode(y=alt.Y(f"{row}:N", sort=order, title=None))
        tips = [alt.Tooltip(f"{row}:N"), *(alt.Tooltip(f"{c}:Q", format="+.4f") for c in ("difference", "low", "high"))]
        tips += [alt.Tooltip("p_adjusted:Q", format=".4f"), alt.Tooltip("verdict:N")]
        bars = base.mark_rule(strokeWidth=1.5, color=ink(sheet.theme)).encode(x=x, x2="high:Q")
        dots = base.mark_point(filled=True, size=70, opacity=1).encode(
            x=alt.X("difference:Q", title=title), color=colour, shape=shape, tooltip=tips
        )
        zero = alt.Chart(pl.DataFrame({"low": [0.0]})).mark_rule(strokeDash=[4, 3], color=ink(sheet.theme)).encode(x=x)
        layers = [zero, bars, dots]
        if margin is not None:
            band = pl.DataFrame({"low": [-margin], "high": [margin]})
            layers.insert(0, alt.Chart(band).mark_rect(color=CONTEXT, opacity=0.3).encode(x=x, x2="high:Q"))
        width = sheet.width * 2 // 3 if several else sheet.width
        return alt.layer(*layers).properties(width=width, height=sheet.high(max(40, 22 * rows.height)))

    return panels(alt, frame, keys, of_one)


@picture(_draw)
def effects(
    result: Evaluation | Comparison | Estimating | Analysis,
    measures: Any = None,
    *,
    baseline: str | None = None,
    margin: float | None = None,
    top: int = 60,
) -> Drawing:
    """Differences to a baseline, or of every pair, with their intervals: a forest plot.

    A system is better or worse where its difference is significant after the correction (`significant`).

    Args:
        result: a comparison, an evaluation of several runs, the analysis of an experiment, or an `Interleaving`
            (Δ of every two rankings, with intervals that are not corrected).
        measures: some of its measures or metrics; all by default.
        baseline: of an evaluation: what the others are compared with.
        margin: differences within ± margin are of no matter: a grey band.
        top: the number of rows, the largest differences.

    Returns:
        a chart; its frame is measure, group, pair, system, baseline, difference, low, high, p_adjusted, verdict, n.

    Raises:
        InvalidParameter: several tests were asked for, or margin is not positive.
        UnknownName: a measure was not compared.

    Source: forest plots of meta-analyses.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> columns = {"query_id": [1, 2, 3] * 2, "run_id": [*"aaabbb"], "value": [1, 2, 4, 2, 3, 6]}
        >>> table = pl.DataFrame(columns)
        >>> frame = ir.plots.effects.frame(ir.compare(table, baseline="a"))
        >>> frame.select("pair", "n", "verdict", frame["difference"].round(4)).row(0)
        ('b − a', 3, 'not significant', 1.3333)
    """
    number(None, low=0.0, open_ends=True, example=0.01).check("margin", margin)
    if isinstance(result, Estimating):
        return effects_of(estimates_of(result), measures, margin, top)
    if isinstance(result, Analysis):
        return variants_of(result, measures, margin, top)
    comparison = compared(result, baseline)
    values = comparison.values
    names = inputs.chosen_measures(values, measures)
    rows = comparison.table().filter(pl.col("measure").is_in(names))
    if rows["test"].n_unique() > 1:
        tests = ", ".join(rows["test"].unique(maintain_order=True))
        hint = Hint("Compare by one: ", Argument("test", rows["test"][0]), ".")
        raise InvalidParameter(f"The comparison is by several tests: {tests}.", hint)
    rows = inputs.grouped(rows, values.by, values.by).with_columns(
        inputs.text("system"), inputs.text("baseline"), significant(values)
    )
    pairs, size = pl.format("{} − {}", "system", "baseline"), pl.col("difference").abs()
    shown = rows.with_columns(pair=pairs, _gain=gain(values)).sort(size, descending=True).head(top)
    shown = shown.sort(turn("measure", names), "group", -pl.col("_gain"), "pair", nulls_last=True)
    frame = shown.select(
        "measure", "group", "pair", "system", "baseline", "difference", low="ci_low", high="ci_high",
        p_adjusted="p_adjusted", verdict="verdict", n="n",
    )  # fmt: skip
    bar = f"bar: {rows['confidence'][0] * 100:g}% interval of {rows['test'][0]}; p corrected by {rows['correction'][0]}"
    subtitle = [f"over {words.counted_units(rows['n'], values)}; {bar}"]
    subtitle += [f"grey: differences within ± {margin:g}"] if margin is not None else []
    subtitle += [f"the {top} largest differences of {rows.height:,}"] if rows.height > top else []
    one_baseline = rows["baseline"].n_unique() == 1
    title = f"Differences to {rows['baseline'][0]}" if one_baseline else "Differences of every pair"
    more = {"margin": margin, "directions": directions(names, values)}
    return Drawing(frame, title, tuple(subtitle), more=more, fewer=("top", 30))
