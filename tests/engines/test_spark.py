"""Frames of Spark: recognised, not moved, and returned as such; checkpoints are freed, and errors are ours."""

from __future__ import annotations

import gc
import pickle
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.spark import ranking
from ireval_frames.engines.spark.engine import SparkEngine
from ireval_frames.engines.spark.values import with_spark_types
from ireval_frames.errors import DuplicateRows, EngineError, MissingColumn, NotDefined, WrongType
from ireval_frames.expr import col, lit
from tests import spark

MEASURES = "nDCG@10 AP RR P@10 RBP"


@pytest.fixture
def session() -> Iterator[Any]:
    """The session, which every test leaves as it was."""
    session = spark.session()
    before = session.conf.getAll
    yield session
    after = session.conf.getAll
    assert {name: after.get(name) for name in before} == before
    assert spark.left() == []


def frame(session: Any, rows: pl.DataFrame) -> Any:
    return session.createDataFrame(with_spark_types(rows).to_arrow(compat_level=pl.CompatLevel.oldest()))


def test_rankings(session: Any) -> None:
    qrels, run = ir.examples.ranking()[:2]
    expected = ir.evaluate(qrels, run, MEASURES)
    actual = ir.evaluate(frame(session, qrels), frame(session, run), MEASURES)
    assert actual.provenance["engine"] == "spark"
    assert_frame_equal(actual.summary(), expected.summary(), rel_tol=1e-11)
    assert_frame_equal(actual.per_unit(), expected.per_unit(), rel_tol=1e-11)


def test_judgments_of_any_source(session: Any, tmp_path: Any) -> None:
    """The run decides the engine; a Polars frame and a path are read into its session, and tables have names."""
    qrels, run = ir.examples.ranking()[:2]
    expected = ir.evaluate(qrels, run, "AP").summary()
    qrels.write_parquet(tmp_path / "qrels.parquet")
    assert_frame_equal(ir.evaluate(tmp_path / "qrels.parquet", frame(session, run), "AP").summary(), expected)
    frame(session, run).createOrReplaceTempView("runs_of_today")
    try:
        assert_frame_equal(ir.evaluate(qrels, "runs_of_today", "AP", con=session).summary(), expected)
    finally:
        session.catalog.dropTempView("runs_of_today")


def test_labels_by_group(session: Any) -> None:
    """Null is a group; ids are integers."""
    rows = pl.DataFrame(
        {
            "item_id": range(8),
            "site": ["a", None, "a", None, "b", "b", "b", "a"],
            "label": [1, 2, 1, 1, 2, 3, 3, 1],
            "prediction": [1, 2, 2, 1, 2, 3, 1, 1],
        }
    )
    measures = "Accuracy F1(average='macro') MCC"
    expected = ir.Labels(rows, by="site").evaluate(measures).summary()
    actual = ir.Labels(frame(session, rows), by="site").evaluate(measures)
    assert_frame_equal(actual.summary(), expected, rel_tol=1e-11, check_row_order=False)
    per_unit = ir.Labels(frame(session, rows)).report()
    assert_frame_equal(per_unit, ir.Labels(rows).report(), rel_tol=1e-11)


def test_results_stay_in_spark(session: Any) -> None:
    qrels, run = ir.examples.ranking()[:2]
    evaluation = ir.evaluate(frame(session, qrels), frame(session, run), "AP RR")
    native = evaluation.summary.to_native()
    assert type(native).__module__.startswith("pyspark.sql")
    assert [row["measure"] for row in native.orderBy("measure").collect()] == ["AP", "RR"]
    del native


def test_frames_and_views_of_a_result_own_its_checkpoints(session: Any) -> None:
    evaluation = ir.evaluate(*map(partial(frame, session), ir.examples.ranking()[:2]), "nDCG@10 AP")
    assert [row["measure"] for row in evaluation.summary.to_native().orderBy("measure").collect()] == ["AP", "nDCG@10"]
    grouped = evaluation.per_unit.to_native().groupBy("measure").count()
    gc.collect()
    assert grouped.count() == 2
    evaluation.per_unit.to_native().createOrReplaceTempView("values_of_today")
    gc.collect()
    assert session.table("values_of_today").count() == evaluation.per_unit().height
    # Checkpoints that a view reads last until the session ends.
    session.catalog.dropTempView("values_of_today")
    del grouped
    gc.collect()
    for rows in session.sparkContext._jsc.getPersistentRDDs().values():
        rows.unpersist()


def test_steps_in_python_run_on_executors(session: Any) -> None:
    clusters = ir.examples.clusters()
    expected = ir.Clusters(clusters).evaluate("ClusteringAccuracy").summary()
    actual = ir.Clusters(frame(session, clusters)).evaluate("ClusteringAccuracy")
    assert_frame_equal(actual.summary(), expected, rel_tol=1e-11)


