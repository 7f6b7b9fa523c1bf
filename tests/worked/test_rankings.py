"""The worked examples of teaching texts: every figure of a ranking, on both engines."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir

# The texts compare recall itself: IPrec@x is the largest precision at any rank with recall of at least x.
POLICY = "interpolation=exact"


def table(folder: Path, name: str) -> pl.DataFrame:
    """All columns as text: `NA` says undefined."""
    with (folder / f"rankings_{name}.csv").open(encoding="utf-8", newline="") as lines:
        return pl.DataFrame(list(csv.DictReader(lines)))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_every_figure(worked_examples: Path, engine: str) -> None:
    qrels = table(worked_examples, "qrels").with_columns(pl.col("relevance").cast(pl.Float64))
    run = table(worked_examples, "run").with_columns(pl.col("score").cast(pl.Float64), pl.col("rank").cast(pl.Int64))
    expected = table(worked_examples, "expected")
    assert expected.height > 300
    seen = 0
    for (example,), figures in expected.group_by("example", maintain_order=True):
        judged, found = qrels.filter(pl.col("example") == example), run.filter(pl.col("example") == example)
        measures = [ir.Measure.parse(m, "ranking") for m in figures["measure"].unique(maintain_order=True)]
        evaluation = ir.evaluate(judged, found, measures, policy=POLICY, engine=engine)
        units = {(r["query_id"], r["measure"]): r["value"] for r in evaluation.per_unit().iter_rows(named=True)}
        units |= {("all", r["measure"]): r["value"] for r in evaluation.summary().iter_rows(named=True)}
        for row in figures.iter_rows(named=True):
            value = units[row["query_id"], str(ir.Measure.parse(row["measure"], "ranking"))]
            if row["value"] == "NA":
                assert value is None, row
            else:
                assert value == pytest.approx(float(row["value"]), rel=1e-9, abs=1e-12), row
            seen += 1
    assert seen == expected.height
