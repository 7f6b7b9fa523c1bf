"""Worked examples of teaching texts: rankings, on both engines."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir

# In the texts, IPrec@x is the largest precision at any rank with recall of at least x.
POLICY = "interpolation=exact"


def table(folder: Path, name: str) -> pl.DataFrame:
    """All columns as text; `NA` is undefined."""
    with (folder / f"rankings_{name}.csv").open(encoding="utf-8", newline="") as lines:
        return pl.DataFrame(list(csv.DictReader(lines)))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_values(worked_examples: Path, engine: str) -> None:
    qrels = table(worked_examples, "qrels").with_columns(pl.col("relevance").cast(pl.Float64))
    run = table(worked_examples, "run").with_columns(pl.col("score").cast(pl.Float64), pl.col("rank").cast(pl.Int64))
    expected = table(worked_examples, "expected")
    assert expected.height > 300
    num_values = 0
    for (example,), rows in expected.group_by("example", maintain_order=True):
        judged, retrieved = qrels.filter(pl.col("example") == example), run.filter(pl.col("example") == example)
        measures = [ir.Measure.parse(m, "ranking") for m in rows["measure"].unique(maintain_order=True)]
        evaluation = ir.evaluate(judged, retrieved, measures, policy=POLICY, engine=engine)
        units = {(r["query_id"], r["measure"]): r["value"] for r in evaluation.per_unit().iter_rows(named=True)}
        units |= {("all", r["measure"]): r["value"] for r in evaluation.summary().iter_rows(named=True)}
        for row in rows.iter_rows(named=True):
            value = units[row["query_id"], str(ir.Measure.parse(row["measure"], "ranking"))]
            if row["value"] == "NA":
                assert value is None, row
            else:
                assert value == pytest.approx(float(row["value"]), rel=1e-9, abs=1e-12), row
            num_values += 1
    assert num_values == expected.height
