"""Runs to fuse, the table of the reference, and the fused lists by loops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl

import ireval_frames as ir
from tests.oracles import fusion as oracle
from tests.oracles.fusion import Id

# The documents a to e of one query in three lists.
SMALL = pl.DataFrame(
    [
        ("r1", "a", 5.0), ("r1", "b", 3.0), ("r1", "c", 1.0), ("r2", "c", 0.9), ("r2", "d", 0.8), ("r3", "b", 12.0),
        ("r3", "d", 7.0), ("r3", "e", 2.0),
    ],
    ["run_id", "doc_id", "score"], orient="row",
).select("run_id", query_id=pl.lit("q"), doc_id="doc_id", score="score")  # fmt: skip
RANKED = oracle.ranks_of


def on_polars(runs: pl.DataFrame, method: str, **options: Any) -> pl.DataFrame:
    """The fused run of a frame."""
    return ir.fuse(runs, method, **options).collect()


def on_duckdb(runs: pl.DataFrame, method: str, **options: Any) -> pl.DataFrame:
    """The fused run of a table inside DuckDB."""
    with duckdb.connect() as con:
        con.register("runs", runs.to_arrow())
        return ir.fuse("runs", method, con=con, **options).collect()


ENGINES: dict[str, Callable[..., pl.DataFrame]] = {"polars": on_polars, "duckdb": on_duckdb}


def by_query(runs: pl.DataFrame, depth: int | None, ties: str) -> dict[Id, dict[str, dict[Id, float]]]:
    """The scores of each list by query and run, down to a depth."""
    lists: dict[Id, dict[str, dict[Id, float]]] = defaultdict(lambda: defaultdict(dict))
    for run, query, doc, score in runs.select("run_id", "query_id", "doc_id", "score").iter_rows():
        lists[query][run][doc] = score
    if depth is None:
        return lists
    order = "trec_eval" if ties == "average" else ties
    return {
        query: {
            run: {d: scores[d] for d, rank in RANKED(scores, order).items() if rank <= depth}
            for run, scores in of_query.items()
        }
        for query, of_query in lists.items()
    }


def fused(
    runs: pl.DataFrame, method: str, *, ties: str = "trec_eval", depth: int | None = None, **options: Any
) -> list[tuple[Any, ...]]:
    """query_id, doc_id, score, by loops."""
    names, rows = sorted(runs["run_id"].unique()), []
    for query, lists in by_query(runs, depth, ties).items():
        ranks = {run: RANKED(scores, ties) for run, scores in lists.items()}
        if method == "condorcet":
            scores = oracle.condorcet(ranks, len(names))
        elif method in ("rrf", "isr", "logisr", "lognisr", "rbc", "borda"):
            scores = oracle.of_ranks(ranks, method, **options)
        else:
            reads_ranks = options.get("normalize") in ("rank", "borda")
            scores = oracle.of_scores(ranks if reads_ranks else lists, method, runs=names, **options)
        rows += [(query, d, score) for d, score in scores.items()]
    return sorted(rows)
