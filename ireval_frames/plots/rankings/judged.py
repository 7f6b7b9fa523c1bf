"""How much of the lists was judged, rank by rank."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.parameters import whole
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture, upwards
from ireval_frames.plots.series import channels, front_last, highlight_text


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    kinds = channels(alt, drawing.more["names"], drawing.more["highlight"])
    frame = front_last(drawing.frame, drawing.more["names"], drawing.more["highlight"])

    def of_one(column: str, title: str) -> Any:
        x = alt.X("rank:Q", title="rank", axis=alt.Axis(tickMinStep=1))
        y = alt.Y(f"{column}:Q", scale=alt.Scale(domain=[0, 1]), **upwards(alt, title, format="%"))
        tips = [alt.Tooltip("run_id:N"), alt.Tooltip("rank:Q"), alt.Tooltip(f"{column}:Q", format=".1%"), "n_queries:Q"]
        lines = alt.Chart(frame).mark_line(strokeWidth=2)
        return lines.encode(x=x, y=y, detail="run_id:N", tooltip=tips, **kinds).properties(
            width=sheet.width * 2 // 3, height=sheet.high(200)
        )

    return of_one("judged", "documents judged") | of_one("relevant", "documents relevant")


@picture(_draw)
def judged(result: Any, *, depth: int = 100, rel: int = 1, highlight: tuple[str, ...] = ()) -> Drawing:
    """The share of documents that were judged, and that are relevant, at every rank.

    At rank r it is over the queries whose lists have at least r documents.  Where runs differ in what was judged they
    can hardly be compared.

    Args:
        result: `Rankings`, or an evaluation of rankings.
        depth: the last rank.
        rel: the lowest grade that counts as relevant, 0 to 9.
        highlight: runs in colour, where there are more than four.

    Returns:
        a chart; its frame is run_id, rank, judged, relevant, n_queries.

    Raises:
        InvalidParameter: rel is not from 0 to 9, or the result has no lists.

    Source: Judged@k of ir_measures, at each rank alone.

    Example:
        >>> import ireval_frames as ir
        >>> ir.plots.judged.frame(ir.Rankings(*ir.examples.ranking()), depth=4).select("rank", "judged").rows()
        [(1, 1.0), (2, 1.0), (3, 1.0), (4, 0.0)]
    """
    whole(1, low=0, high=9).check("rel", rel)
    strings = inputs.table_of(result, "relevance_strings", depth, table_name="relevance_strings")
    rows = inputs.series(strings.drop("query_id"), ("relevance_string",))
    signs = pl.col("relevance_string").str.slice(pl.col("rank") - 1, 1)
    ranks = pl.int_ranges(1, pl.col("relevance_string").str.len_chars().cast(pl.Int64) + 1).alias("rank")
    # Few different strings' signs are looked at, not a row per document.
    counted = (
        rows.group_by("run_id", "relevance_string", maintain_order=True)
        .len()
        .with_columns(ranks)
        .explode("rank")
        .drop_nulls("rank")
    )
    grade = pl.when(signs == ">").then(10).otherwise(signs.cast(pl.Int64, strict=False))
    at = counted.with_columns(_grade=grade).group_by("run_id", "rank", maintain_order=True).agg(
        judged=(pl.col("_grade").is_not_null() * pl.col("len")).sum() / pl.col("len").sum(),
        relevant=((pl.col("_grade") >= rel).fill_null(value=False) * pl.col("len")).sum() / pl.col("len").sum(),
        n_queries=pl.col("len").sum().cast(pl.Int64),
    )  # fmt: skip
    frame = at.sort("run_id", "rank").select("run_id", "rank", "judged", "relevant", "n_queries")
    runs = frame["run_id"].unique().sort().to_list()
    n = strings["query_id"].n_unique()
    subtitle = (f"over {words.counted(n, 'query')}; relevant: grade {rel} or more", *highlight_text(runs, highlight))
    more = {"names": runs, "highlight": highlight}
    return Drawing(frame, "What was judged, by rank", subtitle, more=more, fewer=("depth", 50))
