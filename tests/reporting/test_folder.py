"""A report as a folder, whose tables are queried in SQL."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError, FileError, InvalidParameter
from tests.browser.built_pages import built, stored, tables
from tests.store.cases import contents, evaluation


@pytest.fixture
def two() -> ir.Evaluation:
    qrels, run = ir.examples.ranking()
    runs = pl.concat(
        [run.with_columns(run_id=pl.lit("one")), run.with_columns(pl.col("score") * -1, run_id=pl.lit("two"))]
    )
    return ir.evaluate(qrels, runs, "RR P@1")


def test_its_tables_are_complete(two: ir.Evaluation, tmp_path: Path) -> None:
    folder = ir.report(two, tmp_path / "v1.2", interactive=True, page=built(tmp_path / "built"), title="<i>Two</i>")
    assert folder == tmp_path / "v1.2"
    assert '<a href="sql.html">' in (folder / "index.html").read_text("utf-8")
    assert (folder / "sql.html").read_text("utf-8") == "store.html"
    assert (stored(folder)["kind"], stored(folder)["title"]) == ("report", "<i>Two</i>")
    assert (folder / stored(folder)["back"]).is_file()
    actual = tables(folder)
    key = ["measure", "run_id", "unit_id"]
    expected = two.per_unit().rename({"query_id": "unit_id"}).select("run_id", "unit_id", "measure", "value")
    assert actual["results"].cast(expected.schema).sort(key).equals(expected.sort(key))
    values = two.summary().sort("measure", "run_id")["value"].to_list()
    summary = actual["summary"].with_columns(pl.col("measure", "run_id").cast(pl.String))
    assert summary.sort("measure", "run_id")["value"].to_list() == values
    assert actual["measures"].select("measure", "higher_is_better", "aggregation").rows() == [
        ("RR", True, "mean"),
        ("P@1", True, "mean"),
    ]
    assert {"pairs", "judged"} <= {*actual}


def test_of_a_store_it_has_the_tables_of_the_store(tmp_path: Path) -> None:
    store = ir.Store(tmp_path / "results")
    store.add(evaluation())
    page = built(tmp_path / "built")
    folder = ir.report(store, tmp_path / "report", interactive=True, page=page)
    other = store.page(tmp_path / "page", page=page, title=stored(folder)["title"])
    assert contents(folder / "data" / "tables") == contents(other / "data" / "tables")
    assert stored(folder) == stored(other) | {"back": "index.html"}
    assert stored(folder)["kind"] == "store"


@pytest.mark.parametrize(
    "result,expected",
    [
        (ir.examples.ranking()[0], {"rows"}),
        (ir.Experiment(ir.examples.experiment(), baseline="a").analyze("Mean(revenue)"), {"versions", "summary"}),
    ],
)
def test_other_results(result: object, expected: set[str], tmp_path: Path) -> None:
    folder = ir.report(result, tmp_path / "report", interactive=True, page=built(tmp_path / "built"))
    actual = tables(folder)
    assert min(t.height for t in actual.values()) >= 1
    assert {*actual} >= expected
    assert stored(folder)["kind"] == "report"


def test_what_is_no_folder(two: ir.Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidParameter, match=r"(?s)does not end in .html.*interactive=True"):
        ir.report(two, tmp_path / "report")
    with pytest.raises(InvalidParameter, match=r"(?s)ends in '\.pdf'.*interactive=True"):
        ir.report(two, tmp_path / "report.pdf")
    with pytest.raises(InvalidParameter, match=r"(?s)report.html is one file.*interactive=True"):
        ir.report(two, tmp_path / "report.html", page=built(tmp_path / "built"))
    with pytest.raises(FileError, match="holds something else"):
        ir.report(two, tmp_path, interactive=True, page=built(tmp_path / "built"))
    monkeypatch.setattr("ireval_frames.browser.built._places", lambda: iter(()))
    with pytest.raises(EngineError, match="not installed"):
        ir.report(two, tmp_path / "report", interactive=True)
    assert not (tmp_path / "report").exists()
