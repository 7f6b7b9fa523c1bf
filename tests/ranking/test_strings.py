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
MADE = make_case(5, 42, 2)


def sign(doc: str, judgments: Docs) -> str:
    if doc not in judgments:
        return "-"
    grade = judgments[doc]
    return "." if grade < 0 else ">" if grade > 9 else str(int(grade))


def expected(made: Case, length: int, *, judged_only: bool) -> dict[tuple[str, str], str]:
    out = {}
    for run_id, lists in made.runs.items():
        for query, judgments in made.qrels.items():
            signs = [sign(doc, judgments) for doc in ranking(lists.get(query, []))]
            out[run_id, query] = "".join(s for s in signs if not (judged_only and s in "-."))[:length]
    return out


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("judged_only", [False, True])
def test_as_a_loop_writes_them(length: int, engine: str, *, judged_only: bool) -> None:
    frame = Rankings(MADE.qrels_frame(), MADE.run_frame(), engine=engine).relevance_strings(
        length, judged_only=judged_only
    )
    assert frame.columns == ["run_id", "query_id", "relevance_string"]
    assert {(r, q): s for r, q, s in frame.iter_rows()} == expected(MADE, length, judged_only=judged_only)


def test_all_signs_are_tried() -> None:
    assert set("".join(expected(MADE, 40, judged_only=False).values())) >= set("-.01234")


def test_large_grades() -> None:
    qrels = pl.DataFrame({"query_id": ["q"] * 4, "doc_id": list("abcd"), "relevance": [9.0, 9.5, 10.0, 1e6]})
    run = pl.DataFrame({"query_id": ["q"] * 4, "doc_id": list("abcd"), "score": [4.0, 3.0, 2.0, 1.0]})
    assert Rankings(qrels, run).relevance_strings().rows() == [("q", "9>>>")]


def test_strings_longer_than_any_list() -> None:
    short = Rankings(MADE.qrels_frame(), MADE.run_frame()).relevance_strings(100)
    assert Rankings(MADE.qrels_frame(), MADE.run_frame()).relevance_strings(10**9).equals(short)


@pytest.mark.parametrize("length", [0, -1, 2.0, True, "10", None])
def test_a_length_of_no_kind_is_refused(length: object) -> None:
    with pytest.raises(InvalidParameter, match="whole number of at least 1"):
        Rankings(MADE.qrels_frame(), MADE.run_frame()).relevance_strings(length)
