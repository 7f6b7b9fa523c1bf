"""Single lists, ranked one by one: what a loop over a list needs."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.trec_eval.options import Options


def grades(
    qrels: pl.DataFrame, run: pl.LazyFrame, queries: Sequence[str], options: Options
) -> dict[str, list[float | None]]:
    """The grades of some queries' lists by rank; None for documents without judgment."""
    among = pl.col("query_id").is_in(queries)
    score = pl.col("score").cast(pl.Float32) if options.compat == "9" else pl.col("score")
    rows = (
        run.filter(among)
        .with_columns(score)
        .collect()
        .sort("query_id", "score", "doc_id", descending=[False, True, True])
    )
    kept = rows.group_by("query_id", maintain_order=True).head(options.depth) if options.depth else rows
    judged = kept.join(qrels.filter(among), on=["query_id", "doc_id"], how="left", maintain_order="left")
    if options.judged_only:
        judged = judged.filter(pl.col("relevance") >= 0)
    lists = judged.group_by("query_id", maintain_order=True).agg(pl.col("relevance").cast(pl.Float64))
    return dict(lists.iter_rows())
