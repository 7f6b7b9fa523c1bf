"""The least work that engines could do for a task, with no check and no measure."""

from collections.abc import Callable

import polars as pl

from benchmarks.work.database import database, items_database

Found = dict[str, float]


def rank(run: str) -> Callable[[], Found]:
    """Polars reads a run and ranks every row."""
    ranks = pl.struct("score", "doc_id").rank("ordinal", descending=True).over("query_id")
    return lambda: {"depth": pl.scan_parquet(run).select(ranks.max()).collect().item()}


def semi_join(run: str, qrels: str) -> Callable[[], Found]:
    """Polars reads a run's columns and keeps the judged rows."""
    judged = pl.scan_parquet(run).join(pl.scan_parquet(qrels), on=["query_id", "doc_id"], how="semi")
    return lambda: {"judged": judged.collect().height}


def grouped(run: str) -> Callable[[], Found]:
    """Polars reads a run and counts the rows of each document of a query."""
    documents = pl.scan_parquet(run).group_by("query_id", "doc_id").agg(pl.len())
    return lambda: {"documents": documents.collect(engine="streaming").height}


def fused(run: str, method: str) -> Callable[[], Found]:
    """Polars reads runs, scores each document by its ranks or scores, groups and sorts, ties by ids as this project."""
    rows = pl.scan_parquet(run)
    if method == "rrf":
        rows = rows.sort("run_id", "query_id", "score", "doc_id", descending=[False, False, True, True])
        term = 1.0 / (60 + pl.int_range(1, pl.len() + 1).over("run_id", "query_id"))
    else:
        score, low, high = (
            pl.col("score"),
            *(e.over("run_id", "query_id") for e in (pl.min("score"), pl.max("score"))),
        )
        term = (score - low) / (high - low)
    documents = rows.with_columns(score=term).group_by("query_id", "doc_id").agg(pl.sum("score"))
    ordered = documents.sort("query_id", "score", "doc_id", descending=[False, True, True])
    ranked = ordered.with_columns(rank=pl.int_range(1, pl.len() + 1).over("query_id"), run_id=pl.lit(method))

    def work() -> Found:
        frame = ranked.collect(engine="streaming")
        return {"documents": float(frame.height), "score": frame.select(pl.col("score").mean()).item()}

    return work


def recommended(folder: str) -> Callable[[], Found]:
    """Polars joins lists with what is relevant and how often their items were used, and groups them by user."""
    recs, train, relevant = (pl.read_parquet(f"{folder}/{name}.parquet") for name in ("recs", "train", "relevant"))

    def work() -> Found:
        used = train.lazy().group_by("item_id").agg(used=pl.len())
        wanted = relevant.lazy().with_columns(hit=pl.lit(1.0))
        rows = recs.lazy().join(wanted, on=["user_id", "item_id"], how="left").join(used, on="item_id", how="left")
        gain = pl.col("hit") / (pl.col("rank") + 1).log(2)
        lists = rows.group_by("user_id").agg(pl.sum("hit"), gain.sum().alias("gain"), pl.mean("used"))
        return lists.select(pl.mean("hit", "gain", "used")).collect(engine="streaming").row(0, named=True)

    return work


def row_number(run: str, qrels: str) -> Callable[[], Found]:
    """DuckDB ranks every row of a table and joins the judgments."""
    con = database(run, qrels)
    ranked = "SELECT *, row_number() OVER (PARTITION BY query_id ORDER BY score DESC, doc_id DESC) AS rank FROM run"
    joined = f"SELECT count(*), sum(rank) FROM ({ranked}) JOIN qrels USING (query_id, doc_id)"

    def work() -> Found:
        judged, ranks = con.sql(joined).fetchall()[0]
        return {"judged": judged, "ranks": float(ranks)}

    return work


def scan_csv(run: str) -> Callable[[], Found]:
    """Polars reads a text with single blanks."""

    def work() -> Found:
        frame = pl.scan_csv(run, separator=" ", has_header=False, quote_char=None).collect()
        return {"rows": frame.height, "score": frame.select(pl.nth(4).mean()).item()}

    return work


def group_by(table: str, name: str = "labels", columns: str = "label, prediction") -> Callable[[], Found]:
    """DuckDB counts what occurs together in two columns."""
    con = items_database(table, name, columns)
    return lambda: {"cells": float(len(con.sql(f"SELECT {columns}, count(*) FROM {name} GROUP BY ALL").fetchall()))}


def cells(gold: str, predicted: str) -> Callable[[], Found]:
    """Polars joins mentions and counts those of each pair of entities."""
    frames = [pl.read_parquet(path) for path in (gold, predicted)]

    def work() -> Found:
        joined = frames[0].join(frames[1], on=["doc_id", "start", "end"])
        counts = joined.group_by("doc_id", "cluster_id", "cluster_id_right").len()
        sizes = [frame.group_by("doc_id", "cluster_id").len() for frame in frames]
        return {"cells": float(counts.height), "entities": float(sum(size.height for size in sizes))}

    return work
