"""`ir.interleaving.interleave`: lists made of several rankings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.engines.base import Engine
from ireval_frames.interleaving.methods import METHODS, Made, Rankings
from ireval_frames.interleaving.options import ListOptions
from ireval_frames.interleaving.rankings import arrays, read, requested
from ireval_frames.interleaving.uniforms import Uniforms

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
        run_a: a run (query_id, doc_id, score or rank); or several, as a list or as a table with run_id, without
            `run_b`.
        run_b: the other run.
        method: "team-draft": in each round the rankings, in random order, add their best document that is not there;
            "balanced": they take turns in one random order;
            "probabilistic": a random ranking adds a document drawn with p ∝ 1/rank³;
            "optimized": a list drawn with probabilities that favour no ranking and tell most (a linear program for
            every pattern of rankings);
            "pairwise": at place i any document that some ranking has among its first i.
            All take several rankings (multileaving).
        seed: of the draws.  A list follows from the seed and the page's id alone.
        depth: how long lists are, and how far down the rankings are read.
        pages: a table of serp_id and query_id, with a list for each page; by default a query is a page.
        names: what the runs are called; by default a, b, …, or their run_id.
        credit: for "optimized", what a click counts for a ranking: "inverse" (1/rank) or "negative" (−rank).
        engine: "polars", "duckdb" or "spark"; by default where the first run is.
        con: a DuckDB connection or a Spark session.

    Returns:
        serp_id query_id doc_id position [team] rank_<name> … [candidates] [credit_<name> …]: a row per place.  Ranks
        are null where a run lacks the document; `team` is the run that added it, `candidates` counts what a place was
        drawn from, and credits say what a click counts for a run.  `ir.interleaving.Interleaving` reads all of them.

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
        >>> lists = ir.interleaving.interleave(a, b, seed=1, depth=3)
        >>> lists.select("doc_id", "position", "team", "rank_a", "rank_b").rows()
        [('x', 1, 'a', 1, 2), ('y', 2, 'b', 2, 1), ('w', 3, 'b', None, 3)]
    """
    options = ListOptions(method, credit, depth, seed)
    depth, seed = options.depth, options.seed
    rows, called = read(run_a, run_b, names, depth, engine, con)
    rankings, documents = arrays(rows, called, depth, credit)
    queries = documents["query_id"].unique().sort()
    asked = requested(pages, queries)
    draw = Uniforms(asked["serp_id"], seed)
    parts = [
        _block(rankings, method, asked[first : first + BLOCK], draw.part(slice(first, first + BLOCK)), called)
        for first in range(0, max(asked.height, 1), BLOCK)
    ]
    found = pl.concat(parts).join(documents, on=["query", "document"], how="left", maintain_order="left")
    order = ["serp_id", "query_id", "doc_id", "position"]
    rest = [c for c in found.columns if c not in (*order, "query", "document")]
    return found.select(*order, *rest)


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
