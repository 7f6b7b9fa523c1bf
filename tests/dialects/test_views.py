"""Views of DuckDB, and dbt models."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.quoting import quoted
from ireval_frames.errors import EngineError, NotDefined
from tests.cli.commands import BM25, QRELS, invoke


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA eval")
        for name, frame in zip(("qrels", "run"), ir.examples.ranking(), strict=True):
            connection.from_arrow(frame.to_arrow()).create(name)
        yield connection


def test_a_view_follows_its_tables(con: duckdb.DuckDBPyConnection) -> None:
    evaluation = ir.evaluate("qrels", "run", "P@1 RR", con=con)
    evaluation.per_unit.to_view('eval."per topic"', wide=True)
    view = con.table('eval."per topic"')
    assert view.pl().equals(evaluation.per_unit(wide=True))
    con.execute("DELETE FROM run")
    assert view.pl()["RR"].to_list() == [0.0] * view.pl().height


def test_a_view_is_replaced_only_if_asked(con: duckdb.DuckDBPyConnection) -> None:
    evaluation = ir.evaluate("qrels", "run", "P@1", con=con)
    evaluation.per_unit.to_view("values")
    with pytest.raises(EngineError, match="values"):
        evaluation.per_unit.to_view("values")
    evaluation.summary.to_view("values", replace=True)
    assert con.sql('SELECT measure, n_units FROM "values"').fetchall() == [("P@1", evaluation.summary()["n_units"][0])]


def test_a_relation_has_a_view(con: duckdb.DuckDBPyConnection) -> None:
    evaluation = ir.evaluate(con.table("qrels"), con.sql("SELECT * FROM run WHERE score > 0"), "P@1")
    evaluation.per_unit.to_view("some", wide=True)
    assert con.table("some").columns == ["query_id", "P@1"]


def test_files_have_a_view(con: duckdb.DuckDBPyConnection) -> None:
    evaluation = ir.evaluate(QRELS, BM25, "P@10", con=con)
    evaluation.summary.to_view("of_files", wide=True)
    assert con.sql("SELECT * FROM of_files").pl()["P@10"].to_list() == pytest.approx(
        evaluation.wide()["P@10"].to_list()
    )


def test_frames_have_none(con: duckdb.DuckDBPyConnection) -> None:
    qrels, run = ir.examples.ranking()
    with pytest.raises(NotDefined, match=r"run is one\.\n  Put it into the database"):
        ir.evaluate("qrels", run, "P@1", con=con).per_unit.to_view("v")
    with pytest.raises(NotDefined, match="this evaluation has none"):
        ir.evaluate(qrels, run, "P@1").per_unit.to_view("v")
    assert con.sql("SELECT count(*) FROM duckdb_views() WHERE NOT internal").fetchall() == [(0,)]


def rendered(model: str) -> str:
    """What dbt makes of a model: refs are names, and texts in double brackets themselves."""
    return re.sub(r"\{\{ (?:ref\()?'(.*?)'\)? \}\}", r"\1", model)


def test_a_dbt_model_reads_refs(con: duckdb.DuckDBPyConnection) -> None:
    evaluation = ir.evaluate("qrels", "run", "P@1 RR", con=con)
    model = evaluation.per_unit.sql(wide=True, dbt=True)
    assert set(re.findall(r"\{\{ ref\('(\w+)'\) \}\}", model)) == {"qrels", "run"}
    assert "ireval_ref" not in model
    assert con.sql(rendered(model)).pl().equals(evaluation.per_unit(wide=True))


@pytest.mark.parametrize("name", ["it's", 'a"b', "{{ x }}", "a\\b", "a.b", "select"])
def test_refs_are_texts_of_jinja(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Jinja reads the name of the table, whatever is in it."""
    jinja = pytest.importorskip("jinja2", reason="jinja2 is not there")
    written = quoted(name)
    con.execute(f"CREATE TABLE {written} AS FROM qrels")
    model = ir.evaluate(written, "run", "P@1", con=con).per_unit.sql(dbt=True)
    refs: list[str] = []
    jinja.Template(model).render(ref=lambda one: refs.append(one) or one)
    assert set(refs) == {name, "run"}