def test_errors_are_those_of_other_engines(session: Any) -> None:
    qrels, run = ir.examples.ranking()[:2]
    with pytest.raises(DuplicateRows):
        ir.evaluate(frame(session, qrels), frame(session, pl.concat([run, run.head(1)])), "AP").summary()
    with pytest.raises(MissingColumn):
        ir.evaluate(frame(session, qrels), frame(session, run.drop("score")), "AP")
    with pytest.raises(WrongType, match="Spark cannot distinguish"):
        SparkEngine(session).open_table(pl.DataFrame({"a": [1], "A": [2]}), "run", pl.scan_csv)
    with pytest.raises(NotDefined, match="have no order, so they need an id"):
        SparkEngine(session).number(SparkEngine(session).from_polars(run), "row")


def test_errors_of_spark_are_ours(session: Any) -> None:
    engine = SparkEngine(session)
    rows = engine.from_polars(pl.DataFrame({"x": ["1", "a"]}))
    with engine.errors(), pytest.raises(EngineError, match=r"CAST_INVALID_INPUT"):
        engine.collect(rows.select(x=col("x").cast(pl.Int64)))
    with engine.errors(), pytest.raises(EngineError, match=r"no_such_table"):
        engine.open_table("no_such_table", "run", pl.scan_csv)

    def fails(_: pl.DataFrame) -> pl.DataFrame:
        raise ValueError("no such thing")

    with pytest.raises(EngineError, match="ValueError: no such thing"):
        engine.collect(engine.apply(rows, fails, ["x"], ["x"], {"y": pl.Float64}))


def test_an_evaluation_cannot_be_pickled(session: Any) -> None:
    qrels, run = ir.examples.ranking()[:2]
    with pytest.raises(EngineError, match="cannot be pickled"):
        pickle.dumps(ir.evaluate(qrels, frame(session, run), "AP"))


def test_rows_are_stored_until_close(session: Any) -> None:
    engine = SparkEngine(session)

    def fails_in_scope() -> None:
        with engine.scope():
            first = engine.materialise(engine.from_polars(pl.DataFrame({"x": [1.0, 2.0]})))
            second = engine.materialise(first.with_columns(x=col("x") * 2))
            engine.release(first)
            assert engine.collect(engine.group(second, (), [Aggregate("s", "sum", col("x"))])).item() == 6.0
            raise KeyError

    with pytest.raises(KeyError):
        fails_in_scope()


def test_a_step_with_several_readers_is_planned_once(session: Any) -> None:
    """Otherwise a table that is joined with itself twenty times would be read a million times."""
    engine = SparkEngine(session)
    rows = engine.from_polars(pl.DataFrame({"k": [1, 2], "x": [1.0, 2.0]}))
    for _ in range(20):
        rows = engine.join(rows, rows.select("k", y=col("x") + 1.0), ["k"], "left").select("k", x=col("y"))
    assert sorted(engine.collect(rows).rows()) == [(1, 21.0), (2, 22.0)]


def test_texts_and_names_of_any_kind(session: Any) -> None:
    engine = SparkEngine(session)
    texts = ["it's", 'a "b"', "c\\d", "{e}", "f`g", "\n", "ä", ""]
    rows = engine.from_polars(pl.DataFrame({'a "b` {c}': texts}))
    actual = engine.collect(rows.filter(col('a "b` {c}').is_in(texts)).with_columns(**{"d'": lit("'{x}\\")}))
    assert sorted(actual.rows()) == sorted((t, "'{x}\\") for t in texts)


@pytest.mark.parametrize(
    "setting, value",
    [
        ("spark.sql.ansi.enabled", "false"),
        ("spark.sql.session.timeZone", "Asia/Tokyo"),
        ("spark.sql.caseSensitive", "true"),
        ("spark.sql.ansi.doubleQuotedIdentifiers", "true"),
    ],
)
def test_settings_do_not_change_numbers(session: Any, setting: str, value: str) -> None:
    """Denominators that are 0, null groups, and times as groups."""
    rows = pl.DataFrame(
        {
            "item_id": range(6),
            "Site": ["a", None, "a", None, "b", "b"],
            "day": pl.Series(["2024-01-01T23:30:00", "2024-01-02T00:30:00"] * 3).str.to_datetime(time_zone="UTC"),
            "label": [1, 2, 1, 1, 2, 3],
            "prediction": [1, 2, 2, 1, 3, 3],
        }
    )
    other = session.newSession()
    other.conf.set(setting, value)
    before = other.conf.getAll
    actual = ir.Labels(frame(other, rows), by=["Site", "day"]).evaluate("Accuracy F1(average='macro') MCC").summary()
    assert other.conf.getAll == before
    expected = ir.Labels(rows, by=["Site", "day"]).evaluate("Accuracy F1(average='macro') MCC").summary()
    actual = actual.with_columns(pl.col("day").dt.convert_time_zone("UTC").dt.cast_time_unit("us"))
    assert_frame_equal(actual, expected, rel_tol=1e-11, check_row_order=False)


