"""Classes × clusters."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.plots import inputs, words
from ireval_frames.plots.classes.confusion import draw_cells, one_of, written
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import picture
from ireval_frames.plots.verdicts import turn

OTHER = "(other)"
KNOWN = ("label", "cluster_id", "count")


@picture(draw_cells)
def contingency(clusters: Any, *, run: str | None = None, top: int = 40, **options: Any) -> Drawing:
    """Classes × clusters: of the items of each cluster (a column) what share is of which class.

    Clusters stand in the order of the classes that most of their items are of, so that a good clustering is a diagonal.

    Args:
        clusters: `Clusters`, or an evaluation of clusters.
        run: which clustering or group, if there are several.
        top: the number of classes and clusters drawn, the largest; the others are one, "(other)".
        options: those of `Clusters.contingency`: by, policy.

    Returns:
        a chart; its frame is label, cluster_id, count, share, text.

    Raises:
        InvalidParameter: there are several clusterings or groups, and none is named.

    Source: the contingency table of Hubert & Arabie, Journal of Classification 1985.

    Example:
        >>> import ireval_frames as ir
        >>> frame = ir.plots.contingency.frame(ir.Clusters(ir.examples.clusters()))
        >>> frame.filter(frame["cluster_id"] == "1").select("label", "text").rows()
        [('x', '83% (5)'), ('o', '17% (1)')]
    """
    table = inputs.result_of(clusters, "contingency", table_name="contingency", **options)
    rows, run = one_of(table.collect(), KNOWN, run)
    rows = rows.with_columns(inputs.text("label"), inputs.text("cluster_id"))
    subtitle = []
    for column in ("label", "cluster_id"):
        sizes = rows.group_by(column).agg(pl.col("count").sum()).sort("count", column, descending=[True, False])
        if sizes.height > top:
            largest = sizes[column].head(top - 1).implode()
            rows = rows.with_columns(pl.when(pl.col(column).is_in(largest)).then(column).otherwise(pl.lit(OTHER)))
            what = "classes" if column == "label" else "clusters"
            subtitle.append(f"the {top - 1} largest {what} of {sizes.height:,}")
    cells = rows.group_by("label", "cluster_id", maintain_order=True).agg(pl.col("count").sum())
    cells = cells.with_columns(share=pl.col("count") / pl.col("count").sum().over("cluster_id"))
    by_size = cells.group_by("label", maintain_order=True).agg(pl.col("count").sum())
    labels = by_size.sort(pl.col("label") == OTHER, "count", "label", descending=[False, True, False])[
        "label"
    ].to_list()
    best = cells.sort("count", "label", descending=[True, False]).group_by("cluster_id", maintain_order=True).first()
    best = best.with_columns(_class=turn("label", labels))
    order = [pl.col("cluster_id") == OTHER, pl.col("_class"), pl.col("count"), pl.col("cluster_id")]
    columns = best.sort(*order, descending=[False, False, True, False])["cluster_id"].to_list()
    frame = cells.sort(turn("label", labels), turn("cluster_id", columns)).select(
        "label", "cluster_id", "count", "share", written()
    )
    items = words.counted_items([float(cells["count"].sum())], weighted=table.weighted())
    subtitle.insert(0, f"share of the items of each cluster; {items}")
    more = {"column": "cluster_id", "rows": labels, "columns": columns, "across": "cluster", "down": "class",
            "share": "share of cluster"}  # fmt: skip
    title = "Classes in clusters" + ("" if run == "all" else f" of {run}")
    return Drawing(frame, title, tuple(subtitle), more=more, fewer=("top", 40))
