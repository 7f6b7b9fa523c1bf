"""A fused run beside its runs, and without each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import whole
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture
from ireval_frames.plots.style import BETTER, NEITHER, WORSE, ink

if TYPE_CHECKING:
    from ireval_frames.fusion.result import Fusion

KINDS = ("the run alone", "fused without it, worse", "fused without it, as good", "fused without it, better")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    several = drawing.frame["measure"].n_unique() > 1
    width = sheet.width // 2 if several else sheet.width
    colours, shapes = [NEITHER, BETTER, NEITHER, WORSE], ["circle", "diamond", "diamond", "diamond"]

    def of_one(rows: pl.DataFrame) -> Any:
        c = pl.col("contribution")
        kind = pl.when(c > 0).then(pl.lit(KINDS[1])).when(c < 0).then(pl.lit(KINDS[3])).otherwise(pl.lit(KINDS[2]))
        ends = pl.concat(
            [
                rows.with_columns(at="value", kind=pl.lit(KINDS[0])),
                rows.with_columns(at="value_without", kind=kind),
            ]
        )
        x = alt.X("at:Q", title=rows["measure"][0], scale=alt.Scale(zero=False))
        y = alt.Y("run_id:N", sort=rows["run_id"].to_list(), title=None)
        colour = alt.Color("kind:N", scale=alt.Scale(domain=list(KINDS), range=colours), title=None)
        shape = alt.Shape("kind:N", scale=alt.Scale(domain=list(KINDS), range=shapes), title=None)
        tips = [alt.Tooltip("run_id:N"), alt.Tooltip("kind:N"), alt.Tooltip("at:Q", format=".4f")]
        tips += [alt.Tooltip("contribution:Q", format="+.4f"), alt.Tooltip("fused:Q", format=".4f")]
        dots = alt.Chart(ends.drop_nulls("at")).mark_point(filled=True, size=60, opacity=1)
        dots = dots.encode(x=x, y=y, color=colour, shape=shape, tooltip=tips)
        line = alt.Chart(rows.head(1).select("fused")).mark_rule(color=ink(sheet.theme), strokeWidth=1.5)
        line = line.encode(x=alt.X("fused:Q", title=rows["measure"][0]))
        return (line + dots).properties(width=width, height=sheet.high(max(40, 20 * rows.height)))

    return panels(alt, drawing.frame, ["measure"], of_one)


@picture(_draw)
def fused(fusion: Fusion, qrels: Any = None, measures: Any = "AP", *, top: int = 40) -> Drawing:
    """What each run adds to a fused one: the run alone, and the fusion without it, beside a line for that of all.

    Args:
        fusion: `ir.fuse(runs, …)`.
        qrels: judgments, as of `ir.evaluate`.
        measures: of rankings.
        top: the number of runs drawn of each measure: those that add the most.

    Returns:
        a chart; its frame is measure, run_id, value of the run, value_without: of the fusion without it, fused: of that
        of all runs, and contribution, as `leave_one_out` has them.

    Raises:
        InvalidParameter: it is no fusion, or there are no judgments.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, runs = ir.examples.pooled()
        >>> rows = ir.plots.fused.frame(ir.fuse(runs, "rrf"), qrels, "AP", top=2)
        >>> rows.select("run_id", rows["contribution"].round(4)).rows()
        [('a', 0.1744), ('b', 0.0736)]
    """
    if getattr(fusion, "_picture", "") != "fused run":
        raise InvalidParameter(f"A {type(fusion).__name__} is no fusion.", 'ir.fuse(runs, "rrf")')
    if qrels is None:
        raise InvalidParameter(
            "What a run adds to a fusion is seen by judgments.", Hint("Write ", Argument("qrels", "qrels.txt"), ".")
        )
    whole(1).check("top", top)
    alone = fusion.evaluate(qrels, measures).summary().select("measure", "run_id", "value")
    parts = fusion.leave_one_out(qrels, measures).rename({"left_out": "run_id", "value": "fused"})
    rows = parts.join(alone, on=["measure", "run_id"], how="left", maintain_order="left").with_columns(
        inputs.text("run_id")
    )
    frame = rows.filter(pl.int_range(pl.len()).over("measure") < top)
    left = rows["run_id"].n_unique() - frame["run_id"].n_unique()
    subtitle = ["dots: a run alone; diamonds: the fusion without it; line: the fusion of all"]
    subtitle += [f"the {top} that add the most; {words.counted(left, 'other run')} left out"] if left else []
    title = f"What each of {words.counted(rows['run_id'].n_unique(), 'run')} adds to {fusion.request.run_id}"
    columns = ("measure", "run_id", "value", "value_without", "fused", "contribution")
    return Drawing(frame.select(columns), title, tuple(subtitle), fewer=("top", 20))
