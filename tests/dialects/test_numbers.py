"""Numbers that databases treat differently from Polars: signed zeros, very small and very wide ones, long queries."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from tests.dialects.databases import close_all, started

pytest.importorskip("sqlglot", reason="sqlglot is not there")

from ireval_frames.dialects.statement import dialect_named, translated

COMPLETE = ("postgres", "clickhouse", "datafusion")


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def same(dialect: str, result: Any, frames: dict[str, pl.DataFrame]) -> None:
    """A result is the same in a database and in Polars, in any order."""
    database = started(dialect)
    database.load(frames)
    names, rows = database.run(result.sql(dialect))
    expected = result.collect()
    assert names == expected.columns
    actual, right = sorted(map(tuple, rows), key=_sort_key), sorted(expected.rows(), key=_sort_key)
    assert [[_close(v) for v in row] for row in right] == [[*row] for row in actual]


def _sort_key(row: tuple[Any, ...]) -> str:
    return str([v if isinstance(v, str) or v is None else round(float(v), 9) + 0.0 for v in row])


def _close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-11) if isinstance(value, float) else value


# ---- zeros with a sign


def scored(*scores: float) -> pl.DataFrame:
    drawn = random.Random(3)
    n = 60
    return pl.DataFrame({"label": [drawn.randrange(2) for _ in range(n)], "score": drawn.choices(scores, k=n)})


@pytest.mark.parametrize("dialect", COMPLETE)
def test_zeros_are_one_bin(dialect: str) -> None:
    frame = scored(0.0, -0.0, 0.5, 1.0)
    labels = ir.Labels(frame)
    for closed in ("left", "right"):
        evaluation = labels.evaluate(f"RMSCE(closed='{closed}') MCE(closed='{closed}') ECE(kind='mass')")
        same(dialect, evaluation.per_unit.result(wide=True), {"labels": frame})
    same(dialect, labels.curve.result("calibration"), {"labels": frame})


def test_zeros_are_one_probability() -> None:
    drawn = random.Random(4)
    rows = drawn.choices([(0.0, -0.0, 1.0), (-0.0, 0.0, 1.0), (0.5, 0.5, -0.0), (0.25, 0.5, 0.25)], k=40)
    frame = pl.DataFrame(rows, schema=["p_a", "p_b", "p_c"], orient="row")
    frame = frame.with_columns(item_id=pl.int_range(40), label=pl.Series(drawn.choices("abc", k=40)))
    labels = ir.Labels(frame, probabilities={c: f"p_{c}" for c in "abc"})
    same(
        "clickhouse",
        labels.evaluate("HandTill LRAP CoverageError RankingLoss").per_unit.result(wide=True),
        {"labels": frame},
    )


def test_zeros_are_one_grade() -> None:
    drawn = random.Random(5)
    qrels = pl.DataFrame({"query_id": "q", "doc_id": range(20), "relevance": drawn.choices([0.0, -0.0, 1.0], k=20)})
    run = pl.DataFrame({"query_id": "q", "doc_id": range(20), "score": drawn.choices([0.0, -0.0, 1.0], k=20)})
    evaluation = ir.evaluate(qrels, run, "PrefsSimp NumPrefs NumPrefsFulfilled AP")
    same("clickhouse", evaluation.per_unit.result(wide=True), {"qrels": qrels, "run": run})


# ---- numbers that round to 0 or to infinity


def test_squares_do_not_round_to_nothing() -> None:
    """PostgreSQL refuses to round a double down to 0."""
    frame = scored(1e-200, 1e-320, 0.0, 0.25, 1.0)
    for measure in ("Brier", "D2Brier", "RMSCE"):
        same("postgres", ir.Labels(frame).evaluate(measure).per_unit.result(wide=True), {"labels": frame})


@pytest.mark.parametrize("dialect", COMPLETE)
def test_scores_of_32_bits(dialect: str) -> None:
    """Half of the smallest number is 0, what is more is the smallest; those that are too large are infinite."""
    scores = [1e-46, -1e-50, 7.1e-46, 1e39, -1e39, 1e-45, 0.0, 0.1]
    qrels = pl.DataFrame({"query_id": "q", "doc_id": range(8), "relevance": [0, 1, 0, 0, 1, 1, 0, 1]})
    run = pl.DataFrame({"query_id": "q", "doc_id": range(8), "score": scores})
    evaluation = ir.Rankings(qrels, run, policy="precision=32").evaluate("AP nDCG@3 RR")
    same(dialect, evaluation.per_unit.result(wide=True), {"qrels": qrels, "run": run})


def test_numbers_of_32_bits_where_there_are_none() -> None:
    evaluation = ir.Rankings(*ir.examples.ranking(), policy="precision=32").evaluate("AP")
    for dialect, title in (("bigquery", "BigQuery"), ("snowflake", "Snowflake")):
        with pytest.raises(NotDefined, match=f"the type FLOAT, which {title} lacks.\n  Leave precision=32"):
            evaluation.per_unit.sql(dialect=dialect)
    assert "CAST(score AS REAL)" in evaluation.per_unit.sql(dialect="sqlserver")
    assert "CAST(score AS REAL)" in evaluation.per_unit.sql(dialect="trino")


# ---- integers


@pytest.mark.parametrize("dialect", COMPLETE)
@pytest.mark.parametrize("other", [pl.UInt64, pl.Int8])
def test_labels_without_a_sign(dialect: str, other: Any) -> None:
    frame = pl.DataFrame({"label": [1, 2, 3, 2], "prediction": [1, 2, 2, 3]})
    frame = frame.with_columns(pl.col("label").cast(pl.UInt64), pl.col("prediction").cast(other))
    labels = ir.Labels(frame)
    same(dialect, labels.evaluate("Accuracy F1(average='macro') MAE").per_unit.result(wide=True), {"labels": frame})
    same(dialect, labels.confusion.result(), {"labels": frame})


@pytest.mark.parametrize("dialect", COMPLETE)
@pytest.mark.parametrize("kind", [pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.Int8])
def test_clusters_of_all_integer_types(dialect: str, kind: Any) -> None:
    frame = ir.examples.clusters().select(
        "item_id", label=pl.int_range(pl.len()).cast(kind) % 3, cluster_id=pl.int_range(pl.len()).cast(kind) % 2
    )
    same(dialect, ir.Clusters(frame).evaluate("Purity BCubedF Rand").per_unit.result(wide=True), {"clusters": frame})


def test_missing_types() -> None:
    wide = "SELECT CAST(n AS HUGEINT) AS n FROM t"
    for dialect in ("spark", "snowflake", "trino", "sqlserver"):
        with pytest.raises(NotDefined, match="the type INT128"):
            translated(wide, dialect_named(dialect), {})
    for dialect, name in (("postgres", "DECIMAL(39, 0)"), ("datafusion", "DECIMAL(39, 0)"), ("bigquery", "BIGNUMERIC")):
        assert f"AS {name})" in translated(wide, dialect_named(dialect), {})
    frame = pl.DataFrame({"label": [1, 2], "prediction": [1, 1]})
    small = ir.Labels(frame.with_columns(pl.all().cast(pl.UInt64))).evaluate("Accuracy")
    named = {"spark": "DECIMAL(20, 0)", "snowflake": "DECIMAL(20, 0)", "trino": "DECIMAL(20, 0)"}
    named |= {"bigquery": "BIGNUMERIC", "sqlserver": "DECIMAL(20, 0)", "datafusion": "BIGINT UNSIGNED"}
    for dialect, name in named.items():
        text = small.per_unit.sql(dialect=dialect)
        assert f"AS {name})" in text
        assert "UBIGINT" not in text


# ---- complete results


@pytest.mark.parametrize("dialect", COMPLETE)
def test_tables_of_all_kinds(dialect: str) -> None:
    frame = ir.examples.labels().select("label", "prediction")
    same(dialect, ir.Labels(frame).report.result(), {"labels": frame})
    same(dialect, ir.Labels(frame).confusion.result(), {"labels": frame})
    scores = scored(0.0, 0.25, 0.5, 1.0)
    for kind in ("roc", "precision-recall"):
        same(dialect, ir.Labels(scores).curve.result(kind), {"labels": scores})


def test_a_report_stays_in_order_where_it_can() -> None:
    frame = ir.examples.labels().select("label", "prediction")
    result = ir.Labels(frame).report.result()
    for dialect in ("postgres", "clickhouse"):
        database = started(dialect)
        database.load({"labels": frame})
        assert [row[0] for row in database.run(result.sql(dialect))[1]] == result.collect()["class_id"].to_list()
    assert "ORDER BY\n  query_id" in ir.evaluate(*ir.examples.ranking(), "AP").per_unit.sql(
        wide=True, dialect="datafusion"
    )


def test_a_hundred_measures_are_no_tree_too_big() -> None:
    qrels, run = ir.examples.ranking()
    measures = " ".join(f"P@{i} R@{i} nDCG@{i} RR@{i} AP@{i}" for i in range(1, 21))
    evaluation = ir.evaluate(qrels, run, measures)
    same("clickhouse", evaluation.per_unit.result(wide=False), {"qrels": qrels, "run": run})
