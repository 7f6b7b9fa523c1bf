"""Which documents to judge next: widths beside all assignments of grades, and how soon two runs are told apart."""

from __future__ import annotations

import itertools
import random
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined
from tests.oracles import gain, precision
from tests.oracles.relevance import Judgments, Ranking

GRADES = (0.0, 1.0, 2.0)
MEASURES: dict[str, Any] = {
    "P@3": lambda r, j: precision.precision(r, j, cutoff=3),
    "nDCG@3": lambda r, j: gain.normalized_discounted_cumulated_gain(r, j, cutoff=3),
    "DCG@3": lambda r, j: gain.discounted_cumulated_gain(r, j, cutoff=3),
}
Lists = dict[str, dict[str, Ranking]]


def case(seed: int) -> tuple[dict[str, Judgments], Lists]:
    """Lists of two runs, of which one lacks a query, and judgments with grades up to 2 and some below 0."""
    rng = random.Random(seed)
    documents = [f"d{i}" for i in range(7)]
    lists = {run: {q: rng.sample(documents, 5) for q in ("q1", "q2", "q3")} for run in ("a", "b")}
    del lists["b"]["q3"]
    qrels = {q: {d: float(rng.choice([0, 1, -1])) for d in rng.sample(documents, 4)} for q in ("q1", "q2", "q3")}
    qrels["q1"]["other"] = 2.0
    return qrels, lists


def tables(qrels: dict[str, Judgments], lists: Lists) -> tuple[pl.DataFrame, pl.DataFrame]:
    judged = [(q, d, g) for q, of in qrels.items() for d, g in of.items()]
    rows = [(r, q, d, -i) for r, of in lists.items() for q, docs in of.items() for i, d in enumerate(docs)]
    return (
        pl.DataFrame(judged, schema=["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(rows, schema=["run_id", "query_id", "doc_id", "score"], orient="row"),
    )


def width(measure: Any, lists: Lists, query: str, judgments: Judgments, k: int) -> float:
    """What the differences of all gradings of the unjudged documents span."""
    both = [lists[run].get(query, []) for run in ("a", "b")]
    unjudged = sorted({d for docs in both for d in docs[:k] if judgments.get(d, -1) < 0})
    differences = []
    for grades in itertools.product(GRADES, repeat=len(unjudged)):
        graded = judgments | dict(zip(unjudged, grades, strict=True))
        differences.append(measure(both[1], graded) - measure(both[0], graded))
    return float(max(differences) - min(differences))


@pytest.mark.parametrize("name", MEASURES)
def test_widths(name: str) -> None:
    qrels, lists = case(len(name))
    rows = ir.evaluate(*tables(qrels, lists), name).diagnose("b", "a").to_judge().rows(named=True)
    expected = set()
    for query, judgments in qrels.items():
        both = {run: lists[run].get(query, []) for run in ("a", "b")}
        expected |= {(query, d) for docs in both.values() for d in docs[:3] if judgments.get(d, -1) < 0}
    assert {(row["query_id"], row["doc_id"]) for row in rows} == expected
    for row in rows:
        query, document = row["query_id"], row["doc_id"]
        before = width(MEASURES[name], lists, query, qrels[query], 3)
        after = [width(MEASURES[name], lists, query, qrels[query] | {document: g}, 3) for g in (0.0, 2.0)]
        assert row["width"] == pytest.approx(before, abs=1e-12)
        assert [row["width_if_not"], row["width_if_relevant"]] == pytest.approx(after, abs=1e-12)
        assert row["shrinks"] == pytest.approx(before - max(after), abs=1e-11)
        for run, column in (("a", "rank_baseline"), ("b", "rank")):
            docs = lists[run].get(query, [])
            assert row[column] == (docs.index(document) + 1 if document in docs else None)
    assert [row["shrinks"] for row in rows] == sorted((row["shrinks"] for row in rows), reverse=True)


def test_engines_parts_and_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB gives what Polars gives, and parts give the same; deeper than the cutoff an ideal may change."""
    qrels, runs = tables(*case(4))
    one, other = (
        ir.evaluate(qrels, runs, "nDCG@2", engine=engine).diagnose("b", "a").to_judge(4)
        for engine in ("polars", "duckdb")
    )
    assert_frame_equal(one, other, abs_tol=1e-12)
    monkeypatch.setattr("ireval_frames.ranking.diagnosis.to_judge.MOST_ROWS", 20)
    assert_frame_equal(ir.evaluate(qrels, runs, "nDCG@2").diagnose("b", "a").to_judge(4), one, abs_tol=1e-12)
    assert one.height > ir.evaluate(qrels, runs, "nDCG@2").diagnose("b", "a").to_judge().height


def test_a_document_at_one_rank_of_both_says_nothing() -> None:
    runs = pl.DataFrame(
        {"run_id": ["a", "a", "b", "b"], "query_id": 1, "doc_id": ["x", "y", "x", "z"], "score": [2, 1, 2, 1]}
    )
    qrels = pl.DataFrame({"query_id": [1], "doc_id": ["y"], "relevance": [1]})
    rows = ir.evaluate(qrels, runs, "P@2").diagnose("b", "a").to_judge().rows()
    assert rows == [(1, "z", None, 2, 0.5, 0.0, 0.0, 0.5), (1, "x", 1, 1, 0.5, 0.5, 0.5, 0.0)]


def test_runs_are_told_apart_sooner() -> None:
    """Judged one by one until the difference has one sign: two documents, in the order of ranks four."""
    lists = {"a": {"q": ["s1", "s2", "x"]}, "b": {"q": ["s1", "s2", "y"]}}
    truth = {d: float(d in ("s1", "y")) for of in lists.values() for d in of["q"]}

    def judgments_needed(order: Any) -> int:
        judged = {"none": 0.0}
        while True:
            d = ir.evaluate(*tables({"q": judged}, lists), "P@3", policy="overlap=allow").diagnose("b", "a")
            low, high = d.unjudged().select("lowest", "highest").row(0)
            if low > 0 or high < 0:
                return len(judged) - 1
            document = order(d.to_judge())["doc_id"][0]
            judged[document] = truth[document]

    best = pl.min_horizontal("rank_baseline", "rank")
    assert judgments_needed(lambda rows: rows) == 2
    assert judgments_needed(lambda rows: rows.sort(best, "doc_id")) == 4


def test_errors() -> None:
    d = ir.evaluate(*tables(*case(0)), "AP").diagnose("b", "a")
    with pytest.raises(InvalidParameter, match="AP has no cutoff, so k is required"):
        d.to_judge()
    with pytest.raises(InvalidParameter, match="k is 0"):
        d.to_judge(0)
    with pytest.raises(InvalidParameter, match="grades is"):
        d.to_judge(3, grades=[1])
    tied = ir.evaluate(*tables(*case(0)), "P@3", policy="ties=expectation").diagnose("b", "a")
    with pytest.raises(NotDefined, match="no rank of its own"):
        tied.to_judge()
