"""A measure over time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import InvalidParameter
from ireval_frames.plots.comparison.intervals import bar_text
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.series import bands, channels
from ireval_frames.plots.style import ink
from ireval_frames.plots.words import counted, counted_range
from ireval_frames.stats.distributions.tails import t_interval
from ireval_frames.stats.sample import Options

if TYPE_CHECKING:
    from ireval_frames.store import Store

# The columns that identify a value in a store.
CELL = ["evaluation_id", "run_id", "groups", "measure"]
COLUMNS = ["made_at", "run_id", "value", "low", "high", "n_units", "part", "verdict"]
# Of several rules the worst verdict counts.
VERDICTS = ("fail", "incomparable", "undecided", "pass")
# Bands of more lines hide each other.
BANDS = 2


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    kinds = channels(alt, more["names"])
    x = alt.X("made_at:T", title=None)
    above, scale = upwards(alt, more["measure"]), alt.Scale(zero=False)
    y = alt.Y("value:Q", scale=scale, **above)
    tips = [
        alt.Tooltip("run_id:N"),
        alt.Tooltip("made_at:T", format="%Y-%m-%d %H:%M"),
        *(alt.Tooltip(f"{c}:Q", format=".4f") for c in ("value", "low", "high")),
        alt.Tooltip("n_units:Q"),
        alt.Tooltip("verdict:N"),
    ]
    # A line joins only what was measured in one way: `part` changes where judgments or conventions do.
    base = alt.Chart(frame).encode(x=x, detail=["run_id:N", "part:N"])
    layers = [base.mark_line(point=True, strokeWidth=2).encode(y=y, tooltip=tips, **kinds)]
    if more["bars"]:
        low = alt.Y("low:Q", scale=scale, **above)
        layers = bands(alt, frame, more["names"], x=x, y=low, detail="part:N") + layers
    failed = frame.filter(verdict=VERDICTS[0])
    if failed.height:
        marks = alt.Chart(failed).mark_point(shape="cross", size=140, angle=45, filled=True, color=ink(sheet.theme))
        layers.append(marks.encode(x=x, y=y, tooltip=tips))
    if more["floor"] is not None:
        floor = alt.Chart(pl.DataFrame({"value": [more["floor"]]})).mark_rule(strokeDash=[4, 3], color=ink(sheet.theme))
        layers.insert(0, floor.encode(y=y))
    return alt.layer(*layers).properties(width=sheet.width, height=sheet.high(200))


@picture(_draw)
def history(
    store: Store,
    measure: str,
    *,
    run: str | None = None,
    collection: str | None = None,
    floor: float | None = None,
    points: int = 500,
    confidence: float = 0.95,
) -> Drawing:
    """A measure of stored evaluations over time, a line per run, broken where judgments or conventions changed.

    Args:
        store: an `ir.Store`.
        measure: which.
        run: one run; all by default.
        collection: what was searched; all by default.
        floor: a value that it should not fall below: a dashed line.
        points: of more evaluations the last of each day is drawn.
        confidence: of the t intervals over units, which are drawn of one or two lines.

    Returns:
        a chart; its frame is made_at, run_id, value, low, high, n_units, part, verdict: parts of a line were measured
        in one way.  What is no mean over units has no interval.  The verdict is the worst of the gates that the store
        keeps of the value (fail, incomparable, undecided, pass), null without one; what failed is crossed out.

    Raises:
        InvalidParameter: it is no store.
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
    n = rows["evaluation_id"].n_unique()
    rows = rows.join(_ways(store), on="evaluation_id", how="left").with_columns(line=_lines(rows["groups"]))
    rows = rows.sort("line", "made_at")
    if rows.height > points:
        rows = rows.group_by("line", pl.col("made_at").dt.date().alias("_day"), maintain_order=True).last()
    changed = (pl.col("way") != pl.col("way").shift()).fill_null(value=False)
    rows = rows.with_columns(part=changed.cast(pl.Int64).cum_sum().over("line") + 1)
    for more_of in (_intervals(store, rows, confidence), _verdicts(store, measure)):
        rows = rows.join(more_of, on=CELL, how="left", maintain_order="left")
    frame = rows.select(*(c for c in COLUMNS if c != "run_id"), run_id="line").select(COLUMNS)
    names = frame["run_id"].unique().sort().to_list()
    bars = len(names) <= BANDS and frame["low"].is_not_null().any()
    counts = [f"{counted(n, 'evaluation')} of {counted_range(frame['n_units'], 'unit')}"]
    counts += [f"band{bar_text(confidence).removeprefix('bar')}"] if bars else []
    marks = ["lines break where judgments or conventions changed"] if (frame["part"] > 1).any() else []
    marks += [f"dashed: {floor:g}"] if floor is not None else []
    marks += ["crossed out: failed a gate"] if (frame["verdict"] == VERDICTS[0]).any() else []
    sign = {True: " ▲", False: " ▼"}.get(rows["higher_is_better"][0], "") if rows.height else ""
    more = {"names": names, "measure": f"{measure}{sign}", "floor": floor, "bars": bars}
    subtitle = tuple("; ".join(line) for line in (counts, marks) if line)
    return Drawing(frame, f"{measure} over time", subtitle, more=more, fewer=("run", "bm25"))


