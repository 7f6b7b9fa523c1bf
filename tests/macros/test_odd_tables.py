"""Macros on tables of various types and names, compared with Python; and what both refuse."""

from __future__ import annotations

import random
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import NotDefined

Con = duckdb.DuckDBPyConnection
TEXT = "query_id::VARCHAR AS query_id, doc_id::VARCHAR AS doc_id"
WIDE = ", ".join(f"{i} AS c{i}" for i in range(99))
# Views of judgments and of a run, whose ids are integers and whose scores have ties.
RANKED = {
    "integers": ("FROM q", "FROM r"),
    "small integers": ("SELECT query_id::TINYINT query_id, doc_id::SMALLINT doc_id, relevance FROM q", "FROM r"),
    "text of integers": (f"SELECT {TEXT}, relevance FROM q", "FROM r"),
    "a run of text": ("FROM q", f"SELECT {TEXT}, score FROM r"),
    "other spellings": ("SELECT * REPLACE ('0' || doc_id AS doc_id) FROM q", f"SELECT {TEXT}, score FROM r"),
    "enums judged": (f"SELECT {TEXT[:-10]}::docs AS doc_id, relevance FROM q", f"SELECT {TEXT}, score FROM r"),
    "UUIDs": tuple(f"SELECT * REPLACE (md5(doc_id::VARCHAR)::UUID AS doc_id) FROM {one}" for one in "qr"),
    "decimals": ("FROM q", "SELECT * REPLACE (score::DECIMAL(18, 3) AS score) FROM r"),
    "floats": ("FROM q", "SELECT * REPLACE ((score / 3)::FLOAT AS score) FROM r"),
    "infinite": ("FROM q", "SELECT * REPLACE (if(doc_id % 3 = 0, 'inf'::DOUBLE, -score) AS score) FROM r"),
    "names in capitals": ("FROM q", 'SELECT query_id AS "QUERY_ID", doc_id AS "Doc_Id", score AS "SCORE" FROM r'),
    "wide": ("FROM q", f"SELECT *, 1 AS k, 'x' AS run, 2 AS qrels, {WIDE} FROM r"),
    "nothing judged": ("FROM q WHERE FALSE", "FROM r"),
}  # fmt: skip
ITEMS = {
    "integers": "FROM items",
    "integers and doubles": "SELECT label, prediction::DOUBLE AS prediction FROM items",
    "booleans and integers": "SELECT label = 1 AS label, (prediction = 1)::INT AS prediction FROM items",
    "NaN is no label": "SELECT CASE label WHEN 2 THEN 'nan'::DOUBLE ELSE label END AS label, prediction FROM items",
    "enums": "SELECT (['a', 'b', 'c'])[label + 1]::ab AS label, (['a', 'b', 'c'])[prediction + 1]::ac AS prediction "
    "FROM items",
    "twelve classes": "SELECT item % 12 AS label, item * 5 % 12 AS prediction FROM items",
}


@pytest.fixture(scope="module")
def con() -> Con:
    con, draw = duckdb.connect(config={"threads": 1}), random.Random(3)
    ir.macros.install_macros(con, "nDCG INST")
    ir.macros.install_macros(con, "F1 MCC ROCAUC ECE Kappa(weights='quadratic')", family="labels")
    ir.macros.install_macros(con, "Tau", family="similarity")
    qrels = [(q, d, draw.choice([0, 1, 2])) for q in range(3) for d in range(0, 30, 2)]
    run = [(q, d, float(draw.randrange(4))) for q in range(3) for d in range(30)]
    for name, rows, column in (("q", qrels, "relevance"), ("r", run, "score")):
        frame = pl.DataFrame(rows, ["query_id", "doc_id", column], orient="row")
        con.from_arrow(frame.to_arrow()).create(name)
    con.execute(
        "CREATE TYPE docs AS ENUM (SELECT DISTINCT doc_id::VARCHAR FROM r);"
        "CREATE TYPE ab AS ENUM ('b', 'a', 'c'); CREATE TYPE ac AS ENUM ('c', 'a', 'b');"
        "CREATE VIEW enums AS SELECT * REPLACE (doc_id::VARCHAR::docs AS doc_id) FROM q;"
        "CREATE TABLE items AS SELECT i AS item, i * 7 % 3 AS label, i * 5 % 3 AS prediction, "
        "i * 13 % 10 / 10.0 AS score FROM range(40) AS t(i)"
    )
    return con


