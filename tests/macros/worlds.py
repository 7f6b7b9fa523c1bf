"""Small tables with what is hard: ties, missing and unjudged documents, empty judgments, weights, several units."""

from __future__ import annotations

import random

import polars as pl


def rankings() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments and two runs: tied scores, a query that a run lacks, one without relevant documents, pooled ones."""
    draw = random.Random(7)
    qrels = [
        (f"q{q}", f"d{d}", draw.choice([-1, 0, 0, 1, 2, 3]) if q else 0)
        for q in range(7)
        for d in range(0, 20, 1 + q % 3)
    ]
    run = [
        (name, f"q{q}", f"d{d}", float(draw.randrange(6)))
        for name in ("bm25", "lsa")
        for q in range(8)
        if (name, q) != ("lsa", 3)
        for d in draw.sample(range(24), 15)
    ]
    return (
        pl.DataFrame(qrels, ["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(run, ["run_id", "query_id", "doc_id", "score"], orient="row"),
    )


def items(labels: list[str]) -> pl.DataFrame:
    """Items of two systems in two units, of these classes, with weights, scores and clusters."""
    draw = random.Random(11)
    rows = [
        {
            "run_id": name,
            "unit_id": unit,
            "label": draw.choice(labels),
            "prediction": draw.choice(labels),
            "cluster_id": draw.choice("xyz"),
            "score": draw.choice([0.1, 0.25, 0.25, 0.5, 0.7, 0.9]),
            "weight": float(draw.choice([1, 1, 2, 3])),
        }
        for name in ("one", "two")
        for unit in ("a", "b")
        for _ in range(25)
    ]
    # A class that one side lacks, and an item without a label.
    return pl.DataFrame(rows).with_columns(label=pl.when(pl.int_range(pl.len()) != 3).then("label"))
