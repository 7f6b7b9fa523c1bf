"""Pairwise majorities: which of two documents more lists put first."""

from __future__ import annotations

from ireval_frames.engines.base import Aggregate, Engine, Part
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.fusion.normalization import Column, added
from ireval_frames.judgments import KEYS


def majorities(rows: Frame, engine: Engine, n: int) -> Frame:
    """query_id doc_id other margin: for every two documents of a query, how many more lists put the first one first.

    A document that a list has is above one that it lacks; of two that it lacks it says nothing.

    Args:
        rows: a row per document with its rank in each list.
        engine: where they are.
        n: the number of lists.
    """
    rows = engine.shared(rows)
    other = rows.select("query_id", other=col("doc_id"), **{f"other_{i}": col(f"value_{i}") for i in range(n)})
    pairs = engine.join(rows, other, ("query_id",), "inner").filter(col("doc_id") != col("other"))
    margin = added([_vote(Column(i).value, col(f"other_{i}")) for i in range(n)])
    return pairs.select(*KEYS, "other", margin=margin)


def _vote(rank: Expr, other: Expr) -> Expr:
    first = when(other.is_null()).then(1.0).when(rank < other).then(1.0).when(rank > other).then(-1.0).otherwise(0.0)
    return when(~rank.is_null()).then(first).when(~other.is_null()).then(-1.0).otherwise(0.0)


def condorcet(rows: Frame, engine: Engine, n: int) -> Frame:
    """query_id doc_id score: documents by Copeland's number, then by the sum of their margins.

    score = C + M / (2 n c): C is the number of documents that it beats less that of those that beat it, M the sum of
    its margins, n the number of lists and c that of the query's documents; |M| < n c, so that C decides first.
    """
    rows = engine.shared(rows)
    margin = col("margin")
    sign = when(margin > 0).then(1.0).when(margin < 0).then(-1.0).otherwise(0.0)
    of_pairs = engine.group(
        majorities(rows, engine, n), KEYS, [Aggregate("wins", "sum", sign), Aggregate("margins", "sum", margin)]
    )
    documents = rows.select(*KEYS, candidates=col("doc_id").count().over("query_id"))
    out = engine.attach(documents, [Part(of_pairs, KEYS, zero=("wins", "margins"))])
    return out.select(*KEYS, score=col("wins") + col("margins") / (lit(2.0 * n) * col("candidates")))
