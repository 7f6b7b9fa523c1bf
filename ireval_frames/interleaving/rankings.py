"""The rankings to interleave, as arrays, and the requested pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.inputs.frames import names_files, polars_frame
from ireval_frames.engines.opening import open_engine
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    listed,
    rows_to_fix,
)
from ireval_frames.expr import col
from ireval_frames.interleaving.methods import Rankings
from ireval_frames.interleaving.options import RANKINGS
from ireval_frames.io.reading import TABLE
from ireval_frames.runs import Runs

# The names of runs without a name.
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def read(
    run_a: Any, run_b: Any, names: Sequence[str] | None, depth: int, engine: str | Engine | None, con: Any
) -> tuple[pl.DataFrame, list[str]]:
    """The top of the rankings: run, query_id, doc_id, rank; and the names of the rankings."""
    several = isinstance(run_a, list) and not names_files(run_a)
    if run_b is None and not several:
        tables = [run_a]
    else:
        tables = [*(run_a if several else [run_a]), *([] if run_b is None else [run_b])]
    engine_of_runs = open_engine(tables[0], engine, con)
    frames = []
    with engine_of_runs.errors():
        for i, one in enumerate(tables):
            runs = Runs(one, engine_of_runs)
            ranked = runs.ranked(runs.frame, depth)
            ranked.check()
            rows = engine_of_runs.collect(
                ranked.rows().select("run_id", "query_id", "doc_id", rank=col("rank").cast(pl.Int64))
            )
            if len(tables) > 1:
                if rows["run_id"].n_unique() > 1:
                    raise InvalidParameter(
                        f"Run {i + 1} has {rows['run_id'].n_unique()} runs.",
                        "Pass one table of all runs, or one run per table.",
                    )
                rows = rows.with_columns(run_id=pl.lit(i))
            frames.append(rows)
    try:
        rows = pl.concat(frames)
    except pl.exceptions.PolarsError:
        types = [f"{f.schema['query_id']} and {f.schema['doc_id']}" for f in frames]
        raise MismatchedTables(
            f"The ids of the runs are of different types: {listed(types)}.", "Give both one type, such as text."
        ) from None
    ids = rows["run_id"].unique().sort().to_list()
    run_names = (
        [str(i) for i in ids]
        if len(tables) == 1
        else [LETTERS[i] if i < len(LETTERS) else f"r{i}" for i in range(len(tables))]
    )
    if names is not None:
        run_names = RANKINGS.check("names", names)
    if len(ids) < 2 or len(run_names) != len(ids) or len(set(run_names)) != len(run_names):
        raise InvalidParameter(
            f"There are {len(ids)} runs, called {listed(run_names)}.", "Pass two or more runs with different names."
        )
    order = {name: i for i, name in enumerate(ids)}
    rows = rows.with_columns(run=pl.col("run_id").replace_strict(order, return_dtype=pl.Int64))
    if not rows.group_by("query_id", maintain_order=True).agg(pl.col("run").n_unique())["run"].eq(len(ids)).any():
        raise MismatchedTables("The runs have no query in common.", "Use the same query ids in all runs.")
    return rows.drop("run_id"), run_names


def arrays(rows: pl.DataFrame, names: list[str], depth: int, credit: str) -> tuple[Rankings, pl.DataFrame]:
    """The rankings of all queries as arrays, and the ids of the numbers of queries and documents."""
    ordered = rows.sort("query_id", "run", "rank").with_columns(
        query=pl.col("query_id").rank("dense").cast(pl.Int64) - 1, at=pl.int_range(pl.len())
    )
    # Documents are numbered by first appearance, so that queries of one pattern have equal arrays.
    first = pl.col("at").min().over("query", "doc_id")
    ordered = ordered.with_columns(document=first.rank("dense").over("query").cast(pl.Int64) - 1)
    query, run, rank, document = (ordered[c].to_numpy() for c in ("query", "run", "rank", "document"))
    n, r, d = int(query.max()) + 1, len(names), int(document.max()) + 1
    # No list is longer than the number of documents.
    depth = min(depth, d)
    lists, ranks = np.full((n, r, depth), -1), np.zeros((n, r, d), dtype=np.int64)
    lists[query, run, rank - 1] = document
    ranks[query, run, document] = rank
    documents = ordered.select("query", "query_id", "document", "doc_id").unique(["query", "document"])
    return Rankings(lists, ranks, depth, credit), documents


def requested(table: Any, queries: pl.Series) -> pl.DataFrame:
    """The requested pages: serp_id, query (a number)."""
    numbers = pl.DataFrame({"query_id": queries}).with_row_index("query").with_columns(pl.col("query").cast(pl.Int64))
    if table is None:
        return numbers.select(serp_id="query_id", query="query")
    pages = polars_frame(table, "pages", TABLE)
    missing = [c for c in ("serp_id", "query_id") if c not in pages.columns]
    if missing:
        raise MissingColumn(
            f"The pages table has no column {missing[0]!r} (it has: {listed(pages.columns, 20)}).",
            f"Rename one: pages.rename({{'your_name': {missing[0]!r}}}).",
        )
    if nulls := pages["serp_id"].null_count():
        raise InvalidValue(
            f"{nulls} rows of the pages table have no serp_id.", rows_to_fix("pages", "serp_id", ".is_null()")
        )
    if pages["serp_id"].is_duplicated().any():
        raise DuplicateRows("A serp_id is twice in the pages table.", "Give each page one row.")
    if pages.schema["query_id"] != queries.dtype:
        raise MismatchedTables(
            f"query_id is {pages.schema['query_id']} in the pages table and {queries.dtype} in the runs.",
            "Give both one type.",
        )
    requested_pages = pages.select("serp_id", "query_id").join(
        numbers, on="query_id", how="left", maintain_order="left"
    )
    if requested_pages["query"].null_count():
        first = requested_pages.filter(pl.col("query").is_null())["query_id"][0]
        raise MismatchedTables(
            f"The runs have no query {first!r}; {requested_pages['query'].null_count()} pages have such queries.",
            "Remove such pages: pages.filter(pl.col('query_id').is_in(run['query_id']))",
        )
    return requested_pages.select("serp_id", "query")
