"""Names that are keywords, quoted, too long, or alike; on real databases where they run."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName
from tests.dialects.databases import close_all, started

pytest.importorskip("sqlglot", reason="sqlglot is not there")

import sqlglot

from ireval_frames.dialects.dialect import Grammar, ValueType
from ireval_frames.dialects.proven import PROVEN
from ireval_frames.dialects.statement import dialect_named, translated
from ireval_frames.dialects.unproven import UNPROVEN

COMPLETE = ("postgres", "clickhouse", "datafusion")
EVERY = [d.name for d in (*PROVEN, *UNPROVEN)]
# Read as keywords by sqlglot or by one of the databases, unless they are quoted.
KEYWORDS = ["all", "alter", "drop", "grant", "insert", "revoke", "rollback", "regexp", "rlike", "top", "select"]
KEYWORDS += ["current_date", "current_user", "localtime", "session_user"]


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name, frame in zip(("q", "r"), ir.examples.ranking(), strict=True):
            connection.from_arrow(frame.to_arrow()).create(name)
        yield connection


# ---- keywords


@pytest.mark.parametrize("dialect", COMPLETE)
def test_keywords_are_names(dialect: str) -> None:
    database = started(dialect)
    for word in KEYWORDS:
        frame = pl.DataFrame({"label": [*"xyx"], "prediction": [*"xyy"], word: [*"bab"]})
        evaluation = ir.Labels(frame, by=word).evaluate("Accuracy")
        database.load({"labels": frame})
        names, rows = database.run(evaluation.per_unit.sql(wide=True, dialect=dialect))
        assert (names, [tuple(row) for row in rows]) == ([word, "Accuracy"], evaluation.per_unit(wide=True).rows())


@pytest.mark.parametrize("dialect", EVERY)
def test_keywords_are_quoted_everywhere(dialect: str) -> None:
    writer = dialect_named(dialect).writer
    for word in (w for w in KEYWORDS if w not in ("top", "rollback")):
        frame = pl.DataFrame({"label": [*"xy"], "prediction": [*"xy"], word: [*"ba"]})
        text = ir.Labels(frame, by=word).evaluate("Accuracy").per_unit.sql(wide=True, dialect=dialect)
        quoted = sqlglot.exp.to_identifier(word, quoted=True).sql(writer)
        assert f"  {quoted}" in text
        assert f" {word}," not in text


@pytest.mark.parametrize("dialect", ["sqlserver", "snowflake", "trino"])
def test_reserved_words_are_quoted(dialect: str) -> None:
    words = {"sqlserver": ["file", "plan", "public", "user", "key"], "trino": ["skip", "normalize", "uescape"]}
    for word in words.get(dialect, ["account", "organization", "sample", "start", "increment"]):
        frame = pl.DataFrame({"label": [*"xy"], "prediction": [*"xy"], word: [*"ba"]})
        text = ir.Labels(frame, by=word).evaluate("Accuracy").per_unit.sql(dialect=dialect)
        assert f" {word}" not in text.replace("  ", "")


def test_small_letters_stay_bare_where_quotes_change_the_name() -> None:
    """In Snowflake "rank" is another name than rank, which is RANK."""
    frame = pl.DataFrame({"label": [*"xy"], "prediction": [*"xy"], "rank": [*"ba"], "view": [*"ba"]})
    text = ir.Labels(frame, by=["rank", "view"]).evaluate("Accuracy").per_unit.sql(dialect="snowflake")
    assert '"rank"' not in text
    assert '"view"' in text


def test_tables_may_have_keywords_as_names(con: duckdb.DuckDBPyConnection) -> None:
    qrels, run = ir.examples.ranking()
    con.execute('CREATE TABLE "alter" AS FROM q; CREATE TABLE "all" AS FROM r')
    evaluation = ir.evaluate('"alter"', '"all"', "AP", con=con)
    for dialect in COMPLETE:
        database = started(dialect)
        database.load({"alter": qrels, "all": run})
        _, rows = database.run(evaluation.per_unit.sql(wide=True, dialect=dialect))
        assert sorted(map(tuple, rows)) == evaluation.per_unit(wide=True).rows()


def test_unparsable_text_is_our_error() -> None:
    with pytest.raises(NotDefined, match="cannot be written for PostgreSQL"):
        translated("SELECT a FROM (", dialect_named("postgres"), {})


# ---- quotes


@pytest.mark.parametrize("stage", ["judgments_1", "judgments", "judged_queries", "ranked"])
def test_no_stage_hides_a_table(con: duckdb.DuckDBPyConnection, stage: str) -> None:
    con.execute(f'CREATE TABLE "{stage}" AS FROM r')
    evaluation = ir.evaluate("q", f'"{stage}"', "AP nDCG@3", con=con)
    expected = ir.evaluate("q", "r", "AP nDCG@3", con=con).per_unit()
    assert evaluation.per_unit().equals(expected)
    assert con.sql(evaluation.per_unit.sql()).pl().equals(expected)


def test_quotes_in_names_of_tables(con: duckdb.DuckDBPyConnection) -> None:
    con.execute('CREATE TABLE "a""b" AS FROM q')
    evaluation = ir.evaluate('"a""b"', "r", "AP", con=con)
    text = evaluation.per_unit.sql(wide=True, dialect="postgres")
    assert 'FROM "a""b"' in text
    plain = ir.evaluate("q", "r", "AP", con=con).per_unit.sql(dialect="postgres")
    assert text.count('COLLATE "C"') == plain.count('COLLATE "C"')


# ---- long names


def test_postgres_cuts_long_names_of_tables() -> None:
    long = "é" * 20 + "x" * 40
    frame = pl.DataFrame({long: [*"xyy"], "prediction": [*"xyx"]})
    evaluation = ir.Labels(frame, label=long).evaluate("Accuracy")
    database = started("postgres")
    database.load({"labels": frame})
    assert database.run(evaluation.per_unit.sql(dialect="postgres"))[1] == evaluation.per_unit().rows()


def test_others_refuse_long_names() -> None:
    frame = pl.DataFrame({"x" * 300: [*"xyy"], "prediction": [*"xyx"]})
    evaluation = ir.Labels(frame, label="x" * 300).evaluate("Accuracy")
    for dialect in ("snowflake", "sqlserver"):
        with pytest.raises(NotDefined, match="has 300 bytes"):
            evaluation.per_unit.sql(dialect=dialect)


# ---- views


@pytest.mark.parametrize("dialect", [None, "duckdb", "postgres", "sqlserver"])
@pytest.mark.parametrize("name", ['a"b', "", 5, "a.b.c.d"])
def test_invalid_names_of_views(dialect: str | None, name: str) -> None:
    with pytest.raises(
        InvalidParameter, match=r"it must be a name, optionally with schema.*\n  Write view=\"per_topic\""
    ):
        ir.evaluate(*ir.examples.ranking(), "AP").per_unit.sql(view=name, dialect=dialect)


@pytest.mark.parametrize(
    "name, postgres, sqlserver",
    [
        ("it's", '"it\'s"', "[it's]"),
        ("select", '"select"', "[select]"),
        ("plan", "plan", "[plan]"),
        ('s."per topic"', 's."per topic"', "s.[per topic]"),
        ("v", "v", "v"),
    ],
)
def test_names_of_views(name: str, postgres: str, sqlserver: str) -> None:
    evaluation = ir.evaluate(*ir.examples.ranking(), "AP")
    assert evaluation.per_unit.sql(view=name, dialect="postgres").startswith(f"CREATE VIEW {postgres} AS\n")
    assert evaluation.per_unit.sql(view=name, dialect="sqlserver").startswith(f"CREATE VIEW {sqlserver} AS\n")
    with duckdb.connect() as con:
        con.execute("CREATE SCHEMA s; CREATE TABLE qrels (query_id INT, doc_id INT, relevance INT)")
        con.execute("CREATE TABLE run (run_id INT, query_id INT, doc_id INT, score DOUBLE)")
        con.execute(evaluation.per_unit.sql(view=name))
        assert con.table(name if "." in name else f'"{name}"').columns == ["query_id", "measure", "value"]


@pytest.mark.parametrize("name", ["vq", "main.vq", '"VQ"'])
def test_a_view_does_not_replace_what_it_reads(con: duckdb.DuckDBPyConnection, name: str) -> None:
    con.execute("CREATE VIEW vq AS FROM q")
    for evaluation in (ir.evaluate("vq", "r", "AP", con=con), ir.evaluate(con.table("vq"), con.table("r"), "AP")):
        with pytest.raises(NotDefined, match="reads"):
            evaluation.per_unit.to_view(name, replace=True)
    assert len(con.sql("FROM vq").fetchall()) == len(con.sql("FROM q").fetchall())
    evaluation.per_unit.to_view("other", replace=True)


@pytest.mark.parametrize("dialect", [5, "", "Postgres"])
def test_what_is_no_dialect(dialect: str) -> None:
    with pytest.raises(UnknownName, match="There is no dialect"):
        ir.evaluate(*ir.examples.ranking(), "AP").per_unit.sql(dialect=dialect)


# ---- lists and windows

TEXT, INTEGER, DOUBLE = ValueType("text"), ValueType("integer"), ValueType("double")
LISTS = {"t": {"id": INTEGER, "copy": TEXT, "value": TEXT, "many": ValueType(item=TEXT)}}


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake", "trino", "sqlserver"])
def test_an_unnested_column_stands_alone(dialect: str) -> None:
    """Beside it, `*` is only what the table has, and other columns are the table's."""
    text = "SELECT *, unnest(range(1, id + 1)) AS copy FROM t WHERE value = 'a'"
    out = translated(text, dialect_named(dialect), LISTS)
    tree = sqlglot.parse_one(out, read=dialect_named(dialect).writer)
    (star,) = [c for c in tree.find_all(sqlglot.exp.Column) if c.is_star]
    (where,) = tree.find_all(sqlglot.exp.Where)
    assert star.table == tree.args["from_"].this.alias_or_name
    assert where.find(sqlglot.exp.Column).table == star.table
    assert [item.alias_or_name for item in tree.expressions][1] == "copy"


