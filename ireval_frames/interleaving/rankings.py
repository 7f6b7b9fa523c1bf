"""The rankings to interleave, as arrays, and the requested pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.columns.schema import REQUESTED_PAGES, resolve
from ireval_frames.columns.user_names import TableNames
from ireval_frames.engines.base import Engine
from ireval_frames.engines.inputs.frames import names_files, polars_frame
from ireval_frames.engines.opening import open_engine
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    OverlapWarning,
    listed,
    rows_to_fix,
    warn,
)
from ireval_frames.expr import col
from ireval_frames.interleaving.methods import Rankings
from ireval_frames.interleaving.options import RANKINGS
from ireval_frames.io.reading import TABLE
from ireval_frames.runs import ONE_RUN, Runs

# The names of runs without a name.
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def read(
    run_a: Any,
    run_b: Any,
    names: Sequence[str] | None,
    depth: int,
    columns: TableNames,
    engine: str | Engine | None,
    con: Any,
) -> tuple[pl.DataFrame, list[str]]:
    """The top of the rankings: run, query_id, doc_id, rank; and the names of the rankings."""
    several = isinstance(run_a, list) and not names_files(run_a)
    if run_b is None and not several:
        tables = [run_a]
    else:
        tables = [*(run_a if several else [run_a]), *([] if run_b is None else [run_b])]
    engine_of_runs = open_engine(tables[0], engine, con)
    frames, own_names = [], list[Any]()
    with engine_of_runs.errors():
        for i, one in enumerate(tables):
            runs = Runs(one, engine_of_runs, columns.of("run"))
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
                own_names.append(rows["run_id"].first())
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
    run_names = [str(i) for i in (ids if len(tables) == 1 else own_names)]
    if len(tables) > 1 and (len({*own_names}) < len(own_names) or not all(i not in (None, ONE_RUN) for i in own_names)):
        run_names = [LETTERS[i] if i < len(LETTERS) else f"r{i}" for i in range(len(tables))]
    if names is not None:
        run_names = RANKINGS.check("names", names)
    if len(ids) < 2 or len(run_names) != len(ids) or len(set(run_names)) != len(run_names):
        raise InvalidParameter(
            f"There are {len(ids)} runs, called {listed(run_names)}.", "Pass two or more runs with different names."
        )
    order = {name: i for i, name in enumerate(ids)}
    rows = rows.with_columns(run=pl.col("run_id").replace_strict(order, return_dtype=pl.Int64))
    n_runs = rows.group_by("query_id").agg(pl.col("run").n_unique()).sort("query_id")
    of_some = n_runs.filter(pl.col("run") < len(ids))["query_id"]
    if of_some.len() == rows["query_id"].n_unique():
        raise MismatchedTables("The runs have no query in common.", "Use the same query ids in all runs.")
    if of_some.len():
        first = listed(map(repr, of_some), 3)
        warn(f"Not all runs have these queries, whose lists favour those that do: {first}.", OverlapWarning)
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


def read_pages(table: Any, columns: Mapping[str, str]) -> pl.DataFrame:
    """The pages that need lists: serp_id, query_id."""
    pages = polars_frame(table, "pages", TABLE)
    names = resolve(REQUESTED_PAGES, pages.columns, columns)
    return pages.select(pl.col(name).alias(ours) for ours, name in names.items())


def requested(table: Any, queries: pl.Series, columns: Mapping[str, str]) -> pl.DataFrame:
    """The requested pages: serp_id, query (a number)."""
    numbers = pl.DataFrame({"query_id": queries}).with_row_index("query").with_columns(pl.col("query").cast(pl.Int64))
    if table is None:
        return numbers.select(serp_id="query_id", query="query")
    pages = read_pages(table, columns)
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
