"""Methods of fusion against loops and the table of the reference, on Polars and DuckDB."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from tests.fusion.cases import ENGINES, SMALL, by_query, fused, on_duckdb, on_polars
from tests.oracles import fusion as oracle
from tests.pools.cases import RUNS, table

engines = pytest.mark.parametrize("fuse", ENGINES.values(), ids=ENGINES)
missing_queries = pytest.mark.filterwarnings("ignore:Not every run has all")

# Scores of a, b, c, d and e, computed by hand and by ranx, to six decimals.
BY_HAND: list[tuple[str, dict[str, Any], list[float]]] = [
    ("combsum", {"normalize": "none"}, [5, 15, 1.9, 7.8, 2]),
    ("combsum", {}, [1, 1.5, 1, 0.5, 0]),
    ("combsum", {"normalize": "max"}, [1, 1.6, 1.2, 1.472222, 0.166667]),
    ("combsum", {"normalize": "sum"}, [0.666667, 1, 1, 0.333333, 0]),
    ("combsum", {"normalize": "zmuv", "missing": "zero"}, [1.224745, 1.224745, -0.224745, -1, -1.224745]),
    ("combsum", {"normalize": "rank"}, [1, 1.666667, 1.333333, 1.166667, 0.333333]),
    ("combsum", {"normalize": "borda"}, [1.7, 2.2, 1.9, 1.9, 1.3]),
    ("combmnz", {}, [1, 3, 2, 1, 0]),
    ("combanz", {"normalize": "none"}, [5, 7.5, 0.95, 3.9, 2]),
    ("combmed", {"normalize": "none"}, [5, 7.5, 0.95, 3.9, 2]),
    ("combmax", {"normalize": "none"}, [5, 12, 1, 7, 2]),
    ("combmin", {"normalize": "none"}, [5, 3, 0.9, 0.8, 2]),
    ("rrf", {}, [0.016393, 0.032522, 0.032266, 0.032258, 0.015873]),
    ("isr", {}, [1, 2.5, 2.222222, 1, 0.111111]),
    ("logisr", {}, [0, 0.866434, 0.770164, 0.346574, 0]),
    ("lognisr", {}, [0.009950, 0.872668, 0.775705, 0.349067, 0.001106]),
    ("rbc", {"phi": 0.8}, [0.2, 0.36, 0.328, 0.32, 0.128]),
    ("borda", {}, [8.5, 11, 9.5, 9.5, 6.5]),
    ("combgmnz", {"normalize": "none", "gamma": 0.5}, [5, 21.213203, 2.687006, 11.030866, 2]),
    # Copeland's numbers 3, 1, 0, −1, −3 with margins 4, 1, 1, −1, −5, over 2 · 3 · 5.
    ("condorcet", {}, [-1 - 1 / 30, 3 + 4 / 30, 1 + 1 / 30, 1 / 30, -3 - 5 / 30]),
]

WEIGHTS = dict(zip(RUNS, (0.5, 2.0, 1.0, 0.25), strict=True))
OF_SCORES = ("combsum", "combmnz", "combanz", "combmax", "combmin", "combmed", "combgmnz", "wsum", "wmnz", "mixed")
CASES: list[tuple[str, dict[str, Any]]] = [
    *((method, {}) for method in (*OF_SCORES, "rrf", "isr", "logisr", "lognisr", "rbc", "borda", "condorcet")),
    *(("combsum", {"normalize": n, "depth": 7}) for n in ("none", "max", "sum", "zmuv", "l2", "dbsf", "rank", "borda")),
    *((method, {"missing": m}) for method in ("combmin", "combmed", "combanz", "wsum") for m in ("zero", "min")),
    ("combmnz", {"normalize": "rank", "missing": "min"}),
    ("combsum", {"constant": 0.0, "depth": 1}),
    *((method, {"missing": "last", "ties": "doc_id"}) for method in ("rrf", "isr", "rbc")),
    *((method, {"ties": "average"}) for method in ("rrf", "borda", "condorcet")),
    ("rrf", {"weights": WEIGHTS, "k": 0}),
    ("rrf", {"k": 10, "depth": 3}),
    ("rbc", {"phi": 0.5, "ties": "doc_id"}),
]  # fmt: skip


@pytest.mark.parametrize("method, options, expected", BY_HAND)
def test_by_hand(method: str, options: dict[str, Any], expected: list[float]) -> None:
    assert on_polars(SMALL, method, **options).sort("doc_id")["score"].to_list() == pytest.approx(expected, abs=5e-7)


@missing_queries
@engines
@pytest.mark.parametrize("method, options", CASES, ids=str)
def test_against_loops(fuse: Callable[..., pl.DataFrame], method: str, options: dict[str, Any]) -> None:
    options = {"weights": WEIGHTS} | options if method in ("wsum", "wmnz", "mixed") else options
    of_oracle = options | (
        {"missing": {"zmuv": "min", "borda": "own"}[options["normalize"]]}
        if options.get("normalize") in ("zmuv", "borda")
        else {}
    )
    # Text ids on one engine, whole numbers on the other; all scores are positive, as max normalisation needs it.
    seed = [*ENGINES.values()].index(fuse)
    runs = table(seed, text=seed == 0).with_columns(pl.col("score") + 1.0)
    actual = fuse(runs, method, **options)
    assert actual.columns == ["query_id", "doc_id", "score", "rank", "run_id"]
    assert set(actual["run_id"]) == {method}
    assert actual["rank"].dtype == pl.Int64
    assert actual.rows() == actual.sort("query_id", "rank").rows()
    for row, other in zip(actual.sort("query_id", "doc_id").rows(), fused(runs, method, **of_oracle), strict=True):
        assert row[:3] == (*other[:2], pytest.approx(other[2], rel=1e-12, abs=1e-12))
    by_score = actual.sort("query_id", "score", "doc_id", descending=[False, True, options.get("ties") != "doc_id"])
    assert by_score.rows() == actual.rows()
    assert (
        actual["rank"].to_list() == actual.select(rank=pl.int_range(1, pl.len() + 1).over("query_id"))["rank"].to_list()
    )


@missing_queries
@pytest.mark.parametrize("method", [*OF_SCORES, "rrf", "isr", "lognisr", "rbc", "borda", "condorcet"])
def test_properties(method: str) -> None:
    """The order of the rows changes no bit, engines agree to the last one, and copies of a run have its order."""
    runs = table(5)
    weights = {"weights": WEIGHTS} if method in ("wsum", "wmnz", "mixed") else {}
    fused_run = on_polars(runs, method, **weights)
    assert on_polars(runs.reverse(), method, **weights).rows() == fused_run.rows()
    assert on_duckdb(runs.sample(fraction=1, shuffle=True, seed=1), method, **weights).rows() == fused_run.rows()
    one = runs.filter(pl.col("run_id") == "bm25").drop("run_id")
    weights = {"weights": [1.0, 0.5, 2.0]} if weights else {}
    copies = ir.fuse([one, one, one], method, **weights).collect()
    alone = one.sort("query_id", "score", "doc_id", descending=[False, True, True])
    assert copies["doc_id"].to_list() == alone["doc_id"].to_list()


@missing_queries
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_cycles(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against loops, some queries at once; the first cycle of a query has its best document."""
    monkeypatch.setattr("ireval_frames.fusion.cycles.PAIRS", 300)
    runs = table(19, text=engine == "polars")
    result = ir.fuse(runs, "condorcet", depth=8, engine=engine)
    expected = {
        (query, of)
        for query, lists in by_query(runs, 8, "trec_eval").items()
        for of in oracle.cycles({run: oracle.ranks_of(scores, "trec_eval") for run, scores in lists.items()})
    }
    assert len({query for query, _ in expected}) > 1
    rows = result.cycles()
    actual = rows.group_by("query_id", "cycle").agg("doc_id", first=pl.col("rank").min())
    assert {(query, frozenset(docs)) for query, _, docs, _ in actual.iter_rows()} == expected
    for _, of_query in actual.sort("cycle").group_by("query_id", maintain_order=True):
        assert of_query["cycle"].to_list() == list(range(1, of_query.height + 1))
        assert of_query["first"].is_sorted()
    ranked = rows.join(result.collect(), on=["query_id", "doc_id", "rank"])
    assert ranked.height == rows.height
    assert rows.rows() == rows.sort("query_id", "cycle", "rank").rows()


