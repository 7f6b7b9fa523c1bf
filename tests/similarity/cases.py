"""Small random runs, with ties, lists of different lengths, disjoint lists and queries that a run lacks."""

from __future__ import annotations

import random
from typing import Any

import polars as pl

Lists = dict[tuple[str, str], dict[Any, float]]


def make_case(seed: int, runs: int = 3, queries: int = 24) -> Lists:
    """Values of items by (run, query)."""
    rng = random.Random(seed)
    lists: Lists = {}
    for query in range(queries):
        pool = [f"d{i}" for i in range(rng.choice((3, 6, 20)))]
        shape = rng.choice(("any", "any", "tied", "grades", "same items", "disjoint", "one"))
        for run in range(runs):
            size = rng.choice((0, 1, 2, 3, 5, 8, 15))
            docs = rng.sample(
                pool, len(pool) if shape == "same items" else 1 if shape == "one" else min(size, len(pool))
            )
            if shape == "disjoint":
                docs = [f"{run}{doc}" for doc in docs]
            value_type = (
                "tied"
                if shape == "tied" and run
                else rng.choice(("grades", "scores"))
                if shape != "grades"
                else "grades"
            )
            values = {"tied": lambda: 2.5, "grades": lambda: float(rng.randint(-1, 2)), "scores": rng.random}[
                value_type
            ]
            if docs:
                lists[f"r{run}", f"q{query}"] = {doc: values() for doc in docs}
    return lists


def frame(lists: Lists) -> pl.DataFrame:
    """The runs as one table."""
    rows = [(run, query, doc, value) for (run, query), values in lists.items() for doc, value in values.items()]
    return pl.DataFrame(rows, schema=["run_id", "query_id", "doc_id", "score"], orient="row")
