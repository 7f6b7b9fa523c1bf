"""Runs with ties, missing queries and lists of different lengths, and grades of their documents."""

from __future__ import annotations

import functools
import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl

import ireval_frames as ir
from tests.oracles import pools as oracle
from tests.oracles.pools import Id

RUNS = ("bm25", "dense", "fused", "old")
QUERIES = ("q1", "q2", "q3", "q10")


@functools.cache
def table(seed: int, *, text: bool = True) -> pl.DataFrame:
    """Runs in random order of their rows."""
    rng = random.Random(seed)
    rows = []
    for run in RUNS:
        for i, query in enumerate(QUERIES):
            if rng.random() < 0.15 and (run, query) != ("bm25", "q1"):
                continue
            # Few different scores: many ties.
            for doc in rng.sample(range(30), rng.randint(1, 14)):
                ids = (query, f"d{doc}") if text else (i, doc)
                rows.append((run, *ids, float(rng.randint(0, 8))))
    rng.shuffle(rows)
    return pl.DataFrame(rows, ["run_id", "query_id", "doc_id", "score"], orient="row")


def grades(runs: pl.DataFrame, seed: int) -> pl.DataFrame:
    """What an assessor says of each document: grades from 0 to 2."""
    rng = random.Random(seed)
    documents = runs.select("query_id", "doc_id").unique().sort("query_id", "doc_id")
    return documents.with_columns(relevance=pl.Series([rng.choice([0, 0, 0, 1, 2]) for _ in range(documents.height)]))


def lists(runs: pl.DataFrame, depth: int, ties: str = "trec_eval") -> dict[Id, dict[str, list[Id]]]:
    """The ranked lists by query and run, down to a depth."""
    scores: dict[Id, dict[str, dict[Id, float]]] = defaultdict(lambda: defaultdict(dict))
    for run, query, doc, score in runs.sort("run_id").iter_rows():
        scores[query][run][doc] = score
    return {
        query: {run: oracle.ranked(of_run, depth, ties) for run, of_run in of_query.items()}
        for query, of_query in sorted(scores.items())
    }


def on_duckdb(runs: pl.DataFrame, **options: Any) -> pl.DataFrame:
    """The pool of a table inside DuckDB."""
    with duckdb.connect() as con:
        con.register("runs", runs.to_arrow())
        return pl.DataFrame(ir.pool("runs", con=con, **options).pl())


def on_polars(runs: pl.DataFrame, **options: Any) -> pl.DataFrame:
    """The pool of a frame."""
    return pl.DataFrame(ir.pool(runs, **options))


ENGINES: tuple[Callable[..., pl.DataFrame], ...] = (on_polars, on_duckdb)
