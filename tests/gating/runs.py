"""Runs of a search that differ a little, for stores."""

from __future__ import annotations

import random

import polars as pl

TOPICS = 24
QRELS = pl.DataFrame(
    [{"query_id": f"q{i}", "doc_id": f"d{j}", "relevance": int(j < 3)} for i in range(TOPICS) for j in range(8)]
)
LANGUAGES = pl.DataFrame([{"query_id": f"q{i}", "lang": "de" if i % 3 else "en"} for i in range(TOPICS)])


def run(seed: int, noise: float = 1.0, name: str | None = "bm25") -> pl.DataFrame:
    """A run whose scores are the judgments with noise; another seed is another run."""
    draw = random.Random(seed)
    scores = [(1.0 if j < 3 else 0.0) + draw.gauss(0, noise) for _ in range(TOPICS) for j in range(8)]
    frame = QRELS.select("query_id", "doc_id").with_columns(score=pl.Series(scores))
    return frame if name is None else frame.with_columns(run_id=pl.lit(name))
