"""Small rankings, and simulated clicks on lists of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

TWO_RUNS = {"q": (["a", "b", "c", "d"], ["b", "e", "a", "f"]), "short": (["a"], ["b", "a", "c"])}
THREE_RUNS = {"q": (["a", "b", "c"], ["b", "c", "d"], ["e", "a", "b"])}


def run(lists: Mapping[str, Sequence[Sequence[str]]], index: int) -> pl.DataFrame:
    """A ranking as a run."""
    rows = [(q, d, float(-i)) for q, rankings in lists.items() for i, d in enumerate(rankings[index])]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")


def pages(n: int, queries: Sequence[str] = ("q",)) -> pl.DataFrame:
    """Pages of the queries in turn."""
    return pl.DataFrame({"serp_id": range(n), "query_id": [queries[i % len(queries)] for i in range(n)]})


def add_clicks(lists: pl.DataFrame, probabilities: Mapping[str, float], seed: int) -> pl.DataFrame:
    """Lists with simulated clicks, by the probability of each document and its position."""
    rng = np.random.default_rng(seed)
    probability = lists["doc_id"].replace_strict(probabilities, default=0.1, return_dtype=pl.Float64).to_numpy()
    examination = 1.0 / np.sqrt(lists["position"].to_numpy())
    return lists.with_columns(
        click=pl.Series((rng.random(lists.height) < probability * examination).astype(np.int64)),
        user_id=pl.Series(lists["serp_id"].cast(pl.Int64) // 4) if lists["serp_id"].dtype.is_integer() else pl.lit("u"),
    )
