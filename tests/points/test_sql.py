"""The SQL text that is shown computes, run by hand, what the evaluation gives; what is Python says so."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from tests.points.cases import FEATURES
from tests.points.suite import CASES, points


def test_vectors_and_clusterings_and_centroids() -> None:
    frame = CASES["text"].frame().with_columns(v=pl.concat_list(FEATURES), other=pl.lit("o"))
    measures = ["SSE", "Dunn(separation='centroids', diameter='radius')"]
    evaluation = ir.Points(frame, "v", cluster=["group", "other"], by="part").evaluate(measures)
    with duckdb.connect() as con:
        con.from_arrow(frame.to_arrow()).create("points")
        rows = con.sql(evaluation.per_unit.sql(wide=True)).pl()
    wide = evaluation.wide()
    assert rows.columns == wide.columns
    for row, right in zip(rows.iter_rows(), wide.iter_rows(), strict=True):
        assert row[:2] == right[:2]
        assert row[2:] == tuple(None if v is None else pytest.approx(v, rel=1e-12) for v in right[2:])


def test_python_is_refused() -> None:
    with pytest.raises(NotDefined, match="Python") as caught:
        points(CASES["text"]).evaluate("SSE Silhouette").per_unit.sql(wide=True)
    assert "Leave those measures out" in str(caught.value)
