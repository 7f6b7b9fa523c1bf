"""Lists come with the probabilities of the algorithms, whatever the engine and the order of rows."""

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
from tests.interleaving.cases import THREE, TWO, pages, run

N = 12_000
TEAMS: dict[str, Callable[..., Any]] = {"team-draft": oracle.team_draft, "probabilistic": oracle.probabilistic}
LISTS: dict[str, Callable[..., Any]] = {"balanced": oracle.balanced, "pairwise": oracle.pairwise}
CASES = [(TWO, "q"), (TWO, "short"), (THREE, "q")]


def made(case: Any, query: str, method: str, n: int = N, **options: Any) -> pl.DataFrame:
    runs = [run(case, i) for i in range(len(case[query]))]
    return ir.interleaving.interleave(runs, None, method, seed=3, depth=3, pages=pages(n, [query]), **options)


@pytest.mark.parametrize("method", [*TEAMS, *LISTS])
@pytest.mark.parametrize("case, query", CASES)
def test_lists_are_as_likely_as_the_algorithm_says(method: str, case: Any, query: str) -> None:
    lists = [one[:3] for one in case[query]]
    columns = ["doc_id", "team"] if method in TEAMS else ["doc_id"]
    found = made(case, query, method).group_by("serp_id", maintain_order=True).agg(columns)
    if method in TEAMS:
        expected = {(docs, tuple("abc"[t] for t in teams)): p for (docs, teams), p in TEAMS[method](lists, 3).items()}
        counts = Counter((tuple(d), tuple(t)) for d, t in found.select(columns).iter_rows())
    else:
        expected = LISTS[method](lists, 3)
        counts = Counter(tuple(d) for d in found["doc_id"].to_list())
    assert set(counts) <= set(expected)
    assert sum(expected.values()) == pytest.approx(1.0)
    for key, p in expected.items():
        assert abs(counts[key] - N * p) <= 5 * np.sqrt(N * p * (1 - p)) + 1, key


def test_optimized_lists_favour_no_ranking() -> None:
    from ireval_frames.interleaving.optimized import allowed, lottery

    for first, second in itertools.product(itertools.permutations(range(4)), [(0, 1, 2, 3), (3, 4, 0, 5)]):
        lists = np.array([first, second])
        ranks = np.array([[list(one).index(d) + 1 if d in one else 0 for d in range(6)] for one in lists])
        for credit in ("inverse", "negative"):
            drawn = lottery(lists, ranks, 4, credit)
            p = np.diff(drawn.cumulative, prepend=0.0)
            bias = np.cumsum(((drawn.credits[:, 0] - drawn.credits[:, 1]) * p[:, None]).sum(axis=0))
            assert abs(bias).max() < 1e-7
    # Every place holds the best document left of one of the two.
    assert sorted(map(tuple, allowed(np.array([[0, 1, 2], [1, 2, 0]]), 2).tolist())) == [(0, 1), (1, 0), (1, 2)]
    found = made(TWO, "q", "optimized").group_by("serp_id", maintain_order=True).agg("doc_id", "credit_a", "credit_b")
    sums = np.array(found["credit_a"].to_list()) - np.array(found["credit_b"].to_list())
    means, spread = sums.mean(axis=0), sums.std(axis=0) / np.sqrt(N)
    assert abs(means).max() < 5 * max(spread.max(), 1e-12)
    other = pl.DataFrame({"query_id": ["q"] * 20, "doc_id": [f"x{i}" for i in range(20)], "rank": range(1, 21)})
    mine = other.with_columns(doc_id=pl.lit("y") + pl.col("doc_id"))
    with pytest.raises(errors.InvalidParameter, match="more than 5000 lists"):
        ir.interleaving.interleave(other, mine, "optimized", depth=15)


def test_of_three_rankings_no_prefix_is_biased() -> None:
    from ireval_frames.interleaving.optimized import lottery

    lists = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]])
    ranks = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]])
    drawn = lottery(lists, ranks, 3, "inverse")
    p = np.diff(drawn.cumulative, prepend=0.0)
    expected = np.cumsum((drawn.credits * p[:, None, None]).sum(axis=0), axis=1)
    assert np.ptp(expected, axis=0).max() < 1e-7


def test_lists_follow_from_the_page_and_the_seed_alone() -> None:
    a, b = run(TWO, 0), run(TWO, 1)
    asked = pages(50, ["q", "short"])
    for method in ("team-draft", "balanced", "probabilistic", "pairwise", "optimized"):
        first = ir.interleaving.interleave(a, b, method, 5, depth=3, pages=asked)
        con = duckdb.connect()
        there = ir.interleaving.interleave(
            con.from_arrow(a.sample(fraction=1, shuffle=True, seed=1).to_arrow()), b, method, 5, depth=3, pages=asked
        )
        assert there.equals(first)
        some = ir.interleaving.interleave(a, b, method, 5, depth=3, pages=asked.filter(pl.col("serp_id") > 20))
        assert some.equals(first.filter(pl.col("serp_id") > 20))
        other = ir.interleaving.interleave(a, b, method, 6, depth=3, pages=asked)
        assert not other.equals(first)
    by_query = ir.interleaving.interleave(a, b, depth=2)
    assert by_query["serp_id"].to_list() == ["q", "q", "short", "short"]
    one_table = pl.concat([a.with_columns(run_id=pl.lit("bm25")), b.with_columns(run_id=pl.lit("dense"))])
    assert {"rank_bm25", "rank_dense"} < set(ir.interleaving.interleave(one_table).columns)


def test_ranks_and_credits_tell_where_a_document_came_from() -> None:
    lists = [one[:3] for one in TWO["q"]]
    found = made(TWO, "q", "probabilistic", 40)
    for page in found.partition_by("serp_id"):
        docs = tuple(page["doc_id"])
        assert page["rank_a"].to_list() == [r if (r := oracle.rank(lists[0], d)) < 9 else None for d in docs]
        expected = oracle.shares(lists, docs, 3)
        assert page["credit_a"].to_list() == pytest.approx(expected[0])
        assert page["credit_b"].to_list() == pytest.approx(expected[1])


@pytest.mark.parametrize(
    "changed, error, words",
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
def test_bad_input_is_told(changed: dict[str, Any], error: type[Exception], words: str) -> None:
    given: dict[str, Any] = {"run_a": run(TWO, 0), "run_b": run(TWO, 1), **changed}
    with pytest.raises(error, match=words):
        ir.interleaving.interleave(**given)


@pytest.mark.parametrize("method", [*TEAMS, *LISTS, "optimized"])
def test_lists_end_where_nothing_is_left(method: str) -> None:
    runs = [run(TWO, i) for i in range(2)]
    short = ir.interleaving.interleave(runs, None, method, seed=3, depth=6, pages=pages(20, list(TWO)))
    assert_frame_equal(
        ir.interleaving.interleave(runs, None, method, seed=3, depth=100_000, pages=pages(20, list(TWO))), short
    )
    alone = [one.filter(pl.col("query_id") == "short") for one in runs]
    mine = short.filter(pl.col("query_id") == "short").select("serp_id", "doc_id")
    assert_frame_equal(
        ir.interleaving.interleave(
            alone, None, method, seed=3, depth=6, pages=pages(20, list(TWO)).filter(query_id="short")
        ).select("serp_id", "doc_id"),
        mine,
    )
