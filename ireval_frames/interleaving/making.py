"""`ir.interleaving.interleave`: lists combined from several rankings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.columns.schema import REQUESTED_PAGES, RUN
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.engines.base import Engine
from ireval_frames.interleaving.methods import METHODS, Interleaved, Rankings
from ireval_frames.interleaving.options import ListOptions
from ireval_frames.interleaving.rankings import arrays, read, requested
from ireval_frames.interleaving.uniforms import Uniforms

# The number of lists drawn at once.
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
    columns: Columns | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
) -> pl.DataFrame:
    """One list of several rankings for every query, or for every page, to show in an interleaving test.

    Args:
        run_a: a run (query_id, doc_id, score or rank); or several, as a list or as a table with run_id, without
            `run_b`.
        run_b: the other run.
        method: "team-draft": in each round the rankings, in random order, add their best document that is not in the
            list; "balanced": they take turns in one random order; "probabilistic": a random ranking adds a document
            drawn with p ∝ 1/rank³; "optimized": a list drawn with probabilities that favour no ranking and are most
            informative (a linear program for every pattern of rankings); "pairwise": at position i any document that
            some ranking has among its top i. All of them accept several rankings (multileaving).
        seed: of the draws.  A list depends on the seed and the page's id alone.
        depth: the length of the lists, and how deep the rankings are read.
        pages: a table of serp_id and query_id, with a list for each page; by default a query is a page.
        names: the names of the runs; by default their run_id, or a, b, … where they have none or the same.
        credit: for "optimized", the credit of a ranking for a click: "inverse" (1/rank) or "negative" (−rank).
        columns: the names of columns, ours → theirs: `{"doc_id": "sku"}` for every table with such a column,
            `{"pages": {"serp_id": "request"}}` for one of run and pages.
        engine: "polars", "duckdb" or "spark"; by default where the first run is.
        con: a DuckDB connection or a Spark session.

    Returns:
        serp_id query_id doc_id position [team] rank_<name> … [candidates] [credit_<name> …]: a row per
        position.  Ranks are null where a run does not have the document; `team` is the run that added it, `candidates`
        the number of documents from which a position was drawn, `credit_…` the credit of a run for a click.
        `ir.interleaving.Interleaving` reads all of them.

    The engine cuts the rankings; lists are drawn in this process, many at a time.

    Raises:
        UnknownName, InvalidParameter: an argument is not allowed.
        MissingColumn, WrongType, DuplicateRows: a table is not a run.
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
    user_names = TableNames(columns, {"run": (RUN,), "pages": (REQUESTED_PAGES,)})
    rows, run_names = read(run_a, run_b, names, depth, user_names, engine, con)
    rankings, documents = arrays(rows, run_names, depth, credit)
    queries = documents["query_id"].unique().sort()
    page_table = requested(pages, queries, user_names.of("pages"))
    user_names.check_used()
    draw = Uniforms(page_table["serp_id"], seed)
    parts = [
        _block(rankings, method, page_table[first : first + BLOCK], draw.part(slice(first, first + BLOCK)), run_names)
        for first in range(0, max(page_table.height, 1), BLOCK)
    ]
    rows_of_lists = pl.concat(parts).join(documents, on=["query", "document"], how="left", maintain_order="left")
    order = ["serp_id", "query_id", "doc_id", "position"]
    further = [c for c in rows_of_lists.columns if c not in (*order, "query", "document")]
    return rows_of_lists.select(*order, *further)


def _block(of: Rankings, method: str, pages: pl.DataFrame, draw: Uniforms, names: list[str]) -> pl.DataFrame:
    """The lists of some pages, a row per position."""
    query: NDArray[np.int64] = pages["query"].to_numpy()
    of_pages = Rankings(of.lists[query], of.ranks[query], of.depth, of.credit)
    drawn: Interleaved = METHODS[method](of_pages, draw)
    page, position = np.nonzero(drawn.documents >= 0)
    document = drawn.documents[page, position]
    columns: dict[str, Any] = {
        "serp_id": pages["serp_id"].gather(page),
        "query": query[page],
        "document": document,
        "position": position + 1,
    }
    if drawn.teams is not None:
        columns["team"] = pl.Series(names, dtype=pl.String).gather(drawn.teams[page, position])
    for r, name in enumerate(names):
        rank = pl.Series(of_pages.ranks[page, r, document])
        columns[f"rank_{name}"] = rank.set(rank == 0, None)
    if drawn.candidates is not None:
        columns["candidates"] = drawn.candidates[page, position]
    if drawn.credits is not None:
        columns |= {f"credit_{name}": drawn.credits[page, r, position] for r, name in enumerate(names)}
    return pl.DataFrame(columns)
