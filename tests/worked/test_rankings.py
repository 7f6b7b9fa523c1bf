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


# Examples are evaluated together, so their queries need names of their own.
QUERY = pl.concat_str("example", "query_id", separator="/")


def lists(folder: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The judgments and the runs of all examples."""
    qrels, run = (table(folder, name).with_columns(query_id=QUERY) for name in ("qrels", "run"))
    return qrels.with_columns(pl.col("relevance").cast(pl.Float64)), run.with_columns(pl.col("score").cast(pl.Float64))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_values(worked_examples: Path, engine: str) -> None:
    qrels, run = lists(worked_examples)
    expected = table(worked_examples, "expected").with_columns(query_id=QUERY)
    assert expected.height == 319
    texts = {text: str(ir.Measure.parse(text, "ranking")) for text in expected["measure"].unique(maintain_order=True)}
    examples = qrels.select("query_id", "example").unique()
    evaluation = ir.evaluate(qrels, run, list(texts), queries=examples, by="example", policy=POLICY, engine=engine)
    values = {(r["query_id"], r["measure"]): r["value"] for r in evaluation.per_unit().iter_rows(named=True)}
    values |= {(f"{r['example']}/all", r["measure"]): r["value"] for r in evaluation.summary().iter_rows(named=True)}
    for row in expected.iter_rows(named=True):
        value = values[row["query_id"], texts[row["measure"]]]
        assert value == pytest.approx(float(row["value"]), rel=1e-9, abs=1e-12), row


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_steps(worked_examples: Path, engine: str) -> None:
    """The discounts and discounted gains that the texts tabulate rank by rank."""
    qrels, run = lists(worked_examples)
    steps = table(worked_examples, "steps").with_columns(query_id=QUERY)
    assert steps.height == 64
    forms = [f"DCG(dcg='{form}')@10" for form in FORMS.values()]
    tabulated = run.filter(pl.col("query_id").is_in(steps["query_id"].unique().to_list()))
    ranks = ir.evaluate(qrels, tabulated, forms, policy="missing=skip", engine=engine).ranks()
    rows = {(r["query_id"], r["rank"], r["measure"]): r for r in ranks.iter_rows(named=True)}
    for row in steps.iter_rows(named=True):
        form = FORMS[row["example"].partition("-")[0]]
        at_rank = rows[row["query_id"], int(row["rank"]), str(ir.Measure.parse(f"DCG(dcg='{form}')", "ranking"))]
        value = {
            "discount": at_rank["discount"],
            "divisor": 1 / at_rank["discount"],
            "gain": at_rank["discounted_gain"],
        }[row["quantity"]]
        assert value == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12), row


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
