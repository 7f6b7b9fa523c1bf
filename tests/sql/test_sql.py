"""The SQL text: it gives the same numbers, speaks of the user's own tables, and stays legible."""

from __future__ import annotations

import os
import re
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.catalog import definitions
from ireval_frames.declaration import AGGREGATIONS
from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import REQUIRED

DATA = Path(__file__).parents[2] / "data" / "stdlib"
SNAPSHOTS = Path(__file__).parent / "snapshots"


def every_measure():
    """Each measure of the catalog that plain judgments do for, with a value for the parameter it needs."""
    for definition in definitions("ranking"):
        if definition.reads:
            continue
        values = {"cutoff": 5, "recall": 0.5, "max_rel": 4}
        yield definition(**{n: values[n] for n, p in definition.parameters.items() if p.default is REQUIRED})


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA search")
        connection.execute(
            'CREATE TABLE search.runs AS SELECT run_id, query_id AS "Select", doc_id, score FROM '
            f"'{DATA / 'runs.parquet'}'"
        )
        connection.execute(f"CREATE TABLE judgments AS FROM '{DATA / 'qrels.parquet'}'")
        yield connection


def test_text_gives_the_numbers_of_every_measure(con):
    evaluation = ir.evaluate("judgments", "search.runs", every_measure(), con=con, columns={"query_id": "Select"})
    text = evaluation.per_unit.sql(wide=True)
    expected = evaluation.per_unit().pivot(on="measure", index=["run_id", "query_id"], values="value")
    assert_frame_equal(con.sql(text).pl(), expected.sort("run_id", "query_id"), check_exact=False, abs_tol=1e-12)
    assert "search.runs" in text
    assert "FROM judgments" in text


def test_summary_text_gives_the_means(con):
    measures = "nDCG@10 AP(aggregation='geometric') NumRet RR(aggregation='median')"
    evaluation = ir.evaluate("judgments", "search.runs", measures, con=con, columns={"query_id": "Select"})
    rows = con.sql(evaluation.summary.sql(wide=True)).pl()
    assert_frame_equal(rows, evaluation.wide(), check_exact=False, abs_tol=1e-12)
    long = con.sql(evaluation.summary.sql()).pl()
    assert_frame_equal(long, evaluation.summary(), check_exact=False, abs_tol=1e-12)


def test_text_has_the_shape_of_the_result(con):
    evaluation = ir.evaluate("judgments", "search.runs", "nDCG@10 AP", con=con, columns={"query_id": "Select"})
    for wide in (False, True):
        rows = con.sql(evaluation.per_unit.sql(wide=wide)).pl()
        assert_frame_equal(rows, evaluation.per_unit(wide=wide), check_exact=False, abs_tol=1e-12)
        native = evaluation.summary.to_native(wide=wide).pl()
        assert set(native.columns) == set(evaluation.summary(wide=wide).columns)


def test_summaries_of_undefined_values():
    """The engines and the text agree where some or all units are undefined."""
    frame = pl.DataFrame(
        {
            "run_id": [*"aaaaaabbb"],
            "unit": [1, 1, 2, 2, 3, 3, 1, 2, 3],
            "label": [*"yynnynnnn"],
            "prediction": [*"ynnnyynnn"],
        }
    )
    measures = [ir.labels.Recall(average="binary", aggregation=how) for how in AGGREGATIONS]
    statement = {
        engine: ir.Labels(frame, unit="unit", positive="y", engine=engine).evaluate(measures)
        for engine in ("polars", "duckdb")
    }
    polars, duck = statement["polars"].summary(), statement["duckdb"].summary()
    assert_frame_equal(polars, duck, check_exact=False, abs_tol=1e-12)
    assert polars["n_undefined"].to_list() == [1] * 7 + [3] * 7
    with duckdb.connect() as con:
        con.register("labels", frame.to_arrow())
        text = con.sql(statement["polars"].summary.sql()).pl()
    assert_frame_equal(text, polars, check_exact=False, abs_tol=1e-12)
    statement["duckdb"].per_unit()
    again = ir.Labels(frame, unit="unit", positive="y").evaluate(measures)
    again.per_unit()
    assert_frame_equal(again.summary(), polars, check_exact=False, abs_tol=1e-12)


def test_text_creates_nothing(con):
    ir.evaluate("judgments", "search.runs", "AP", con=con, columns={"query_id": "Select"}).per_unit.sql(wide=True)
    assert con.sql("SELECT count(*) FROM duckdb_views() WHERE NOT internal").fetchall() == [(0,)]
    assert con.sql("SELECT count(*) FROM duckdb_tables()").fetchall() == [(2,)]


def test_by_columns_have_the_users_names():
    qrels, run = ir.examples.ranking()
    queries = pl.DataFrame({"query_id": ["q"], "Select": ["en"]})
    evaluation = ir.evaluate(qrels, run, "AP", queries=queries, by="Select")
    with duckdb.connect() as con:
        for name, frame in (("qrels", qrels), ("run", run), ("queries", queries)):
            con.register(name, frame.to_arrow())
        assert con.sql(evaluation.summary.sql(wide=True)).columns == ["Select", "AP"]
        assert con.sql(evaluation.per_unit.sql(wide=True)).pl()["Select"].to_list() == ["en"]


@pytest.mark.parametrize("name, measures", [("precision", "P@5 AP"), ("gain", "nDCG@10")])
def test_text_is_as_it_was(name, measures):
    """Set UPDATE_SNAPSHOTS=1 to write the files anew, and read the difference."""
    text = ir.evaluate(*ir.examples.ranking(), measures).per_unit.sql(wide=True) + "\n"
    path = SNAPSHOTS / f"{name}.sql"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_required_parameter_is_requested():
    with pytest.raises(InvalidParameter, match="P@10"):
        ir.evaluate(*ir.examples.ranking(), "P")


def test_the_plan_of_the_database_names_our_stages() -> None:
    """Every stage that the text makes once stands in EXPLAIN ANALYZE under its name."""
    with duckdb.connect() as con:
        con.register("labels", ir.examples.labels().to_arrow())
        text = ir.Labels("labels", con=con).evaluate("F1(average='macro') MCC").summary.sql()
        stages = re.findall(r"(\w+) AS MATERIALIZED", text)
        message = con.execute(f"EXPLAIN ANALYZE {text}").fetchall()[0][1]
    assert {"cells", "summary"} <= set(stages)
    assert [stage for stage in stages if f"CTE Name: {stage}" not in message] == []
