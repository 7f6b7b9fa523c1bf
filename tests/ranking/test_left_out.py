"""Rows that the policy drops: the query's own document, and all but the best rank of a document."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, InvalidValue
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
QRELS = pl.DataFrame({"query_id": ["a", "a", "b"], "doc_id": ["x", "y", "x"], "relevance": [1, 1, 1]})
RUN = pl.DataFrame(
    {
        "query_id": ["a", "a", "a", "a", "b", "b", "b"],
        "doc_id": ["a", "x", "y", "x", "b", "z", "x"],
        "score": [9.0, 3.0, 2.0, 1.0, 5.0, 4.0, 4.5],
    }
)


def value(run: pl.DataFrame, measure: str, engine: str, policy: str, qrels: pl.DataFrame = QRELS) -> list[float]:
    evaluation = ir.evaluate(qrels, run, measure, engine=engine, policy=policy)
    text = evaluation.explain(counts=True)
    return [*evaluation.per_unit()["value"].to_list(), text]  # type: ignore[list-item]


@engines
def test_own_document(engine: str) -> None:
    unique = RUN.unique(["query_id", "doc_id"], keep="first", maintain_order=True)
    assert value(unique, "RR", engine, "own_document=keep")[:2] == [0.5, 0.5]
    *values, text = value(unique, "RR", engine, "own_document=drop")
    assert values == [1.0, 1.0]
    assert "own_document = drop  [2 rows left out]" in text
    numbers = {"a": 1, "b": 2, "x": 10, "y": 11, "z": 12}
    ids = [pl.col(c).replace_strict(numbers, return_dtype=pl.Int64) for c in ("query_id", "doc_id")]
    mixed = [frame.with_columns(ids[0].cast(pl.String), ids[1]) for frame in (QRELS, unique)]
    assert value(mixed[1], "RR", engine, "own_document=drop", mixed[0])[:2] == [1.0, 1.0]


@engines
def test_best_rank_of_duplicates(engine: str) -> None:
    with pytest.raises(DuplicateRows, match="duplicates=best"):
        value(RUN, "AP", engine, "duplicates=error")
    *values, text = value(RUN, "AP NumRet", engine, "duplicates=best,own_document=drop")
    assert values == [1.0, 2.0, 1.0, 2.0]
    assert "duplicates = best  [1 rows left out]" in text
    ranks = RUN.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("query_id")).drop("score")
    assert value(ranks, "AP NumRet", engine, "duplicates=best,own_document=drop")[:4] == values
    bad = RUN.with_columns(score=pl.when(pl.col("score") == 1.0).then(float("nan")).otherwise("score"))
    with pytest.raises(InvalidValue, match="NaN"):
        value(bad, "AP", engine, "duplicates=best")


@engines
def test_sql_drops_rows(engine: str) -> None:
    import duckdb

    con = duckdb.connect()
    for name, frame in (("qrels", QRELS), ("run", RUN)):
        con.from_arrow(frame.to_arrow()).create(name)
    ev = ir.evaluate(QRELS, RUN, "AP", engine=engine, policy="duplicates=best,own_document=drop")
    assert [row[-1] for row in con.sql(ev.per_unit.sql()).fetchall()] == [1.0, 1.0]
