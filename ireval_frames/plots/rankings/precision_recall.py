"""Precision at recall levels."""

from __future__ import annotations

from typing import Any

from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.series import channels, front_last, highlight_text


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    kinds = channels(alt, drawing.more["names"], drawing.more["highlight"])
    frame = front_last(drawing.frame, drawing.more["names"], drawing.more["highlight"])
    x = alt.X("recall:Q", title="recall", scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("precision:Q", scale=alt.Scale(domain=[0, 1]), **upwards(alt, "interpolated precision"))
    tips = [alt.Tooltip("run_id:N"), alt.Tooltip("recall:Q"), alt.Tooltip("precision:Q", format=".4f")]
    lines = alt.Chart(frame).mark_line(point=True, strokeWidth=2)
    return lines.encode(x=x, y=y, detail="run_id:N", tooltip=tips, **kinds).properties(
        width=sheet.width, height=sheet.high(280)
    )


@picture(_draw)
def precision_recall(result: Any, *, highlight: tuple[str, ...] = (), **options: Any) -> Drawing:
    """Interpolated precision at the recall levels, the mean over queries, as a line per run.

    At recall r it is the highest precision at any rank whose recall is at least r.

    Args:
        result: `Rankings`, or an evaluation of rankings.
        highlight: runs in colour, where there are more than four.
        options: those of `Rankings.curve`: recalls, rel, judged_only, by, policy.

    Returns:
        a chart; its frame is run_id, recall, precision.

    Raises:
        InvalidParameter: the result has no curve.

    Source: trec_eval's iprec_at_recall.

    Example:
        >>> import ireval_frames as ir
        >>> frame = ir.plots.precision_recall.frame(ir.Rankings(*ir.examples.ranking()), recalls=[0.0, 0.5, 1.0])
        >>> frame.select("recall", "precision").rows()
        [(0.0, 1.0), (0.5, 0.6666666666666666), (1.0, 0.0)]
    """
    table = inputs.result_of(result, "curve", "interpolated", table_name="interpolated curve", **options)
    rows = table.collect(also=("n_units",))
    over = f"mean over {words.counted_range(rows['n_units'], 'query')} of " if "n_units" in rows.columns else ""
    frame = inputs.series(rows, ("recall", "precision", "n_units")).select("run_id", "recall", "precision")
    runs = frame["run_id"].unique().sort().to_list()
    subtitle = (f"{over}the highest precision at this recall or beyond", *highlight_text(runs, highlight))
    return Drawing(frame, "Precision at recall levels", subtitle, more={"names": runs, "highlight": highlight})
