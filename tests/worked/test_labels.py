"""Worked examples of teaching texts: confusion matrices, on both engines."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
# The tables use the names of ir_measures.
NAMES = {"P": "Precision", "R": "Recall"}


def table(folder: Path, name: str) -> pl.DataFrame:
    """All columns as text; `NA` is undefined."""
    with (folder / f"labels_{name}.csv").open(encoding="utf-8", newline="") as lines:
        return pl.DataFrame(list(csv.DictReader(lines)))


def assert_value(value: float | None, row: dict[str, str]) -> None:
    if row["value"] == "NA":
        assert value is None, row
    else:
        assert value == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12), row


@engines
def test_five_models(worked_examples: Path, engine: str) -> None:
    models = table(worked_examples, "confusion")
    cells = {"tp": (1, 1), "fp": (0, 1), "fn": (1, 0), "tn": (0, 0)}
    frame = pl.concat(
        [
            models.select("model", label=pl.lit(a), prediction=pl.lit(b), count=pl.col(c).cast(pl.Int64))
            for c, (a, b) in cells.items()
        ]
    )
    rows = table(worked_examples, "expected").filter(pl.col("example") == "cs4104-models")
    names = {m: NAMES.get(m, m) for m in rows["measure"].unique(maintain_order=True)}
    # Where precision is undefined, the text gives no F1 either, which would be 0 by its counts.
    labels = ir.Labels(frame, weight="count", by="model", policy="undefined=propagate", engine=engine)
    actual = {
        (r["model"], r["measure"]): r["value"]
        for r in labels.evaluate(list(names.values())).summary().iter_rows(named=True)
    }
    assert rows.height == len(actual) == 40
    for row in rows.iter_rows(named=True):
        assert_value(actual[row["model"], names[row["measure"]]], row)


@engines
def test_three_classes(worked_examples: Path, engine: str) -> None:
    frame = table(worked_examples, "matrix").with_columns(pl.col("count").cast(pl.Int64))
    rows = table(worked_examples, "expected").filter(pl.col("example") == "ist2018-confusion")
    labels = ir.Labels(frame, weight="count", engine=engine)
    per_class = {r["measure"]: NAMES.get(r["measure"], r["measure"]) for r in rows.iter_rows(named=True) if r["label"]}
    summary_measures = [m for m in rows["measure"].unique() if m not in per_class]
    summary = dict(
        labels.evaluate([NAMES[m[0]] + m[1:] if m[:2] in ("P(", "R(") else m for m in summary_measures])
        .summary()
        .select("measure", "value")
        .rows()
    )
    classes = labels.evaluate([f"{m}(average='macro')" for m in per_class.values()]).per_class()
    by_class = {(r["measure"].partition("(")[0], r["class_id"]): r["value"] for r in classes.iter_rows(named=True)}
    assert rows.height >= 9
    for row in rows.iter_rows(named=True):
        name, bracket, suffix = row["measure"].partition("(")
        name = NAMES.get(name, name)
        assert_value(by_class[name, row["label"]] if row["label"] else summary[name + bracket + suffix], row)


@engines
def test_confusion_matrix(worked_examples: Path, engine: str) -> None:
    frame = table(worked_examples, "matrix").with_columns(pl.col("count").cast(pl.Float64))
    actual = ir.Labels(frame, weight="count", engine=engine).confusion()
    expected = frame.select("label", "prediction", "count").sort("label", "prediction")
    assert actual.equals(expected)
