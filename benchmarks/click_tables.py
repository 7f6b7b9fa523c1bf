"""Click logs of a simulated user, written in pieces: a row per shown result, with ids that are integers.

A user reads a list from the top, clicks on what attracts, stops when satisfied, and else goes on with a chance of γ: a
dynamic Bayesian network (Chapelle and Zhang, 2009).  A document has its attraction and satisfaction from its id, and
lists are in the order of both with noise, so that documents stand at several positions.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

Array = np.ndarray[Any, Any]

GAMMA = 0.9
# Of each query so many documents may be shown.
POOL = 20
# Pages of a query, in the mean; few queries have most.
PAGES_PER_QUERY = 50
PAGES_PER_USER = 20
PIECE = 200_000
SCHEMA = pa.schema(
    {
        "serp_id": pa.int64(),
        "query_id": pa.int64(),
        "doc_id": pa.int64(),
        "position": pa.int16(),
        "click": pa.int8(),
        "user_id": pa.int64(),
    }
)


def clicks(folder: Path, shape: tuple[int, int]) -> None:
    """So many pages of so many results."""
    pages, depth = shape
    rng = np.random.default_rng(pages)
    with pq.ParquetWriter(folder / "run.parquet", SCHEMA, compression="zstd") as parquet:
        for start in range(0, pages, PIECE):
            piece = simulated(rng, start, min(PIECE, pages - start), depth, max(1, pages // PAGES_PER_QUERY))
            parquet.write_table(piece, row_group_size=1_000_000)


def retrieved(folder: Path, shape: tuple[int]) -> None:
    """A run of the queries of a log of so many pages: what may be shown of each, in an order of its own."""
    queries = max(1, shape[0] // PAGES_PER_QUERY)
    doc = np.arange(queries * POOL).reshape(queries, POOL)
    columns = {
        "query_id": np.repeat(np.arange(queries), POOL),
        "doc_id": doc.ravel(),
        "score": uniform(doc, 3).ravel(),
    }
    pq.write_table(pa.table(columns), folder / "run.parquet")


def simulated(rng: np.random.Generator, first: int, pages: int, depth: int, queries: int) -> pa.Table:
    """Pages from a number on."""
    serp = np.arange(first, first + pages)
    # The share of a query falls as one over its place.
    query = np.minimum(np.exp(rng.random(pages) * np.log(queries)).astype(np.int64), queries - 1)
    pool = query[:, None] * POOL + np.arange(POOL)
    attraction, satisfaction = 0.05 + 0.6 * uniform(pool, 1) ** 2, 0.1 + 0.7 * uniform(pool, 2)
    order = np.argsort(-(attraction * satisfaction + 0.1 * rng.random(pool.shape)), axis=1)[:, :depth]
    doc, attraction, satisfaction = (np.take_along_axis(a, order, axis=1) for a in (pool, attraction, satisfaction))
    click, reads = np.zeros(doc.shape, dtype=np.int8), np.ones(pages, dtype=bool)
    for r in range(doc.shape[1]):
        clicked = reads & (rng.random(pages) < attraction[:, r])
        click[:, r] = clicked
        reads &= ~(clicked & (rng.random(pages) < satisfaction[:, r])) & (rng.random(pages) < GAMMA)
    n = doc.shape[1]
    columns = {
        "serp_id": serp.repeat(n),
        "query_id": query.repeat(n),
        "doc_id": doc.ravel(),
        "position": np.tile(np.arange(1, n + 1, dtype=np.int16), pages),
        "click": click.ravel(),
        "user_id": (serp // PAGES_PER_USER).repeat(n),
    }
    return pa.table(columns, schema=SCHEMA)


def uniform(ids: Array, seed: int) -> Array:
    """A number in [0, 1) from an id, the same every time."""
    x = ids.astype(np.uint64) + np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return ((x ^ (x >> np.uint64(31))) >> np.uint64(11)) / float(2**53)
