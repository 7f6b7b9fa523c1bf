"""Long tables on DuckDB: ranks are counted, duplicates found in slices; `explain()` names the way of ranking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.sql import ranking
from ireval_frames.errors import DuplicateRows

MEASURES = "nDCG@10 AP RR P@5 R@20 NumRet"


@pytest.fixture(params=[3, 10_000], ids=["few comparisons", "many comparisons"])
def long(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Lowers the limits, so that small tables are long, and, for the first parameter, comparisons too many."""
    monkeypatch.setattr(ranking, "LONG", 300)
    monkeypatch.setattr(ranking, "COMPARISONS", request.param)
    return int(request.param)


def tables(kind: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lists of several lengths in two runs, with ties, and judgments of a few of their documents and of others."""
    rng = np.random.default_rng(5)
    lists = [("b" if i % 2 else "a", i // 2, rng.permutation(300)[: 5 + 9 * i]) for i in range(14)]
    run = pl.concat(
        pl.DataFrame({"run_id": run_id, "query_id": query, "doc_id": docs, "score": rng.integers(0, 9, len(docs)) / 4})
        for run_id, query, docs in lists
    ).with_columns(score=pl.when((pl.col("score") == 0) & (pl.col("doc_id") % 2 == 0)).then(-0.0).otherwise("score"))
    qrels = pl.DataFrame(
        {"query_id": query, "doc_id": rng.permutation(320)[: 4 + query * 6], "relevance": 1} for query in range(9)
    ).explode("doc_id", empty_as_null=False)
    if kind == "text":
        names = {"query_id": pl.format("q{}", "query_id"), "doc_id": pl.format("d{}'é", "doc_id")}
        run, qrels = run.with_columns(**names), qrels.with_columns(**names)
    return qrels.with_columns(relevance=pl.int_range(pl.len()) % 3), run.sample(fraction=1.0, shuffle=True, seed=1)


@pytest.mark.parametrize("kind", ["text", "integers"])
@pytest.mark.parametrize("policy", [{}, {"depth": 11}, {"ties": "doc_id"}], ids=str)
def test_the_same_as_sorted(long: int, kind: str, policy: dict[str, Any]) -> None:
    qrels, run = tables(kind)
    evaluation = ir.evaluate(qrels, run, MEASURES, engine="duckdb", policy=policy)
    expected = ir.evaluate(qrels, run, MEASURES, policy=policy).per_unit(wide=True)
    actual = evaluation.per_unit(wide=True)
    assert actual.drop(pl.selectors.float()).equals(expected.drop(pl.selectors.float()))
    assert np.allclose(actual.select(pl.selectors.float()), expected.select(pl.selectors.float()), rtol=1e-14, atol=0)
    assert ("counted" in evaluation.explain()) == (long > 3)
    # The same again, and as a relation.
    assert evaluation.per_unit(wide=True).equals(actual)
    assert evaluation.per_unit.to_native(wide=True).pl().sort("run_id", "query_id").equals(actual)


@pytest.mark.parametrize("kind", ["text", "integers"])
def test_duplicates_of_any_slice(long: int, kind: str) -> None:
    del long
    qrels, run = tables(kind)
    for row in (0, 300, run.height - 1):
        twice = pl.concat([run, run[row]])
        with duckdb.connect() as con:
            con.register("qrels", qrels.to_arrow())
            con.register("run", twice.to_arrow())
            with pytest.raises(DuplicateRows) as error:
                ir.evaluate("qrels", "run", "AP", con=con).summary()
        assert str(run["doc_id"][row]) in str(error.value)


def test_duplicates_of_all_slices_are_counted(long: int) -> None:
    del long
    qrels, run = tables("integers")
    first, last = run.sort("query_id").head(1), run.sort("query_id").tail(1)
    with pytest.raises(DuplicateRows, match=r"\b4 rows"):
        ir.evaluate(qrels, pl.concat([run, first, last]), "AP", engine="duckdb").summary()


def test_explain_names_the_way_of_ranking() -> None:
    best = pl.DataFrame({"query_id": np.repeat(np.arange(40), 400), "score": np.tile(np.arange(400.0)[::-1], 40)})
    best = best.with_columns(doc_id=pl.int_range(pl.len()))
    qrels = best.filter(pl.col("doc_id") % 97 == 3).select("query_id", "doc_id", relevance=1)
    mixed = best.sample(fraction=1.0, shuffle=True, seed=3)
    for run, ties, text in (
        (best, "trec_eval", "of judged rows\n  lists were in order"),
        (mixed, "trec_eval", "of judged rows\n  the rows before judged rows were counted"),
        (mixed, "expectation", "of all rows: measures read rows that are not judged\n  lists were sorted"),
    ):
        evaluation = ir.evaluate(qrels, run, "P@5", policy={"ties": ties})
        assert "depends on the data" in evaluation.explain()
        evaluation.summary()
        assert text in evaluation.explain()


def test_duckdb_reads_tables_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parquet files of types that engines read in different ways, and Delta tables."""

    def refuse(*_: object) -> None:
        raise AssertionError("all rows are collected")

    monkeypatch.setattr("ireval_frames.engines.duckdb.files.in_memory", refuse)
    qrels, run = ir.examples.ranking()
    expected = ir.evaluate(qrels, run, "AP").summary()["value"].item()
    decimals = run.with_columns(pl.col("score").cast(pl.Decimal(10, 2)))
    decimals.write_parquet(tmp_path / "decimals.parquet")
    pytest.importorskip("deltalake").write_deltalake(tmp_path / "table", run.to_arrow())
    for path in ("decimals.parquet", "table"):
        summary = ir.evaluate(qrels, tmp_path / path, "AP", engine="duckdb").summary()
        assert summary["value"].item() == pytest.approx(expected), path
