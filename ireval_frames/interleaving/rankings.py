"""The rankings that are interleaved, as arrays, and the pages that are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.clicks.counterfactual_evaluation.runs import Runs
from ireval_frames.clicks.counterfactual_evaluation.weights import Weights
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

# Runs without a name are called a, b, … as far as there are letters.
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def read(
    run_a: Any, run_b: Any, names: Sequence[str] | None, depth: int, engine: str | Engine | None, con: Any
) -> tuple[pl.DataFrame, list[str]]:
    """The first rows of the rankings: run, query_id, doc_id, rank; and what the rankings are called."""
    several = isinstance(run_a, list) and not names_files(run_a)
    if run_b is None and not several:
        given = [run_a]
    else:
        given = [*(run_a if several else [run_a]), *([] if run_b is None else [run_b])]
    place = open_engine(given[0], engine, con)
    top = [Weights("", depth, lambda rank: rank)]
    frames = []
    with place.errors():
        for i, one in enumerate(given):
            runs = Runs(one, place)
            ranked = runs.ranked(runs.frame, top)
            ranked.check()
            rows = place.collect(ranked.rows().select("run_id", "query_id", "doc_id", rank=col("rank").cast(pl.Int64)))
            if len(given) > 1:
                if rows["run_id"].n_unique() > 1:
                    raise InvalidParameter(
                        f"Run {i + 1} holds {rows['run_id'].n_unique()} runs.",
                        "Hand in one table of all runs, or one run at a time.",
                    )
                rows = rows.with_columns(run_id=pl.lit(i))
            frames.append(rows)
    try:
        rows = pl.concat(frames)
    except pl.exceptions.PolarsError:
        kinds = [f"{f.schema['query_id']} and {f.schema['doc_id']}" for f in frames]
        raise MismatchedTables(
            f"The ids of the runs are of different types: {listed(kinds)}.", "Give both one type, such as text."
        ) from None
    ids = rows["run_id"].unique().sort().to_list()
    called = (
        [str(i) for i in ids]
        if len(given) == 1
        else [LETTERS[i] if i < len(LETTERS) else f"r{i}" for i in range(len(given))]
    )
    if names is not None:
        called = RANKINGS.check("names", names)
    if len(ids) < 2 or len(called) != len(ids) or len(set(called)) != len(called):
        raise InvalidParameter(
            f"There are {len(ids)} runs, called {listed(called)}.", "Hand in two runs or more, each of another name."
        )
    order = {name: i for i, name in enumerate(ids)}
    rows = rows.with_columns(run=pl.col("run_id").replace_strict(order, return_dtype=pl.Int64))
    if not rows.group_by("query_id").agg(pl.col("run").n_unique())["run"].eq(len(ids)).any():
        raise MismatchedTables("The runs have no query in common.", "Name queries alike in all runs.")
    return rows.drop("run_id"), called


def arrays(rows: pl.DataFrame, called: list[str], depth: int, credit: str) -> tuple[Rankings, pl.DataFrame]:
    """The rankings of all queries as arrays, and what their numbers of queries and documents stand for."""
    ordered = rows.sort("query_id", "run", "rank").with_columns(
        query=pl.col("query_id").rank("dense").cast(pl.Int64) - 1, at=pl.int_range(pl.len())
    )
    # Documents are numbered as they come, so that queries of one pattern have equal arrays.
    first = pl.col("at").min().over("query", "doc_id")
    ordered = ordered.with_columns(document=first.rank("dense").over("query").cast(pl.Int64) - 1)
    query, run, rank, document = (ordered[c].to_numpy() for c in ("query", "run", "rank", "document"))
    n, r, d = int(query.max()) + 1, len(called), int(document.max()) + 1
    # No list holds more than there is.
    depth = min(depth, d)
    lists, ranks = np.full((n, r, depth), -1), np.zeros((n, r, d), dtype=np.int64)
    lists[query, run, rank - 1] = document
    ranks[query, run, document] = rank
    documents = ordered.select("query", "query_id", "document", "doc_id").unique(["query", "document"])
    return Rankings(lists, ranks, depth, credit), documents


def requested(given: Any, queries: pl.Series) -> pl.DataFrame:
    """The pages to be made: serp_id, query (a number)."""
    numbers = pl.DataFrame({"query_id": queries}).with_row_index("query").with_columns(pl.col("query").cast(pl.Int64))
    if given is None:
        return numbers.select(serp_id="query_id", query="query")
    pages = polars_frame(given, "pages", TABLE)
    lacking = [c for c in ("serp_id", "query_id") if c not in pages.columns]
    if lacking:
        raise MissingColumn(
            f"The pages table has no column {lacking[0]!r} (it has: {listed(pages.columns, 20)}).",
            f"Rename one: pages.rename({{'their_name': {lacking[0]!r}}}).",
        )
    if nulls := pages["serp_id"].null_count():
        raise InvalidValue(
            f"{nulls} rows of the pages table have no serp_id.", rows_to_fix("pages", "serp_id", ".is_null()")
        )
    if pages["serp_id"].is_duplicated().any():
        raise DuplicateRows("A serp_id stands twice in the pages table.", "Give each page one row.")
    if pages.schema["query_id"] != queries.dtype:
        raise MismatchedTables(
            f"query_id is {pages.schema['query_id']} in the pages table and {queries.dtype} in the runs.",
            "Give both one type.",
        )
    found = pages.select("serp_id", "query_id").join(numbers, on="query_id", how="left", maintain_order="left")
    if found["query"].null_count():
        first = found.filter(pl.col("query").is_null())["query_id"][0]
        raise MismatchedTables(
            f"The runs have no query {first!r}, which {found['query'].null_count()} pages ask for.",
            "Leave such pages out: pages.filter(pl.col('query_id').is_in(run['query_id']))",
        )
    return found.select("serp_id", "query")
