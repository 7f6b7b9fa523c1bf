"""Relevance strings: a sign for each of the first documents."""

from __future__ import annotations

import polars as pl
import pytest

from ireval_frames.errors import InvalidParameter
from ireval_frames.ranking import Rankings
from tests.contract.kit import ENGINES
from tests.oracles.order import ranking
from tests.ranking.cases import Case, Docs, make_case

LENGTHS = (1, 10, 13, 14, 40)
CASE = make_case(5, 42, 2)


def sign(doc: str, judgments: Docs) -> str:
    if doc not in judgments:
        return "-"
    grade = judgments[doc]
    return "." if grade < 0 else ">" if grade > 9 else str(int(grade))


def expected(case: Case, length: int, *, judged_only: bool) -> dict[tuple[str, str], str]:
    out = {}
    for run_id, lists in case.runs.items():
        for query, judgments in case.qrels.items():
            signs = [sign(doc, judgments) for doc in ranking(lists.get(query, []))]
            out[run_id, query] = "".join(s for s in signs if not (judged_only and s in "-."))[:length]
    return out


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("judged_only", [False, True])
def test_equal_a_plain_loop(length: int, engine: str, *, judged_only: bool) -> None:
    frame = Rankings(CASE.qrels_frame(), CASE.run_frame(), engine=engine).relevance_strings(
        length, judged_only=judged_only
    )
    assert frame.columns == ["run_id", "query_id", "relevance_string"]
    assert {(r, q): s for r, q, s in frame.iter_rows()} == expected(CASE, length, judged_only=judged_only)


def test_the_case_has_all_signs() -> None:
    assert set("".join(expected(CASE, 40, judged_only=False).values())) >= set("-.01234")


def test_large_grades() -> None:
    qrels = pl.DataFrame({"query_id": ["q"] * 4, "doc_id": list("abcd"), "relevance": [9.0, 9.5, 10.0, 1e6]})
    run = pl.DataFrame({"query_id": ["q"] * 4, "doc_id": list("abcd"), "score": [4.0, 3.0, 2.0, 1.0]})
    assert Rankings(qrels, run).relevance_strings().rows() == [("q", "9>>>")]


def test_strings_longer_than_any_list() -> None:
    strings = Rankings(CASE.qrels_frame(), CASE.run_frame()).relevance_strings(100)
    assert Rankings(CASE.qrels_frame(), CASE.run_frame()).relevance_strings(10**9).equals(strings)


@pytest.mark.parametrize("length", [0, -1, 2.0, True, "10", None])
def test_invalid_lengths(length: object) -> None:
    with pytest.raises(InvalidParameter, match="whole number of at least 1"):
        Rankings(CASE.qrels_frame(), CASE.run_frame()).relevance_strings(length)