def test_no_cycles() -> None:
    none = ir.fuse(SMALL, "condorcet").cycles()
    assert none.columns == ["query_id", "cycle", "doc_id", "rank"]
    assert none.height == 0
    with pytest.raises(NotDefined, match="rrf compares no two documents"):
        ir.fuse(SMALL, "rrf").cycles()


def test_explained() -> None:
    text = ir.fuse(SMALL, "wsum", weights={"r1": 1, "r2": 0.5, "r3": 2}, depth=3, top=2).explain()
    for line in (
        "  run: a row per (run_id, query_id, doc_id); the runs r1, r2, r3",
        "    rank = the place in the list, equal scores by descending ids; down to rank 3",
        "    s = value, normalised by minmax; a list that lacks the document is passed over",
        "  weights: w = 1 of r1, 0.5 of r2, 2 of r3",
        "    score = Σ w · s  ← wsum",
        "    rank = the place by score, equal scores by descending ids; the first 2",
    ):
        assert line in text.splitlines()
    for method in (*OF_SCORES[:7], "rrf", "isr", "logisr", "lognisr", "rbc", "borda", "condorcet"):
        assert f"← {method}" in ir.fuse(SMALL, method).explain()


def test_pools_are_ordered_by_the_same_scores() -> None:
    runs = table(3)
    pool = ir.pool(runs, "rrf", depth=10).select("query_id", "doc_id", "score").sort("query_id", "doc_id")
    with pytest.warns(ir.errors.OverlapWarning, match="lacks 1"):
        run = ir.fuse(runs, "rrf", depth=10).collect()
    assert run.sort("query_id", "doc_id").select(pool.columns).rows() == pool.rows()