def _lines(groups: pl.Series) -> pl.Expr:
    """What a line is: a run, and its group where there are groups."""
    named = {g: "".join(f", {k} = {v}" for k, v in json.loads(g).items()) for g in groups.unique()}
    return pl.concat_str("run_id", pl.col("groups").replace_strict(named, return_dtype=pl.String))


def _intervals(store: Store, rows: pl.DataFrame, confidence: float) -> pl.DataFrame:
    """The t interval over units of each stored summary that is a mean, from the stored values."""
    cells = rows.select(CELL).unique()
    values = store.table("values").join(cells.lazy(), on=CELL, how="semi").drop_nulls("value")
    of = values.group_by(CELL, maintain_order=True).agg(
        in_order(pl.col("value").mean().alias("mean")), in_order(pl.col("value").var()), pl.len().alias("n")
    )
    known = store.table("measures").select("evaluation_id", "measure", "aggregation", "higher_is_better")
    rows = cells.lazy().join(known, on=["evaluation_id", "measure"], how="left").join(of, on=CELL, how="left").collect()
    n, mean = (rows[c].cast(pl.Float64).fill_null(np.nan).to_numpy() for c in ("n", "mean"))
    error = (rows["value"].cast(pl.Float64) / rows["n"]).sqrt().fill_null(np.nan).to_numpy()
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = t_interval(mean, error, n - 1.0, Options(confidence=confidence))
    is_mean = pl.when(pl.col("aggregation") == "mean")
    rows = rows.with_columns(low=pl.Series(low).fill_nan(None), high=pl.Series(high).fill_nan(None))
    return rows.select(*CELL, "higher_is_better", is_mean.then("low"), is_mean.then("high"))


def _verdicts(store: Store, measure: str) -> pl.DataFrame:
    """The worst verdict of gates on each value."""
    gates = store.table("gates").filter(pl.col("measure") == measure, pl.col("candidate_id").is_not_null())
    worst = pl.col("verdict").cast(pl.Enum(VERDICTS)).min().cast(pl.String)
    rows: pl.DataFrame = (
        gates.group_by(pl.col("candidate_id").alias("evaluation_id"), *CELL[1:], maintain_order=True)
        .agg(worst)
        .collect()
    )
    return rows


def _ways(store: Store) -> pl.DataFrame:
    """The conventions of each evaluation and the digest of its judgments."""
    judgments = store.table("inputs").filter(pl.col("name") == "qrels").select("evaluation_id", "digest")
    ways = store.table("evaluations").select("evaluation_id", "policy").join(judgments, on="evaluation_id", how="left")
    rows: pl.DataFrame = ways.collect()
    return rows.select("evaluation_id", way=pl.concat_str("policy", pl.col("digest").fill_null(""), separator=" "))
