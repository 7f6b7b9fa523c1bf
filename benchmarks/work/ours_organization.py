"""This project's work on document organization."""

from collections.abc import Callable

import numpy as np
import polars as pl

import ireval_frames as ir

Means = dict[str, float]
COLUMNS = {
    "ranked": ["relevance", "score"],
    "clustered": ["label", "cluster"],
    "ranked and clustered": ["relevance", "score", "label", "cluster"],
}


def documents(n: int) -> pl.DataFrame:
    """Documents of which a tenth is relevant and a tenth not retrieved, in 5,000 classes and clusters."""
    rng = np.random.default_rng(n)
    relevance = (rng.random(n) < 0.1).astype(np.int64)
    label = rng.integers(0, 5_000, n)
    frame = pl.DataFrame(
        {
            "relevance": relevance,
            "score": rng.random(n) + 0.3 * relevance,
            "label": label,
            "cluster": np.where(rng.random(n) < 0.7, label, rng.integers(0, 5_000, n)),
        }
    )
    return frame.with_columns(score=pl.when(pl.Series(rng.random(n) < 0.9)).then("score"))


def topic(n: str, what: str, engine: str) -> Callable[[], Means]:
    """One topic."""
    frame = documents(int(n)).select(COLUMNS[what])
    return lambda: _mean(ir.Organization(frame, engine=engine))


def two_tables(n: str) -> Callable[[], Means]:
    """One topic, whose gold and output are tables of their own."""
    frame = documents(int(n)).with_columns(doc_id=pl.format("document-{}", pl.int_range(int(n))))
    gold, system = (
        frame.select("doc_id", "relevance", "label"),
        frame.select("doc_id", "score", "cluster").sample(fraction=0.9, shuffle=True, seed=1),
    )
    return lambda: _mean(ir.Organization(gold, system))


def overlapping(n: str) -> Callable[[], Means]:
    """One topic, whose documents are in one to three of a hundred clusters that cross twenty classes."""
    rng, size = np.random.default_rng(int(n)), int(n)
    first = pl.Series("first", rng.integers(0, 100, size))
    frame = pl.DataFrame(
        {"item_id": np.arange(size), "first": first, "n": rng.integers(1, 4, size), "label": rng.integers(0, 20, size)}
    )
    frame = frame.select("item_id", "label", cluster=pl.int_ranges("first", pl.col("first") + pl.col("n")))
    return lambda: _mean(ir.Organization(frame))


def topics(n: str, topics: str) -> Callable[[], Means]:
    """Many topics at once."""
    frame = documents(int(n)).with_columns(query_id=pl.int_range(int(n)) % int(topics))
    return lambda: _mean(ir.Organization(frame))


def one_by_one(n: str, topics: str) -> Callable[[], Means]:
    """The same topics, an evaluation each."""
    parts = documents(int(n)).with_columns(query_id=pl.int_range(int(n)) % int(topics)).partition_by("query_id")
    return lambda: {"RS": sum(_mean(ir.Organization(part))["RS"] for part in parts) / len(parts)}


def _mean(subject: ir.Organization) -> Means:
    return {"RS": subject.evaluate("RS").summary()["value"].item()}