def _values(rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    return {str(row[-2]): row[-1] for row in rows}


@pytest.mark.parametrize("name", RANKED)
def test_rankings(con: Con, name: str) -> None:
    for view, text in zip(("judged", "ranked"), RANKED[name], strict=True):
        con.execute(f"CREATE OR REPLACE VIEW {view} AS {text}")
    actual = _values(con.sql("SELECT query_id, value FROM ireval_ndcg('judged', 'ranked', k := 5)").fetchall())
    # A macro does not check that ids overlap.
    tables = con.table("judged"), con.table("ranked")
    expected = ir.evaluate(*tables, "nDCG@5", policy="overlap=allow").per_unit()
    assert actual == pytest.approx(_values(expected.select("query_id", "value").rows()), abs=1e-12)


@pytest.mark.parametrize("name", ITEMS)
@pytest.mark.parametrize("measure, macro", [("MCC", "mcc"), ("Kappa(weights='quadratic')", "kappa_weights_quadratic")])
def test_labels(con: Con, name: str, measure: str, macro: str) -> None:
    con.execute(f"CREATE OR REPLACE VIEW them AS {ITEMS[name]}")
    if name == "enums" and "weights" in measure:
        # The enums of labels and predictions have different orders.
        with pytest.raises(duckdb.InvalidInputException, match="needs the order of classes"):
            con.sql(f"SELECT value FROM ireval_labels_{macro}('them')").fetchall()
        with pytest.raises(NotDefined, match="needs the order of classes"):
            ir.Labels(con.table("them")).evaluate(measure).summary()
        return
    ((actual,),) = con.sql(f"SELECT value FROM ireval_labels_{macro}('them')").fetchall()
    assert actual == pytest.approx(ir.Labels(con.table("them")).evaluate(measure).summary()["value"][0], abs=1e-12)


@pytest.mark.parametrize("table", ["ireval_qrels", "ireval_run", "systems", "units", "lists", "select"])
def test_tables_called_as_stages(con: Con, table: str) -> None:
    expected = sorted(con.sql("SELECT query_id, value FROM ireval_ndcg('q', 'r', k := 5)").fetchall())
    for call in (f"ireval_ndcg('q', '{table}', k := 5)", f"ireval_ndcg('{table}', 'r', k := 5)"):
        select = "FROM r" if "'q'" in call else "FROM q"
        rows = con.sql(f'WITH "{table}" AS ({select}) SELECT query_id, value FROM {call}').fetchall()
        assert sorted(rows) == expected


SCALE = "ireval_inst('it', 'r', max_rel := 1, min_rel := 3)"
ENUM = "ireval_ndcg('enums', 'it')"
RUN, JUDGED = "ireval_ndcg('q', 'it')", "ireval_ndcg('it', 'r')"
ONE = "ireval_labels_{}('it', positive := true)"


@pytest.mark.parametrize(
    "rows, call, message",
    [
        ("FROM r UNION ALL FROM r", RUN, "The run has 180 rows that are not the only ones of their document and query"),
        ("FROM r UNION ALL FROM r", "ireval_evaluate('q', 'it')", "The run has 180 rows"),
        ("FROM r UNION ALL FROM r", "ireval_similarity_tau('it')", "The run has 180 rows"),
        ("SELECT * REPLACE (nullif(doc_id, 3) AS doc_id) FROM r", RUN, "Column doc_id of the run table is null"),
        ("SELECT * REPLACE (doc_id::VARCHAR::docs AS doc_id) FROM r", ENUM, "doc_id of the run table is an ENUM"),
        ("SELECT * REPLACE ('nan'::DOUBLE AS score) FROM r", RUN, "is null or NaN; scores must be numbers"),
        ("SELECT * REPLACE (9007199254740993 + doc_id AS score) FROM r", RUN, "integers beyond 2\\^53"),
        ("SELECT * RENAME (score AS sim) FROM r", RUN, '"the run table" does not have a column named "score"'),
        ("SELECT * REPLACE ('0' || doc_id AS doc_id) FROM q", JUDGED, "do not have the run table's type"),
        ("SELECT * REPLACE (nullif(doc_id, 4) AS doc_id) FROM q", JUDGED, "doc_id 'NULL'"),
        ("SELECT * REPLACE (nullif(relevance, 1) AS relevance) FROM q", JUDGED, "must be numbers.*relevance NULL"),
        ("FROM q", "ireval_inst('it', 'r', max_rel := 1)", "INST takes grades up to 1.0, but 19 judgments are above"),
        ("FROM q WHERE relevance = 0", SCALE, "This must hold: min_rel < max_rel"),
        ("FROM q", "ireval_ndcg('it', 'r', k := 0)", "k must be an integer >= 1"),
        ("FROM q", "ireval_ndcg('it', 'r', k := 1.5)", "does not support the supplied arguments"),
        ("FROM q", "ireval_inst('it', 'r', max_rel := NULL)", "max_rel must be a number"),
        ("SELECT label, prediction::VARCHAR AS prediction FROM items", "ireval_labels_mcc('it')", "Cannot mix values"),
        ("SELECT *, 'inf'::DOUBLE AS weight FROM items", "ireval_labels_mcc('it')", "'weight' .* holds inf"),
        ("SELECT *, nullif(item, 3) AS weight FROM items", "ireval_labels_mcc('it')", "'weight' .* holds NULL"),
        ("FROM items", ONE.format("f1"), "is of the class 'true', which is not a label or a prediction"),
        ("SELECT label = 1 AS label, score * 3 AS score FROM items", ONE.format("ece"), "scores as probabilities"),
        ("SELECT label = 1 AS label, nullif(score, 0.5) AS score FROM items", ONE.format("rocauc"), "4 items are null"),
    ],
)  # fmt: skip
def test_invalid_tables_are_refused(con: Con, rows: str, call: str, message: str) -> None:
    con.execute(f"CREATE OR REPLACE VIEW it AS {rows}")
    with pytest.raises(duckdb.Error, match=message):
        con.sql(f"FROM {call}").fetchall()


def test_duplicates_may_be_trusted(con: Con) -> None:
    """They are not checked then."""
    con.execute("CREATE OR REPLACE VIEW it AS FROM r UNION ALL FROM r")
    assert len(con.sql("FROM ireval_ndcg('q', 'it', duplicates := 'trust')").fetchall()) == 3
    with pytest.raises(duckdb.Error, match="'error' or 'trust'"):
        con.sql("FROM ireval_ndcg('q', 'r', duplicates := 'no')").fetchall()


def test_one_class_of_three_in_sql(con: Con) -> None:
    con.sql("CREATE TABLE three AS FROM (VALUES ('a', 'a'), ('b', 'a'), ('c', 'c')) AS t(label, prediction)")
    ir.macros.install_macros(con, "F1", family="labels")
    ir.macros.install_macros(con, ["F1(average='binary')", "F1(average='macro', classes=['a', 'c'])"], family="labels")
    with pytest.raises(duckdb.Error, match="F1 is of one class of two, but there are 3 classes"):
        con.sql("FROM ireval_labels_f1('three', positive := 'a')").fetchall()
    assert con.sql("SELECT value FROM ireval_labels_f1_average_binary('three', positive := 'a')").fetchall() == [
        (2 / 3,)
    ]
    names = "SELECT function_name FROM duckdb_functions() WHERE function_name LIKE 'ireval_labels_f1_average_macro_%'"
    ((name,),) = con.sql(names).fetchall()
    assert con.sql(f"SELECT value FROM {name}('three')").fetchall() == [((2 / 3 + 1) / 2,)]


def test_units_that_are_null_in_some_rows(con: Con) -> None:
    con.sql("CREATE TABLE few AS FROM (VALUES ('a', 'a', 'x'), ('b', 'a', NULL)) AS t(label, prediction, unit_id)")
    con.sql("CREATE TABLE none AS SELECT label, prediction FROM few")
    ir.macros.install_macros(con, "MCC Accuracy", family="labels")
    with pytest.raises(duckdb.Error, match="unit_id of the labels table is null in some rows"):
        con.sql("FROM ireval_labels_accuracy('few')").fetchall()
    assert con.sql("SELECT unit_id, value FROM ireval_labels_accuracy('none')").fetchall() == [(None, 0.5)]
