"""The kinds of tables that can be handed in, alone and mixed, and the names their columns may have."""

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
from tests.ranking.small import MEASURES, QRELS, RUN, right

engines = pytest.mark.parametrize("engine", ENGINES)

KINDS: dict[str, Callable[[pl.DataFrame], Any]] = {
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
@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str, engine: str) -> None:
    made = KINDS[kind]
    right(ir.evaluate(made(QRELS), made(RUN), MEASURES, engine=engine))
    right(ir.evaluate(made(QRELS), RUN, MEASURES, engine=engine))
    right(ir.evaluate(QRELS, made(RUN), MEASURES, engine=engine))


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    with duckdb.connect() as connection:
        connection.from_arrow(QRELS.to_arrow()).create("judged")
        connection.from_arrow(RUN.to_arrow()).create("found")
        connection.execute('CREATE SCHEMA other; CREATE TABLE other."my run" AS FROM found')
        yield connection


def inside(connection: duckdb.DuckDBPyConnection) -> list[tuple]:
    return connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() "
        "UNION ALL SELECT schema_name, view_name FROM duckdb_views() ORDER BY ALL"
    ).fetchall()


def test_relations(con: duckdb.DuckDBPyConnection) -> None:
    before = inside(con)
    for qrels in (con.table("judged"), QRELS, QRELS.lazy(), QRELS.to_arrow()):
        evaluation = ir.evaluate(qrels, con.sql("SELECT * FROM found"), MEASURES)
        right(evaluation)
        assert evaluation.provenance["engine"] == "duckdb"
        assert isinstance(evaluation.per_unit.to_native(), duckdb.DuckDBPyRelation)
    right(ir.evaluate(con.table("judged"), RUN, MEASURES))
    right(ir.evaluate(con.table("judged"), con.table("found"), MEASURES, engine="polars"))
    assert inside(con) == before


def test_names_of_tables(con: duckdb.DuckDBPyConnection) -> None:
    before = inside(con)
    right(ir.evaluate("judged", "found", MEASURES, con=con))
    right(ir.evaluate(QRELS, "other.my run", MEASURES, con=con))
    right(ir.evaluate("judged", RUN, MEASURES, con=con))
    assert inside(con) == before


def test_a_relation_of_queries(con: duckdb.DuckDBPyConnection) -> None:
    queries = con.sql("SELECT * FROM (VALUES ('1', 'short'), ('2', 'long'), ('3', 'long')) AS t(qid, length)")
    for given in (queries, queries.pl()):
        actual = ir.evaluate("judged", "found", "AP", con=con, queries=given, by="length").summary()
        assert actual["length"].to_list() == ["long", "short"]
        assert actual["n_units"].to_list() == [2, 1]


@pytest.mark.parametrize("name", ["nothing", "other.nothing", "nowhere.found"])
def test_a_table_that_is_not_there(name: str, con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(IrevalError, match=name.rpartition(".")[2]):
        ir.evaluate("judged", name, "AP", con=con).summary()


def test_a_closed_connection(con: duckdb.DuckDBPyConnection) -> None:
    relation = con.table("found")
    con.close()
    with pytest.raises(EngineError, match=r"closed(.|\n)*duckdb\.connect"):
        ir.evaluate(QRELS, relation, "AP").summary()
    with pytest.raises(EngineError, match="closed"):
        ir.evaluate("judged", "found", "AP", con=con).summary()


def test_no_table_at_all() -> None:
    for nothing in (3, None, [], {"q": {"d": 1}}, object()):
        with pytest.raises((WrongType, MissingColumn, IrevalError)):
            ir.evaluate(QRELS, nothing, "AP").summary()
    with pytest.raises(WrongType, match=r"qrels table is of type dict(.|\n)*dicts.from_qrels"):
        ir.evaluate({"q": {"d": 1}}, RUN, "AP").summary()


def test_engines_that_are_not_there() -> None:
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
def test_other_tools_names(qrels: tuple, run: tuple, engine: str) -> None:
    right(ir.evaluate(renamed(QRELS, qrels), renamed(RUN, run), MEASURES, engine=engine))


@engines
def test_names_given_by_the_user(engine: str) -> None:
    columns = {"query_id": "Suchanfrage", "doc_id": "document url", "score": 'a "b"', "relevance": "wie gut"}
    qrels, run = (
        renamed(QRELS, ("Suchanfrage", "document url", "wie gut")),
        renamed(RUN, ("Suchanfrage", "document url", 'a "b"')),
    )
    right(ir.evaluate(qrels, run, MEASURES, columns=columns, engine=engine))


@engines
def test_our_names_win_over_other_tools(engine: str) -> None:
    qrels = QRELS.with_columns(qid=pl.lit("no"), rel=pl.lit(9), label=pl.lit("no"))
    run = RUN.with_columns(docno=pl.lit("no"), sim=pl.lit(0.0))
    right(ir.evaluate(qrels, run, MEASURES, engine=engine))


def renamed(frame: pl.DataFrame, names: tuple) -> pl.DataFrame:
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


@engines
def test_types_of_numbers(engine: str) -> None:
    right(ir.evaluate(QRELS.cast({"relevance": pl.UInt8}), RUN.cast({"score": pl.Float32}), MEASURES, engine=engine))
    right(ir.evaluate(QRELS.cast({"relevance": pl.Float32}), RUN.cast({"score": pl.Int16}), MEASURES, engine=engine))
    right(
        ir.evaluate(QRELS.cast({"relevance": pl.Int8}), RUN.cast({"score": pl.Decimal(10, 2)}), MEASURES, engine=engine)
    )


@engines
@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Int64, pl.UInt16, pl.Int8])
def test_types_of_ids(dtype: Any, engine: str) -> None:
    ids = {"query_id": dtype, "doc_id": dtype}
    right(ir.evaluate(QRELS.cast(ids), RUN.cast(ids), MEASURES, engine=engine))


@engines
def test_enums_of_different_words(engine: str) -> None:
    qrels = QRELS.with_columns(pl.col("doc_id").cast(pl.Enum(["30", "20", "12", "11", "10"])))
    run = RUN.with_columns(pl.col("doc_id").cast(pl.Enum(["10", "99", "12", "11", "21", "20"])))
    right(ir.evaluate(qrels, run, MEASURES, engine=engine))


@engines
def test_judgments_take_the_types_of_the_runs_ids(engine: str) -> None:
    ids = {"query_id": pl.Int64, "doc_id": pl.Int64}
    right(ir.evaluate(QRELS, RUN.cast(ids), MEASURES, engine=engine))
    right(ir.evaluate(QRELS.cast(ids), RUN, MEASURES, engine=engine))


@engines
def test_the_exact_name_wins_over_other_cases(engine: str) -> None:
    """DuckDB tells such names not apart, so there it is an error."""
    other = pl.lit("zz").alias("QUERY_ID")
    for columns in ([other, pl.all()], [pl.all(), other]):
        for tables in ((QRELS.select(columns), RUN), (QRELS, RUN.select(columns))):
            if engine == "polars":
                right(ir.evaluate(*tables, MEASURES, engine=engine))
                continue
            with pytest.raises(WrongType, match=r"columns '.*' and '.*', which DuckDB cannot distinguish"):
                ir.evaluate(*tables, MEASURES, engine=engine)
