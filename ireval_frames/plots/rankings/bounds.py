"""Systems with the values that judgments of their unjudged documents can give them."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.parameters import whole
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture
from ireval_frames.plots.style import SERIES, ink
from ireval_frames.plots.verdicts import turn

COLUMNS = ("run_id", "measure", "value", "low", "high", "exact", "n_unjudged", "n_units", "n_undefined")
ATTAINED, OUTER = "attained", "may not be attained"


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    several = drawing.frame.select("measure", "group").n_unique() > 1
    width = sheet.width // 2 if several else sheet.width
    kind = pl.when("exact").then(pl.lit(ATTAINED)).otherwise(pl.lit(OUTER))
    kinds = [k for k in (ATTAINED, OUTER) if drawing.frame.select((kind == k).any()).item()]
    dashes = {ATTAINED: [1, 0], OUTER: [4, 3]}

    def of_one(rows: pl.DataFrame) -> Any:
        base = alt.Chart(rows.with_columns(bounds=kind)).encode(
            y=alt.Y("run_id:N", sort=rows["run_id"].to_list(), title=None)
        )
        tips = [alt.Tooltip("run_id:N"), alt.Tooltip("measure:N")]
        tips += [alt.Tooltip(f"{c}:Q", format=".4f") for c in ("value", "low", "high")]
        tips += [alt.Tooltip("bounds:N"), alt.Tooltip("n_unjudged:Q")]
        title = rows["measure"][0]
        legend = alt.Legend(title="bounds") if kinds[1:] else None
        scale = alt.Scale(domain=kinds, range=[dashes[k] for k in kinds])
        bars = base.mark_rule(color=ink(sheet.theme), strokeWidth=1.5).encode(
            x=alt.X("low:Q", title=title), x2="high:Q", tooltip=tips,
            strokeDash=alt.StrokeDash("bounds:N", scale=scale, legend=legend),
        )  # fmt: skip
        tick = base.mark_tick(color=ink(sheet.theme), size=10, thickness=1.5)
        ticks = [tick.encode(x=f"{end}:Q") for end in ("low", "high")]
        x = alt.X("value:Q", title=title, scale=alt.Scale(zero=False))
        dots = base.mark_point(filled=True, size=60, color=SERIES[0], opacity=1).encode(x=x, tooltip=tips)
        return alt.layer(bars, *ticks, dots).properties(width=width, height=sheet.high(max(40, 20 * rows.height)))

    return panels(alt, drawing.frame, ["measure", "group"], of_one)


@picture(_draw)
def bounds(result: Any, measures: Any = None, *, k: int | None = None, top: int = 40) -> Drawing:
    """Systems beside each other: the value as a dot, as a bar what any judgments of unjudged documents can make of it.

    Two systems whose bars do not overlap keep their order however their unjudged documents are judged.  Where they
    overlap, `diagnose(…).unjudged()` has the bounds of the difference, which are narrower: a document that both have
    gets one grade.

    Args:
        result: an evaluation of rankings, or its `bounds.result(summary=True)`.
        measures: some of its measures; all by default.
        k: only the first k documents of a list get judged; by default all.  Not of a table, which has its own.
        top: the number of systems drawn of each measure, those of the largest values.

    Returns:
        a chart; its frame is run_id, group, measure, value, low, high, exact, n_unjudged.  A dashed bar may be wider
        than what judgments can give; measures without bounds are left out.

    Raises:
        InvalidParameter: the result has no bounds, or they are those of single lists.
        UnknownName: a measure was not evaluated.

    Source: the ranges of Moffat and Zobel, ACM TOIS 27(1), 2008, for any measure.

    Example:
        >>> import ireval_frames as ir
        >>> frame = ir.plots.bounds.frame(ir.evaluate(*ir.examples.ranking(), "R@4 P@4"))
        >>> frame.select("measure", "value", "low", "high").rows()
        [('R@4', 0.6666666666666666, 0.6666666666666666, 0.75), ('P@4', 0.5, 0.5, 0.75)]
    """
    whole(1).check("top", top)
    rows = inputs.table_of(result, "bounds", table_name="bounds", summary=True, k=k)
    if "n_units" not in rows.columns:
        raise InvalidParameter("These are the bounds of single lists.", "Draw ev.bounds.result(summary=True).")
    names = rows["measure"].unique(maintain_order=True).to_list()
    chosen = names if measures is None else measures.split() if isinstance(measures, str) else list(map(str, measures))
    for name in chosen:
        if name not in names:
            raise UnknownName(f"{name!r} was not evaluated.", nearest(name, names))
    groups = [c for c in rows.columns if c not in COLUMNS]
    if "run_id" not in rows.columns:
        rows = rows.with_columns(run_id=pl.lit("run"))
    rows = inputs.grouped(rows.with_columns(inputs.text("run_id")), groups, groups)
    known = rows.filter(pl.col("measure").is_in(chosen) & pl.col("value").is_not_null())
    known = known.drop_nulls(["low", "high"])
    ordered = known.sort(turn("measure", chosen), "group", -pl.col("value"), "run_id")
    frame = ordered.filter(pl.int_range(pl.len()).over("measure", "group") < top)
    left = known["run_id"].n_unique() - frame["run_id"].n_unique()
    subtitle = ["bar: the least and the largest value that any judgments of unjudged documents give"]
    subtitle += [f"the {top} of the largest values; {words.counted(left, 'other system')} left out"] if left else []
    without = [name for name in chosen if name not in frame["measure"]]
    subtitle += [f"no bounds: {', '.join(without)}"] if without else []
    title = f"{words.counted(frame['run_id'].n_unique(), 'system')} and what unjudged documents may change"
    columns = ("run_id", "group", "measure", "value", "low", "high", "exact", "n_unjudged")
    return Drawing(frame.select(columns), title, tuple(subtitle), fewer=("top", 20))
