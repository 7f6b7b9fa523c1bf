"""Groups whose key is a float: 0.0 and -0.0 are one group, and all NaNs are, on both engines and in any order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir

KEYS = [-0.0, 0.0, math.nan, -math.nan, math.inf, None, -0.0, 0.0, math.nan, 1.5, None, -0.0]
IDS = [str(i) for i in range(len(KEYS))]
GROUP = pl.Series("g", KEYS)
ITEMS = pl.DataFrame({"item_id": IDS, "label": list("ab") * 6, "prediction": list("aabb") * 3, "g": GROUP})
POINTS = pl.DataFrame({"cluster_id": list("ab") * 6, "x": [float(i) for i in range(12)], "g": GROUP})
QRELS = pl.DataFrame({"query_id": IDS, "doc_id": ["a"] * 12, "relevance": [1] * 12, "g": GROUP})
RUN = pl.DataFrame({"query_id": IDS, "doc_id": ["a"] * 12, "score": [1.0] * 12, "g": GROUP})
TWO_RUNS = pl.concat([RUN.with_columns(run_id=pl.lit(r)) for r in ("x", "y")])
CLICKS = pl.DataFrame({"serp_id": IDS, "doc_id": IDS, "position": [1] * 12, "click": [1] * 12, "g": GROUP})
SKIP = "missing=skip"

EVALUATIONS: dict[str, Callable[[str], pl.DataFrame]] = {
    "judgments": lambda e: ir.evaluate(QRELS, RUN.drop("g"), "AP", by="g", engine=e).summary(),
    "run": lambda e: ir.evaluate(QRELS.drop("g"), RUN, "AP", by="g", policy=SKIP, engine=e).summary(),
    "queries": lambda e: ir.evaluate(
        QRELS.drop("g"), RUN.drop("g"), "AP", by="g", queries=QRELS.select("query_id", "g"), engine=e
    ).summary(),
    "similarity": lambda e: ir.Similarity(TWO_RUNS, by="g", engine=e).evaluate("Overlap").summary().filter(run_id="x"),
    "labels": lambda e: ir.Labels(ITEMS, by="g", engine=e).evaluate("NumItems").summary(),
    "two tables": lambda e: ir.Labels(ITEMS.drop("prediction"), ITEMS.drop("label"), by="g", engine=e)
    .evaluate("NumItems").summary(),
    "units": lambda e: ir.Labels(ITEMS, unit="g", engine=e, policy="units=drop-null").evaluate("NumItems").per_unit(),
    "confusion": lambda e: ir.Labels(ITEMS, engine=e).confusion(by="g").group_by("g").len(),
    "clusters": lambda e: ir.Clusters(ITEMS, cluster="prediction", by="g", engine=e).evaluate("Purity").summary(),
    "clicks": lambda e: ir.Impressions(CLICKS, by="g", engine=e).evaluate("CTR").summary(),
    "ratings": lambda e: ir.Ratings(ITEMS, rating="label", by="g", engine=e)
    .evaluate("NumRatings").summary(),
    "points": lambda e: ir.Points(POINTS, features=["x"], by="g", engine=e).evaluate("NumPoints").summary(),
}  # fmt: skip


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("case", EVALUATIONS)
def test_equal_floats_are_one_group(case: str, engine: str) -> None:
    actual: list[Any] = EVALUATIONS[case](engine)["g"].to_list()
    # Units are neither null nor NaN.
    expected = ["0.0", "1.5", "inf"] if case == "units" else ["0.0", "1.5", "None", "inf", "nan"]
    assert sorted(map(str, actual)) == expected
