"""`ir.interleave`: lists made of several rankings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.clicks.counterfactual.given_runs import Runs
from ireval_frames.clicks.counterfactual.weights import Weights
from ireval_frames.engines.base import Engine
from ireval_frames.engines.given import names_files, polars_frame
from ireval_frames.engines.sources import open_engine
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidParameter,
    MismatchedTables,
    MissingColumn,
    UnknownName,
    listed,
    nearest,
)
from ireval_frames.interleaving.methods import METHODS, Made, Rankings
from ireval_frames.interleaving.optimized import CREDITS
from ireval_frames.interleaving.uniforms import Uniforms
from ireval_frames.io.reading import TABLE

# Lists that are made at once.
BLOCK = 20_000


def interleave(
    run_a: Any,
    run_b: Any = None,
    method: str = "team-draft",
    seed: int = 0,
    *,
    depth: int = 10,
    pages: Any = None,
    names: Sequence[str] | None = None,
    credit: str = "inverse",
    engine: str | Engine | None = None,
    con: Any = None,
) -> pl.DataFrame:
    """One list of several rankings for every query, or for every page: what users are shown in an interleaving test.

    Args:
        run_a: a run (query_id, doc_id, score or rank); or several, as a list or as a table with run_id, without `run_b`.
        run_b: the other run.
        method: "team-draft": in each round the rankings, in random order, add their best document that is not there yet;
            "balanced": they take turns in one random order;
            "probabilistic": a random ranking adds a document drawn with p ∝ 1/rank³;
            "optimized": a list drawn with probabilities that favour no ranking and tell most (a linear program for every
            pattern of rankings);
            "pairwise": at place i any document that some ranking has among its first i.
            All take several rankings (multileaving).
        seed: of the draws.  A list follows from the seed and the page's id alone.
        depth: how long lists are, and how far down the rankings are read.
        pages: a table of serp_id and query_id, with a list for each page; by default a query is a page.
        names: what the runs are called; by default a, b, …, or their run_id.
        credit: for "optimized", what a click counts for a ranking: "inverse" (1/rank) or "negative" (−rank).
        engine: "polars" or "duckdb"; by default where the first run is.
        con: a DuckDB connection.

    Returns:
        serp_id query_id doc_id position [team] rank_<name> … [candidates] [credit_<name> …]: a row per place.  Ranks are null where a
        run lacks the document; `team` is the run that added it, `candidates` counts what a place was drawn from, and
        credits say what a click counts for a run.  `ir.Interleaving` reads all of them.

    The rankings are cut by the engine; lists are drawn in this process, many at a time.

    Raises:
        UnknownName, InvalidParameter: an argument is not allowed.
        MissingColumn, WrongType, DuplicateRows: a run is none.
        MismatchedTables: the runs have no query in common.

    Source: Joachims 2003 (balanced); Radlinski, Kurup and Joachims, CIKM 2008 (team draft); Hofmann, Whiteson and de
    Rijke, CIKM 2011 (probabilistic); Radlinski and Craswell, WSDM 2013 (optimized); Schuth and others, CIKM 2014 and
    SIGIR 2015 (multileaving); Oosterhuis and de Rijke, CIKM 2017 (pairwise).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> a = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["x", "y", "z"], "rank": [1, 2, 3]})
        >>> b = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["y", "x", "w"], "rank": [1, 2, 3]})
        >>> ir.interleave(a, b, seed=1, depth=3).select("doc_id", "position", "team", "rank_a", "rank_b").rows()
        [('x', 1, 'a', 1, 2), ('y', 2, 'b', 2, 1), ('w', 3, 'b', None, 3)]
    """
    if method not in METHODS:
        raise UnknownName(f"There is no method {method!r}.", nearest(str(method), METHODS))
    if credit not in CREDITS:
        raise UnknownName(f"There is no credit {credit!r}.", nearest(str(credit), CREDITS))
    for name, value, low in (("depth", depth, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise InvalidParameter(
                f"{name} is {value!r}; it is a whole number of at least {low}.",
                Hint("Write ", Argument(name, 10 if name == "depth" else 0), "."),
            )
    rows, called = _read(run_a, run_b, names, depth, engine, con)
    rankings, documents = _arrays(rows, called, depth, credit)
    queries = documents["query_id"].unique().sort()
    asked = _pages(pages, queries)
    draw = Uniforms(asked["serp_id"], seed)
    parts = [
        _block(rankings, method, asked[first : first + BLOCK], draw.part(slice(first, first + BLOCK)), called)
        for first in range(0, max(asked.height, 1), BLOCK)
    ]
    found = pl.concat(parts).join(documents, on=["query", "document"], how="left", maintain_order="left")
    order = ["serp_id", "query_id", "doc_id", "position"]
    rest = [c for c in found.columns if c not in (*order, "query", "document")]
    return found.select(*order, *rest)


def _read(
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
            rows = place.collect(
                ranked.rows().select("run_id", "query_id", "doc_id", rank=nw.col("rank").cast(nw.Int64))
            )
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
        [str(i) for i in ids] if len(given) == 1 else [chr(97 + i) if i < 26 else f"r{i}" for i in range(len(given))]
    )
    if names is not None:
        called = [str(n) for n in names]
    if len(ids) < 2 or len(called) != len(ids) or len(set(called)) != len(called):
        raise InvalidParameter(
            f"There are {len(ids)} runs, called {listed(called)}.", "Hand in two runs or more, each of another name."
        )
    order = {name: i for i, name in enumerate(ids)}
    rows = rows.with_columns(run=pl.col("run_id").replace_strict(order, return_dtype=pl.Int64))
    if not rows.group_by("query_id").agg(pl.col("run").n_unique())["run"].eq(len(ids)).any():
        raise MismatchedTables("The runs have no query in common.", "Name queries alike in all runs.")
    return rows.drop("run_id"), called


def _arrays(rows: pl.DataFrame, called: list[str], depth: int, credit: str) -> tuple[Rankings, pl.DataFrame]:
    """The rankings of all queries as arrays, and what their numbers of queries and documents stand for."""
    ordered = rows.sort("query_id", "run", "rank").with_columns(
        query=pl.col("query_id").rank("dense").cast(pl.Int64) - 1, at=pl.int_range(pl.len())
    )
    # Documents are numbered as they come, so that queries of one pattern have equal arrays.
    first = pl.col("at").min().over("query", "doc_id")
    ordered = ordered.with_columns(document=first.rank("dense").over("query").cast(pl.Int64) - 1)
    n, r, d = (int(ordered[c].max()) + 1 for c in ("query", "run", "document"))  # type: ignore[arg-type]
    lists, ranks = np.full((n, len(called), depth), -1), np.zeros((n, max(r, len(called)), d), dtype=np.int64)
    query, run, rank, document = (ordered[c].to_numpy() for c in ("query", "run", "rank", "document"))
    lists[query, run, rank - 1] = document
    ranks[query, run, document] = rank
    documents = ordered.select("query", "query_id", "document", "doc_id").unique(["query", "document"])
    return Rankings(lists, ranks, depth, credit), documents


def _pages(given: Any, queries: pl.Series) -> pl.DataFrame:
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


def _block(of: Rankings, method: str, pages: pl.DataFrame, draw: Uniforms, called: list[str]) -> pl.DataFrame:
    """The lists of some pages, a row per place."""
    query: NDArray[np.int64] = pages["query"].to_numpy()
    mine = Rankings(of.lists[query], of.ranks[query], of.depth, of.credit)
    made: Made = METHODS[method](mine, draw)
    page, place = np.nonzero(made.documents >= 0)
    document = made.documents[page, place]
    columns: dict[str, Any] = {
        "serp_id": pages["serp_id"].gather(page),
        "query": query[page],
        "document": document,
        "position": place + 1,
    }
    if made.teams is not None:
        columns["team"] = pl.Series(called, dtype=pl.String).gather(made.teams[page, place])
    for r, name in enumerate(called):
        rank = pl.Series(mine.ranks[page, r, document])
        columns[f"rank_{name}"] = rank.set(rank == 0, None)
    if made.candidates is not None:
        columns["candidates"] = made.candidates[page, place]
    if made.credits is not None:
        columns |= {f"credit_{name}": made.credits[page, r, place] for r, name in enumerate(called)}
    return pl.DataFrame(columns)
