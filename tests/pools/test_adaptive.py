"""Pools that are judged step by step, against loops."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    NothingInCommon,
)
from tests.oracles.pools import Id, Judging
from tests.pools.cases import RUNS, grades, lists, table

METHODS = ("mtf", "hedge", "bandit", "max-mean")
CHOICES: dict[str, Callable[[Judging], Callable[[], Any]]] = {
    "mtf": lambda q: q.move_to_front,
    "hedge": lambda q: lambda: q.hedge(8, 0.3),
    "bandit": lambda q: q.thompson,
    "max-mean": lambda q: q.max_mean,
    "bandit of all": lambda q: lambda: q.thompson("all"),
    "max-mean of all": lambda q: lambda: q.max_mean("all"),
}
methods = pytest.mark.parametrize("method", METHODS)


def judged(pool: ir.pools.AdaptivePool, qrels: pl.DataFrame) -> pl.DataFrame:
    """The table of a pool when all of it is judged."""
    for _ in pool:
        pool.judge(qrels, others=0)
    return pool.table()


def by_query(frame: pl.DataFrame) -> dict[Id, dict[Id, float]]:
    """Grades by query and document."""
    out: dict[Id, dict[Id, float]] = {}
    for query, doc, grade in frame.select("query_id", "doc_id", "relevance").iter_rows():
        out.setdefault(query, {})[doc] = grade
    return out


@pytest.mark.parametrize("method", CHOICES)
def test_methods(method: str) -> None:
    name, _, credit = method.partition(" of ")
    options: dict[str, Any] = {
        "method": name,
        "depth": 8,
        "beta": 0.3,
        "rel": 2,
        "credit": credit or "chosen",
        "seed": 5,
    }
    for seed in (0, 1):
        runs = table(seed, text=seed == 0)
        qrels = grades(runs, seed)
        known = qrels.filter(pl.int_range(pl.len()) % 7 == 0)
        actual = judged(ir.pool(runs, qrels=known, **options), qrels)
        said, before = by_query(qrels), by_query(known)
        expected = []
        for query, of_query in lists(runs, 8).items():
            one = Judging(query, sorted(RUNS), of_query, said[query], rel=2, known=before.get(query), seed=5)
            expected += [
                (query, d, place, run, said[query][d])
                for place, (d, run) in enumerate(one.judged(CHOICES[method](one)), start=1)
            ]
        assert actual.select("query_id", "doc_id", "order", "run_id", "relevance").rows() == expected
        assert {0, 1, 2} == set(actual["relevance"])


@methods
def test_a_pool_goes_on_from_its_table(method: str, tmp_path: Path) -> None:
    runs = table(3)
    qrels = grades(runs, 3)
    expected = judged(ir.pool(runs, method, 9), qrels)
    pool = ir.pool(runs, method, 9)
    for _ in range(4):
        next(pool)
        pool.judge(qrels)
    for path in (tmp_path / "pool.csv", tmp_path / "pool.parquet"):
        if path.suffix == ".csv":
            pool.table().write_csv(path)
        else:
            pool.table().write_parquet(path)
        again = ir.pool(runs, method, 9, resume=path)
        assert again.table().equals(pool.table())
    assert judged(again, qrels).equals(expected)


def test_grades_of_a_resumed_pool_may_be_among_the_judgments() -> None:
    runs = table(3)
    qrels = grades(runs, 3)
    pool = ir.pool(runs, "mtf", 9)
    next(pool)
    again = ir.pool(runs, "mtf", 9, qrels=qrels.head(40), resume=pool.table())
    taken = pool.judge(qrels.head(40))
    assert 0 < taken < pool.table().height
    assert again.table().equals(pool.table())


@methods
def test_batches_and_budgets(method: str) -> None:
    runs = table(4)
    pool = ir.pool(runs, method, budget=5, total=13, batch=3)
    sizes = [(b.height, b["order"].max()) for b in pool]
    n = runs["query_id"].n_unique()
    assert sum(size for size, _ in sizes) == 13
    assert sizes[0] == (3 * n, 3)
    assert next(pool, None) is None
    assert pool.table()["relevance"].null_count() == 13
    assert "13 of them wait" in repr(pool)


def test_what_is_not_judged_yet_teaches_nothing() -> None:
    """Without grades a run is read on; a grade that comes later counts from then on, and may be corrected."""
    runs = pl.DataFrame(
        {"run_id": ["a"] * 3 + ["b"] * 3, "query_id": ["q"] * 6, "doc_id": [*"xyz", *"uvw"], "rank": [1, 2, 3] * 2}
    )
    pool = ir.pool(runs, "mtf", batch=2)
    first = next(pool)
    (run,) = first["run_id"].unique()
    pool.judge(first.select("query_id", "doc_id", relevance=pl.Series([1, -1])))
    assert pool.table()["relevance"].to_list() == [1.0, None]
    assert pool.judge(first.select("query_id", "doc_id", relevance=pl.Series([1, 0]))) == 1
    second = next(pool)
    assert set(second["run_id"]) == {"a", "b"} - {run}
    pool.judge(second.select("query_id", "doc_id", relevance=pl.lit(0)))
    pool.judge(second.select("query_id", "doc_id", relevance=pl.lit(1)))
    assert set(next(pool)["run_id"]) == {"a", "b"}
    assert next(pool, None) is None


def test_a_copy_goes_on_by_itself() -> None:
    runs = table(2)
    qrels = grades(runs, 2)
    pool = ir.pool(runs, "max-mean", 7)
    next(pool)
    for other in (pickle.loads(pickle.dumps(pool)), copy.deepcopy(pool)):
        other.judge(qrels)
        assert judged(other, qrels).equals(judged(ir.pool(runs, "max-mean", 7), qrels))
        assert pool.table()["relevance"].null_count() == pool.table().height


def test_engines_give_the_same_pool() -> None:
    runs = table(2)
    qrels = grades(runs, 2)
    expected = judged(ir.pool(runs, "bandit", 7), qrels)
    with duckdb.connect() as con:
        con.register("runs", runs.to_arrow())
        assert judged(ir.pool("runs", "bandit", 7, con=con), qrels).equals(expected)
    assert judged(ir.pool(runs.lazy().reverse(), "bandit", 7), qrels).equals(expected)


def test_wrong_judgments() -> None:
    pool = ir.pool(table(0), "mtf")
    first = next(pool)
    right = first.select("query_id", "doc_id", relevance=pl.lit(1))
    with pytest.raises(DuplicateRows, match="more than once"):
        pool.judge(pl.concat([right, right]))
    with pytest.raises(NothingInCommon, match="waits for its grade"):
        pool.judge(right.with_columns(doc_id=pl.col("doc_id") + "x"))
    with pytest.raises(MissingColumn, match="relevance"):
        pool.judge(right.drop("relevance"))
    with pytest.raises(MismatchedTables, match="Int64"):
        pool.judge(right.with_columns(doc_id=pl.lit(1)))
    with pytest.raises(InvalidParameter, match="others is -1"):
        pool.judge(right, others=-1)
    assert pool.judge(right) == first.height


def test_wrong_tables_to_resume_from() -> None:
    runs = table(0)
    pool = ir.pool(runs, "mtf", 9)
    next(pool)
    rows = pool.table()
    with pytest.raises(MissingColumn, match="'order'"):
        ir.pool(runs, "mtf", resume=rows.drop("order"))
    with pytest.raises(MismatchedTables, match=re.escape("not in the runs down to rank 9")):
        ir.pool(runs, "mtf", 9, resume=rows.with_columns(doc_id=pl.lit("other")))
    with pytest.raises(MismatchedTables):
        ir.pool(runs, "mtf", 9, resume=rows.with_columns(run_id=pl.lit("other")))
    with pytest.raises(InvalidValue, match="cannot be read"):
        ir.pool(runs, "mtf", 9, resume=rows.with_columns(order=pl.lit("first")))
    with pytest.raises(DuplicateRows, match="twice"):
        ir.pool(runs, "mtf", 9, resume=pl.concat([rows, rows]))
