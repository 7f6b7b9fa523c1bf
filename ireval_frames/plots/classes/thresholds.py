"""What a threshold does."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.plots import inputs, words
from ireval_frames.plots.classes.confusion import one_of
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.style import DASHES, SERIES, ink
from ireval_frames.plots.thinning import thinned

MEASURES = ("precision", "recall", "f1", "specificity", "accuracy")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    names = drawing.more["measures"]
    legend = alt.Legend(title=None, symbolType="stroke")
    colour = alt.Color("measure:N", scale=alt.Scale(domain=names, range=list(SERIES[: len(names)])), legend=legend)
    dash = alt.StrokeDash(
        "measure:N", scale=alt.Scale(domain=names, range=[list(d) for d in DASHES[: len(names)]]), legend=legend
    )
    x = alt.X(
        "threshold:Q",
        title="threshold: items with at least this score are taken",
        scale=alt.Scale(zero=False, nice=False),
    )
    y = alt.Y("value:Q", scale=alt.Scale(domain=[0, 1]), **upwards(alt, "value"))
    tips = [alt.Tooltip("measure:N"), alt.Tooltip("threshold:Q", format=".4g"), alt.Tooltip("value:Q", format=".4f")]
    lines = alt.Chart(drawing.frame).mark_line(strokeWidth=2, interpolate="step-before")
    chart = lines.encode(x=x, y=y, color=colour, strokeDash=dash, tooltip=tips)
    best = alt.Chart(pl.DataFrame({"threshold": [drawing.more["best"]]})).mark_rule(
        color=ink(sheet.theme), strokeDash=[4, 3]
    )
    return (best.encode(x=x) + chart).properties(width=sheet.width, height=sheet.high())


@picture(_draw)
def thresholds(
    labels: Any,
    measures: tuple[str, ...] = ("precision", "recall", "f1"),
    *,
    best: str = "f1",
    run: str | None = None,
    **options: Any,
) -> Drawing:
    """Precision, recall and F1 by the threshold of scores; a dashed line stands where one of them is highest.

    Args:
        labels: `Labels` with scores, or an evaluation of such.
        measures: up to four of precision, recall, f1, specificity, accuracy.
        best: the one whose highest value is marked; of several thresholds the highest.
        run: which classifier or class, if there are several.
        options: those of `Labels.curve`: by, policy, per_unit.

    Returns:
        a chart; its frame is threshold, measure, value.

    Raises:
        InvalidParameter: a measure is none of these, or there are several classifiers and none is named.

    Source: as `Labels.curve("thresholds")`; thinned by M4 (Jugel et al., VLDB 2014).

    Example:
        >>> import ireval_frames as ir
        >>> frame = ir.plots.thresholds.frame(ir.Labels(ir.examples.scores()), ("recall",))
        >>> frame.head(2).rows()
        [(0.9, 'recall', 0.25), (0.8, 'recall', 0.5)]
    """
    for name in (*measures, best):
        if name not in MEASURES:
            raise InvalidParameter(f"{name!r} is not one of {', '.join(MEASURES)}.", 'measures=("precision", "recall")')
    if not 1 <= len(measures) <= len(SERIES):
        raise InvalidParameter(
            f"{len(measures)} measures are not one to {len(SERIES)}.", 'measures=("precision", "recall")'
        )
    table = inputs.result_of(labels, "curve", "thresholds", table_name="thresholds curve", **options)
    rows = table.collect()
    known = ("threshold", "tp", "fp", "fn", "tn", *MEASURES)
    counts = ("tp", "fp", "fn", "tn")
    rows = rows.select(pl.exclude(known), "threshold", *counts, *dict.fromkeys((*measures, best)))
    rows, run = one_of(rows, known, run)
    n = words.counted_items([sum(rows.select(counts).row(0))], weighted=table.weighted())
    if not rows["threshold"].is_finite().all():
        rows = rows.filter(pl.col("threshold").is_finite())
    top = rows.select("threshold", best).filter(pl.col(best) == pl.col(best).max())
    top = top.filter(pl.col("threshold") == pl.col("threshold").max())
    at = top["threshold"][0] if top.height else None
    parts = [_line(rows, m, 1_150 // len(measures)) for m in measures]
    subtitle = (f"{n}; dashed: the highest {best}, {top[best][0]:.3f}, at {at:.4g}",) if top.height else (n,)
    title = "What the threshold does" + ("" if run == "all" else f": {run}")
    return Drawing(pl.concat(parts), title, subtitle, more={"measures": list(measures), "best": at})


def _line(rows: pl.DataFrame, measure: str, pixels: int) -> pl.DataFrame:
    """What a screen shows of one measure."""
    few = thinned(rows.select("threshold", measure).drop_nulls(measure), "threshold", measure, [], pixels)
    return few.select("threshold", measure=pl.lit(measure), value=measure)