@pytest.mark.parametrize("ids", [pl.String, pl.Int64])
def test_judged_rows_are_counted_and_not_sorted(session: Any, monkeypatch: Any, ids: Any) -> None:
    """Ties, several runs, and queries of one table only; with many judged rows the ranks are sorted."""
    rows = pl.DataFrame(
        {
            "run_id": ["x"] * 8 + ["y"] * 4,
            "query_id": [1, 1, 1, 1, 1, 2, 2, 4, 1, 1, 2, 2],
            "doc_id": [9, 10, 3, 4, 5, 1, 2, 1, 3, 9, 2, 7],
            "score": [2.0, 2.0, 2.0, 1.0, 0.0, -0.0, 0.0, 1.0, 3.0, 4.0, 1.0, 1.0],
        }
    ).with_columns(pl.col("query_id", "doc_id").cast(ids))
    qrels = pl.DataFrame(
        {"query_id": [1, 1, 1, 2, 2, 3], "doc_id": [10, 3, 5, 1, 2, 1], "relevance": [2, 1, 1, 0, 1, 1]}
    ).with_columns(pl.col("query_id", "doc_id").cast(ids))
    expected = ir.evaluate(qrels, rows, MEASURES).per_unit()
    monkeypatch.setattr(ranking, "FEW_ROWS", 0)
    for most in (16, 1):
        monkeypatch.setattr(ranking, "MOST_PER_LIST", most)
        actual = ir.evaluate(frame(session, qrels), frame(session, rows), MEASURES).per_unit()
        assert_frame_equal(actual, expected, rel_tol=1e-11, check_row_order=False)


def test_types_come_back(session: Any) -> None:
    engine = SparkEngine(session)
    rows = pl.DataFrame(
        {"i": [1], "u": [2**40], "f": [0.5], "c": ["a"], "b": [True], "l": [[1.0]]},
        schema={
            "i": pl.Int8,
            "u": pl.UInt64,
            "f": pl.Float32,
            "c": pl.Categorical,
            "b": pl.Boolean,
            "l": pl.List(pl.Float64),
        },
    )
    assert engine.collect(engine.from_polars(rows)).rows() == rows.rows()


def test_steps_in_python_of_no_rows(session: Any) -> None:
    nothing = ir.examples.clusters().clear()
    measures = "AdjustedRand ClusteringAccuracy"
    expected = ir.Clusters(nothing).evaluate(measures).summary()
    assert expected["n_units"].to_list() == [1, 1]
    assert_frame_equal(ir.Clusters(frame(session, nothing)).evaluate(measures).summary(), expected)


def test_times_without_a_zone(session: Any) -> None:
    """One does not exist in the zone of the session, and one exists twice."""
    other = session.newSession()
    other.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    times = pl.Series(["2024-03-31T02:30:00", "2024-10-27T02:30:00", "2024-07-01T02:30:00"]).str.to_datetime()
    rows = pl.DataFrame({"item_id": [1, 2, 3], "label": [1, 2, 3], "prediction": [1, 2, 1], "at": times})
    actual = ir.Labels(rows, by="at", con=other).evaluate("Accuracy").summary()
    assert_frame_equal(actual, ir.Labels(rows, by="at").evaluate("Accuracy").summary())
    finer = rows.with_columns(at=times.cast(pl.Datetime("ns")) + pl.duration(nanoseconds=1))
    with pytest.raises(WrongType, match="some of its values are finer"):
        ir.Labels(finer, by="at", con=other).evaluate("Accuracy").summary()


def test_unsigned_integers(session: Any) -> None:
    qrels, run = ir.examples.ranking()[:2]
    numbered = {c: pl.col(c).rank("dense").cast(pl.Int64) for c in ("query_id", "doc_id")}
    qrels, run = qrels.with_columns(**numbered), run.with_columns(**numbered)
    unsigned = qrels.with_columns(pl.col("query_id", "doc_id").cast(pl.UInt64))
    actual = ir.evaluate(unsigned, frame(session, run), "AP").summary()
    assert_frame_equal(actual, ir.evaluate(qrels, run, "AP").summary())


def test_errors_name_the_cause(session: Any, tmp_path: Path) -> None:
    qrels, run = (frame(session, rows) for rows in ir.examples.ranking()[:2])
    run.write.parquet(str(tmp_path / "run"))
    gone = session.read.parquet(str(tmp_path / "run"))
    shutil.rmtree(tmp_path / "run")
    with pytest.raises(EngineError, match=r"FILE_NOT_EXIST\] Encountered error while reading file .*/run/part"):
        ir.evaluate(qrels, gone, "AP").summary()
