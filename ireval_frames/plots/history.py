"""A measure over time."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.series import channels
from ireval_frames.plots.style import ink


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    kinds = channels(alt, more["names"])
    x = alt.X("made_at:T", title=None)
    y = alt.Y("value:Q", scale=alt.Scale(zero=False), **upwards(alt, more["measure"]))
    told = [
        alt.Tooltip("run_id:N"),
        alt.Tooltip("made_at:T", format="%Y-%m-%d %H:%M"),
        alt.Tooltip("value:Q", format=".4f"),
        alt.Tooltip("n_units:Q"),
    ]
    lines = alt.Chart(frame).mark_line(point=True, strokeWidth=2)
    # A line joins only what was measured in one way: `part` changes where judgments or conventions do.
    chart = lines.encode(x=x, y=y, detail=["run_id:N", "part:N"], tooltip=told, **kinds)
    if more["floor"] is None:
        return chart.properties(width=sheet.width, height=sheet.high(200))
    floor = alt.Chart(pl.DataFrame({"value": [more["floor"]]})).mark_rule(strokeDash=[4, 3], color=ink(sheet.theme))
    return (floor.encode(y=y) + chart).properties(width=sheet.width, height=sheet.high(200))


@picture(_draw)
def history(
    store: Any,
    measure: str,
    *,
    run: str | None = None,
    collection: str | None = None,
    floor: float | None = None,
    points: int = 500,
) -> Drawing:
    """A measure of stored evaluations over time, a line per run, broken where judgments or conventions changed.

    Args:
        store: an `ir.Store`.
        measure: which.
        run: one run; all by default.
        collection: what was searched; all by default.
        floor: a value that it should not fall below: a dashed line.
        points: of more evaluations the last of each day is drawn.

    Returns:
        a chart; its frame is made_at, run_id, value, n_units, part: parts of a line were measured in one way.

    Raises:
        InvalidParameter: what was handed in is no store.
        UnknownName: the measure was not stored.

    Source: a run chart.

    Example:
        >>> import tempfile, ireval_frames as ir
        >>> store = ir.Store(tempfile.mkdtemp())
        >>> id = store.add(ir.evaluate(*ir.examples.ranking(), "RR"), run="bm25")
        >>> ir.plots.history.frame(store, "RR").select("run_id", "value", "part").rows()
        [('bm25', 1.0, 1)]
    """
    if not callable(getattr(store, "history", None)):
        raise InvalidParameter(
            f"A {type(store).__name__} is no store.", 'ir.plots.history(ir.Store("results"), "nDCG@10")'
        )
    rows = store.history(measure, run=run, collection=collection).collect()
    rows = rows.join(_ways(store), on="evaluation_id", how="left").sort("run_id", "made_at")
    if rows.height > points:
        rows = rows.group_by("run_id", pl.col("made_at").dt.date().alias("_day"), maintain_order=True).last()
    changed = (pl.col("way") != pl.col("way").shift()).fill_null(value=False)
    frame = rows.with_columns(part=changed.cast(pl.Int64).cum_sum().over("run_id") + 1).select(
        "made_at", "run_id", "value", "n_units", "part"
    )
    breaks = int((frame["part"] - 1).sum() > 0)
    told = [f"{frame.height:,} evaluations"] + (
        ["lines break where judgments or conventions changed"] if breaks else []
    )
    told += [f"dashed: {floor:g}"] if floor is not None else []
    more = {"names": frame["run_id"].unique().sort().to_list(), "measure": measure, "floor": floor}
    return Drawing(frame, f"{measure} over time", ("; ".join(told),), more=more, fewer=("run", "bm25"))


def _ways(store: Any) -> pl.DataFrame:
    """Of each evaluation the conventions, and the digests of what was not the run's own: judgments."""
    given = store.table("inputs").filter(pl.col("name") == "qrels").select("evaluation_id", "digest")
    ways = store.table("evaluations").select("evaluation_id", "policy").join(given, on="evaluation_id", how="left")
    found: pl.DataFrame = ways.collect()
    return found.select("evaluation_id", way=pl.concat_str("policy", pl.col("digest").fill_null(""), separator=" "))
