"""Lists have the probabilities of the algorithms, on any engine and for any order of rows."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames import errors
from tests.interleaving import oracle
from tests.interleaving.cases import THREE_RUNS, TWO_RUNS, pages, run

N = 12_000
TEAMS: dict[str, Callable[..., Any]] = {"team-draft": oracle.team_draft, "probabilistic": oracle.probabilistic}
LISTS: dict[str, Callable[..., Any]] = {"balanced": oracle.balanced, "pairwise": oracle.pairwise}
CASES = [(TWO_RUNS, "q"), (TWO_RUNS, "short"), (THREE_RUNS, "q")]


def interleaved(case: Any, query: str, method: str, n: int = N, **options: Any) -> pl.DataFrame:
    runs = [run(case, i) for i in range(len(case[query]))]
    return ir.interleaving.interleave(runs, None, method, seed=3, depth=3, pages=pages(n, [query]), **options)


@pytest.mark.parametrize("method", [*TEAMS, *LISTS])
@pytest.mark.parametrize("case, query", CASES)
def test_probabilities_of_lists(method: str, case: Any, query: str) -> None:
    lists = [ranking[:3] for ranking in case[query]]
    columns = ["doc_id", "team"] if method in TEAMS else ["doc_id"]
    actual = interleaved(case, query, method).group_by("serp_id", maintain_order=True).agg(columns)
    if method in TEAMS:
        expected = {(docs, tuple("abc"[t] for t in teams)): p for (docs, teams), p in TEAMS[method](lists, 3).items()}
        counts = Counter((tuple(d), tuple(t)) for d, t in actual.select(columns).iter_rows())
    else:
        expected = LISTS[method](lists, 3)
        counts = Counter(tuple(d) for d in actual["doc_id"].to_list())
    assert set(counts) <= set(expected)
    assert sum(expected.values()) == pytest.approx(1.0)
    for key, p in expected.items():
        assert abs(counts[key] - N * p) <= 5 * np.sqrt(N * p * (1 - p)) + 1, key


def test_optimized_lists_are_unbiased() -> None:
    from ireval_frames.interleaving.optimized import allowed, lottery

    for first, second in itertools.product(itertools.permutations(range(4)), [(0, 1, 2, 3), (3, 4, 0, 5)]):
        lists = np.array([first, second])
        ranks = np.array([[list(ranking).index(d) + 1 if d in ranking else 0 for d in range(6)] for ranking in lists])
        for credit in ("inverse", "negative"):
            draws = lottery(lists, ranks, 4, credit)
            p = np.diff(draws.cumulative, prepend=0.0)
            bias = np.cumsum(((draws.credits[:, 0] - draws.credits[:, 1]) * p[:, None]).sum(axis=0))
            assert abs(bias).max() < 1e-7
    # At every position is the best remaining document of one of the two.
    assert sorted(map(tuple, allowed(np.array([[0, 1, 2], [1, 2, 0]]), 2).tolist())) == [(0, 1), (1, 0), (1, 2)]
    drawn_lists = (
        interleaved(TWO_RUNS, "q", "optimized")
        .group_by("serp_id", maintain_order=True)
        .agg("doc_id", "credit_a", "credit_b")
    )
    sums = np.array(drawn_lists["credit_a"].to_list()) - np.array(drawn_lists["credit_b"].to_list())
    means, spread = sums.mean(axis=0), sums.std(axis=0) / np.sqrt(N)
    assert abs(means).max() < 5 * max(spread.max(), 1e-12)
    run_a = pl.DataFrame({"query_id": ["q"] * 20, "doc_id": [f"x{i}" for i in range(20)], "rank": range(1, 21)})
    run_b = run_a.with_columns(doc_id=pl.lit("y") + pl.col("doc_id"))
    with pytest.raises(errors.InvalidParameter, match="more than 5000 lists"):
        ir.interleaving.interleave(run_a, run_b, "optimized", depth=15)


def test_prefixes_of_three_rankings_are_unbiased() -> None:
    from ireval_frames.interleaving.optimized import lottery

    lists = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]])
    ranks = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]])
    draws = lottery(lists, ranks, 3, "inverse")
    p = np.diff(draws.cumulative, prepend=0.0)
    expected = np.cumsum((draws.credits * p[:, None, None]).sum(axis=0), axis=1)
    assert np.ptp(expected, axis=0).max() < 1e-7


def test_lists_depend_on_page_and_seed_only() -> None:
    a, b = run(TWO_RUNS, 0), run(TWO_RUNS, 1)
    requests = pages(50, ["q", "short"])
    for method in ("team-draft", "balanced", "probabilistic", "pairwise", "optimized"):
        first = ir.interleaving.interleave(a, b, method, 5, depth=3, pages=requests)
        con = duckdb.connect()
        from_database = ir.interleaving.interleave(
            con.from_arrow(a.sample(fraction=1, shuffle=True, seed=1).to_arrow()), b, method, 5, depth=3, pages=requests
        )
        assert from_database.equals(first)
        subset = ir.interleaving.interleave(a, b, method, 5, depth=3, pages=requests.filter(pl.col("serp_id") > 20))
        assert subset.equals(first.filter(pl.col("serp_id") > 20))
        other_seed = ir.interleaving.interleave(a, b, method, 6, depth=3, pages=requests)
        assert not other_seed.equals(first)
    by_query = ir.interleaving.interleave(a, b, depth=2)
    assert by_query["serp_id"].to_list() == ["q", "q", "short", "short"]
    one_table = pl.concat([a.with_columns(run_id=pl.lit("bm25")), b.with_columns(run_id=pl.lit("dense"))])
    assert {"rank_bm25", "rank_dense"} < set(ir.interleaving.interleave(one_table).columns)


def test_ranks_and_credits_of_documents() -> None:
    lists = [ranking[:3] for ranking in TWO_RUNS["q"]]
    actual = interleaved(TWO_RUNS, "q", "probabilistic", 40)
    for page in actual.partition_by("serp_id"):
        docs = tuple(page["doc_id"])
        assert page["rank_a"].to_list() == [r if (r := oracle.rank(lists[0], d)) < 9 else None for d in docs]
        expected = oracle.shares(lists, docs, 3)
        assert page["credit_a"].to_list() == pytest.approx(expected[0])
        assert page["credit_b"].to_list() == pytest.approx(expected[1])


@pytest.mark.parametrize(
    "invalid, error, message",
    [
        ({"method": "team draft"}, errors.UnknownName, "Did you mean team-draft"),
        ({"depth": 0}, errors.InvalidParameter, "at least 1"),
        ({"seed": -1}, errors.InvalidParameter, "at least 0"),
        ({"credit": "rank"}, errors.UnknownName, "credit is 'rank'"),
        ({"run_b": None}, errors.InvalidParameter, "There are 1 runs"),
        ({"names": ["x", "x"]}, errors.InvalidParameter, "with different names"),
        ({"run_b": run({"r": ([], ["a"])}, 1)}, errors.MismatchedTables, "no query in common"),
        ({"run_b": pl.DataFrame({"query_id": [1], "doc_id": [2], "score": [1.0]})}, errors.MismatchedTables, "types"),
        ({"pages": pl.DataFrame({"serp_id": [1]})}, errors.MissingColumn, "query_id"),
        ({"pages": pl.DataFrame({"serp_id": [None], "query_id": ["q"]})}, errors.InvalidValue, "have no serp_id"),
        ({"names": 5}, errors.InvalidParameter, "names is 5; it must be a list of names"),
        ({"pages": pages(2, ["zzz"])}, errors.MismatchedTables, "no query 'zzz'"),
    ],
)
def test_invalid_arguments(invalid: dict[str, Any], error: type[Exception], message: str) -> None:
    options: dict[str, Any] = {"run_a": run(TWO_RUNS, 0), "run_b": run(TWO_RUNS, 1), **invalid}
    with pytest.raises(error, match=message):
        ir.interleaving.interleave(**options)


@pytest.mark.parametrize("method", [*TEAMS, *LISTS, "optimized"])
def test_lists_end_with_the_rankings(method: str) -> None:
    runs = [run(TWO_RUNS, i) for i in range(2)]
    lists = ir.interleaving.interleave(runs, None, method, seed=3, depth=6, pages=pages(20, list(TWO_RUNS)))
    assert_frame_equal(
        ir.interleaving.interleave(runs, None, method, seed=3, depth=100_000, pages=pages(20, list(TWO_RUNS))), lists
    )
    one_query = [ranking.filter(pl.col("query_id") == "short") for ranking in runs]
    expected = lists.filter(pl.col("query_id") == "short").select("serp_id", "doc_id")
    assert_frame_equal(
        ir.interleaving.interleave(
            one_query, None, method, seed=3, depth=6, pages=pages(20, list(TWO_RUNS)).filter(query_id="short")
        ).select("serp_id", "doc_id"),
        expected,
    )


def test_names_of_columns_and_of_runs() -> None:
    """Columns are recognised or named, in runs and in pages; runs are called by their run_id."""
    case = {"q": TWO_RUNS["q"]}
    first, second = (run(case, i) for i in range(2))
    requests = pages(5)
    expected = ir.interleaving.interleave(first, second, pages=requests)
    shop = [one.rename({"query_id": "words", "doc_id": "article"}) for one in (first, second)]
    for asked, columns in (
        (requests.rename({"serp_id": "search_id", "query_id": "words"}), {"query_id": "words", "doc_id": "article"}),
        (
            requests.rename({"serp_id": "request"}),
            {"run": {"query_id": "words", "doc_id": "article"}, "pages": {"serp_id": "request"}},
        ),
    ):
        assert_frame_equal(ir.interleaving.interleave(*shop, pages=asked, columns=columns), expected)
    with pytest.raises(errors.MissingColumn, match=r'columns=\{"doc_id": "article"\}'):
        ir.interleaving.interleave(*(one.rename({"words": "query_id"}) for one in shop))
    with pytest.raises(errors.MissingColumn, match="no column 'artikel' to read as 'doc_id'"):
        ir.interleaving.interleave(first, second, columns={"doc_id": "artikel"})
    called = [one.with_columns(run_id=pl.lit(name)) for one, name in ((first, "old"), (second, "new"))]
    lists = ir.interleaving.interleave(*called, pages=requests)
    assert_frame_equal(
        lists.with_columns(pl.col("team").replace({"old": "a", "new": "b"})),
        expected.rename({"rank_a": "rank_old", "rank_b": "rank_new"}),
    )
    assert ir.interleaving.interleave(called[0], called[0]).columns[-2:] == ["rank_a", "rank_b"]


def test_queries_of_one_run_are_named() -> None:
    with pytest.warns(errors.OverlapWarning, match="lists favour those that do: 'short'"):
        ir.interleaving.interleave(run(TWO_RUNS, 0), run({"q": TWO_RUNS["q"]}, 1))
