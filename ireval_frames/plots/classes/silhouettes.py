"""How well points lie in their clusters."""

from __future__ import annotations

from typing import Any, cast

import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.plots import inputs, thinning
from ireval_frames.plots.classes.confusion import one_of
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture
from ireval_frames.plots.style import BETTER, WORSE, ink
from ireval_frames.plots.verdicts import ends

# Bars of each cluster; of more points quantiles are drawn.
QUANTILES = 100


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    x = alt.X("silhouette:Q", scale=alt.Scale(domain=more["domain"]), title="silhouette")
    y = alt.Y("place:O", axis=None, sort=None, scale=alt.Scale(padding=0))
    sign = alt.condition("datum.silhouette < 0", alt.value(WORSE), alt.value(BETTER))
    tips = [alt.Tooltip("cluster_id:N"), alt.Tooltip("silhouette:Q", format=".4f"), alt.Tooltip("n_points:Q")]
    charts = []
    for cluster in more["clusters"]:
        rows = frame.filter(pl.col("cluster_id") == cluster)
        height = max(14, round(sheet.high(300) * int(rows["n_points"].sum()) / more["n"]))
        bars = alt.Chart(rows).mark_bar(aria=False).encode(x=x, y=y, color=sign, tooltip=tips)
        mean = alt.Chart(pl.DataFrame({"silhouette": [more["mean"]]})).mark_rule(
            strokeDash=[4, 3], color=ink(sheet.theme)
        )
        name = alt.TitleParams(
            cluster, orient="left", angle=0, align="right", anchor="middle", fontSize=11, fontWeight="normal"
        )
        charts.append((bars + mean.encode(x=x)).properties(width=sheet.width, height=height, title=name))
    for chart in charts[:-1]:
        chart.layer[0].encoding.x.axis = alt.Axis(labels=False, ticks=False, title=None)
        chart.layer[1].encoding.x.axis = alt.Axis(labels=False, ticks=False, title=None)
    return alt.vconcat(*charts, spacing=4)


@picture(_draw)
def silhouettes(points: Any, *, run: str | None = None, top: int = 30, **options: Any) -> Drawing:
    """The silhouette of every point, sorted within its cluster; the dashed line is the mean of all.

    s = (b − a) / max(a, b): near 1 a point is much nearer to its own cluster than to the next, below 0 it is not.

    Args:
        points: `Points`, or an evaluation of points.
        run: which clustering or group, if there are several.
        top: the number of clusters drawn, the largest.
        options: those of `Points.silhouettes`: metric, self_in_mean, by, policy.

    Returns:
        a chart; its frame is cluster_id, place, silhouette, n_points: of clusters of more than 100 points 100
        quantiles, means of as many points each.

    Raises:
        InvalidParameter: there are several clusterings or groups, and none is named.

    Source: Rousseeuw, J. Comput. Appl. Math. 1987.

    Example:
        >>> import ireval_frames as ir
        >>> frame = ir.plots.silhouettes.frame(ir.Points(ir.examples.points(), ["x", "y"], cluster="k3"))
        >>> frame.select("cluster_id", "place", frame["silhouette"].round(4)).row(0)
        ('a', 1, 0.7733)
    """
    rows = inputs.table_of(points, "silhouettes", table_name="silhouettes", **options)
    known = ("item_id", "cluster_id", "a", "b", "silhouette", "nearest_id")
    rows, run = one_of(rows, known, run)
    rows = rows.with_columns(inputs.text("cluster_id"), pl.col("silhouette").fill_nan(None))
    undefined = rows["silhouette"].null_count()
    rows = rows.drop_nulls("silhouette")
    sizes = rows.group_by("cluster_id").len().sort("len", "cluster_id", descending=[True, False])
    shown = sizes["cluster_id"].head(top).sort().to_list()
    of = rows.filter(pl.col("cluster_id").is_in(shown)).sort("cluster_id", "silhouette", descending=[False, True])
    marks = pl.concat(
        [
            part.with_columns(thinning.places(part.height, QUANTILES))
            for part in of.partition_by("cluster_id", maintain_order=True)
        ]
    )
    means = marks.group_by("cluster_id", "place", maintain_order=True).agg(
        in_order(pl.col("silhouette").mean()), n_points=pl.len().cast(pl.Int64)
    )
    frame = means.select("cluster_id", "place", "silhouette", "n_points")
    mean = cast("float | None", rows["silhouette"].mean())
    subtitle = [
        f"{rows.height:,} points in {sizes.height:,} clusters"
        + (f"; dashed: the mean, {mean:.3f}" if mean is not None else "")
    ]
    subtitle += [f"the {top} largest clusters"] if sizes.height > top else []
    subtitle += [f"{undefined:,} points have none"] if undefined else []
    low = min(0.0, ends(frame["silhouette"])[0])
    more = {"clusters": shown, "mean": mean, "domain": [low, 1.0], "n": max(1, of.height)}
    title = "Silhouettes" + ("" if run == "all" else f" of {run}")
    return Drawing(frame, title, tuple(subtitle), more=more, fewer=("top", 30))
