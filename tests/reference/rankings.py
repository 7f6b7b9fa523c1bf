"""Rankings by scores, many pairs of them in one call."""

from __future__ import annotations

import random

import polars as pl

import ireval_frames as ir

Pairs = list[tuple[list[float], list[float]]]


def pairs(seed: int, number: int = 80) -> Pairs:
    """Scores of the same items in two rankings, many of them tied."""
    rng = random.Random(seed)
    rankings = []
    for _ in range(number):
        n, grades = rng.choice((2, 3, 8, 30)), rng.choice((1, 2, 5, 1000))
        rankings.append(tuple([float(rng.randint(0, grades)) for _ in range(n)] for _ in "xy"))
    return rankings


def frames(rankings: Pairs) -> list[pl.DataFrame]:
    """All first and all second rankings, each pair as a query."""
    rows = [[(q, i, score) for q, pair in enumerate(rankings) for i, score in enumerate(pair[side])] for side in (0, 1)]
    return [pl.DataFrame(r, schema=["query_id", "doc_id", "score"], orient="row") for r in rows]


def ours(rankings: Pairs, measure: str, engine: str) -> list[float | None]:
    one, other = frames(rankings)
    return ir.Similarity(one, against=other, engine=engine).evaluate(measure).per_unit()["value"].to_list()
