"""What is right and wrong about predicted spans, by type."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.plots import inputs, words
from ireval_frames.plots.classes.confusion import one_of
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture
from ireval_frames.plots.style import CONTEXT, SERIES
from ireval_frames.plots.verdicts import turn

# Errors from what is nearly right to what is not there at all, with their colours.
COLOURS = {
    "correct": CONTEXT,
    "boundary": SERIES[2],
    "type": SERIES[3],
    "both": "#8B3A62",
    "missed": SERIES[1],
    "merged": "#F0A36B",
    "spurious": SERIES[0],
    "duplicate": "#56B4E9",
    "split": "#9AD0F0",
}
OTHER, UNTYPED = "(other)", "(none)"
# The columns of errors that do not identify a system or a group.
SIDES = tuple(f"{side}_{column}" for side in ("gold", "predicted") for column in ("start", "end", "type"))
KNOWN = ("doc_id", *SIDES, "error", "ends")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame = drawing.frame
    present = [error for error in COLOURS if error in frame["error"]]
    colour = alt.Color(
        "error:N",
        title=None,
        sort=present,
        scale=alt.Scale(domain=present, range=[COLOURS[e] for e in present]),
    )
    bars = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("count:Q", title=drawing.more["counts"]),
            y=alt.Y("type:N", sort=drawing.more["types"], title=None),
            color=colour,
            order=alt.Order("place:Q"),
            tooltip=[alt.Tooltip(c) for c in ("type:N", "error:N", "count:Q")] + [alt.Tooltip("share:Q", format=".1%")],
        )
        .transform_calculate(place=f"indexof({present}, datum.error)")
    )
    return bars.properties(width=sheet.width, height=sheet.high(max(60, 26 * len(drawing.more["types"]))))


@picture(_draw)
def errors(spans: Any, *, run: str | None = None, types: int = 20, **options: Any) -> Drawing:
    """What is right and wrong by type: a bar per type of spans, in parts by error, the most errors first.

    A span of the gold counts for its type, and a predicted span without a match for the type that was predicted.

    Args:
        spans: `Spans`, or an evaluation of spans.
        run: which system or group, if there are several.
        types: the number of types drawn, those with most errors; the others are one, "(other)".
        options: those of `Spans.errors`: by, policy.

    Returns:
        a chart; its frame is type, error, count, share (of the type's spans).

    Raises:
        InvalidParameter: there are several systems or groups, and none is named; or the errors are no spans'.

    Source: the errors of MUC and SemEval-2013.

    Example:
        >>> import ireval_frames as ir
        >>> ir.plots.errors.frame(ir.Spans(*ir.examples.spans())).rows()[:2]
        [('ORG', 'type', 1, 0.5), ('ORG', 'spurious', 1, 0.5)]
    """
    table = inputs.result_of(spans, "errors", table_name="errors", **options)
    if table.details.get("family") != "spans":
        raise InvalidParameter(
            f"The errors are those of {table.details.get('family')}; this is a picture of spans.", "Look at the table."
        )
    rows, run = one_of(table.collect(), KNOWN, run)
    typed = [c for c in ("gold_type", "predicted_type") if c in rows.columns]
    name = pl.coalesce(typed).cast(pl.String) if typed else pl.lit(None, dtype=pl.String)
    rows = rows.select(name.fill_null(UNTYPED if typed else "spans").alias("type"), "error")
    wrong = (pl.col("error") != "correct").sum()
    order = rows.group_by("type").agg(n=wrong).sort("n", "type", descending=[True, False])["type"].to_list()
    subtitle = []
    if len(order) > types:
        subtitle.append(f"the {types - 1} of {len(order):,} types with most errors")
        largest = order[: types - 1]
        rows = rows.with_columns(
            pl.when(pl.col("type").is_in(largest)).then("type").otherwise(pl.lit(OTHER)).alias("type")
        )
        order = [*largest, OTHER]
    counts = rows.group_by("type", "error", maintain_order=True).agg(count=pl.len().cast(pl.Int64))
    frame = counts.with_columns(share=pl.col("count") / pl.col("count").sum().over("type"))
    frame = frame.sort(turn("type", order), turn("error", list(COLOURS)))
    n, right = (int(part["count"].sum()) for part in (frame, frame.filter(pl.col("error") == "correct")))
    subtitle.insert(0, f"{right:,} of {words.counted(n, 'span')} and pairs of spans are right")
    title = "Errors" + ("" if run == "all" else f" of {run}")
    more = {"types": order, "counts": "spans and pairs of spans"}
    return Drawing(frame, title, tuple(subtitle), more=more, fewer=("types", 20))
