"""Worked examples of teaching texts: rankings, on both engines."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir

# In the texts, IPrec@x is the largest precision at any rank with recall of at least x.
POLICY = "interpolation=exact"


# The form of DCG that each text tabulates.
FORMS = {"manrique": "jk", "cs4104": "log2"}


def table(folder: Path, name: str, of: str = "rankings") -> pl.DataFrame:
    """All columns as text; `NA` is undefined."""
    with (folder / f"{of}_{name}.csv").open(encoding="utf-8", newline="") as lines:
        return pl.DataFrame(list(csv.DictReader(lines)))


def lists(folder: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The judgments and the runs of all examples."""
    qrels = table(folder, "qrels").with_columns(pl.col("relevance").cast(pl.Float64))
    return qrels, table(folder, "run").with_columns(pl.col("score").cast(pl.Float64), pl.col("rank").cast(pl.Int64))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_values(worked_examples: Path, engine: str) -> None:
    qrels, run = lists(worked_examples)
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


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_steps(worked_examples: Path, engine: str) -> None:
    """The discounts and discounted gains that the texts tabulate rank by rank."""
    qrels, run = lists(worked_examples)
    num_values = 0
    steps = table(worked_examples, "steps")
    for (example,), rows in steps.group_by("example", maintain_order=True):
        measure = f"DCG(dcg='{FORMS[str(example).partition('-')[0]]}')"
        judged, retrieved = qrels.filter(pl.col("example") == example), run.filter(pl.col("example") == example)
        ranks = ir.evaluate(judged, retrieved, measure, engine=engine).ranks(10)
        assert ranks["doc_id"].to_list() == retrieved.sort("rank")["doc_id"].to_list()
        columns = {
            "discount": ranks["discount"],
            "divisor": 1 / ranks["discount"],
            "gain": ranks["discounted_gain"],
        }
        for row in rows.iter_rows(named=True):
            value = columns[row["quantity"]][int(row["rank"]) - 1]
            assert value == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12), row
            num_values += 1
    assert num_values == steps.height == 64


def test_points_of_a_curve(worked_examples: Path) -> None:
    """Precision interpolated from bare lists of precision and recall."""
    expected = table(worked_examples, "expected", of="curves")
    interpolated = ir.ranking.interpolated_precision(worked_examples / "curves_points.csv")
    values = {f"IPrec@{recall}": precision for recall, precision in interpolated.iter_rows()}
    values["IAP"] = interpolated["precision"].mean()
    assert expected["measure"].to_list() == list(values)
    assert expected["value"].cast(pl.Float64).to_list() == pytest.approx(list(values.values()), rel=1e-12)


def test_all_printed_figures(worked_examples: Path) -> None:
    """What the tables say of every printed figure follows from it and from the value that the tests hold us to."""
    num_figures = 0
    for path in sorted(worked_examples.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            rows = [row for row in csv.DictReader(lines) if row.get("printed")]
        for row in rows:
            if "NA" in (row["value"], row["printed"]):
                agrees = row["value"] == row["printed"]
            else:
                half = 0.5 * 10.0 ** -int(row["digits"])
                agrees = abs(float(row["value"]) - float(row["printed"])) <= half * (1 + 1e-9)
            assert row["agrees"] == ("yes" if agrees else "no"), row
            assert agrees or row["note"], row
        num_figures += len(rows)
    assert num_figures == 411
