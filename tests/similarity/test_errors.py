"""Errors of rankings and calls, with their remedies."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    UnknownName,
)

ENGINES = ("polars", "duckdb")
engines = pytest.mark.parametrize("engine", ENGINES)
RUNS = pl.DataFrame(
    {
        "run_id": ["a", "a", "b", "b"],
        "query_id": ["q"] * 4,
        "doc_id": ["x", "y", "x", "z"],
        "score": [2.0, 1.0, 2.0, 1.0],
    }
)


@engines
def test_duplicate_items(engine: str) -> None:
    runs = pl.concat([RUNS, RUNS[1:2]])
    with pytest.raises(
        DuplicateRows,
        match=r"2 rows with the same item as another row of the ranking: run_id 'a', query_id 'q', item 'y'",
    ):
        ir.Similarity(runs, engine=engine).evaluate("Tau").summary()


@engines
@pytest.mark.parametrize(
    "value, column", [(None, "score"), (float("nan"), "score"), (None, "doc_id"), (None, "query_id"), (None, "run_id")]
)
def test_nulls(value: float | None, column: str, engine: str) -> None:
    runs = RUNS.with_columns(
        pl.when(pl.col("doc_id") == "y").then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
    )
    with pytest.raises(InvalidValue, match=r"of the rankings is null"):
        ir.Similarity(runs, engine=engine).evaluate("Tau").summary()


@engines
def test_different_items(engine: str) -> None:
    with pytest.raises(
        MismatchedTables,
        match=r"In 1 comparisons .* do not have the same items: 'a' and 'b', query 'q'(.|\n)*items=common",
    ):
        ir.Similarity(RUNS, engine=engine, policy={"items": "same"}).evaluate("Tau").summary()
    same_items = RUNS.with_columns(doc_id=pl.col("doc_id").replace("z", "y"))
    assert ir.Similarity(same_items, engine=engine, policy={"items": "same"}).evaluate("Tau").summary()[
        "value"
    ].to_list() == [1.0, 1.0]


def test_arguments() -> None:
    with pytest.raises(InvalidParameter, match="ties is 'a'; allowed: tied, trec_eval, doc_id"):
        ir.Similarity(RUNS, policy={"ties": "a"}).evaluate("Tau")
    with pytest.raises(InvalidParameter, match="depth is 0"):
        ir.Similarity(RUNS).evaluate("Tau", policy={"depth": 0})
    with pytest.raises(InvalidParameter, match="must be of type SimilarityPolicy"):
        ir.Similarity(RUNS, policy=ir.labels.LabelPolicy())  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="by='run_id'"):
        ir.Similarity(RUNS, by="run_id").evaluate("Tau")
    with pytest.raises(UnknownName, match=r"no measure 'Taus'(.|\n)*Tau"):
        ir.Similarity(RUNS).evaluate("Taus")
    with pytest.raises(UnknownName, match="no engine 'flink'"):
        ir.Similarity(RUNS, engine="flink").evaluate("Tau")
    comparison = ir.Similarity(RUNS).evaluate("Tau RBO")
    with pytest.raises(InvalidParameter, match=r"Tau, RBO were evaluated(.|\n)*matrix\('Tau'\)"):
        comparison.matrix()
    with pytest.raises(UnknownName, match="AO was not evaluated"):
        comparison.matrix("AO")


def test_tables() -> None:
    with pytest.raises(MissingColumn, match="has no column 'score'"):
        ir.Similarity(RUNS.drop("score")).evaluate("Tau")
    with pytest.raises(MissingColumn, match="has no column 'item'"):
        ir.Similarity(RUNS.select(thing="doc_id", score="score")).evaluate("Tau")
    with pytest.raises(MissingColumn, match="no by column 'segment'"):
        ir.Similarity(RUNS, by="segment").evaluate("Tau")
    with pytest.raises(MismatchedTables, match=r"'doc_id' of the runs table is String .* against table is Int64"):
        ir.Similarity(RUNS, against=RUNS.with_columns(doc_id=pl.int_range(pl.len()))).evaluate("Tau")
    with pytest.raises(MissingColumn, match="Only one of the two tables"):
        ir.Similarity(
            ir.similarity.ranking("a b"), against=pl.DataFrame({"query_id": ["q"], "system": ["a"], "score": [1.0]})
        ).evaluate("Tau")


def test_an_evaluation_of_a_single_run() -> None:
    qrels, run = ir.examples.ranking()
    with pytest.raises(NotDefined, match="This evaluation is of one run"):
        ir.Similarity(ir.evaluate(qrels, run, "AP RR"))


def test_rankings_as_text() -> None:
    assert ir.similarity.ranking("(a b) c", "x").rows() == [("x", "a", 1), ("x", "b", 1), ("x", "c", 3)]
    for text in ("a (b c", "a b) c", "", "a ((b) c)"):
        with pytest.raises(InvalidParameter):
            ir.similarity.ranking(text)


@engines
def test_integer_scores_beyond_floats_are_refused(engine: str) -> None:
    large = RUNS.with_columns(score=pl.Series([2**53 + 1, 2**53, 2, 1]))
    for runs, against in ((large, None), (RUNS, large)):
        with pytest.raises(InvalidValue, match=r"'score' holds 9007199254740992; floats do not tell(.|\n)*rank"):
            ir.Similarity(runs, against=against, engine=engine).evaluate("Tau").summary()