def test_refs_that_are_alike_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    con.execute('CREATE SCHEMA "My S"; CREATE TABLE eval.some AS FROM qrels; CREATE TABLE "My S".some AS FROM run')
    evaluation = ir.evaluate("eval.some", '"My S".some', "P@1", con=con)
    with pytest.raises(NotDefined, match=r"Two tables would be called 'some' there: eval.some and \"My S\".some"):
        evaluation.per_unit.sql(dbt=True)
    assert con.sql(evaluation.per_unit.sql(dialect="duckdb")).pl().equals(evaluation.per_unit())


def test_jinja_in_a_model_is_text(con: duckdb.DuckDBPyConnection) -> None:
    frame = pl.DataFrame({"label": ["{{ x }}", "{% y"], "prediction": ["{{ x }}", "{# z"]})
    con.register("labels", frame.to_arrow())
    measure = ir.labels.Recall(average="macro", classes=["{{ x }}", "{% y"])
    evaluation = ir.Labels("labels", con=con).evaluate([measure, "Accuracy"])
    model = evaluation.per_unit.sql(dbt=True)
    assert not re.search(r"\{[%#]|\{\{ x", re.sub(r"\{\{ '.*?' \}\}", "", model))
    assert con.sql(rendered(model)).pl()["value"].to_list() == evaluation.per_unit()["value"].to_list()


# ---- the command


def test_the_command_makes_a_view() -> None:
    text = invoke("sql", QRELS, BM25, "-m", "P@10", "--view", "per_topic", "--wide").stdout
    assert text.startswith("CREATE VIEW per_topic AS\n")
    with duckdb.connect() as con:
        con.execute(text)
        assert con.table("per_topic").columns == ["run_id", "query_id", "P@10"]


def test_the_command_makes_a_dbt_model(tmp_path: Path) -> None:
    model = tmp_path / "per_topic.sql"
    assert invoke("sql", QRELS, BM25, "-m", "P@10", "--dbt", "-o", model).exit_code == 0
    text = model.read_text("utf-8")
    assert "{{ ref('run') }}" in text
    assert not text.rstrip().endswith(";")
    with duckdb.connect() as con:
        con.register("qrels", ir.read_qrels(QRELS).to_arrow())
        con.register("run", ir.read_run(BM25).to_arrow())
        rows = con.sql(rendered(text)).fetchall()
    values = ir.evaluate(QRELS, BM25, "P@10").per_unit()["value"].to_list()
    assert [row[-1] for row in rows] == pytest.approx(values)


def test_the_command_refuses_a_named_dbt_model() -> None:
    refused = invoke("sql", QRELS, BM25, "-m", "AP", "--dbt", "--view", "v")
    assert refused.exit_code == 2
    assert "--view" in refused.stderr


def test_the_command_has_dialects() -> None:
    pytest.importorskip("sqlglot", reason="sqlglot is not there")
    text = invoke("sql", QRELS, BM25, "-m", "AP", "--dialect", "postgres", "--view", "eval.per_topic").stdout
    assert text.startswith("CREATE VIEW eval.per_topic AS\nWITH ")
    assert "FROM run\n" in text
    assert "read_csv" not in text
    # A view of SQL Server must not be ordered.
    for view, ordered in ((None, True), ("v", False)):
        text = ir.evaluate(*ir.examples.ranking(), "P@5").per_unit.sql(dialect="sqlserver", view=view)
        assert ("ORDER BY\n  query_id" in text) == ordered
    refused = invoke("sql", QRELS, BM25, "-m", "AP", "--dialect", "oracle")
    assert refused.exit_code == 2
    assert "There is no dialect 'oracle'" in refused.stderr


def test_tables_of_one_name_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    """A relation is called by its argument, which may be the name of another table."""
    con.execute("ALTER TABLE run RENAME TO qrels_of_yesterday; ALTER TABLE qrels RENAME TO given")
    con.execute("ALTER TABLE qrels_of_yesterday RENAME TO qrels")
    evaluation = ir.evaluate(con.table("given"), "qrels", "P@1", con=con)
    with pytest.raises(NotDefined, match="Two tables would be called 'qrels' there: the qrels table and qrels"):
        evaluation.per_unit.sql(dialect="duckdb")
