"""Which documents to judge next, so that two lists can be told apart.

Each document without a judgment, given the lowest and the highest grade, makes a topic of its own: the two lists of its
query, with one more judgment.  All topics are one evaluation, whose bounds are beside those of the query as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import polars as pl

# The bounds of a table of judgments and of runs 0 and 1: query_id, lowest, highest.
Bounds = Callable[[pl.DataFrame, pl.DataFrame], pl.DataFrame]
# Topics whose judgments and lists have more rows than this are evaluated apart.
MOST_ROWS = 1_000_000
DECIMALS = 12
NO_TOPIC = -1
RANKS, WIDTHS = ("rank_baseline", "rank"), ("width_if_not", "width_if_relevant")


def to_judge(
    rows: pl.DataFrame, judgments: pl.DataFrame, now: pl.DataFrame, k: int, grades: Sequence[float], bounds: Bounds
) -> pl.DataFrame:
    """The table of `RankingDiagnosis.to_judge`.

    Args:
        rows: the documents of either list: query_id, doc_id, rank_baseline, rank, relevance.
        judgments: query_id, doc_id, relevance.
        now: query_id, lowest, highest: the bounds by the judgments as they are.
        k: the number of documents of each list that may be judged.
        grades: the grades that a document may get.
        bounds: gives the bounds of other judgments and lists.
    """
    unjudged = pl.col("relevance").is_null() | (pl.col("relevance") < 0)
    near = pl.any_horizontal((pl.col(c) <= k).fill_null(value=False) for c in RANKS)
    documents = rows.filter(unjudged & near).join(now.drop_nulls(), on="query_id")
    documents = (
        documents.sort("query_id", "doc_id").with_row_index("number").with_columns(pl.col("number").cast(pl.Int64))
    )
    ends = pl.DataFrame({"outcome": [0, 1], "grade": [float(min(grades)), float(max(grades))]})
    topics = documents.select("number", "query_id", "doc_id").join(ends, how="cross")
    topics = topics.with_columns(topic=pl.col("number") * 2 + pl.col("outcome"))
    width, parts = pl.col("highest") - pl.col("lowest"), [_NO_WIDTHS]
    for batch in _batches(topics, rows, judgments):
        after = bounds(*_judged(batch, rows, judgments)).select(topic="query_id", width=width)
        parts.append(after.select(pl.col("topic").cast(pl.Int64), pl.col("width").cast(pl.Float64)))
    widths = topics.join(pl.concat(parts), on="topic", how="left")
    for outcome, name in enumerate(WIDTHS):
        of_outcome = widths.filter(pl.col("outcome") == outcome).select("number", **{name: "width"})
        documents = documents.join(of_outcome, on="number", how="left", maintain_order="left")
    # Widths that differ in their last bits are the same.
    documents = documents.with_columns(width=width).with_columns(
        shrinks=pl.min_horizontal((pl.col("width") - pl.col(c)).round(DECIMALS) + 0.0 for c in WIDTHS),
        _most=pl.max_horizontal(pl.col("width") - pl.col(c) for c in WIDTHS).round(DECIMALS),
        _best=pl.min_horizontal(RANKS),
    )
    order = ("shrinks", "_most", "_best", "query_id", "doc_id")
    out = documents.sort(order, descending=[True, True, False, False, False], nulls_last=True)
    return out.select("query_id", "doc_id", *RANKS, "width", *WIDTHS, "shrinks")


_NO_WIDTHS = pl.DataFrame(schema={"topic": pl.Int64, "width": pl.Float64})


def _batches(topics: pl.DataFrame, rows: pl.DataFrame, judgments: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The topics in parts whose tables stay small."""
    sizes = (
        pl.concat([f.select("query_id") for f in (rows, rows, judgments)])
        .group_by("query_id", maintain_order=True)
        .len()
    )
    sized = topics.join(sizes, on="query_id", how="left", maintain_order="left")
    batch = (pl.col("len").cum_sum() // MOST_ROWS).alias("batch")
    for part in sized.with_columns(batch).partition_by("batch", maintain_order=True):
        yield part.drop("len", "batch")


def _judged(topics: pl.DataFrame, rows: pl.DataFrame, judgments: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The judgments and the lists of topics."""
    others = topics.join(judgments, on="query_id", suffix="_other").filter(pl.col("doc_id") != pl.col("doc_id_other"))
    qrels = [
        others.select(query_id="topic", doc_id="doc_id_other", relevance=pl.col("relevance").cast(pl.Float64)),
        topics.select(query_id="topic", doc_id="doc_id", relevance="grade"),
    ]
    lists = topics.select("topic", "query_id").join(rows, on="query_id")
    runs = [
        lists.filter(pl.col(rank).is_not_null()).select(
            run_id=pl.lit(side), query_id="topic", doc_id="doc_id", score=-pl.col(rank).cast(pl.Float64)
        )
        for side, rank in enumerate(RANKS)
    ]
    # Both runs are there, whichever of them has lists of these queries: no judgment is of this topic.
    known = lists.head(1).select(query_id=pl.lit(NO_TOPIC, pl.Int64), doc_id="doc_id", score=pl.lit(0.0))
    both = [known.select(pl.lit(side).alias("run_id"), pl.all()) for side in range(len(RANKS))]
    return pl.concat(qrels), pl.concat([*runs, *both])
