"""Tables of databases: names, comparison of text, freeing; settings change nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.engines.duckdb.engine import DuckDBEngine
from ireval_frames.errors import EngineError
from tests import spark

# Two classes if case counts, and one if it does not.
CASED = pl.DataFrame({"item_id": [1, 2, 3, 4], "label": [*"Aabb"], "prediction": [*"aabA"]})
QRELS = pl.DataFrame({"query_id": [*"qqQ"], "doc_id": [*"aAa"], "relevance": [1, 0, 1]})
RUN = pl.DataFrame({"query_id": [*"qqQ"], "doc_id": [*"aAa"], "score": [1.0, 1.0, 1.0]})


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        for name, frame in {"cased": CASED, "qrels": QRELS, "run": RUN}.items():
            con.register(f"frame_{name}", frame.to_arrow())
            con.execute(f"CREATE TABLE {name} AS FROM frame_{name}")
        yield con


# ---- names


def test_a_table_takes_precedence_over_a_file_of_its_name(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = ir.evaluate("qrels", "run", "AP NumRet", con=con).summary()
    Path("run").write_text("q Q0 zz 1 1.0 other\n", encoding="utf-8")
    con.execute("CREATE SCHEMA s; CREATE TABLE s.runs AS FROM run")
    Path("s.runs").write_text("q Q0 zz 1 1.0 other\n", encoding="utf-8")
    for name in ("run", "RUN", "s.runs"):
        assert_frame_equal(ir.evaluate("qrels", name, "AP NumRet", con=con).summary(), expected)
    text = ir.evaluate("qrels", "run", "AP", con=con).per_unit.sql(wide=True)
    assert con.sql(text).fetchall() == ir.evaluate("qrels", "run", "AP", con=con).per_unit(wide=True).rows()
    # Names with any characters, also those of patterns and paths.
    Path("r1.run").write_text("q Q0 zz 1 1.0 other\n", encoding="utf-8")
    for name in ("r*", "r?.run", "r[1].run", "r1.run", 'qa"b', "a/b", "a.b.c.d", "-", "o'k", "A b"):
        quoted = '"' + name.replace('"', '""') + '"'
        con.execute(f"CREATE TABLE {quoted} AS FROM run")
        for written in (name, quoted):
            actual = ir.evaluate("qrels", written, "AP NumRet", con=con)
            assert_frame_equal(actual.summary(), expected)
            assert con.sql(actual.per_unit.sql(wide=True)).fetchall() == actual.per_unit(wide=True).rows()
        labels = ir.Labels(name, label="query_id", prediction="query_id", con=con)
        assert labels.evaluate("NumItems").summary()["value"].item() == 3.0
    with pytest.raises(EngineError, match="has no table 'r2'"):
        ir.evaluate("qrels", "r2", "AP", con=con)
    Path("only_a_file").write_text("q Q0 zz 1 1.0 other\n", encoding="utf-8")
    actual = ir.evaluate("qrels", "only_a_file", "NumRet", con=con, policy="overlap=allow")
    assert actual.summary()["value"].item() == 1.0


def test_an_empty_name(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(EngineError, match="has no table ''"):
        ir.evaluate("qrels", "", "AP", con=con)


# ---- the comparison and order of text


@pytest.mark.parametrize("collation", ["NOCASE", "NOACCENT", "de", "NFC"])
def test_columns_of_duckdb_are_compared_by_their_bytes(con: duckdb.DuckDBPyConnection, collation: str) -> None:
    rows = CASED.with_columns(label=pl.Series(["ä", "a", "e\u0301", "B"]), prediction=pl.Series(["a", "A", "é", "B"]))
    con.register("frame_rows", rows.to_arrow())
    con.execute(
        f"CREATE TABLE t(item_id INT, label VARCHAR COLLATE {collation}, prediction VARCHAR COLLATE {collation})"
    )
    con.execute("INSERT INTO t FROM frame_rows")
    expected = ir.Labels(rows).evaluate("Accuracy F1(average='macro')").summary()
    assert_frame_equal(ir.Labels("t", con=con).evaluate("Accuracy F1(average='macro')").summary(), expected)
    assert_frame_equal(ir.Labels(con.table("t")).evaluate("Accuracy F1(average='macro')").summary(), expected)
    text = ir.Labels("t", con=con).evaluate("Accuracy").per_unit.sql(wide=True)
    assert con.sql(text).fetchall() == [(0.25,)]


def test_the_collation_of_a_connection_changes_nothing(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("SET default_collation = 'NOCASE'")
    assert con.sql("SELECT 'a' = 'A'").fetchall() == [(True,)]
    expected = ir.evaluate(QRELS, RUN, "AP P@1").per_unit()
    for tables in (("qrels", "run"), (QRELS, RUN), (con.table("qrels"), con.table("run"))):
        options = {} if isinstance(tables[0], duckdb.DuckDBPyRelation) else {"con": con}
        assert_frame_equal(ir.evaluate(*tables, "AP P@1", **options).per_unit(), expected)  # type: ignore[arg-type]


def test_columns_of_spark_are_compared_by_their_bytes() -> None:
    rows = spark.frame(CASED).selectExpr(
        "item_id", *(f"{c} COLLATE UTF8_LCASE AS {c}" for c in ("label", "prediction"))
    )
    assert rows.where("label = 'a'").count() == 2
    assert_frame_equal(ir.Labels(rows).evaluate("Accuracy").summary(), ir.Labels(CASED).evaluate("Accuracy").summary())


@pytest.mark.parametrize("setting", ["default_order = 'DESC'", "default_null_order = 'nulls_last'"])
def test_the_order_of_a_connection_changes_nothing(con: duckdb.DuckDBPyConnection, setting: str) -> None:
    def results() -> list[pl.DataFrame]:
        folds = ir.splits.kfold(con.table("cased"), 2, item="item_id").pl()
        clusters = ir.Clusters("cased", con=con, cluster="prediction", item="item_id").evaluate("Purity BCubedF AMI")
        return [folds.sort("item_id"), clusters.summary(), ir.evaluate("qrels", "run", "AP nDCG", con=con).per_unit()]

    before = results()
    con.execute(f"SET {setting}")
    for one, other in zip(results(), before, strict=True):
        assert_frame_equal(one, other)


# ---- freeing


def test_tables_are_freed_with_the_evaluations_that_read_them() -> None:
    """A subject that is evaluated again and again does not accumulate tables."""
    subject = ir.Labels(ir.examples.labels(), engine="duckdb")
    engine: Any = subject.engine
    registered = []
    for _ in range(3):
        subject.evaluate("Accuracy F1(average='macro')").summary()
        gc.collect()
        registered.append(len(engine._session._tables))
    assert registered[0] == registered[-1]


def test_a_closed_connection_holds_nothing(con: duckdb.DuckDBPyConnection) -> None:
    engine = DuckDBEngine(con)
    engine.materialise(engine.from_polars(CASED))
    con.close()
    engine.close()
    engine = DuckDBEngine(duckdb.connect())
    stored = engine.materialise(engine.from_polars(CASED))
    engine.release(stored)
    with pytest.raises(EngineError):
        engine.collect(stored)


# ---- columns that are not read


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(
    "column",
    [
        pl.Series([object()] * 8, dtype=pl.Object),
        pl.Series([1.5] * 8).cast(pl.Float16),
        pl.Series([1] * 8).cast(pl.Duration),
    ],
    ids=lambda column: str(column.dtype),
)
def test_columns_that_are_not_read_may_have_any_type(engine: str, column: pl.Series) -> None:
    rows = ir.examples.labels().with_columns(more=column)
    evaluation = ir.Labels(rows, engine=engine).evaluate("Accuracy")
    assert evaluation.summary()["value"].item() == 0.625
    assert (
        evaluation.per_unit.sql() == ir.Labels(ir.examples.labels(), engine=engine).evaluate("Accuracy").per_unit.sql()
    )
