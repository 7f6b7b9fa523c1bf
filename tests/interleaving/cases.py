"""Small rankings and the users who click on lists of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

TWO = {"q": (["a", "b", "c", "d"], ["b", "e", "a", "f"]), "short": (["a"], ["b", "a", "c"])}
THREE = {"q": (["a", "b", "c"], ["b", "c", "d"], ["e", "a", "b"])}


def run(lists: Mapping[str, Sequence[Sequence[str]]], which: int) -> pl.DataFrame:
    """One of the rankings, as a run."""
    rows = [(q, d, float(-i)) for q, one in lists.items() for i, d in enumerate(one[which])]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")


def pages(n: int, queries: Sequence[str] = ("q",)) -> pl.DataFrame:
    """Requests, the queries in turn."""
    return pl.DataFrame({"serp_id": range(n), "query_id": [queries[i % len(queries)] for i in range(n)]})


def clicked(shown: pl.DataFrame, wanted: Mapping[str, float], seed: int) -> pl.DataFrame:
    """Clicks of users who read from the top and click what they want."""
    rng = np.random.default_rng(seed)
    chance = shown["doc_id"].replace_strict(wanted, default=0.1, return_dtype=pl.Float64).to_numpy()
    look = 1.0 / np.sqrt(shown["position"].to_numpy())
    return shown.with_columns(
        click=pl.Series((rng.random(shown.height) < chance * look).astype(np.int64)),
        user_id=pl.Series(shown["serp_id"].cast(pl.Int64) // 4) if shown["serp_id"].dtype.is_integer() else pl.lit("u"),
    )
