"""The attention that groups get, beside their shares of the documents and of the target."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.parameters import whole
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture
from ireval_frames.plots.style import SERIES, ink

VALUES = {"exposure": "attention", "members": "share of documents", "target": "target"}


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    groups = drawing.more["groups"]
    width = sheet.width // 2 if drawing.frame["run_id"].n_unique() > 1 else sheet.width

    def of_one(rows: pl.DataFrame) -> Any:
        x = alt.X(
            "exposure:Q", title="mean share over queries", axis=alt.Axis(format="%"), scale=alt.Scale(domainMin=0)
        )
        y = alt.Y("group:N", sort=groups, title=None)
        columns = [c for c in VALUES if c in rows.columns]
        tips = [alt.Tooltip("group:N"), *(alt.Tooltip(f"{c}:Q", format=".1%", title=VALUES[c]) for c in columns)]
        bars = alt.Chart(rows).mark_bar(opacity=0.5, color=SERIES[0]).encode(x=x, y=y, tooltip=tips)
        layers = [bars]
        for column, colour in (("members", SERIES[1]), ("target", ink(sheet.theme))):
            if column in columns:
                ticks = alt.Chart(rows.drop_nulls(column)).mark_tick(thickness=3, size=18, opacity=1, color=colour)
                layers.append(ticks.encode(x=alt.X(f"{column}:Q", title="mean share over queries"), y=y, tooltip=tips))
        return alt.layer(*layers).properties(width=width, height=sheet.high(max(60, 28 * len(groups))))

    return panels(alt, drawing.frame, ["run_id"], of_one)


@picture(_draw)
def exposure(fair: Any, *, top: int = 20, **options: Any) -> Drawing:
    """The share of the attention that each group gets, beside its share of the documents and the target.

    Bars are means over queries of `FairExposure.exposure()`; of several runs each has a panel.

    Args:
        fair: `FairExposure`, or an evaluation of it.
        top: the number of groups drawn: those with the largest target, or the most documents where there is none.
        options: those of `FairExposure.exposure`: p, stop, cutoff, policy.

    Returns:
        a chart; its frame is run_id, group, exposure, members, and target if there is one.

    Raises:
        InvalidParameter: it has no exposure of groups.

    Example:
        >>> import ireval_frames as ir
        >>> frame = ir.plots.exposure.frame(ir.FairExposure(**ir.examples.exposure()))
        >>> frame.with_columns(frame["exposure"].round(4), frame["members"].round(4)).rows()
        [('all', 'known', 0.6992, 0.6, 0.5), ('all', 'new', 0.3008, 0.4, 0.5)]
    """
    whole(1).check("top", top)
    table = inputs.table_of(fair, "exposure", table_name="exposure", **options)
    values = [c for c in VALUES if c in table.columns]
    run = "run_id" if "run_id" in table.columns else pl.lit("all").alias("run_id")
    rows = table.select(run, inputs.text("group"), *values).filter(pl.col("exposure").is_not_null())
    queries = table.filter(pl.col("exposure").is_not_null()).select(
        c for c in table.columns if c not in ("run_id", "group", *values)
    )
    means = rows.group_by("run_id", "group").agg(in_order(pl.col(values).mean())).sort("run_id", "group")
    key = "target" if "target" in values else "members"
    sizes = means.group_by("group").agg(in_order(pl.col(key).mean())).sort(key, "group", descending=[True, False])
    groups = sizes["group"].head(top).to_list()
    frame = means.filter(pl.col("group").is_in(groups))
    subtitle = ["bars: share of the attention; orange: share of the documents"]
    subtitle[0] += "; dark: the target" if "target" in values else ""
    left = sizes.height - len(groups)
    n = queries.unique().height
    subtitle.append(f"mean over {words.counted(n, 'query')}")
    subtitle += [f"the {top} groups of the largest {key}; {left:,} others left out"] if left > 0 else []
    return Drawing(frame, "Attention by group", tuple(subtitle), more={"groups": groups}, fewer=("top", 10))
