"""Runs with and without the judgments that only their group contributed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.parameters import whole
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture
from ireval_frames.plots.style import BETTER, NEITHER, WORSE

if TYPE_CHECKING:
    from ireval_frames.reusability.result import PoolBias

KINDS = ("all judgments", "without, same place", "without, places lost")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    several = drawing.frame["measure"].n_unique() > 1
    width = sheet.width // 2 if several else sheet.width
    lost = pl.when(pl.col("drop") > 0).then(pl.lit(KINDS[2])).otherwise(pl.lit(KINDS[1]))

    def of_one(rows: pl.DataFrame) -> Any:
        x = alt.X("at:Q", title=rows["measure"][0], scale=alt.Scale(zero=False))
        y = alt.Y("run_id:N", sort=rows["run_id"].to_list(), title=None)
        colour = alt.Color("kind:N", scale=alt.Scale(domain=list(KINDS), range=[BETTER, NEITHER, WORSE]), title=None)
        shape = alt.Shape(
            "kind:N", scale=alt.Scale(domain=list(KINDS), range=["circle", "diamond", "diamond"]), title=None
        )
        sides = pl.concat(
            [
                rows.with_columns(at="value_without", kind=lost),
                rows.with_columns(at="value", kind=pl.lit(KINDS[0])),
            ]
        )
        tips = [
            alt.Tooltip("run_id:N"),
            alt.Tooltip("group:N"),
            alt.Tooltip("kind:N"),
            alt.Tooltip("at:Q", format=".4f"),
        ]
        tips += [alt.Tooltip("rank:Q"), alt.Tooltip("rank_without:Q")]
        line = alt.Chart(rows).mark_rule(color=NEITHER, strokeWidth=1.5)
        line = line.encode(x=alt.X("value:Q", title=rows["measure"][0]), x2="value_without:Q", y=y)
        dots = alt.Chart(sides.drop_nulls("at")).mark_point(filled=True, size=60, opacity=1)
        dots = dots.encode(x=x, y=y, color=colour, shape=shape, tooltip=tips)
        return (line + dots).properties(width=width, height=sheet.high(max(40, 20 * rows.height)))

    return panels(alt, drawing.frame, ["measure"], of_one)


@picture(_draw)
def pool_bias(bias: PoolBias, measures: Any = None, *, top: int = 40) -> Drawing:
    """Each run by all judgments, and without those that only its group contributed; red where it loses places.

    Args:
        bias: `ir.pool_bias(qrels, runs)`.
        measures: some of its measures; all by default.
        top: the number of runs drawn of each measure: the best by all judgments.

    Returns:
        a chart; its frame is measure, run_id, group, value, value_without, rank, rank_without, drop.

    Raises:
        InvalidParameter: it is no pool bias.
        UnknownName: a measure was not evaluated.

    Source: the bars of change by run of Zobel, SIGIR 1998, as pairs of points.

    Example:
        >>> import ireval_frames as ir
        >>> bias = ir.pool_bias(*ir.examples.pooled(), "P@3", group="team", depth=3)
        >>> ir.plots.pool_bias.frame(bias, top=2).select("run_id", "rank", "rank_without").rows()
        [('a', 1, 2), ('b', 2, 2)]
    """
    if getattr(bias, "_picture", "") != "pool_bias":
        raise InvalidParameter(f"A {type(bias).__name__} is no pool bias.", "ir.pool_bias(qrels, runs)")
    whole(1).check("top", top)
    rows, names = bias.table(), bias.measures
    chosen = names if measures is None else measures.split() if isinstance(measures, str) else list(map(str, measures))
    for name in chosen:
        if name not in names:
            raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, names))
    place = {name: i for i, name in enumerate(chosen)}
    rows = (
        rows.filter(pl.col("measure").is_in(chosen))
        .drop_nulls("value")
        .with_columns(inputs.text("run_id"), inputs.text("group"))
    )
    ordered = rows.sort(pl.col("measure").replace_strict(place), "rank", "run_id")
    frame = ordered.filter(pl.int_range(pl.len()).over("measure") < top)
    left = rows["run_id"].n_unique() - frame["run_id"].n_unique()
    subtitle = ["by all judgments, and without those that only its group contributed"]
    subtitle += [f"the best {top}; {words.counted(left, 'other run')} left out"] if left else []
    title = f"{words.counted(frame['run_id'].n_unique(), 'run')} with and without their own contributions"
    columns = ("measure", "run_id", "group", "value", "value_without", "rank", "rank_without", "drop")
    return Drawing(frame.select(columns), title, tuple(subtitle), fewer=("top", 20))
