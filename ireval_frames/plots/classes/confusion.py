"""Labels × predictions."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture
from ireval_frames.plots.style import SEQUENTIAL, WORSE

# What the only one is called.
ALONE = "all"
KNOWN = ("label", "prediction", "gold_type", "predicted_type", "count", "share")
# Spans that only one side has.
NO_SPAN = "(none)"
# Up to this number of rows and columns numbers are written into the cells.
WRITTEN = 15


def draw_cells(drawing: Drawing, sheet: Sheet) -> Any:
    """A row per value of `label`, a column per value of another column, coloured by `share`."""
    alt = altair()
    frame, more = drawing.frame, drawing.more
    across, rows, columns = more["column"], more["rows"], more["columns"]
    x = alt.X(
        f"{across}:N",
        sort=columns,
        title=more["across"],
        axis=alt.Axis(orient="top", labelAngle=-45 if len(columns) > 4 else 0),
    )
    y = alt.Y("label:N", sort=rows, title=more["down"])
    tips = [
        alt.Tooltip("label:N"),
        alt.Tooltip(f"{across}:N"),
        alt.Tooltip("count:Q"),
        alt.Tooltip("share:Q", format=".1%"),
    ]
    # From the light end: what is rare stays pale, and text on it is dark.
    scale = alt.Scale(scheme=SEQUENTIAL, domain=[0, 1], reverse=True)
    base = alt.Chart(frame).encode(x=x, y=y)
    layers = [
        base.mark_rect().encode(
            color=alt.Color("share:Q", scale=scale, title=more["share"], legend=alt.Legend(format="%")), tooltip=tips
        )
    ]
    small = max(len(rows), len(columns)) <= WRITTEN
    if small:
        ground = alt.condition("datum.share > 0.45", alt.value("white"), alt.value("#1a1a1a"))
        layers.append(base.mark_text(fontSize=11).encode(text="text:N", color=ground))
    if more.get("diagonal"):
        edge = base.mark_rect(fillOpacity=0, stroke="#D55E00", strokeWidth=2)
        layers.append(edge.transform_filter(f"datum.label == datum.{across}"))
    step = 84 if small else 16
    return alt.layer(*layers).properties(
        width=max(sheet.width // 2, step * len(columns)), height=sheet.high(max(60, (34 if small else 16) * len(rows)))
    )


def written() -> pl.Expr:
    """A share and its count: "77% (467)"."""
    percent = (pl.col("share") * 100).round(0).cast(pl.Int64)
    whole = pl.col("count") == pl.col("count").round(0)
    count = (
        pl.when(whole)
        .then(pl.col("count").cast(pl.Int64).cast(pl.String))
        .otherwise(pl.col("count").round(2).cast(pl.String))
    )
    return pl.format("{}% ({})", percent, count).alias("text")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    if "label" in drawing.more["shown"]:
        return draw_cells(drawing, sheet)
    alt = altair()
    frame = drawing.frame
    tips = [alt.Tooltip(c) for c in ("label:N", "prediction:N", "count:Q")] + [alt.Tooltip("share:Q", format=".1%")]
    bars = (
        alt.Chart(frame)
        .mark_bar(color=WORSE)
        .encode(
            x=alt.X("count:Q", title=drawing.more["counts"]),
            y=alt.Y("pair:N", sort=frame["pair"].to_list(), title=None),
            tooltip=tips,
        )
    )
    return bars.properties(width=sheet.width, height=sheet.high(max(60, 18 * frame.height)))


@picture(_draw)
def confusion(labels: Any, *, run: str | None = None, classes: int = 25, pairs: int = 20, **options: Any) -> Drawing:
    """The confusion table: of the items of each label (a row) what share got which prediction; right ones are outlined.

    Of spans, the types of gold and predicted ones; "(none)" is where the other side has no span.

    Args:
        labels: `Labels` or `Spans`, or an evaluation of them.
        run: which classifier or group, if there are several.
        classes: of more classes the pairs of label and prediction that are confused most are drawn as bars.
        pairs: their number.
        options: those of `Labels.confusion` or `Spans.confusion`: by, policy, per_unit.

    Returns:
        a chart; its frame is label, prediction, count, share, text; or pair, label, prediction, count, share of bars.

    Raises:
        InvalidParameter: there are several classifiers or groups, and none is named.

    Source: Pearson's contingency table; shares of labels as scikit-learn's `normalize="true"`.

    Example:
        >>> import ireval_frames as ir
        >>> ir.plots.confusion.frame(ir.Labels(ir.examples.labels())).select("label", "prediction", "text").row(0)
        ('cat', 'cat', '67% (2)')
    """
    table = inputs.result_of(labels, "confusion", table_name="confusion", **options)
    rows, run = one_of(table.collect(), KNOWN, run)
    of_spans = "gold_type" in rows.columns
    if of_spans:
        types = (pl.col(c).cast(pl.String).fill_null(NO_SPAN) for c in ("gold_type", "predicted_type"))
        rows = rows.with_columns(**dict(zip(("label", "prediction"), types, strict=True)))
    rows = _in_one_type(rows).with_columns(share=pl.col("count") / pl.col("count").sum().over("label"))
    names = pl.concat([rows["label"], rows["prediction"]]).drop_nulls().unique().sort().cast(pl.String).to_list()
    order = sorted(names, key=lambda name: of_spans and name == NO_SPAN)
    rows = rows.sort("label", "prediction").with_columns(inputs.text("label"), inputs.text("prediction"))
    weighted = table.weighted()
    items = words.counted_items([float(rows["count"].sum())], weighted=weighted)
    shares, classes_of = "share of the items of each label", f"{len(order):,} classes"
    if of_spans:
        n = len(order) - (NO_SPAN in order)
        items = (
            "sums of weights" if weighted else words.counted(int(rows["count"].sum()), "span") + " and pairs of them"
        )
        shares, classes_of = "share of the spans of each type", f"{n:,} types"
    title = "Confusion" if run == "all" else f"Confusion of {run}"
    subtitle = [f"{shares}; {items}, {classes_of}"]
    if len(order) <= classes:
        frame = rows.select("label", "prediction", "count", "share", written())
        side = "gold" if of_spans else "label"
        more = {"shown": ("label",), "column": "prediction", "rows": order, "columns": order, "across": "prediction",
                "down": side, "share": f"share of {side}", "diagonal": True}  # fmt: skip
        return Drawing(frame, title, tuple(subtitle), more=more, fewer=("classes", 25))
    wrong = rows.filter(pl.col("label") != pl.col("prediction")).sort(
        "count", "label", "prediction", descending=[True, False, False]
    )
    pair = pl.format("{} → {}", "label", "prediction").alias("pair")
    frame = wrong.head(pairs).select(pair, "label", "prediction", "count", "share")
    most = f"the {frame.height} pairs (label → prediction) confused most of {wrong.height:,}"
    subtitle = [f"{most}; {items}, {classes_of}"]
    return Drawing(
        frame,
        title,
        tuple(subtitle),
        more={"shown": (), "counts": ("weight of " if weighted else "") + ("spans" if of_spans else "items")},
        fewer=("pairs", 20),
    )


def _in_one_type(rows: pl.DataFrame) -> pl.DataFrame:
    """Labels and predictions in one type, so that 1, 1.0 and true are one class, and so are equal texts of any kind."""
    sides, types = pl.col("label", "prediction"), rows.select("label", "prediction").dtypes
    if types[0] == types[1] and not types[0].is_float():
        return rows
    if not all(t.is_numeric() or t in (pl.Boolean, pl.Null) for t in types):
        return rows.with_columns(sides.cast(pl.String))
    if not any(t.is_float() for t in types):
        return rows.with_columns(sides.cast(pl.Int64))
    numbers = rows.with_columns(sides.cast(pl.Float64))
    broken = numbers.filter(pl.any_horizontal((sides != sides.round()) | (sides.abs() >= 2**53)))
    return numbers if broken.height else numbers.with_columns(sides.cast(pl.Int64))


def one_of(rows: pl.DataFrame, known: Container[str], run: str | None) -> tuple[pl.DataFrame, str]:
    """The rows of one classifier or group, and its name; where there are no several, all rows and "all".

    Args:
        rows: of one or several.
        known: the columns that do not distinguish them.
        run: which.

    Raises:
        InvalidParameter: there are several and none is named, or there is no such one.
        NotDefined: there are none.
    """
    if not rows.height:
        raise NotDefined("There are no rows.", "Look at the table.")
    several = bool(inputs.curve_keys(rows, known))
    # Of millions of rows the names of one are not looked at.
    rows = inputs.series(rows, known) if several else rows
    names = rows["run_id"].unique().sort().to_list() if several else [ALONE]
    chosen: str = names[0] if run is None and len(names) == 1 else str(run)
    if chosen not in names:
        known = ", ".join(map(repr, names[:5]))
        raise InvalidParameter(f"run={run!r} is none of {known}.", Hint("Name one: ", Argument("run", names[0]), "."))
    return rows.filter(pl.col("run_id") == chosen) if several else rows, chosen
