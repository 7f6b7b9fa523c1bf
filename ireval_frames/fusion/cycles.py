"""Circles of majorities: documents that no order puts as most lists do."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from ireval_frames.expr import col
from ireval_frames.fusion.combination import prepared
from ireval_frames.fusion.condorcet import majorities
from ireval_frames.fusion.request import FusionRequest
from ireval_frames.judgments import KEYS

# The number of pairs of documents that are compared at once.
PAIRS = 4_000_000
SCHEMA = ("query_id", "cycle", "doc_id", "rank")


def cycles(request: FusionRequest, fused: pl.DataFrame) -> pl.DataFrame:
    """query_id, cycle, doc_id, rank: the documents of each cycle, by their ranks in the fused run."""
    engine, options = request.engine, request.options
    lists = request.lists(engine)
    n = len(lists.names)
    parts = []
    with engine.errors(), engine.scope():
        rows = engine.materialise(prepared(lists, options))
        for queries in _parts(fused):
            of_part = engine.join(rows, engine.from_polars(queries), ("query_id",), "inner")
            won = majorities(of_part, engine, n).filter(col("margin") > 0).select(*KEYS, "other")
            parts.append(_components(engine.collect(won)))
    members = pl.concat(parts) if parts else fused.select(*KEYS, number=pl.lit(0)).clear()
    rows_of = fused.select(*KEYS, "rank").join(members, on=KEYS).sort("query_id", "rank")
    first = pl.col("rank").min().over("query_id", "number")
    numbered = rows_of.with_columns(cycle=first.rank("dense").over("query_id").cast(pl.Int64))
    return numbered.select(SCHEMA).sort("query_id", "cycle", "rank")


def _parts(fused: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The queries, as many at once as have few enough pairs."""
    sizes = fused.group_by("query_id").agg(pairs=pl.len().cast(pl.Int64) ** 2).sort("query_id")
    for part in sizes.with_columns(part=pl.col("pairs").cum_sum() // PAIRS).partition_by("part", maintain_order=True):
        yield part.select("query_id")


def _components(won: pl.DataFrame) -> pl.DataFrame:
    """query_id, doc_id, number: the documents from which majorities lead back to themselves.

    Args:
        won: query_id, doc_id, other: the first document is before the other one in more lists than after it.
    """
    import numpy as np
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    documents = pl.concat([won.select(KEYS), won.select("query_id", doc_id="other")]).unique().with_row_index("at")
    at = won.join(documents, on=KEYS).join(documents, left_on=("query_id", "other"), right_on=KEYS, suffix="_other")
    size = documents.height
    edges = (np.ones(at.height, dtype=bool), (at["at"].to_numpy(), at["at_other"].to_numpy()))
    _, numbers = connected_components(coo_matrix(edges, shape=(size, size)), directed=True, connection="strong")
    numbered = documents.with_columns(number=pl.Series(numbers, dtype=pl.Int64))
    return numbered.filter(pl.len().over("number") > 1).select(*KEYS, "number")
