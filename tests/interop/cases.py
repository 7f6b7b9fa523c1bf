"""Small runs and judgments with what is hard to carry over: ties, text that looks like numbers, odd letters."""

from __future__ import annotations

import random

import polars as pl


def make_case(seed: int = 0, topics: int = 12, documents: int = 30) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments with grades from 0 to 3 and a run with ties; the ids are text such as `007` and `ü 2`."""
    draw = random.Random(seed)
    pairs = [(f"0{t}", f"ü{d}") for t in range(topics) for d in range(documents)]
    qrels = [(q, d, draw.randrange(4)) for q, d in pairs if draw.random() < 0.5]
    run = [(q, d, draw.randrange(40) / 8) for q, d in pairs if draw.random() < 0.7]
    return (
        pl.DataFrame(qrels, ["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(run, {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}, orient="row"),
    )


def rows(frame: pl.DataFrame) -> set[tuple]:
    """The rows, whatever their order."""
    return set(frame.rows())
