"""Units × systems: where all fail, and where they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.plots import inputs, thinning, words
from ireval_frames.plots.drawing import MAX_ROWS, Drawing
from ireval_frames.plots.picture import Sheet, altair, picture
from ireval_frames.plots.style import SEQUENTIAL
from ireval_frames.plots.verdicts import ends, gain

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.evaluation.evaluation import Evaluation

# So many columns are legible.
COLUMNS = 200


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    scale = alt.Scale(scheme=SEQUENTIAL, **({"domain": more["domain"]} if more["domain"] else {}))
    x = alt.X("place:O", title=more["across"], axis=alt.Axis(labels=False, ticks=False))
    y = alt.Y("run_id:N", sort=more["order"], title=None)
    tips = [alt.Tooltip("run_id:N"), alt.Tooltip("unit:N"), alt.Tooltip("value:Q", format=".4f")]
    tips += [alt.Tooltip("n_units:Q")] if more["binned"] else []
    chart = (
        alt.Chart(frame)
        .mark_rect()
        .encode(x=x, y=y, color=alt.Color("value:Q", title=more["measure"], scale=scale), tooltip=tips)
    )
    wide = max(sheet.width, min(900, 5 * frame["place"].n_unique()))
    return chart.properties(width=wide, height=sheet.high(max(60, 18 * len(more["order"]))))


@picture(_draw)
def units(
    result: Evaluation | Comparison, measure: str | None = None, *, top: int = 25, bins: int | None = None
) -> Drawing:
    """Units × systems as colours: units from hard to easy by their mean over systems, systems from good to bad.

    Args:
        result: an evaluation, or a comparison.
        measure: one of its measures; it may be left out where there is one.
        top: the number of systems drawn, the best.
        bins: the number of columns; more units are put together, as many in each, and their means are drawn.  By
            default that is so of more than 200 units.

    Returns:
        a chart; its frame is run_id, unit, place, value, n_units: place 1 is the hardest; `unit` of a column of
        several is "a … b", its first and last.

    Raises:
        UnknownName, InvalidParameter: the measure was not evaluated, or several were.

    Source: the topic × system matrix of TREC's reports.

    Example:
        >>> import ireval_frames as ir
        >>> ir.plots.units.frame(ir.evaluate(*ir.examples.ranking(), "RR")).rows()
        [('run', 'q', 1, 1.0, 1)]
    """
    values = inputs.values_of(result)
    name = inputs.one_measure(values, measure)
    rows = values.all_rows.filter(pl.col("measure") == name).drop_nulls("value")
    rows = rows.select(
        "measure", "value", inputs.unit_text([*values.groups, *values.units]), inputs.system_text(values)
    )
    mean = in_order(pl.col("value").mean())
    best = rows.group_by("measure", "run_id").agg(mean).sort(-gain(values, "value"), "run_id")
    order = best["run_id"].head(top).to_list()
    hard = rows.group_by("measure", "unit").agg(mean).sort(gain(values, "value"), "unit")
    n = hard.height
    columns = bins or (n if n <= COLUMNS else max(1, min(COLUMNS, MAX_ROWS // len(order))))
    placed = hard.select("unit", thinning.places(n, columns), _turn=pl.int_range(pl.len()))
    shown = rows.filter(pl.col("run_id").is_in(order)).join(placed, on="unit").sort("_turn", "run_id")
    cells = shown.group_by("run_id", "place", maintain_order=True)
    frame = cells.agg(thinning.unit_or_several(), mean, thinning.number())
    frame = frame.select("run_id", "unit", "place", "value", "n_units")
    word = words.unit_word(values)
    subtitle = [f"{words.counted(n, word)}, the hardest on the left"]
    subtitle[0] += f"; columns are means of about {n / columns:.0f}" if columns < n else ""
    left = best.height - len(order)
    subtitle += [f"the best {top} systems; {words.counted(left, 'other')} left out"] if left else []
    low, high = ends(rows["value"])
    more = {
        "order": order,
        "across": f"{words.counted(n, word)} by mean value",
        "measure": words.directed(name, values),
        "domain": [0, 1] if low >= 0 and high <= 1 else None,
        "binned": columns < n,
    }
    return Drawing(frame, f"{name} of every {word} and system", tuple(subtitle), more=more, fewer=("bins", 100))
