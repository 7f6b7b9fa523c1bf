"""`--over`: coarser units are summarised first, in every verb with units."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke

PAGES = pl.DataFrame(
    {
        "user": ["a", "a", "a", "a", "b", "b"],
        "page": [1, 1, 2, 3, 4, 4],
        "label": ["x", "y", "x", "x", "y", "x"],
        "prediction": ["x", "x", "x", "y", "y", "x"],
    }
)


@pytest.mark.parametrize("over", [["user"], []], ids=str)
def test_users_of_labels(tmp_path: Path, over: list[str]) -> None:
    path = tmp_path / "pages.csv"
    PAGES.write_csv(path)
    options = [option for name in over for option in ("--over", name)]
    printed = invoke("labels", path, "Accuracy", "--unit", "user", "--unit", "page", *options, "--format", "csv").stdout
    expected = ir.Labels(PAGES, unit=["user", "page"]).evaluate("Accuracy").summary(over=over)
    assert pl.read_csv(io.StringIO(printed))["value"].to_list() == pytest.approx(expected["value"].to_list())
    # Users a (pages 0.5, 1, 0) and b (1), or four pages.
    assert expected["value"].to_list() == pytest.approx([0.75] if over else [0.625])


def test_groups_of_queries(tmp_path: Path) -> None:
    qrels, run = ir.examples.ranking()
    queries = qrels.select("query_id").unique(maintain_order=True).with_row_index("site")
    queries = queries.with_columns(site=pl.col("site") % 2)
    for name, table in (("qrels", qrels), ("run", run), ("queries", queries)):
        table.write_parquet(tmp_path / f"{name}.parquet")
    files = [tmp_path / f"{name}.parquet" for name in ("qrels", "run")]
    options = ("--queries", tmp_path / "queries.parquet", "--by", "site", "--over", "site", "--format", "csv")
    printed = invoke("evaluate", *files, "-m", "AP", *options).stdout
    expected = ir.evaluate(qrels, run, "AP", queries=queries, by="site").summary(over="site")
    assert pl.read_csv(io.StringIO(printed))["value"].to_list() == pytest.approx(expected["value"].to_list())


def test_a_column_that_units_do_not_have(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    PAGES.write_csv(path)
    refused = invoke("labels", path, "Accuracy", "--unit", "user", "--over", "team")
    assert refused.exit_code == 2
    assert "over='team' is not a column of the units (they have: user)" in refused.stderr


@pytest.mark.parametrize("verb", ["evaluate", "labels", "clusters", "organization", "points", "similarity"])
def test_every_verb_with_units_has_it(verb: str) -> None:
    assert "--over" in invoke(verb, "--help").stdout
