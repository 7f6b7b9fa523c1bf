"""What the tests against scikit-learn share."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
POLICY = "undefined=0"


def values_of(frame: pl.DataFrame, measures: list[str], engine: str, **options) -> dict[str, float | None]:
    evaluation = ir.Labels(frame, engine=engine, **options).evaluate(measures)
    return dict(zip(measures, evaluation.summary()["value"], strict=True))
