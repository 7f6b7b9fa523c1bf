"""A measure by its cutoff."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.plots import inputs, words
from ireval_frames.plots.comparison.intervals import means
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture, upwards
from ireval_frames.plots.series import bands, channels, front_last, highlight_text
from ireval_frames.plots.verdicts import ends

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.evaluation.evaluation import Evaluation

_CUT = re.compile(r"(.+)@(\d+)")
# From this ratio of the largest cutoff to the smallest on the axis is one of orders of magnitude.
WIDE = 20


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    names = drawing.more["names"]
    kinds = channels(alt, names, drawing.more["highlight"])

    width = sheet.width if drawing.frame.select("measure", "group").n_unique() == 1 else sheet.width * 2 // 3

    def of_one(rows: pl.DataFrame) -> Any:
        rows = front_last(rows, names, drawing.more["highlight"])
        low, high = ends(rows["cutoff"])
        wide = high >= WIDE * low
        scale = alt.Scale(type="log" if wide else "linear", nice=False)
        axis = alt.Axis(values=sorted(rows["cutoff"].unique()), format="d", grid=False)
        x = alt.X("cutoff:Q", title="cutoff k" + (" (log scale)" if wide else ""), scale=scale, axis=axis)
        name = rows["measure"][0] + drawing.more["directions"][rows["measure"][0]]
        base = alt.Chart(rows).encode(x=x, detail="run_id:N")
        above = upwards(alt, name)
        scale_y = alt.Scale(zero=False)
        tips = [alt.Tooltip("run_id:N"), alt.Tooltip("cutoff:Q"), alt.Tooltip("value:Q", format=".4f")]
        lines = base.mark_line(point=True, strokeWidth=2).encode(
            y=alt.Y("value:Q", scale=scale_y, **above), tooltip=tips, **kinds
        )
        layers = [lines]
        if len(names) <= 2:
            layers = bands(alt, rows, names, x=x, y=alt.Y("low:Q", scale=scale_y, **above)) + layers
        return alt.layer(*layers).properties(width=width, height=sheet.high())

    return panels(alt, drawing.frame, ["measure", "group"], of_one)


@picture(_draw)
def cutoffs(
    result: Evaluation | Comparison,
    measure: str | None = None,
    *,
    confidence: float = 0.95,
    highlight: tuple[str, ...] = (),
) -> Drawing:
    """A measure by its cutoff: nDCG@1, nDCG@5, nDCG@10 … as a line per system, with its interval for one or two.

    Args:
        result: an evaluation, or a comparison, of one measure at several cutoffs: `"nDCG@1 nDCG@5 nDCG@10"`.
        measure: its name without cutoff, if there are several: "nDCG".
        confidence: of the intervals.
        highlight: systems in colour, where there are more than four.

    Returns:
        a chart; its frame is run_id, group, measure, cutoff, value, low, high, n_units.  The axis of cutoffs is one of
        orders of magnitude where the largest is twenty times the smallest.

    Raises:
        NotDefined: no measure has several cutoffs.

    Source: intervals of Student's t over units.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "P@1 P@2 P@4")
        >>> ir.plots.cutoffs.frame(ev).select("measure", "cutoff", "value").rows()
        [('P', 1, 1.0), ('P', 2, 0.5), ('P', 4, 0.5)]
    """
    values = inputs.values_of(result)
    every = means(values, inputs.known_measures(values), confidence)
    cuts = {m: _CUT.fullmatch(m) for m in every["measure"].unique()}
    cut = {m: (at[1], int(at[2])) for m, at in cuts.items() if at and measure in (None, at[1])}
    several = [name for name in {n for n, _ in cut.values()} if sum(n == name for n, _ in cut.values()) > 1]
    if not several:
        name = measure or "nDCG"
        raise NotDefined(
            f"{'No measure' if measure is None else repr(measure)} was evaluated at several cutoffs.",
            Hint("Evaluate ", Argument("measures", f"{name}@1 {name}@5 {name}@10"), "."),
        )
    names = pl.DataFrame(
        [(m, name, at) for m, (name, at) in cut.items() if name in several],
        schema={"measure": pl.String, "name": pl.String, "cutoff": pl.Int64},
        orient="row",
    )
    frame = every.join(names, on="measure").sort("name", "group", "run_id", "cutoff")
    frame = frame.select("run_id", "group", measure="name", cutoff="cutoff", value="value", low="low", high="high",
                         n_units="n_units")  # fmt: skip
    runs = frame["run_id"].unique().sort().to_list()
    subtitle = [f"mean over {words.counted_units(frame['n_units'], values)}"]
    subtitle[0] += f"; band: {confidence * 100:g}% t interval of the mean" if len(runs) <= 2 else ""
    falls = {name for m, (name, _) in cut.items() if m in values.lower_is_better}
    more = {"names": runs, "highlight": highlight, "directions": {n: " ▼" if n in falls else " ▲" for n in several}}
    title = f"{', '.join(sorted(several))} by cutoff"
    return Drawing(
        frame, title, (*subtitle, *highlight_text(runs, highlight)), more=more, fewer=("measure", several[0])
    )
