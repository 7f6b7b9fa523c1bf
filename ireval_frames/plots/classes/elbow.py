"""Measures by the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import NotDefined
from ireval_frames.plots import inputs
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture, upwards
from ireval_frames.plots.style import SERIES
from ireval_frames.plots.verdicts import directions, turn

if TYPE_CHECKING:
    from ireval_frames.evaluation.evaluation import Evaluation


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()

    def of_one(rows: pl.DataFrame) -> Any:
        title = rows["measure"][0] + drawing.more["directions"][rows["measure"][0]]
        x = alt.X(
            "k:Q",
            title="number of clusters",
            axis=alt.Axis(values=sorted(rows["k"].unique()), format="d", grid=False),
            scale=alt.Scale(nice=False),
        )
        y = alt.Y("value:Q", scale=alt.Scale(zero=False), **upwards(alt, title))
        tips = [alt.Tooltip("run_id:N"), alt.Tooltip("k:Q"), alt.Tooltip("value:Q", format=".4f")]
        lines = alt.Chart(rows).mark_line(point=True, strokeWidth=2, color=SERIES[0])
        return lines.encode(x=x, y=y, tooltip=tips).properties(width=sheet.width * 2 // 3, height=sheet.high(180))

    return panels(alt, drawing.frame, ["measure"], of_one)


@picture(_draw)
def elbow(result: Evaluation, measures: Any = None) -> Drawing:
    """Measures by the number of clusters, a panel each: several clusterings of the same points.

    Args:
        result: an evaluation of several clusterings (runs), with NumClusters among its measures.
        measures: some of the others; all by default.

    Returns:
        a chart; its frame is run_id, measure, k, value: of several units the mean.

    Raises:
        NotDefined: NumClusters was not evaluated, or there is no other measure.
        UnknownName: a measure was not evaluated.

    Source: Thorndike, Psychometrika 1953.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> base = ir.examples.clusters()
        >>> other = base.with_columns(pl.col("cluster_id") // 2, run_id=pl.lit("b"))
        >>> two = pl.concat([base.with_columns(run_id=pl.lit("a")), other])
        >>> frame = ir.plots.elbow.frame(ir.Clusters(two).evaluate("NumClusters Purity"))
        >>> frame.select("run_id", "k").rows()
        [('b', 2.0), ('a', 3.0)]
    """
    values = inputs.values_of(result)
    known = inputs.known_measures(values)
    if "NumClusters" not in known:
        raise NotDefined("NumClusters was not evaluated.", f'Evaluate it too: "NumClusters {known[0]}"')
    names = [m for m in inputs.chosen_measures(values, measures) if m != "NumClusters"]
    if not names:
        raise NotDefined("There is no measure but NumClusters.", 'Evaluate one: "NumClusters Silhouette"')
    rows = values.all_rows.group_by("system", "measure", maintain_order=True).agg(in_order(pl.col("value").mean()))
    sizes = rows.filter(pl.col("measure") == "NumClusters").select("system", k="value")
    frame = rows.filter(pl.col("measure").is_in(names)).join(sizes, on="system").drop_nulls(["value", "k"])
    frame = frame.with_columns(inputs.system_text(values)).sort(
        turn("measure", names), "k", "run_id"
    ).select("run_id", "measure", "k", "value")  # fmt: skip
    return Drawing(
        frame,
        "Measures by the number of clusters",
        (f"{frame['run_id'].n_unique()} clusterings",),
        more={"directions": directions(names, values)},
    )
