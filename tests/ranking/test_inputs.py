"""Accepted types of tables, separately and mixed, and accepted names of columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pyarrow as pa
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError, IrevalError, MissingColumn, UnknownName, WrongType
from tests.contract.kit import ENGINES
from tests.ranking.small import MEASURES, QRELS, RUN, assert_values

engines = pytest.mark.parametrize("engine", ENGINES)

CONVERSIONS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda f: f,
    "lazy": lambda f: f.lazy(),
    "pandas": lambda f: f.to_pandas(),
    "arrow": lambda f: f.to_arrow(),
    "narwhals": nw.from_native,
    "narwhals lazy": lambda f: nw.from_native(f.lazy()),
    "narwhals pandas": lambda f: nw.from_native(f.to_pandas()),
    "chunked": lambda f: pa.concat_tables([f[:2].to_arrow(), f[2:].to_arrow()]),
}


@engines
@pytest.mark.parametrize("table_type", CONVERSIONS)
def test_table_types(table_type: str, engine: str) -> None:
    convert = CONVERSIONS[table_type]
    assert_values(ir.evaluate(convert(QRELS), convert(RUN), MEASURES, engine=engine))
    assert_values(ir.evaluate(convert(QRELS), RUN, MEASURES, engine=engine))
    assert_values(ir.evaluate(QRELS, convert(RUN), MEASURES, engine=engine))


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    with duckdb.connect() as connection:
        connection.from_arrow(QRELS.to_arrow()).create("judged")
        connection.from_arrow(RUN.to_arrow()).create("results")
        connection.execute('CREATE SCHEMA other; CREATE TABLE other."my run" AS FROM results')
        yield connection


def tables_of(connection: duckdb.DuckDBPyConnection) -> list[tuple]:
    return connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() "
        "UNION ALL SELECT schema_name, view_name FROM duckdb_views() ORDER BY ALL"
    ).fetchall()


def test_relations(con: duckdb.DuckDBPyConnection) -> None:
    before = tables_of(con)
    for qrels in (con.table("judged"), QRELS, QRELS.lazy(), QRELS.to_arrow()):
        evaluation = ir.evaluate(qrels, con.sql("SELECT * FROM results"), MEASURES)
        assert_values(evaluation)
        assert evaluation.provenance["engine"] == "duckdb"
        assert isinstance(evaluation.per_unit.to_native(), duckdb.DuckDBPyRelation)
    assert_values(ir.evaluate(con.table("judged"), RUN, MEASURES))
    assert_values(ir.evaluate(con.table("judged"), con.table("results"), MEASURES, engine="polars"))
    assert tables_of(con) == before


def test_names_of_tables(con: duckdb.DuckDBPyConnection) -> None:
    before = tables_of(con)
    assert_values(ir.evaluate("judged", "results", MEASURES, con=con))
    assert_values(ir.evaluate(QRELS, "other.my run", MEASURES, con=con))
    assert_values(ir.evaluate("judged", RUN, MEASURES, con=con))
    assert tables_of(con) == before


def test_a_relation_of_queries(con: duckdb.DuckDBPyConnection) -> None:
    queries = con.sql("SELECT * FROM (VALUES ('1', 'short'), ('2', 'long'), ('3', 'long')) AS t(qid, length)")
    for table in (queries, queries.pl()):
        actual = ir.evaluate("judged", "results", "AP", con=con, queries=table, by="length").summary()
        assert actual["length"].to_list() == ["long", "short"]
        assert actual["n_units"].to_list() == [2, 1]


@pytest.mark.parametrize("name", ["nothing", "other.nothing", "nowhere.results"])
def test_missing_tables(name: str, con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(IrevalError, match=name.rpartition(".")[2]):
        ir.evaluate("judged", name, "AP", con=con).summary()


def test_a_closed_connection(con: duckdb.DuckDBPyConnection) -> None:
    relation = con.table("results")
    con.close()
    with pytest.raises(EngineError, match=r"closed(.|\n)*duckdb\.connect"):
        ir.evaluate(QRELS, relation, "AP").summary()
    with pytest.raises(EngineError, match="closed"):
        ir.evaluate("judged", "results", "AP", con=con).summary()


def test_objects_that_are_no_tables() -> None:
    for value in (3, None, [], {"q": {"d": 1}}, object()):
        with pytest.raises((WrongType, MissingColumn, IrevalError)):
            ir.evaluate(QRELS, value, "AP").summary()
    with pytest.raises(WrongType, match=r"qrels table is of type dict(.|\n)*dicts.from_qrels"):
        ir.evaluate({"q": {"d": 1}}, RUN, "AP").summary()


def test_unknown_engines() -> None:
    with pytest.raises(UnknownName, match=r"'polar'(.|\n)*polars"):
        ir.evaluate(QRELS, RUN, "AP", engine="polar")
    with pytest.raises(EngineError, match=r"con=(.|\n)*duckdb.connect"):
        ir.evaluate(QRELS, RUN, "AP", con="file.db")


@engines
@pytest.mark.parametrize(
    "qrels",
    [
        ("qid", "docno", "rel"),
        ("query-id", "corpus-id", "label"),
        ("QUERY_ID", "Doc_Id", "Relevance"),
        ("topic", "docid", "grade"),
    ],
)
@pytest.mark.parametrize("run", [("qid", "docno", "sim"), ("q_id", "doc_id", "SCORE"), ("topic_id", "docid", "rsv")])
def test_names_of_other_tools(qrels: tuple, run: tuple, engine: str) -> None:
    assert_values(ir.evaluate(renamed(QRELS, qrels), renamed(RUN, run), MEASURES, engine=engine))


@engines
def test_names_by_columns(engine: str) -> None:
    columns = {"query_id": "Suchanfrage", "doc_id": "document url", "score": 'a "b"', "relevance": "wie gut"}
    qrels, run = (
        renamed(QRELS, ("Suchanfrage", "document url", "wie gut")),
        renamed(RUN, ("Suchanfrage", "document url", 'a "b"')),
    )
    assert_values(ir.evaluate(qrels, run, MEASURES, columns=columns, engine=engine))


@engines
def test_standard_names_have_precedence(engine: str) -> None:
    qrels = QRELS.with_columns(qid=pl.lit("no"), rel=pl.lit(9), label=pl.lit("no"))
    run = RUN.with_columns(docno=pl.lit("no"), sim=pl.lit(0.0))
    assert_values(ir.evaluate(qrels, run, MEASURES, engine=engine))


def renamed(frame: pl.DataFrame, names: tuple) -> pl.DataFrame:
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


@engines
def test_types_of_numbers(engine: str) -> None:
    assert_values(
        ir.evaluate(QRELS.cast({"relevance": pl.UInt8}), RUN.cast({"score": pl.Float32}), MEASURES, engine=engine)
    )
    assert_values(
        ir.evaluate(QRELS.cast({"relevance": pl.Float32}), RUN.cast({"score": pl.Int16}), MEASURES, engine=engine)
    )
    assert_values(
        ir.evaluate(QRELS.cast({"relevance": pl.Int8}), RUN.cast({"score": pl.Decimal(10, 2)}), MEASURES, engine=engine)
    )


@engines
@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Int64, pl.UInt16, pl.Int8])
def test_types_of_ids(dtype: Any, engine: str) -> None:
    ids = {"query_id": dtype, "doc_id": dtype}
    assert_values(ir.evaluate(QRELS.cast(ids), RUN.cast(ids), MEASURES, engine=engine))


@engines
def test_enums_of_different_words(engine: str) -> None:
    qrels = QRELS.with_columns(pl.col("doc_id").cast(pl.Enum(["30", "20", "12", "11", "10"])))
    run = RUN.with_columns(pl.col("doc_id").cast(pl.Enum(["10", "99", "12", "11", "21", "20"])))
    assert_values(ir.evaluate(qrels, run, MEASURES, engine=engine))


@engines
def test_ids_are_converted_to_the_types_of_the_run(engine: str) -> None:
    ids = {"query_id": pl.Int64, "doc_id": pl.Int64}
    assert_values(ir.evaluate(QRELS, RUN.cast(ids), MEASURES, engine=engine))
    assert_values(ir.evaluate(QRELS.cast(ids), RUN, MEASURES, engine=engine))


@engines
def test_names_that_differ_in_case(engine: str) -> None:
    """Polars uses the exact name; DuckDB cannot distinguish them, so it is an error."""
    other_case = pl.lit("zz").alias("QUERY_ID")
    for columns in ([other_case, pl.all()], [pl.all(), other_case]):
        for tables in ((QRELS.select(columns), RUN), (QRELS, RUN.select(columns))):
            if engine == "polars":
                assert_values(ir.evaluate(*tables, MEASURES, engine=engine))
                continue
            with pytest.raises(WrongType, match=r"columns '.*' and '.*', which DuckDB cannot distinguish"):
                ir.evaluate(*tables, MEASURES, engine=engine)
