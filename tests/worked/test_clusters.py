"""Worked examples of teaching texts: clusterings of classes and points, on both engines."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def expected_values(folder: Path, name: str) -> dict[str, float]:
    with (folder / f"{name}_expected.csv").open(encoding="utf-8", newline="") as lines:
        return {row["measure"]: float(row["value"]) for row in csv.DictReader(lines)}


@engines
def test_classes_and_clusters(worked_examples: Path, engine: str) -> None:
    expected = expected_values(worked_examples, "clusters")
    assert len(expected) == 13
    actual = ir.Clusters(worked_examples / "clusters_items.csv", engine=engine).evaluate(list(expected)).summary()
    assert dict(actual.select("measure", "value").rows()) == {
        m: pytest.approx(v, rel=1e-12) for m, v in expected.items()
    }


@engines
def test_points(worked_examples: Path, engine: str) -> None:
    expected = expected_values(worked_examples, "points")
    assert len(expected) == 5
    points = pl.read_csv(worked_examples / "points_items.csv")
    actual = ir.Points(points, ["x", "y"], engine=engine).evaluate(list(expected)).summary()
    assert dict(actual.select("measure", "value").rows()) == {
        m: pytest.approx(v, rel=1e-12) for m, v in expected.items()
    }
