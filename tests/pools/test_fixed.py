"""Pools that are known at once, against loops, on Polars and DuckDB."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.polars import ranked_table
from ireval_frames.engines.polars.ranking import batches_in_order, grouped_rows
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    NothingInCommon,
    UnknownName,
    WrongType,
)
from tests.oracles import pools as oracle
from tests.pools.cases import ENGINES, QUERIES, grades, lists, on_polars, table

engines = pytest.mark.parametrize("pooled", ENGINES)


def rows_of(runs: pl.DataFrame, depth: int, method: str, ties: str = "trec_eval") -> list[tuple[Any, ...]]:
    """query_id doc_id n_runs best_rank [value] order, by loops."""
    out = []
    for query, of_query in lists(runs, depth, ties).items():
        where = oracle.places(of_query)
        value: Any = {
            "depth": dict.fromkeys(where), "mean-rank": oracle.mean_ranks(of_query),
            "rrf": oracle.reciprocal_ranks(of_query),
        }[method]  # fmt: skip
        sign = -1 if method == "rrf" else 1
        order = oracle.by_depth(of_query) if method == "depth" else sorted(where, key=lambda d: (sign * value[d], d))
        for place, d in enumerate(order, start=1):
            more = () if method == "depth" else (float(value[d]),)
            out.append((query, d, len(where[d]), min(where[d].values()), *more, place))
    return out


def assert_rows(actual: pl.DataFrame, expected: list[tuple[Any, ...]]) -> None:
    """Equal, numbers to 1e-12."""
    rows = actual.sort("query_id", "order").rows()
    assert len(rows) == len(expected)
    for row, other in zip(rows, sorted(expected, key=lambda r: (r[0], r[-1])), strict=True):
        assert [pytest.approx(x, rel=1e-12) if isinstance(x, float) else x for x in other] == list(row)


@engines
@pytest.mark.parametrize("method", ["depth", "mean-rank", "rrf"])
@pytest.mark.parametrize("text, depth, ties", [(True, 100, "trec_eval"), (False, 5, "doc_id")])
def test_methods(pooled: Callable[..., pl.DataFrame], method: str, text: bool, depth: int, ties: str) -> None:  # noqa: FBT001
    for seed in range(2):
        runs = table(seed, text=text)
        actual = pooled(runs, method=method, depth=depth, ties=ties)
        assert actual.columns[-1] == "order"
        assert actual.rows() == actual.sort("query_id", "order").rows()
        assert_rows(actual, rows_of(runs, depth, method, ties))


@engines
def test_strata(pooled: Callable[..., pl.DataFrame]) -> None:
    strata = {2: 1.0, 5: 0.5, 9: 0.1}
    drawn = 0
    for seed in (0, 7):
        runs = table(seed)
        actual = pooled(runs, method="stratified", strata=strata, seed=seed)
        expected = {
            (query, d): of
            for query, of_query in lists(runs, 9).items()
            for d, of in oracle.sampled(query, of_query, strata, seed).items()
        }
        assert actual.height == len(expected)
        for row in actual.iter_rows(named=True):
            stratum, iprob, is_drawn = expected[row["query_id"], row["doc_id"]]
            assert (row["stratum"], row["iprob"]) == (stratum, pytest.approx(iprob, rel=1e-12))
            assert (row["order"] is not None, row["relevance"]) == (is_drawn, None if is_drawn else -1)
            drawn += is_drawn
        places = actual.filter(pl.col("order").is_not_null()).group_by("query_id").agg("order")
        assert all(sorted(o) == list(range(1, len(o) + 1)) for o in places["order"])
    assert 0 < drawn < 2 * actual.height


def test_every_document_is_drawn_with_its_probability() -> None:
    """Over many seeds each document of a stratum is drawn equally often."""
    runs = pl.DataFrame({"query_id": ["q"] * 20, "doc_id": [f"d{i}" for i in range(20)], "rank": range(1, 21)})
    counts = pl.concat(
        on_polars(runs, method="stratified", strata={20: 0.3}, seed=seed).filter(pl.col("order").is_not_null())
        for seed in range(40)
    )["doc_id"].value_counts()
    assert counts["count"].sum() == 40 * 6
    # Binomial with 40 draws of 0.3: four standard deviations.
    assert counts.height == 20
    assert counts["count"].is_between(1, 24).all()


@engines
def test_judged_documents_are_left_out(pooled: Callable[..., pl.DataFrame]) -> None:
    runs = table(1)
    judged = grades(runs, 3).filter(pl.int_range(pl.len()) % 3 == 0)
    pooled_only = judged.head(2).with_columns(relevance=pl.lit(-1, pl.Int64))
    qrels = pl.concat([judged[2:], pooled_only])
    rest = pooled(runs, depth=6, qrels=qrels)
    known = set(judged[2:].select("query_id", "doc_id").rows())
    everything = pooled(runs, depth=6).select("query_id", "doc_id").rows()
    assert set(rest.select("query_id", "doc_id").rows()) == set(everything) - known != set(everything)
    assert (
        rest.group_by("query_id")
        .agg(last=pl.col("order").max(), n=pl.len())
        .filter(pl.col("last") != pl.col("n"))
        .is_empty()
    )

    strata = {3: 1.0, 9: 0.4}
    sample = pooled(runs, method="stratified", strata=strata, qrels=qrels)
    for query, of_query in lists(runs, 9).items():
        expected = oracle.sampled(query, of_query, strata, 0, [d for q, d in known if q == query])
        actual = sample.filter(pl.col("query_id") == query)
        assert {r[0]: r[1:] for r in actual.select("doc_id", "stratum", "iprob").rows()} == {
            d: (s, pytest.approx(p)) for d, (s, p, _) in expected.items()
        }


@engines
def test_budgets(pooled: Callable[..., pl.DataFrame]) -> None:
    runs = table(2)
    everything = pooled(runs, method="rrf")
    assert pooled(runs, method="rrf", budget=3).rows() == everything.filter(pl.col("order") <= 3).rows()
    some = pooled(runs, method="rrf", total=10)
    assert some.height == 10
    # The first of every query, then the second, and so on.
    assert some.rows() == everything.sort("order", "query_id").head(10).sort("query_id", "order").rows()


def test_the_kind_of_table_stays() -> None:
    runs = table(0)
    lazy = ir.pool(runs.lazy(), depth=3)
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect().rows() == on_polars(runs, depth=3).rows()
    assert isinstance(ir.pool(runs, depth=3, engine="duckdb"), pl.DataFrame)


def test_ranks_of_the_runs_own() -> None:
    runs = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0], "rank": [2, 1]})
    assert on_polars(runs, depth=1)["doc_id"].to_list() == ["a"]
    for pooled in ENGINES:
        assert pooled(runs, depth=1, ties="rank")["doc_id"].to_list() == ["b"]
    with pytest.raises(MissingColumn, match="'rank'"):
        ir.pool(runs.drop("rank"), ties="rank")


def test_files_and_names_of_columns(tmp_path: Any) -> None:
    runs = table(0)
    for run in ("bm25", "dense"):
        lines = [f"{q} Q0 {d} 0 {s} tag" for r, q, d, s in runs.rows() if r == run]
        (tmp_path / f"{run}.run").write_text("\n".join(lines) + "\n", "utf-8")
    files = ir.pool([str(tmp_path / "bm25.run"), str(tmp_path / "dense.run")], depth=4)
    assert files.rows() == on_polars(runs.filter(pl.col("run_id").is_in(["bm25", "dense"])), depth=4).rows()
    renamed = runs.rename({"doc_id": "page", "score": "points"})
    columns = {"doc_id": "page", "score": "points"}
    assert on_polars(renamed, depth=4, columns=columns).rows() == on_polars(runs, depth=4).rows()
    renamed.write_parquet(tmp_path / "runs.parquet")
    for engine in ("polars", "duckdb"):
        assert ir.pool(tmp_path / "runs.parquet", depth=4, columns=columns, engine=engine).rows() == files_free(runs)


def files_free(runs: pl.DataFrame) -> list[tuple[Any, ...]]:
    """The same pool of the frame."""
    return on_polars(runs, depth=4).rows()


@pytest.mark.parametrize("lazy", [False, True])
def test_rows_that_come_in_batches(monkeypatch: pytest.MonkeyPatch, *, lazy: bool) -> None:
    """Batches are grouped as they are ranked, sorted by run or scattered."""
    monkeypatch.setattr(ranked_table, "FEW_ROWS", 0)
    monkeypatch.setattr(batches_in_order, "BATCH_ROWS", 7)
    monkeypatch.setattr(batches_in_order, "SLICE_ROWS", 7)
    monkeypatch.setattr(batches_in_order, "PART_ROWS", 40)
    monkeypatch.setattr(grouped_rows, "ROWS", 5)
    monkeypatch.setattr(grouped_rows, "BATCHES", 3)
    for seed in (0, 1):
        scattered = table(seed)
        for runs in (scattered, scattered.sort("run_id", "query_id", "score", descending=[False, False, True])):
            actual = ir.pool(runs.lazy() if lazy else runs, "mean-rank", 6)
            assert_rows(actual.collect() if lazy else actual, rows_of(runs, 6, "mean-rank"))
    nothing = ir.pool(table(0).clear().lazy()).collect()
    assert (nothing.height, nothing.columns) == (0, ["query_id", "doc_id", "n_runs", "best_rank", "order"])


@engines
def test_bad_rows(pooled: Callable[..., pl.DataFrame]) -> None:
    runs = table(0)
    with pytest.raises(DuplicateRows, match=r"several times(?s:.)*Keep the best"):
        pooled(pl.concat([runs, runs[:1]]))
    with pytest.raises(DuplicateRows, match="If these are several runs, name them in a column run_id"):
        pooled(runs.drop("run_id"))
    with pytest.raises(InvalidValue, match="score"):
        pooled(runs.with_columns(score=pl.when(pl.int_range(pl.len()) == 3).then(None).otherwise("score")))
    other = pl.DataFrame({"query_id": ["q01", "q02"], "doc_id": ["d1", "d2"], "relevance": [1, 0]})
    with pytest.raises(NothingInCommon, match="zeros in front"):
        pooled(runs, qrels=other)


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"method": "deep"}, UnknownName, "depth"),
        ({"depth": 0}, InvalidParameter, "depth is 0"),
        ({"method": "stratified"}, InvalidParameter, "needs its strata"),
        ({"strata": {10: 0.5}}, InvalidParameter, "stratified"),
        ({"method": "stratified", "strata": {10: 0.0}}, InvalidParameter, "above 0"),
        ({"method": "stratified", "strata": {0: 0.5}}, InvalidParameter, "from 1 on"),
        ({"method": "stratified", "strata": {10: 0.5}, "budget": 3}, InvalidParameter, "budget is 3"),
        ({"resume": pl.DataFrame()}, InvalidParameter, "nothing to resume"),
        ({"ties": "score"}, UnknownName, "trec_eval"),
        ({"total": 0}, InvalidParameter, "total is 0"),
    ],
)
def test_options(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        ir.pool(table(0), **options)


def test_runs_are_one_table() -> None:
    with pytest.raises(WrongType, match="list of 2 tables"):
        ir.pool([table(0), table(1)])


def test_judgments_are_no_runs() -> None:
    judgments = pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": [1]})
    with pytest.raises(MismatchedTables, match="these are judgments; runs have a score or a rank"):
        ir.pool(judgments)


@pytest.mark.parametrize("column", ["score", "rank"])
def test_the_hint_about_documents_that_are_twice_keeps_the_best_of_every_run(column: str) -> None:
    one = pl.DataFrame({"run_id": ["a", "b"], "query_id": "q", "doc_id": "d", column: [1, 2]})
    runs = pl.concat([one, one.with_columns(pl.col(column) + 5)])
    with pytest.raises(DuplicateRows, match="several times") as error:
        ir.pool(runs)
    line = error.value.hint.removeprefix("Keep the best of each: ")
    best = eval(line, {"run": runs, "pl": pl})
    expected = [("a", "q", "d", 6), ("b", "q", "d", 7)] if column == "score" else one.rows()
    assert sorted(best.rows()) == expected
    assert ir.pool(best)["n_runs"].to_list() == [2]


def test_a_table_of_one_run_needs_no_name() -> None:
    run = table(0).filter(pl.col("run_id") == "bm25").drop("run_id")
    pool = on_polars(run, depth=2)
    assert pool["n_runs"].to_list() == [1] * pool.height
    assert set(pool["query_id"]) <= set(QUERIES)