def test_lists_side_by_side_are_refused() -> None:
    text = "SELECT unnest(many) AS a, unnest(range(1, id)) AS b FROM t"
    for dialect in ("bigquery", "snowflake", "trino"):
        with pytest.raises(NotDefined, match="several lists side by side"):
            translated(text, dialect_named(dialect), LISTS)


def test_bigquery_cuts_windows_by_text() -> None:
    sources = {"t": {"x": DOUBLE, "g": TEXT, "n": INTEGER}}
    text = "SELECT count(*) OVER (PARTITION BY g, x, n) AS n FROM t"
    out = " ".join(translated(text, dialect_named("bigquery"), sources).split())
    assert "PARTITION BY g, CAST(x AS STRING), n)" in out
    assert "PARTITION BY g, x, n" in " ".join(translated(text, dialect_named("postgres"), sources).split())


def test_texts_of_sql_server_are_national() -> None:
    frame = pl.DataFrame({"label": ["日本", "é"], "prediction": ["日本", "a"], "g": [1, 2]})
    evaluation = ir.Labels(frame).evaluate([ir.labels.Recall(average="macro", classes=["日本", "é"]), "Accuracy"])
    text = evaluation.per_unit.sql(dialect="sqlserver")
    assert "N'日本'" in text
    tree = sqlglot.parse_one(text, read="tsql")
    assert not [one for one in tree.find_all(sqlglot.exp.Literal) if one.is_string]
    cast = translated("SELECT CAST(n AS VARCHAR) AS n FROM t", dialect_named("sqlserver"), {})
    assert "CAST(n AS NVARCHAR(MAX))" in cast


def test_the_grammar_is_duckdbs_but_for_all() -> None:
    """Sqlglot takes "all" for ALL behind ORDER BY."""
    assert sqlglot.parse_one('SELECT a FROM t ORDER BY "all"', read=Grammar).sql("duckdb").endswith('ORDER BY "all"')
